import { isRecord } from '../../jsonapi/document.ts';
import type { Backend } from '../state/backend.ts';
import type { Collection, Collections, RecordOf } from '../state/store.ts';
import { malformedBody, orNotFound, tooLong, unsupportedType } from './errors.ts';

/** The strings of an attribute that is a list. Otherwise `before`. */
export function stringsOr<T>(before: T, attributes: Record<string, unknown>, name: string): string[] | T {
  const value = attributes[name];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : before;
}

/** An attribute that is a string or `null`. Otherwise `before`. */
export function textOrNull(before: string | null, attributes: Record<string, unknown>, name: string): string | null {
  const value = attributes[name];
  return typeof value === 'string' || value === null ? value : before;
}

/** An attribute that is a string, trimmed. Otherwise an empty string. */
export function text(attributes: Record<string, unknown>, name: string): string {
  const value = attributes[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** The limit of the real service is not published. */
const MAX_JSON_BYTES = 10 * 2 ** 20;

const JSON_TYPE = /^application\/(?:vnd\.api\+)?json\s*(?:;|$)/i;

/** The segment with the version. Every path of the REST interface begins with it. */
export const PREFIX = '/v2';

/** A request as a route handler sees it. */
export interface Call {
  backend: Backend;
  request: Request;
  url: URL;
  query: URLSearchParams;
  /** True if the request comes from a web page of another machine. */
  isForeign: boolean;
  /** The part of the path that takes the place of `:name` in the route. */
  param(name: string): string;
  /**
   * The body as JSON. The response is 415 if the content type is not JSON, 400 if the body is not JSON, 413 if it is
   * longer than 10 MiB.
   */
  json(): Promise<unknown>;
  /** `data` of a JSON:API body. Missing members are empty. */
  input(): Promise<Input>;
  /** Stores the account of the request in the log. Only for routes that check the credential themselves. */
  noteAccount(account: Backend): void;
}

export interface Input {
  id: string | undefined;
  attributes: Record<string, unknown>;
  relationships: Record<string, unknown>;
}

/** The record of this collection with the id in the path. @throws {HttpError} 404 if there is no such record. */
export function requested<C extends Collections>({ backend, param }: Call, collection: C): RecordOf<C> {
  return orNotFound((backend.store[collection] as Collection<RecordOf<C>>).get(param('id')));
}

export function createCall(
  backend: Backend,
  request: Request,
  url: URL,
  params: Record<string, string>,
  noteAccount: (account: Backend) => void,
  isForeign: boolean,
  noteBody: (text: string) => void = () => {},
): Call {
  async function json(): Promise<unknown> {
    if (!JSON_TYPE.test(request.headers.get('content-type') ?? 'application/json')) throw unsupportedType();
    const bytes = await readBody(request, MAX_JSON_BYTES);
    if (bytes === undefined) throw tooLong('The request body is longer than 10 MiB.');
    const text = new TextDecoder().decode(bytes);
    noteBody(text);
    try {
      return JSON.parse(text);
    } catch {
      throw malformedBody();
    }
  }
  return {
    backend,
    request,
    url,
    query: url.searchParams,
    isForeign,
    param: name => params[name] ?? '',
    json,
    noteAccount,
    async input() {
      const body = await json();
      const data = isRecord(body) && isRecord(body.data) ? body.data : {};
      return {
        id: typeof data.id === 'string' ? data.id : undefined,
        attributes: isRecord(data.attributes) ? data.attributes : {},
        relationships: isRecord(data.relationships) ? data.relationships : {},
      };
    },
  };
}

/** Reads the bytes of a request. Stops and returns `undefined` if there are more than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Not every browser can iterate over a stream, and `body` of a request is missing in Firefox. */
async function* chunksOf(request: Request): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (request.body === undefined) yield new Uint8Array(await request.arrayBuffer());
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
