import { ConnectionError, TimeoutError, TrackingError } from '../../errors.ts';
import { innermost } from '../../internal/connection-failure.ts';
import { abortable, Scope } from '../../internal/signal.ts';
import type { Fetch } from '../../options.ts';
import { failureOf } from '../../transport/failure.ts';
import type { Redactor } from '../../transport/redact.ts';
import { readErrorText } from '../../transport/response.ts';
import { isLoopback } from '../../transport/settings.ts';
import { AuthorizationError } from '../errors.ts';

/** How requests to authorization servers are made. */
export interface AuthorizationFetchOptions {
  fetch: Fetch | undefined;
  /** For one request with its answer, in ms. */
  timeout: number;
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Whether the MCP server is on this machine. Another one must not have requests sent to programs that listen here. */
  isLocal: boolean;
  redactor: Redactor;
}

/**
 * A `fetch` for authorization servers: one attempt, the answer read to its end within the timeout. Redirects, and answers
 * that say nothing about the request, are errors.
 */
export function authorizationFetch({ fetch, timeout, signal, isLocal, redactor }: AuthorizationFetchOptions): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const where = `${method} ${url.origin}${url.pathname}`;
    const problem = unsafe(url, isLocal);
    if (problem) throw new AuthorizationError('no_metadata', `${where}: not sent, since the address ${problem}`);
    const scope = new Scope()
      .follow(signal)
      .limit(timeout, () => new TimeoutError(`${where}: no complete answer within ${timeout} ms`, LIMITED(timeout)));
    try {
      const sending = (fetch ?? globalThis.fetch)(url.href, { ...init, redirect: 'manual', signal: scope.signal });
      const response = await abortable(sending, scope.signal);
      const text = await readErrorText(response, scope.signal);
      const { status } = response;
      if (status < 200 || (status >= 300 && status < 400) || status === 429 || status >= 500) {
        throw failureOf({ response, text, method, url: url.href, path: url.pathname, attempts: 1, redactor });
      }
      const { headers } = response;
      return new Response(status === 204 ? null : text, { status, headers: withoutCoding(headers) });
    } catch (error) {
      if (scope.signal.aborted) throw scope.signal.reason;
      if (error instanceof TrackingError) throw error;
      const cause = redactor.error(error);
      throw new ConnectionError(`${where}: no answer: ${innermost(cause) || cause.name}`, { cause });
    } finally {
      scope.dispose();
    }
  };
}

function unsafe({ protocol, hostname }: URL, isLocal: boolean): string | undefined {
  if (isLoopback(hostname)) return isLocal ? undefined : 'is of this machine, and the MCP server is elsewhere';
  return protocol === 'https:' ? undefined : 'is not https';
}

const LIMITED = (limitMs: number) => ({ code: 'timeout', limitMs }) as const;

/** Those of the body as it is now. */
function withoutCoding(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete('content-encoding');
  copy.delete('content-length');
  return copy;
}
