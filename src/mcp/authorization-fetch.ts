import { ConnectionError, TimeoutError, TrackingError } from '../errors.ts';
import { innermost } from '../internal/connection-failure.ts';
import { abortable, Scope } from '../internal/signal.ts';
import type { Fetch } from '../options.ts';
import { readErrorText } from '../transport/body.ts';
import { failureOf } from '../transport/failure.ts';
import { isLoopback } from '../transport/origin.ts';
import { Redactor } from '../transport/redact.ts';
import { AuthorizationError } from './errors.ts';

/** How requests to authorization servers are made. */
export interface AuthorizationHttp {
  readonly fetch: Fetch | undefined;
  /** For one request with its response, in ms. */
  readonly timeout: number;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** Whether the MCP server is on this machine. Another one must not have requests sent to programs that listen here. */
  readonly isLocal: boolean;
  /** What errors must not show. */
  readonly secrets: Set<string | undefined>;
}

export function redactorOf({ secrets }: AuthorizationHttp): Redactor {
  return Redactor.of([...secrets].filter(secret => secret !== undefined && secret !== '') as string[]);
}

/**
 * A `fetch` for authorization servers: one attempt, the response read to its end within the timeout. Redirects, and responses
 * that say nothing about the request, are errors. After an error the official client gets no other response: it would go on
 * as if a document did not exist, and have a person sign in.
 */
export function authorizationFetch(http: AuthorizationHttp): Fetch {
  let failure: unknown;
  return async (input, init) => {
    if (failure !== undefined) throw failure;
    try {
      return await send(http, new URL(input instanceof Request ? input.url : input), init);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
}

async function send(http: AuthorizationHttp, url: URL, init: RequestInit | undefined): Promise<Response> {
  const { fetch = globalThis.fetch, timeout, signal, isLocal } = http;
  const { method = 'GET' } = init ?? {};
  const where = `${method} ${url.origin}${url.pathname}`;
  const problem = unsafe(url, isLocal);
  if (problem) throw new AuthorizationError('no_metadata', `${where}: not sent, since the address ${problem}`);
  const late = () =>
    new TimeoutError(`${where}: no complete response within ${timeout} ms`, { code: 'timeout', limitMs: timeout });
  const scope = new Scope().follow(signal).limit(timeout, late);
  try {
    const sending = fetch(url.href, { ...init, redirect: 'manual', signal: scope.signal });
    const response = await abortable(sending, scope.signal);
    const text = await readErrorText(response, scope.signal);
    const { status } = response;
    if (status < 200 || (status >= 300 && status < 400) || status === 429 || status >= 500) {
      const redactor = redactorOf(http);
      throw failureOf({ response, text, method, url: url.href, path: url.pathname, attempts: 1, redactor });
    }
    // Length and coding are those of other bytes.
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    return new Response(status === 204 ? null : text, { status, headers });
  } catch (error) {
    if (scope.signal.aborted) throw scope.signal.reason;
    if (error instanceof TrackingError) throw error;
    const cause = redactorOf(http).error(error);
    throw new ConnectionError(`${where}: no response: ${innermost(cause) || cause.name}`, { cause });
  } finally {
    scope.dispose();
  }
}

/** Why no request goes to the address. */
function unsafe({ protocol, hostname }: URL, isLocal: boolean): string | undefined {
  if (isLoopback(hostname)) return isLocal ? undefined : 'is of this machine, and the MCP server is elsewhere';
  return protocol === 'https:' ? undefined : 'is not https';
}
