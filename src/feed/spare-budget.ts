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
  /** What was used before. */
  spent?: Spent;
  /** A clock in ms that never goes back. @default performance.now */
  now?: () => number;
}

/** What feeds have used of a rate limit, and what others have. */
export interface Spent {
  /** When the own requests of this window were answered, ascending. */
  own: number[];
  /** The most that others have used in a window, one for each of the last windows. */
  peaks: Peak[];
}

const spentOfLimits = new WeakMap<object, Map<string, Spent>>();

/** What the feeds of a type have used of a rate limit. A feed that goes on where another was left has no share of its own. */
export function spentOf(limiter: object, type: string): Spent {
  const ofTypes = spentOfLimits.get(limiter) ?? new Map<string, Spent>();
  spentOfLimits.set(limiter, ofTypes);
  const spent = ofTypes.get(type) ?? { own: [], peaks: [] };
  ofTypes.set(type, spent);
  return spent;
}

/** For how many windows it is remembered how much others have used. */
const MEMORY_WINDOWS = 5;

interface Peak {
  since: number;
  used: number;
}

/**
 * Lets requests pass that others do not need. A slot that is taken is gone for a whole window, so it is not enough that one
 * is free now. What the others have used in a busy window of the last minutes stays free for them, and at least what they
 * use now and three standard deviations, as far as calls come at random.
 */
export class SpareBudget {
  readonly #options: SpareBudgetOptions;
  readonly #now: () => number;
  readonly #spent: Spent;

  constructor(options: SpareBudgetOptions) {
    this.#options = options;
    this.#spent = options.spent ?? { own: [], peaks: [] };
    this.#now = options.now ?? (() => performance.now());
  }

  /** Makes a request as soon as the budget allows it. There is one at a time. */
  async spend<T>(request: () => PromiseLike<T>, signal: AbortSignal): Promise<T> {
    const { windowMs } = this.#options.pace;
    while (this.#spent.own.length >= this.allowed()) await sleep(windowMs / 40, signal);
    try {
      return await request();
    } finally {
      this.#spent.own.push(this.#now());
    }
  }

  /** How many requests may be made in a window, as things are now. */
  allowed(): number {
    const { pace, share, snapshot } = this.#options;
    const now = this.#now();
    this.#spent.own = this.#spent.own.filter(time => time > now - pace.windowMs - marginOf(pace.windowMs));
    const state = snapshot();
    const limit = state?.limit ?? pace.limit;
    const most = Math.max(1, Math.floor(limit * share));
    if (!state || limit === Number.POSITIVE_INFINITY) return most;
    const others = Math.max(0, state.used + state.queued - this.#spent.own.length);
    const spare = limit - Math.max(this.#peakWith(others, now), others + 3 * Math.sqrt(others));
    return Math.max(1, Math.min(most, Math.floor(spare)));
  }

  #peakWith(used: number, now: number): number {
    const { windowMs } = this.#options.pace;
    const recent = this.#spent.peaks.filter(({ since }) => since > now - MEMORY_WINDOWS * windowMs);
    const last = recent.at(-1);
    if (last && last.since > now - windowMs) last.used = Math.max(last.used, used);
    else recent.push({ since: now, used });
    this.#spent.peaks = recent;
    return Math.max(...recent.map(peak => peak.used));
  }
}
