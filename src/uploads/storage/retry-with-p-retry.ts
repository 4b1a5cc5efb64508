import pRetry from 'p-retry';
import { sleep } from '../../internal/signal.ts';
import { type Repeating, waitBefore } from './storage.ts';

/**
 * What ky cannot send: p-retry makes the attempts. It can take no wait from an answer, and its own is no full jitter, so
 * that the wait is ours.
 *
 * @param attempt throws a `TrackingError`, or the reason of the signal: p-retry never repeats a `TypeError`.
 */
export function repeatByPRetry<T>(attempt: () => Promise<T>, { policy, signal }: Repeating): Promise<T> {
  return pRetry(attempt, {
    retries: policy.limit,
    minTimeout: 0,
    signal,
    async shouldRetry({ error, attemptNumber }) {
      const ms = waitBefore(error, attemptNumber, policy);
      if (ms !== undefined) await sleep(ms, signal);
      return ms !== undefined;
    },
  });
}
