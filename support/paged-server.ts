import type { IncomingHttpHeaders } from 'node:http';
import { type CommonOptions, TrackingClient } from '../src/index.ts';
import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';
import { type Answer, answer, serve } from './server.ts';

export interface Received {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `'broken'` closes the connection instead of sending a response. */
export type Script = (request: Received) => Answer | 'broken' | Promise<Answer | 'broken'>;

export interface ScriptedServer {
  /** The address with the version segment. */
  baseUrl: string;
  /** All requests in the order of their arrival. */
  requests: Received[];
  /** The largest number of requests in progress at the same time. */
  readonly peak: number;
}

/**
 * A server that gets its responses from the script. The script receives each request. The server is closed at
 * the end of the test.
 */
export async function serveScript(script: Script): Promise<ScriptedServer> {
  const requests: Received[] = [];
  let underWay = 0;
  let peak = 0;
  const { origin, baseUrl } = await serve(async (request, response) => {
    underWay += 1;
    peak = Math.max(peak, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const received = { ...request, url: new URL(request.url, origin) };
    requests.push(received);
    const answered = await script(received);
    if (answered === 'broken') response.destroy();
    else answer(response, answered);
  });
  return {
    baseUrl,
    requests,
    get peak() {
      return peak;
    },
  };
}

/** A client of the server. By default it has no logger, no rate limit and no validation. */
export function clientOf({ baseUrl }: ScriptedServer, options: CommonOptions = {}): TrackingClient {
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

/** The form of the pages of a list. It depends on the operation. */
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

/** A page of these records: the page that a request names. */
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

/** An absolute address. Its brackets are not encoded, as in the links of the service. */
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
