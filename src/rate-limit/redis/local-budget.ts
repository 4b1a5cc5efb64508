import type { BucketName } from '../limiter.ts';
import { perBucket } from '../limiter.ts';

export type Limits = Record<BucketName, number>;

/** A limit so high that it never applies. */
export const PRACTICALLY_UNLIMITED = 1e9;

export interface LocalBudgetOptions {
  limits: Readonly<Limits>;
  /** Length of the window and its margin, in ms. */
  cycleMs: number;
  /**
   * If Redis receives no message from a process for this time in ms, Redis reserves the part of the budget of this
   * process.
   */
  silenceMs: number;
  /** The service may count a request up to this time in ms after Redis granted the slot. */
  delayMs: number;
}

/**
 * The requests that this process may send without Redis. All processes together stay within the limits, even if only
 * some of them have lost their connection to Redis:
 * 1. At first this process sends nothing, until Redis reserves a part of the budget for it.
 * 2. Then the process uses at most as many slots as it has in use at that time: if one of them becomes free, Redis does
 *    not grant this slot to another process.
 * 3. The process uses its whole part as soon as the window no longer contains slots that other processes took from this
 *    part.
 * After Redis is back, the process stays within its part for one more cycle, because other processes may still be
 * without Redis.
 */
export class LocalBudget {
  readonly #options: LocalBudgetOptions;
  #part = 1;
  #resumesAt = -Infinity;
  #fullPartAt = -Infinity;
  #endsAt = -Infinity;
  #inUse: Limits | undefined;

  constructor(options: LocalBudgetOptions) {
    this.#options = options;
  }

  /**
   * @param part the part of the limits that this process may use, from 0 to 1.
   * @param lastSentAt time of the last message of this process that Redis may have received.
   */
  goOffline(now: number, part: number, lastSentAt: number): void {
    const { cycleMs, silenceMs, delayMs } = this.#options;
    this.#part = now < this.#endsAt ? Math.min(part, this.#part) : part;
    this.#endsAt = Infinity;
    this.pause(lastSentAt + silenceMs, lastSentAt + silenceMs + cycleMs + delayMs);
  }

  /** Records a message that Redis may have received from this process. */
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

  /**
   * Before this time, this process sends nothing. Then the process may use slots again. Up to `fullPartAt`, it may use
   * only the slots that it has.
   */
  get resumesAt(): number {
    return this.#resumesAt;
  }

  /** From this time on, this process uses its whole part. */
  get fullPartAt(): number {
    return this.#part === 1 ? this.#resumesAt : this.#fullPartAt;
  }

  /**
   * A lower bound for the time at which the next slot is free. If a process has no slots in use, it waits for its whole
   * part.
   */
  opensAt(name: BucketName, now: number, used: number): number {
    if (now >= this.#endsAt || this.#part === 1 || now >= this.#fullPartAt) return -Infinity;
    const inUse = this.#inUse?.[name] ?? used;
    return inUse < 1 ? this.#fullPartAt : this.#resumesAt;
  }

  /** The next time at which the result of `limitsAt` changes. */
  changesAt(now: number): number {
    return Math.min(...[this.#resumesAt, this.#fullPartAt, this.#endsAt].filter(time => time > now));
  }

  limitsAt(now: number, used: (name: BucketName) => number): Limits {
    const { limits } = this.#options;
    // From this time on, Redis counts the requests again.
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
