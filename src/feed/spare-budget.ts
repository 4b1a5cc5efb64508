import { sleep } from '../internal/signal.ts';
import { marginOf } from '../rate-limit/bucket.ts';
import type { BucketSnapshot } from '../rate-limit/limiter.ts';

export interface SpareBudgetOptions {
  /** What the rate limit allows, for a limiter that does not tell its state. */
  pace: { windowMs: number; limit: number };
  /** The state of the rate limit. */
  snapshot: () => Pick<BucketSnapshot, 'limit' | 'used' | 'queued'> | undefined;
  /** The part of the limit that may be used at most. */
  share: number;
  /** A clock in ms that never goes back. @default performance.now */
  now?: () => number;
}

/** After this many windows, half of a peak is forgotten. */
const MEMORY_WINDOWS = 5;

/**
 * Lets requests pass that others do not need. A slot that is taken is gone for a whole window, so it is not enough that one
 * is free now: what the others have used in a busy window of the last minutes stays free for them, and a margin for chance.
 */
export class SpareBudget {
  readonly #options: SpareBudgetOptions;
  readonly #now: () => number;
  /** When the own requests of this window were answered, ascending. */
  #own: number[] = [];
  #peak = 0;
  #peakAt: number;

  constructor(options: SpareBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#peakAt = this.#now();
  }

  /** Makes a request as soon as the budget allows it. There is one at a time. */
  async spend<T>(request: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
    const { windowMs } = this.#options.pace;
    while (this.#own.length >= this.allowed()) await sleep(windowMs / 40, signal);
    try {
      return await request();
    } finally {
      this.#own.push(this.#now());
    }
  }

  /** How many requests may be made in a window, as things are now. */
  allowed(): number {
    const { pace, share, snapshot } = this.#options;
    const now = this.#now();
    this.#own = this.#own.filter(time => time > now - pace.windowMs - marginOf(pace.windowMs));
    const state = snapshot();
    const limit = state?.limit ?? pace.limit;
    const most = Math.max(1, Math.floor(limit * share));
    if (!state || limit === Number.POSITIVE_INFINITY) return most;
    const others = Math.max(0, state.used + state.queued - this.#own.length);
    this.#peak = Math.max(others, this.#peak * 0.5 ** ((now - this.#peakAt) / (MEMORY_WINDOWS * pace.windowMs)));
    this.#peakAt = now;
    const spare = limit - Math.max(this.#peak, others + 2 * Math.sqrt(others));
    return Math.max(1, Math.min(most, Math.floor(spare)));
  }
}
