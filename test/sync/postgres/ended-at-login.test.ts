import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

/** One message of the protocol: its type, its length and its content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(4 + content.length, 1);
  return Buffer.concat([head, Buffer.from(content, 'latin1')]);
}

const LOGGED_IN = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]);
const ENDED = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that ends each backend right after its login, so that both messages arrive together. */
async function startServer(): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([LOGGED_IN, ENDED])));
  }).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test.each(['inbox', 'store', 'lock'])(
  'if a backend is ended right after its login, a call of the %s fails, and the process does not end',
  async use => {
    const script = resolve(import.meta.dirname, 'ended-at-login.worker.ts');
    const child = spawn(process.execPath, [script, use, String(await startServer())]);
    const [code, out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
    expect({ code: code[0], out: out.trim(), err }).toEqual({
      code: 0,
      out: 'StoreError store_unavailable',
      err: '',
    });
  },
);
