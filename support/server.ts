import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  method: string;
  /** Path and query, unchanged. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A response as data. A body that is neither a string nor a Buffer is sent as JSON. */
export interface Answer {
  /** @default 200 */
  status?: number;
  /** The reason phrase. */
  statusText?: string;
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

/**
 * Responds to a request by itself, for example to wait or to break the connection. If it throws an error, the test run
 * fails.
 */
export type Handler = (request: ReceivedRequest, response: ServerResponse) => unknown;

export interface TestServer {
  readonly origin: string;
  /** The address with the version segment: the base URL for a client. */
  readonly baseUrl: string;
  /** All received requests, with their bodies. */
  readonly requests: readonly ReceivedRequest[];
  /** Number of accepted TCP connections. */
  readonly connections: number;
  /** Breaks all connections, also idle connections. */
  disconnect(): void;
  close(): Promise<void>;
}

/** A server on loopback. It sends the responses of `script` in their order, and then repeats the last response. */
export async function startServer(...script: (Answer | Handler)[]): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  let connections = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('error', () => {});
    response.on('error', () => {});
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    const step = script[Math.min(requests.push(request), script.length) - 1] ?? {};
    if (typeof step === 'function') await step(request, response);
    else answer(response, step);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v2`,
    requests,
    get connections() {
      return connections;
    },
    disconnect: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** Starts a server as {@link startServer} does, and closes it at the end of the test. */
export async function serve(...script: (Answer | Handler)[]): Promise<TestServer> {
  const server = await startServer(...script);
  onTestFinished(() => server.close());
  return server;
}

export function answer(response: ServerResponse, { status = 200, statusText, headers, body }: Answer): void {
  const json = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
  const type = json ? { 'content-type': 'application/vnd.api+json' } : {};
  response.writeHead(status, statusText, { ...type, ...headers }).end(json ? JSON.stringify(body) : body);
}
