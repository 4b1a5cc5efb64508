import { APIError } from '../../errors.ts';
import { backOff, mayRepeat, type RetryPolicy } from '../../internal/retry-policy.ts';

export interface RetrySettings {
  policy: RetryPolicy;
  /** Ends the attempts, and the delays between them. */
  signal: AbortSignal;
}

/** The delay before the next attempt, in ms; `undefined` if there must be no other attempt. */
export function retryDelay(error: unknown, failures: number, policy: RetryPolicy): number | undefined {
  if (!mayRepeat(error, true)) return undefined;
  const retryAfter = error instanceof APIError ? error.retryAfterMs : undefined;
  if (retryAfter === undefined) return backOff(failures, policy);
  return retryAfter <= policy.maxRetryAfter ? retryAfter : undefined;
}
