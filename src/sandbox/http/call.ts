import { isRecord } from '../../jsonapi/document.ts';
import type { Backend } from '../state/backend.ts';
import { readBody } from './body.ts';
import { malformedBody, tooLong, unsupportedType } from './errors.ts';

/** The limit of the real service is not published. */
const MAX_JSON_BYTES = 10 * 2 ** 20;

const JSON_TYPE = /^application\/(?:vnd\.api\+)?json\s*(?:;|$)/i;

/** The version segment, with which every path begins. */
export const PREFIX = '/v2';

/** A request as a route handler sees it. */
export interface Call {
  backend: Backend;
  request: Request;
  url: URL;
  query: URLSearchParams;
  /** Whether it comes from a web page that is not of this machine. */
  isForeign: boolean;
  /** The part of the path at `:name` in the route. */
  param(name: string): string;
  /** The body as JSON. The answer is 415 if it is announced as something else, 400 if it is not JSON, 413 if it is longer than 10 MiB. */
  json(): Promise<unknown>;
  /** `data` of a JSON:API body. Missing members are empty. */
  input(): Promise<Input>;
  /** For a route that looks at the credential itself: names the account for the log. */
  noteAccount(account: Backend): void;
}

export interface Input {
  id: string | undefined;
  attributes: Record<string, unknown>;
  relationships: Record<string, unknown>;
}

export function createCall(
  backend: Backend,
  request: Request,
  url: URL,
  params: Record<string, string>,
  noteAccount: (account: Backend) => void,
  isForeign: boolean,
): Call {
  async function json(): Promise<unknown> {
    if (!JSON_TYPE.test(request.headers.get('content-type') ?? 'application/json')) throw unsupportedType();
    const bytes = await readBody(request, MAX_JSON_BYTES);
    if (bytes === undefined) throw tooLong('The request body is longer than 10 MiB.');
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
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
