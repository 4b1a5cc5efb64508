import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClientOptions, TrackingClient } from '../../src/index.ts';
import type { WireDocument, WireResource } from '../../src/jsonapi/document.ts';

export interface Received {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Answer {
  /** @default 200 */
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON, a string as it is. */
  body?: unknown;
}

/** `'broken'` closes the connection in place of an answer. */
export type Handler = (request: Received) => Answer | 'broken' | Promise<Answer | 'broken'>;

export interface ScriptedServer {
  /** With its version segment. */
  baseUrl: string;
  /** Everything that has arrived, in order. */
  requests: Received[];
  /** The most requests that were under way at one time. */
  readonly peak: number;
}

/** A real server on loopback that answers as the handler says. It ends with the test. */
export async function startServer(handler: Handler): Promise<ScriptedServer> {
  const requests: Received[] = [];
  let underWay = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    peak = Math.max(peak, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const received = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', `http://${request.headers.host}`),
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    requests.push(received);
    const answer = await handler(received);
    if (answer === 'broken') {
      request.socket.destroy();
      return;
    }
    const { status = 200, headers = {}, body = '' } = answer;
    response.writeHead(status, { 'content-type': 'application/vnd.api+json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v2`,
    requests,
    get peak() {
      return peak;
    },
  };
}

/** A client of the server that says nothing, does not wait for a budget and does not check schemas, unless told to. */
export function clientOf({ baseUrl }: ScriptedServer, options: ClientOptions = {}): TrackingClient {
  return new TrackingClient({
    baseUrl,
    apiKey: 'key',
    logger: false,
    validation: 'off',
    rateLimit: false,
    retry: false,
    ...options,
  });
}

/** Which members a list has differs by operation (api/errors-and-limits.md section 5). */
export interface PageStyle {
  /** @default 30 */
  defaultSize?: number;
  /** @default 'size and total' */
  meta?: 'size and total' | 'total' | 'none';
  /** @default true */
  links?: boolean;
}

export function pageNumber(url: URL): number {
  return Number(url.searchParams.get('page[number]') ?? 1);
}

/** The page that a request asks for, in the state of this moment. */
export function pageOf(records: readonly WireResource[], url: URL, style: PageStyle = {}): WireDocument {
  const { defaultSize = 30, meta = 'size and total', links = true } = style;
  const number = pageNumber(url);
  const size = Math.min(100, Number(url.searchParams.get('page[size]') ?? defaultSize));
  const last = Math.max(1, Math.ceil(records.length / size));
  const data = records.slice((number - 1) * size, number * size);
  const total = records.length;
  const document: WireDocument = { data };
  if (links) {
    document.links = { self: url.href, current: pageAddress(url, number) };
    if (number > 1) Object.assign(document.links, { first: pageAddress(url, 1), prev: pageAddress(url, number - 1) });
    if (number < last)
      Object.assign(document.links, { next: pageAddress(url, number + 1), last: pageAddress(url, last) });
  }
  if (meta === 'size and total') document.meta = { size: data.length, total };
  if (meta === 'total') document.meta = { total };
  return document;
}

/** An absolute address whose brackets are not encoded, as the service writes it. */
export function pageAddress(url: URL, number: number): string {
  const others = Array.from(url.searchParams).filter(([name]) => name !== 'page[number]');
  const query = [['page[number]', String(number)], ...others].map(pair => pair.join('='));
  return `${url.origin}${url.pathname}?${query.join('&')}`;
}

export function container(number: number | string): WireResource {
  return { type: 'container', id: `c${number}`, attributes: { number: `BOX${number}` } };
}

/** Containers `from` to `to`, in this order. */
export function containers(from: number, to: number): WireResource[] {
  return Array.from({ length: to - from + 1 }, (_, index) => container(from + index));
}
