import pRetry from 'p-retry';
import { retryDelay } from '../../internal/retry-policy.ts';
import { sleep } from '../../internal/signal.ts';
import type { RetrySettings } from './retry.ts';

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
