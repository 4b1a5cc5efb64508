import { APIError, ConnectionError, TimeoutError } from '../errors.ts';
import { backOff, type DelayBounds } from './back-off.ts';
import { isPermanent, neverConnected } from './connection-failure.ts';

/** How attempts that failed are made again: `RetryOptions`, complete. */
export interface RetryPolicy extends DelayBounds {
  /** Attempts after the first. */
  readonly limit: number;
  /** The longest `Retry-After` that is waited for, in ms. */
  readonly maxRetryAfter: number;
}

const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504];

/**
 * The delay before the next attempt, in ms: what `Retry-After` asks for, else a back-off. `undefined` if there must be no
 * other attempt.
 *
 * @param failures that may be followed by another attempt, this one included.
 */
export function retryDelay(
  error: unknown,
  failures: number,
  policy: RetryPolicy,
  repeatable: boolean,
): number | undefined {
  const asked = error instanceof APIError ? error.retryAfterMs : undefined;
  const isLast = failures > policy.limit || !mayRepeat(error, repeatable) || (asked as number) > policy.maxRetryAfter;
  return isLast ? undefined : (asked ?? backOff(failures, policy));
}

/**
 * Whether a request that failed may be sent again. One that is not repeatable is sent again only where the service cannot
 * have acted: it answered 429, or there was no connection.
 */
function mayRepeat(error: unknown, repeatable: boolean): boolean {
  if (error instanceof APIError) {
    return error.status === 429 || (repeatable && TRANSIENT_STATUSES.includes(error.status));
  }
  if (error instanceof TimeoutError) return repeatable && error.code === 'timeout';
  if (error instanceof ConnectionError) return !isPermanent(error.cause) && (repeatable || neverConnected(error.cause));
  return false;
}
