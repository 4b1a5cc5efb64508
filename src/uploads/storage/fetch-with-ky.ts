import ky from 'ky';
import { retryDelay } from '../../internal/retry-policy.ts';
import { requestError } from './errors.ts';
import type { RetrySettings } from './retry.ts';

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
