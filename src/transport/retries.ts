import { APIError, ConnectionError, TimeoutError } from '../errors.ts';
import {
  type Checks,
  checkedOptions,
  numberAtLeast,
  objectArgument,
  wholeNumberOrInfinity,
} from '../internal/arguments.ts';
import { backOff, type DelayBounds } from '../internal/back-off.ts';
import { isPermanent, neverConnected } from '../internal/connection-failure.ts';
import type { RetryOptions } from '../options.ts';

/** The rules for repeating failed attempts: a complete `RetryOptions`. */
export interface RetryPolicy extends DelayBounds {
  /** Attempts after the first. */
  readonly limit: number;
  /** The longest `Retry-After` that the client waits for, in ms. */
  readonly maxRetryAfter: number;
}

export const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504];

/**
 * The delay before the next attempt, in ms: from `Retry-After`, otherwise a back-off. `undefined` if there must not be
 * another attempt.
 *
 * @param failures number of failures that allowed another attempt, including this failure.
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
 * True if a failed request may be sent again. If a request is not repeatable, it is sent again only if the service
 * cannot have acted: it responded 429, or there was no connection.
 */
export function mayRepeat(error: unknown, repeatable: boolean): boolean {
  if (error instanceof APIError) {
    return error.status === 429 || (repeatable && TRANSIENT_STATUSES.includes(error.status));
  }
  if (error instanceof TimeoutError) return repeatable && error.code === 'timeout';
  if (error instanceof ConnectionError) return !isPermanent(error.cause) && (repeatable || neverConnected(error.cause));
  return false;
}

/** This pattern is stricter than `Date.parse`, which also reads `-5` and `1.5` as dates. */
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i;

/**
 * Reads a `Retry-After` header: seconds, whole or with a fraction, or an HTTP date.
 *
 * @param now ms since the epoch. Pass the `Date` header of the response if it has one: the local clock may be wrong.
 * @returns Milliseconds from `now`, without an upper bound; `undefined` if the header is absent, negative, past or not
 *   valid.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(/ (?:gmt|utc)$/i.test(text) ? text : `${text} GMT`);
  return date > now ? date - now : undefined;
}

/** The wait in the `Retry-After` of the response, in ms; `undefined` if the header is missing or cannot be read. */
export function retryAfterOf({ headers }: Response): number | undefined {
  // A date follows the clock of the service, which may differ from the local clock.
  const now = Date.parse(headers.get('date') ?? '');
  return parseRetryAfter(headers.get('retry-after'), Number.isNaN(now) ? Date.now() : now);
}

/** The retry policy of a client or of one call. `defaults` has the values of the options that are left out. */
export function resolveRetry(retry: false | RetryOptions | undefined, defaults: RetryPolicy): RetryPolicy {
  if (retry === undefined) return defaults;
  if (retry === false) return { ...defaults, limit: 0 };
  objectArgument('retry', retry, '{ limit: 2 }, or false');
  const policy = checkedOptions(
    'retry',
    retry,
    {
      limit: (name, value) => wholeNumberOrInfinity(0, name, value ?? defaults.limit),
      minDelay: (name, value) => numberAtLeast(0, name, value ?? defaults.minDelay),
      maxDelay: (name, value) => numberAtLeast(0, name, value ?? defaults.maxDelay),
      maxRetryAfter: (name, value) => numberAtLeast(0, name, value ?? defaults.maxRetryAfter),
    } satisfies Checks<RetryOptions>,
    'retry.',
  );
  // If only one of the two options is set, `minDelay` may be above `maxDelay`, because the other option has its default
  // value. This is allowed, because `backOff` never exceeds `maxDelay`.
  if (retry.minDelay != null && retry.maxDelay != null)
    numberAtLeast(policy.minDelay, 'retry.maxDelay', policy.maxDelay);
  return policy;
}
