import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { TrackingClient } from '../src/index.ts';
import type { Sandbox } from '../src/sandbox/index.ts';

/** The response that replaces the response of the sandbox. With `hang` there is no response. */
export type Instead = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | undefined;

export interface Front {
  baseUrl: string;
  /** Called for each request, with the path after `/v2` and the query. */
  instead: (path: string, query: URLSearchParams) => Instead | Promise<Instead>;
  /** The requested paths. */
  readonly paths: string[];
  /** Requests that have no response yet. */
  readonly open: Set<string>;
  client(options?: { apiKey?: string }): TrackingClient;
}

/** A sandbox behind a socket. A test can replace its responses. The server ends with the test. */
export async function frontOf(sandbox: Pick<Sandbox, 'fetch'>): Promise<Front> {
  const paths: string[] = [];
  const open = new Set<string>();
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { pathname, searchParams, search } = new URL(incoming.url ?? '', 'http://service.example');
    const path = pathname.replace('/v2', '');
    const entry = `${path}${search}`;
    paths.push(path);
    open.add(entry);
    response.once('close', () => open.delete(entry));
    const instead = await front.instead(path, searchParams);
    if (instead === 'hang') return;
    if (instead) {
      response.writeHead(instead.status, { 'content-type': 'application/json', ...instead.headers });
      response.end(instead.body ?? '{"errors":[]}');
      return;
    }
    const { method = 'GET' } = incoming;
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = method === 'GET' ? {} : { body: Buffer.concat(chunks) };
    const answer = await sandbox.fetch(
      new Request(`http://service.example${incoming.url}`, { method, headers, ...body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const front: Front = {
    ...{ baseUrl: `http://127.0.0.1:${port}/v2`, paths, open },
    instead: () => undefined,
    client: ({ apiKey = 'sandbox' } = {}) =>
      new TrackingClient({
        ...{ baseUrl: front.baseUrl, apiKey, rateLimit: false, logger: false },
        retry: { minDelay: 0, maxDelay: 1, limit: 1 },
        timeout: 400,
      }),
  };
  return front;
}
