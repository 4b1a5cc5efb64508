import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeDelivery } from '../../src/webhooks/index.ts';
import { freePort } from '../../support/free-port.ts';
import { tool } from '../../support/packed.ts';
import { whenUp } from '../../support/workerd.ts';

const SECRET = 'sample-signing-secret';
const HEADER = 'X-SVC-Webhook-Signature';

const sign = (body: string | Buffer, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex');

/** Each program is in a file `<name>.mjs` and takes the port as its argument. */
const PROGRAMS: Record<string, string> = {
  fetch: `
    const port = Number(globalThis.process.argv[2]);
    if (globalThis.Bun) Bun.serve({ port, hostname: '127.0.0.1', fetch: receiver.fetch });
    else Deno.serve({ port, hostname: '127.0.0.1', onListen() {} }, request => receiver.fetch(request));`,
  http: `
    const { createServer } = globalThis.process.getBuiltinModule('node:http');
    createServer(receiver.node).listen(Number(globalThis.process.argv[2]), '127.0.0.1');`,
  worker: `export default { fetch: request => receiver.fetch(request) };`,
};

let directory = '';
const children: ChildProcess[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'runtimes-'));
  for (const [name, program] of Object.entries(PROGRAMS)) {
    await build({
      stdin: {
        contents: `import { createReceiver, memoryInbox } from './src/webhooks/index.ts';
          const inbox = memoryInbox({ ephemeral: true });
          const options = { secrets: ['old', ${JSON.stringify(SECRET)}], inbox, maxBodyBytes: 50_000, logger: false };
          const receiver = createReceiver(options);
          ${program}`,
        resolveDir: join(import.meta.dirname, '../..'),
      },
      outfile: join(directory, `${name}.mjs`),
      bundle: true,
      format: 'esm',
      target: 'es2022',
    });
  }
  writeFileSync(join(directory, 'worker.capnp'), workerConfig());
  writeFileSync(join(directory, 'worker-without-node.capnp'), workerConfig('no_nodejs_compat'));
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

/** By default workerd has `node:crypto`. */
function workerConfig(...flags: string[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
    compatibilityDate = "2026-10-01",
    compatibilityFlags = ${JSON.stringify(flags)},
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);`;
}

const DENO = ['run', '--allow-net', '--allow-env', '--allow-read', '--allow-sys'];

describe.each<[string, string, (port: number) => string[]]>([
  ['Node', process.execPath, port => ['http.mjs', String(port)]],
  ['Bun', tool('bun'), port => ['run', 'fetch.mjs', String(port)]],
  ['Bun with node:http', tool('bun'), port => ['run', 'http.mjs', String(port)]],
  ['Deno', tool('deno'), port => [...DENO, 'fetch.mjs', String(port)]],
  ['Deno with node:http', tool('deno'), port => [...DENO, 'http.mjs', String(port)]],
  ['workerd', tool('workerd'), port => ['serve', 'worker.capnp', `--socket-addr=http=127.0.0.1:${port}`]],
  [
    'workerd without node:crypto',
    tool('workerd'),
    port => ['serve', 'worker-without-node.capnp', `--socket-addr=http=127.0.0.1:${port}`],
  ],
])('the receiver over a socket in %s', (_, command, args) => {
  let url = '';
  beforeAll(async () => {
    const port = await freePort();
    const child = spawn(command, args(port), { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
    children.push(child);
    url = `http://127.0.0.1:${port}/`;
    await whenUp(url, child);
  });

  const body = JSON.stringify(fakeDelivery('container.updated'));
  const post = async (headers: [string, string][], text: string | Buffer = body) => {
    const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(Buffer.from(text)) });
    return [response.status, await response.text()];
  };
  const signed = (text: string | Buffer): [string, string][] => [[HEADER, sign(text)]];

  test('accepts a delivery, recognises its repetition, and refuses invalid bodies', async () => {
    expect(await post(signed(body))).toEqual([202, 'stored']);
    expect(await post(signed(body))).toEqual([200, 'duplicate']);
    const latin1 = Buffer.from('{"a":"\xff"}', 'latin1');
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const odd = body.replace('"attributes":{', '"attributes":{"__proto__":{"x":1},').replace(/"id":"/g, '"id":"x');
    expect(await post(signed(`\ufeff${odd}`), `\ufeff${odd}`)).toEqual([202, 'stored']);
    expect(await post(signed(latin1), latin1)).toEqual([400, 'bad_payload']);
    expect(await post(signed(deep), deep)).toEqual([400, 'bad_payload']);
    expect(await post(signed(''), '')).toEqual([400, 'bad_payload']);
    expect((await fetch(url)).status).toBe(405);
    const large = 'x'.repeat(60_000);
    expect((await post(signed(large), large))[0]).toBe(413);
  });

  test.each<[string, [string, string][], string]>([
    ['no signature', [], 'missing_signature'],
    ['a wrong signature', [[HEADER, sign(body, 'other')]], 'mismatch'],
    ['a signature of another body', [[HEADER, sign(`${body} `)]], 'mismatch'],
    ['a short signature', [[HEADER, sign(body).slice(2)]], 'malformed_signature'],
    ['a signature with junk', [[HEADER, `${sign(body)}zz`]], 'malformed_signature'],
    ['a signature with a prefix', [[HEADER, `sha256=${sign(body)}`]], 'malformed_signature'],
    ['two signatures', [...signed(body), ...signed(body)], 'malformed_signature'],
  ])('gives the same response to %s as every other runtime', async (_, headers, reason) => {
    expect(await post(headers)).toEqual([401, reason]);
  });
});
