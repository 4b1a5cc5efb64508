import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';

export interface ChildServer {
  origin: string;
  close(): Promise<void>;
}

/**
 * Runs a file that calls {@link serveAsChild}. The file runs in a separate process, so that the measured cost of a
 * client does not include the cost of the server.
 */
export async function startChild(file: string): Promise<ChildServer> {
  const child = fork(file, { execArgv: [] });
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

/** Starts the server if {@link startChild} has started `file`. Does nothing if `file` was imported. */
export function serveAsChild(file: string, listenerOf: () => RequestListener): void {
  if (!process.send || !process.argv[1] || pathToFileURL(file).href !== pathToFileURL(process.argv[1]).href) return;
  const server = createServer(listenerOf());
  // An idle connection must stay open while other clients are measured.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}

/**
 * Responds after `ms` ms. A request for a page of containers gets that page of `lists`. Any other request gets `rest`.
 */
export function pagedAfter(ms: number, lists: readonly string[], rest = ''): RequestListener {
  return ({ url = '' }, response) => {
    const page = Number(new URL(url, 'http://host.example').searchParams.get('page[number]') ?? 1);
    const body = url.includes('/containers') ? lists[page - 1] : rest;
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/vnd.api+json' }).end(body), ms);
  };
}
