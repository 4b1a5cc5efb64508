import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixture } from './fixtures.ts';

/** What every request is answered with: a shipment with what it includes, 13 kB. */
export const ANSWER = fixture('shipments.get.include.json');

export interface AnsweringServer {
  origin: string;
  close(): Promise<void>;
}

/**
 * A server that answers every request with the same 200, in a process of its own: what serving costs must not look like a
 * cost of the client, and beside others that work hard the client would wait for its own server.
 */
export async function startAnswering(): Promise<AnsweringServer> {
  const child: ChildProcess = fork(import.meta.filename, { execArgv: [] });
  const exited = once(child, 'exit');
  const [port] = await Promise.race([
    once(child, 'message'),
    exited.then(() => {
      throw new Error('The server did not start.');
    }),
  ]);
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      child.disconnect();
      await exited;
    },
  };
}

if (import.meta.main) {
  const body = Buffer.from(ANSWER);
  const server = createServer((request, response) => {
    // Some clients parse nothing but plain JSON.
    const type = request.url?.startsWith('/v2/') ? 'application/vnd.api+json' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);
  });
  // Clients take turns: a connection is not lost meanwhile.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}
