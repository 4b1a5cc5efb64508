import { perBucket } from '../rate-limit/buckets.ts';
import type { BucketName } from '../rate-limit/limiter.ts';

export type Limits = Record<BucketName, number>;

/** As good as no limit. */
export const PRACTICALLY_UNLIMITED = 1e9;

export interface LocalBudgetOptions {
  limits: Readonly<Limits>;
  /** Window and margin, in ms. */
  cycleMs: number;
  /** How long a process may be silent before Redis sets its part aside, in ms. */
  silenceMs: number;
  /** How long after Redis gave a slot the service may count the request, in ms. */
  delayMs: number;
}

/**
 * What this process may send without asking Redis, so that all of them together keep to the limits whoever is cut off:
 * 1. nothing, until Redis has noticed that this one is gone and gives its part to nobody else;
 * 2. then as much as it still has in use, since what comes back from now on can be nobody else's;
 * 3. and its whole part, once what the others have used of it before is past.
 * After the return it keeps to its part for another cycle: the others may be alone yet.
 */
export class LocalBudget {
  readonly #options: LocalBudgetOptions;
  #part = 1;
  #resumesAt = Number.NEGATIVE_INFINITY;
  #fullPartAt = Number.NEGATIVE_INFINITY;
  #endsAt = Number.NEGATIVE_INFINITY;
  #inUse: Limits | undefined;

  constructor(options: LocalBudgetOptions) {
    this.#options = options;
  }

  /** @param part Of the limits, 0 to 1. @param lastSentAt When Redis may have heard of this process last. */
  goOffline(now: number, part: number, lastSentAt: number): void {
    const { cycleMs, silenceMs, delayMs } = this.#options;
    this.#part = now < this.#endsAt ? Math.min(part, this.#part) : part;
    this.#endsAt = Number.POSITIVE_INFINITY;
    this.pause(lastSentAt + silenceMs, lastSentAt + silenceMs + cycleMs + delayMs);
  }

  /** Redis may have heard of this process again. */
  contactAttempted(sentAt: number): void {
    const { cycleMs, silenceMs, delayMs } = this.#options;
    this.pause(sentAt + silenceMs, sentAt + silenceMs + cycleMs + delayMs);
  }

  comeOnline(now: number, part: number, forMs: number): void {
    this.#part = now < this.#endsAt ? Math.min(part, this.#part) : part;
    this.#resumesAt = now;
    this.#fullPartAt = now;
    this.#endsAt = this.#part < 1 ? now + forMs : now;
  }

  /** When `at` gives something else than now. */
  changesAt(now: number): number {
    return Math.min(...[this.#resumesAt, this.#fullPartAt, this.#endsAt].filter(time => time > now));
  }

  limitsAt(now: number, used: (name: BucketName) => number): Limits {
    const { limits } = this.#options;
    // Redis keeps the count then.
    if (now >= this.#endsAt) return perBucket(() => PRACTICALLY_UNLIMITED);
    const ownPart = perBucket(name => Math.floor(Math.min(limits[name], PRACTICALLY_UNLIMITED) * this.#part + 0.001));
    if (this.#part === 1 || now >= this.#fullPartAt) return ownPart;
    if (now < this.#resumesAt) return perBucket(() => 0);
    this.#inUse ??= perBucket(name => Math.min(ownPart[name], used(name)));
    return this.#inUse;
  }

  private pause(resumesAt: number, fullPartAt: number): void {
    if (resumesAt <= this.#resumesAt) return;
    this.#resumesAt = resumesAt;
    this.#fullPartAt = fullPartAt;
    this.#inUse = undefined;
  }
}
