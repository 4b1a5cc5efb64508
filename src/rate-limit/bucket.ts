import type { SlotOutcome } from './limiter.ts';

/** A request between its slot and its answer. */
export interface Hold {
  readonly takenAt: number;
  /** When its holder must be gone. */
  readonly expiresAt: number;
}

export interface BucketOptions {
  limit: number;
  windowMs: number;
  maxPenaltyMs: number;
}

/** For the drift between two clocks, in ms. */
export function marginOf(windowMs: number): number {
  return Math.min(50, Math.max(2, windowMs / 1000));
}

/**
 * The account of one bucket: which slots are taken, when each comes back, and whether the service has closed it. It
 * keeps no timer, every method is told the time.
 */
export class Bucket {
  limit: number;
  windowMs: number;
  readonly #maxPenaltyMs: number;
  readonly #holds = new Set<Hold>();
  /** No hold expires before this: most calls need not look at each of them. */
  #expiresNext = Number.POSITIVE_INFINITY;
  /** When the slots of answered requests come back, ascending; those before `#next` are back. */
  #returns: number[] = [];
  #next = 0;
  #closedUntil = Number.NEGATIVE_INFINITY;
  /** 429s in a row that did not say how long to wait. */
  #strikes = 0;
  /** How many of the requests sent since the last 429 may be in flight at a time. */
  #ramp = Number.POSITIVE_INFINITY;
  /** Those requests. */
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

  /** False if the hold had been given back before. */
  giveBack(hold: Hold, now: number, outcome: SlotOutcome = {}): boolean {
    if (!this.#holds.delete(hold)) return false;
    const wasProbe = this.#probes.delete(hold);
    if (outcome.unsent) return true;
    // The service has counted the request at some moment before its answer reached us. Without an answer, it may do so later.
    const counted = outcome.unanswered ? Math.max(now, hold.takenAt + this.windowMs / 2) : now;
    if (this.limit < Number.POSITIVE_INFINITY) this.#bringBack(counted + this.#cycleMs);
    if (outcome.limited) this.#close(hold, now, outcome.retryAfterMs);
    else if (wasProbe) this.#widen();
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
   * The earliest time at which a call can get its slot when `ahead` others go first; at most `now` if nothing but
   * requests in flight can be in its way.
   */
  turn(ahead: number, now: number): number {
    const start = Math.max(now, this.#closedUntil);
    // Nothing may be sent for now, and until when only the owner of the bucket knows.
    if (this.limit < 1) return start;
    const waitsFor = ahead - Math.max(0, this.limit - this.used(now));
    if (waitsFor < 0) return start;
    const rounds = Math.floor(waitsFor / this.limit);
    // A request that is still in flight gives its slot back a full cycle from now at the earliest.
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
    // Not one by one: each time, all the others would be copied.
    if (this.#next > this.#returns.length / 2) {
      this.#returns = this.#returns.slice(this.#next);
      this.#next = 0;
    }
  }

  /** A holder may be gone for good, with the Worker request that it ran in. */
  #expire(now: number): void {
    this.#expiresNext = Number.POSITIVE_INFINITY;
    for (const hold of this.#holds) {
      if (hold.expiresAt <= now) this.giveBack(hold, now);
      else this.#expiresNext = Math.min(this.#expiresNext, hold.expiresAt);
    }
  }

  #bringBack(time: number): void {
    const returns = this.#returns;
    let place = returns.length;
    while (place > this.#next && (returns[place - 1] as number) > time) place -= 1;
    if (place === returns.length) returns.push(time);
    else returns.splice(place, 0, time);
  }

  #close(hold: Hold, now: number, retryAfterMs = 0): void {
    // What was in flight when the bucket closed says nothing new, unless it says for how long.
    const isNews = hold.takenAt >= this.#closedUntil;
    if (retryAfterMs > 0) {
      this.closeUntil(now + Math.min(retryAfterMs, this.#maxPenaltyMs));
    } else if (isNews) {
      const backOff = (this.windowMs / 60) * 2 ** this.#strikes;
      this.closeUntil(now + Math.min(backOff, this.windowMs) * (1 + Math.random() / 4));
      this.#strikes += 1;
    }
  }

  /** Slow start: each good answer lets one more request out, which doubles them with each round trip. */
  #widen(): void {
    this.#strikes = 0;
    this.#ramp = this.#ramp < this.limit ? this.#ramp + 1 : Number.POSITIVE_INFINITY;
  }
}
