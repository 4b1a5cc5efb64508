import { APIError, ConnectionError, TimeoutError } from '../errors.ts';
import { isPermanent, neverConnected } from './connection-failure.ts';

/** How attempts that failed are made again: `RetryOptions`, complete. */
export interface RetryPolicy {
  /** Attempts after the first. */
  readonly limit: number;
  /** In ms. */
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly maxRetryAfter: number;
}

const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Whether a request that failed may be sent again. One that is not repeatable is sent again only where the service cannot
 * have acted: it answered 429, or there was no connection.
 */
export function mayRepeat(error: unknown, repeatable: boolean): boolean {
  if (error instanceof APIError) {
    return error.status === 429 || (repeatable && TRANSIENT_STATUSES.has(error.status));
  }
  if (error instanceof TimeoutError) return repeatable && error.code === 'timeout';
  if (error instanceof ConnectionError) return !isPermanent(error.cause) && (repeatable || neverConnected(error.cause));
  return false;
}

/** Milliseconds to wait before attempt `attempt + 1`: full jitter below a doubling bound. */
export function backOff(attempt: number, { minDelay, maxDelay }: RetryPolicy, random = Math.random): number {
  return random() * Math.min(maxDelay, minDelay * 2 ** (attempt - 1));
}
