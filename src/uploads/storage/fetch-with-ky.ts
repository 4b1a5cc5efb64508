import ky from 'ky';
import { failure, type Repeating, waitBefore } from './storage.ts';

type Send = (url: string, init: RequestInit) => Promise<Response>;

/**
 * What goes by `fetch`: ky makes the attempts. Its timeout ends at the headers, and its status errors hold the signed
 * address, so that an attempt has its own limit and throws our errors.
 *
 * @param send makes one attempt, and gives `init` its own signal: Node loses that of the `Request` that ky builds.
 */
export async function sendByKy(
  url: string,
  init: RequestInit,
  send: Send,
  { policy, signal }: Repeating,
): Promise<Response> {
  let wait = 0;
  try {
    return await ky(url, {
      ...init,
      signal,
      fetch: async input => {
        const { url, method, headers } = input as Request;
        return send(url, { ...init, method, headers });
      },
      timeout: false,
      throwHttpErrors: false,
      retry: {
        limit: Math.min(policy.limit, Number.MAX_SAFE_INTEGER),
        shouldRetry({ error, retryCount }) {
          const ms = waitBefore(error, retryCount, policy);
          wait = ms ?? 0;
          return ms !== undefined;
        },
        delay: () => wait,
      },
    });
  } catch (error) {
    // ky would wrap a reason that looks like a failure of the network.
    signal.throwIfAborted();
    throw failure(init.method ?? 'GET', url, error);
  }
}
