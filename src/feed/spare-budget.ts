import { sleep } from '../internal/signal.ts';
import type { BucketSnapshot } from '../rate-limit/limiter.ts';
import { marginOf } from '../rate-limit/rolling-window.ts';

export interface SpareBudgetOptions {
  /** The usual rate limit, for a limiter that does not report its state. */
  pace: { windowMs: number; limit: number };
  /** The state of the rate limit. */
  snapshot: () => Pick<BucketSnapshot, 'limit' | 'used' | 'queued'> | undefined;
  /** A clock in ms that never goes back. @default performance.now */
  now?: () => number;
}

/** Number of windows for which the budget remembers the number of requests by other callers. */
const MEMORY_WINDOWS = 5;

/**
 * The feeds of a resource group share this object, so a feed that continues from a checkpoint has no separate budget.
 */
export interface Shared {
  budget?: SpareBudget;
}

interface Peak {
  since: number;
  used: number;
}

/**
 * Sends requests with the part of the rate limit that other callers do not need. A request counts for a whole window,
 * so it is not enough that a slot is free now. The budget compares the last windows, and leaves as many requests free
 * as other callers sent in the busiest window. The budget leaves at least this number of requests free: the present
 * number of requests by other callers, plus three standard deviations, as for calls at random times.
 */
export class SpareBudget {
  readonly #options: SpareBudgetOptions;
  readonly #now: () => number;
  /** Times of the responses to the feed's own requests in this window, ascending. */
  #own: number[] = [];
  /** Requests without a response yet. */
  #open = 0;
  /** The highest number of requests by other callers, for each of the last windows. */
  #peaks: Peak[] = [];

  constructor(options: SpareBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Sends a request as soon as the budget allows it.
   *
   * @param share upper bound for the part of the rate limit that may be used.
   */
  async spend<T>(request: () => PromiseLike<T>, share: number, signal: AbortSignal): Promise<T> {
    const { windowMs } = this.#options.pace;
    while (this.#own.length + this.#open >= this.allowed(share)) await sleep(windowMs / 40, signal);
    this.#open += 1;
    try {
      return await request();
    } finally {
      this.#open -= 1;
      this.#own.push(this.#now());
    }
  }

  /** Number of requests that feeds may send in a window, in the present state of the rate limit. */
  allowed(share: number): number {
    const { pace, snapshot } = this.#options;
    const now = this.#now();
    this.#own = this.#own.filter(time => time > now - pace.windowMs - marginOf(pace.windowMs));
    const state = snapshot();
    const limit = state?.limit ?? pace.limit;
    const most = Math.max(1, Math.floor(limit * share));
    if (!state || limit === Infinity) return most;
    const others = Math.max(0, state.used + state.queued - this.#own.length - this.#open);
    const spare = limit - Math.max(this.#peakWith(others, now), others + 3 * Math.sqrt(others));
    return Math.max(1, Math.min(most, Math.floor(spare)));
  }

  #peakWith(used: number, now: number): number {
    const { windowMs } = this.#options.pace;
    const recent = this.#peaks.filter(({ since }) => since > now - MEMORY_WINDOWS * windowMs);
    const last = recent.at(-1);
    if (last && last.since > now - windowMs) last.used = Math.max(last.used, used);
    else recent.push({ since: now, used });
    this.#peaks = recent;
    return Math.max(...recent.map(peak => peak.used));
  }
}
