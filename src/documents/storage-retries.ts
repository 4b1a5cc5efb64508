import ky from 'ky';
import pRetry from 'p-retry';
import { type RetryPolicy, retryDelay } from '../internal/retry-policy.ts';
import { sleep } from '../internal/signal.ts';
import { requestError } from './storage.ts';

interface RetrySettings {
  policy: RetryPolicy;
  /** Ends the attempts, and the delays between them. */
  signal: AbortSignal;
}

/**
 * Retries what is sent with `fetch`: ky owns the attempts. Its own timeout ends at the headers, and its errors contain
 * the signed URL, so that each attempt has its own timeout and throws our errors.
 *
 * @param attempt makes one attempt. It adds its own signal to `init`: Node.js loses the signal of the `Request` that ky
 * makes.
 */
export async function fetchWithKy<T>(
  url: string,
  init: RequestInit,
  attempt: (url: string, init: RequestInit) => Promise<T>,
  { policy, signal }: RetrySettings,
): Promise<T> {
  let delay: number | undefined;
  let result!: T;
  try {
    await ky(url, {
      ...init,
      signal,
      fetch: async request => {
        const { url, method, headers } = request as Request;
        result = await attempt(url, { ...init, method, headers });
        return new Response();
      },
      timeout: false,
      retry: {
        limit: Math.min(policy.limit, Number.MAX_SAFE_INTEGER),
        shouldRetry({ error, retryCount }) {
          delay = retryDelay(error, retryCount, policy, true);
          return delay !== undefined;
        },
        delay: () => delay ?? 0,
      },
    });
    return result;
  } catch (error) {
    // ky wraps the reason of the signal if it looks like a network error.
    throw requestError(error, { method: init.method ?? 'GET', url, signal });
  }
}

/**
 * Retries what ky cannot send: p-retry owns the attempts. The delay is ours, since p-retry has neither `Retry-After` nor
 * full jitter.
 *
 * @param attempt throws a `TrackingError`, or the reason of the signal: p-retry never retries a `TypeError`.
 */
export function retryWithPRetry<T>(attempt: () => Promise<T>, { policy, signal }: RetrySettings): Promise<T> {
  return pRetry(attempt, {
    retries: policy.limit,
    minTimeout: 0,
    signal,
    async shouldRetry({ error, attemptNumber }) {
      const delay = retryDelay(error, attemptNumber, policy, true);
      if (delay !== undefined) await sleep(delay, signal);
      return delay !== undefined;
    },
  });
}
