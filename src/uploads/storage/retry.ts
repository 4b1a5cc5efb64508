import type { RetryPolicy } from '../../internal/retry-policy.ts';

export interface RetrySettings {
  policy: RetryPolicy;
  /** Ends the attempts, and the delays between them. */
  signal: AbortSignal;
}
