import type { SlotOutcome } from './limiter.ts';

/** A slot that was taken and not released yet. */
export interface Hold {
  readonly takenAt: number;
  /** When the slot is taken back, because its holder no longer exists. */
  readonly expiresAt: number;
}

export interface BucketOptions {
  limit: number;
  windowMs: number;
  maxPenaltyMs: number;
}

/** A margin for the drift between two clocks, in ms. */
export function marginOf(windowMs: number): number {
  return Math.min(50, Math.max(2, windowMs / 1000));
}

/**
 * The state of one bucket: which slots are taken, when each becomes free, and whether the service has closed the bucket. It
 * has no timer: every method gets the current time.
 */
export class Bucket {
  limit: number;
  windowMs: number;
  readonly #maxPenaltyMs: number;
  readonly #holds = new Set<Hold>();
  /** No hold expires before this time, so that most calls need not check each hold. */
  #expiresNext = Number.POSITIVE_INFINITY;
  /** When the slots of answered requests become free, ascending. Those before index `#next` are free. */
  #returns: number[] = [];
  #next = 0;
  #closedUntil = Number.NEGATIVE_INFINITY;
  /** 429s in a row that did not say how long to wait. */
  #limitedInARow = 0;
  /** How many of the requests sent since the last 429 may be in flight at the same time. */
  #ramp = Number.POSITIVE_INFINITY;
  /** The requests sent since the last 429 that are in flight. */
  #probes = new Set<Hold>();

  constructor(options: BucketOptions) {
    this.limit = options.limit;
    this.windowMs = options.windowMs;
    this.#maxPenaltyMs = options.maxPenaltyMs;
  }

  take(hold: Hold): void {
    this.#holds.add(hold);
    this.#expiresNext = Math.min(this.#expiresNext, hold.expiresAt);
    if (this.#ramp < Number.POSITIVE_INFINITY) this.#probes.add(hold);
  }

  /** False if the hold was given back before. */
  giveBack(hold: Hold, now: number, outcome: SlotOutcome = {}): boolean {
    if (!this.#holds.delete(hold)) return false;
    const wasProbe = this.#probes.delete(hold);
    if (outcome.unsent) return true;
    // The service counted the request before its answer arrived. Without an answer, it may count the request later.
    const counted = outcome.unanswered ? Math.max(now, hold.takenAt + this.windowMs / 2) : now;
    if (this.limit < Number.POSITIVE_INFINITY) this.#scheduleReturn(counted + this.#cycleMs);
    if (outcome.limited) this.#close(hold, now, outcome.retryAfterMs);
    else if (wasProbe) this.#allowMoreProbes();
    return true;
  }

  /** How many requests may be sent now. */
  room(now: number): number {
    if (now < this.#closedUntil) return 0;
    return Math.min(this.limit - this.used(now), this.#ramp - this.#probes.size);
  }

  used(now: number): number {
    this.#settle(now);
    return this.#holds.size + this.#returns.length - this.#next;
  }

  inFlight(now: number): number {
    this.#settle(now);
    return this.#holds.size;
  }

  /**
   * The earliest time at which a call can get its slot if `ahead` others go first. Not later than `now` if only requests in
   * flight can delay it.
   */
  turn(ahead: number, now: number): number {
    const start = Math.max(now, this.#closedUntil);
    // Nothing may be sent for now. Only the owner of the bucket knows for how long.
    if (this.limit < 1) return start;
    const waitsFor = ahead - Math.max(0, this.limit - this.used(now));
    if (waitsFor < 0) return start;
    const rounds = Math.floor(waitsFor / this.limit);
    // The slot of a request that is still in flight becomes free after a full cycle at the earliest.
    const first = this.#returns[this.#next + (waitsFor % this.limit)] ?? now + this.#cycleMs;
    return Math.max(first, start) + rounds * this.#cycleMs;
  }

  closeUntil(time: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, time);
    this.#ramp = 1;
    this.#probes = new Set();
  }

  closedUntil(now: number): number | undefined {
    return now < this.#closedUntil ? this.#closedUntil : undefined;
  }

  get #cycleMs(): number {
    return this.windowMs + marginOf(this.windowMs);
  }

  #settle(now: number): void {
    if (this.#expiresNext <= now) this.#expire(now);
    while ((this.#returns[this.#next] ?? Number.POSITIVE_INFINITY) <= now) this.#next += 1;
    // Removing them one by one would copy all the others each time.
    if (this.#next > this.#returns.length / 2) {
      this.#returns = this.#returns.slice(this.#next);
      this.#next = 0;
    }
  }

  /** A holder may no longer exist, if it ran in a Worker request that was cancelled. */
  #expire(now: number): void {
    this.#expiresNext = Number.POSITIVE_INFINITY;
    for (const hold of this.#holds) {
      if (hold.expiresAt <= now) this.giveBack(hold, now);
      else this.#expiresNext = Math.min(this.#expiresNext, hold.expiresAt);
    }
  }

  #scheduleReturn(time: number): void {
    const returns = this.#returns;
    let place = returns.length;
    while (place > this.#next && (returns[place - 1] as number) > time) place -= 1;
    if (place === returns.length) returns.push(time);
    else returns.splice(place, 0, time);
  }

  #close(hold: Hold, now: number, retryAfterMs = 0): void {
    // A 429 for a request sent before the bucket closed is no news, unless it says how long to wait.
    const isNews = hold.takenAt >= this.#closedUntil;
    if (retryAfterMs > 0) {
      this.closeUntil(now + Math.min(retryAfterMs, this.#maxPenaltyMs));
    } else if (isNews) {
      const backOff = (this.windowMs / 60) * 2 ** this.#limitedInARow;
      this.closeUntil(now + Math.min(backOff, this.windowMs) * (1 + Math.random() / 4));
      this.#limitedInARow += 1;
    }
  }

  /** Slow start: each answer allows one more request in flight, so their number doubles with each round trip. */
  #allowMoreProbes(): void {
    this.#limitedInARow = 0;
    this.#ramp = this.#ramp < this.limit ? this.#ramp + 1 : Number.POSITIVE_INFINITY;
  }
}
