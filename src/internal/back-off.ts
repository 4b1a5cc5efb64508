/** Bounds of the delays between attempts, in ms. */
export interface DelayBounds {
  /** Upper bound of the first delay. The bound doubles with each attempt. */
  readonly minDelay: number;
  /** Upper bound of all delays. */
  readonly maxDelay: number;
}

/**
 * Wait in ms before attempt `attempt + 1`: a random part of a bound that doubles with each attempt.
 *
 * @param jitter returns the part, by default between 0 and 1 (full jitter).
 */
export function backOff(attempt: number, { minDelay, maxDelay }: DelayBounds, jitter = Math.random): number {
  return jitter() * Math.min(maxDelay, minDelay * 2 ** (attempt - 1));
}
