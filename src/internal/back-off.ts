/** In ms. */
export interface DelayBounds {
  /** Bound of the first delay. It doubles with each attempt. */
  readonly minDelay: number;
  /** Upper bound in ms. */
  readonly maxDelay: number;
}

/**
 * Milliseconds to wait before attempt `attempt + 1`: a part of a bound that doubles.
 *
 * @param jitter gives the part: by default between nothing and all of it (full jitter).
 */
export function backOff(attempt: number, { minDelay, maxDelay }: DelayBounds, jitter = Math.random): number {
  return jitter() * Math.min(maxDelay, minDelay * 2 ** (attempt - 1));
}
