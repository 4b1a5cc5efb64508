import { numberAtLeast } from '../internal/arguments.ts';
import { inWorkers } from '../internal/runtime.ts';
import {
  BUCKET_NAMES,
  type BucketName,
  type BucketSnapshot,
  perBucket,
  QueueError,
  type RateLimiter,
  type Slot,
  type SlotOutcome,
  type SlotRequest,
} from './limiter.ts';
import { type AwaitedWindow, tooLong, Waiters } from './waiters.ts';

/** A slot that was taken and is not released yet. */
export interface Hold {
  readonly takenAt: number;
  /** Time at which the slot is taken back, because its holder no longer exists. */
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
  /** No hold expires before this time. Therefore most calls need not check each hold. */
  #expiresNext = Infinity;
  /**
   * Times at which the slots of finished requests become free, ascending. The slots before the index `#next` are already
   * free.
   */
  #returns: number[] = [];
  #next = 0;
  #closedUntil = -Infinity;
  /** Number of consecutive 429s without a `Retry-After`. */
  #limitedInARow = 0;
  /** Upper bound for the requests in flight that were sent since the last 429. */
  #ramp = Infinity;
  /** The requests in flight that were sent since the last 429. */
  #probes = new Set<Hold>();

  constructor(options: BucketOptions) {
    this.limit = options.limit;
    this.windowMs = options.windowMs;
    this.#maxPenaltyMs = options.maxPenaltyMs;
  }

  take(hold: Hold): void {
    this.#holds.add(hold);
    this.#expiresNext = Math.min(this.#expiresNext, hold.expiresAt);
    if (this.#ramp < Infinity) this.#probes.add(hold);
  }

  /** Gives a slot back. Returns false if it was given back before. */
  giveBack(hold: Hold, now: number, outcome: SlotOutcome = {}): boolean {
    if (!this.#holds.delete(hold)) return false;
    const wasProbe = this.#probes.delete(hold);
    if (outcome.unsent) return true;
    // The service counted the request before its response arrived. Without a response, it may count the request later.
    const counted = outcome.unanswered ? Math.max(now, hold.takenAt + this.windowMs / 2) : now;
    if (this.limit < Infinity) this.#scheduleReturn(counted + this.#cycleMs);
    if (outcome.limited) this.#close(hold, now, outcome.retryAfterMs);
    else if (wasProbe) this.#allowMoreProbes();
    return true;
  }

  /** Number of requests that may be sent now. */
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
   * The earliest time at which a call can get its slot if `ahead` other calls go first. Not later than `now` if only requests in
   * flight can delay the call.
   */
  turn(ahead: number, now: number): number {
    const start = Math.max(now, this.#closedUntil);
    // Nothing may be sent for now. The owner of the bucket decides how long this lasts.
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
    while ((this.#returns[this.#next] ?? Infinity) <= now) this.#next += 1;
    // Removing the times one by one would copy all remaining times for each of them.
    if (this.#next > this.#returns.length / 2) {
      this.#returns = this.#returns.slice(this.#next);
      this.#next = 0;
    }
  }

  /**
   * Takes back slots whose time is over. Their holder may no longer exist, for example because its Worker request was
   * cancelled.
   */
  #expire(now: number): void {
    this.#expiresNext = Infinity;
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
    // A 429 for a request that was sent before the bucket closed has an effect only if the 429 has a `Retry-After`.
    const isNews = hold.takenAt >= this.#closedUntil;
    if (retryAfterMs > 0) {
      this.closeUntil(now + Math.min(retryAfterMs, this.#maxPenaltyMs));
    } else if (isNews) {
      const backOff = (this.windowMs / 60) * 2 ** this.#limitedInARow;
      this.closeUntil(now + Math.min(backOff, this.windowMs) * (1 + Math.random() / 4));
      this.#limitedInARow += 1;
    }
  }

  /**
   * Slow start: each response allows one more request in flight, so the number of requests in flight doubles with each
   * round trip.
   */
  #allowMoreProbes(): void {
    this.#limitedInARow = 0;
    this.#ramp = this.#ramp < this.limit ? this.#ramp + 1 : Infinity;
  }
}

export interface RollingWindowOptions {
  /** Length of the window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Requests per window of each bucket. With `Infinity`, only `maxInFlight` limits a bucket. */
  limits: Readonly<Record<BucketName, number>>;
  /** Upper bound for the requests that are in flight at the same time, over all buckets. @default 32 */
  maxInFlight?: number | undefined;
  /** Upper bound for the waiting calls, over all buckets. Further calls reject with a `QueueError`. @default 100_000 */
  maxQueue?: number | undefined;
  /**
   * Time in ms after which a slot that is not released counts as released, because its holder no longer exists. This
   * time applies to requests without a `timeoutMs`.
   * @default 120_000
   */
  leaseMs?: number | undefined;
  /** The longest time for which one 429 can close a bucket, in ms. @default 31_536_000_000, a year */
  maxPenaltyMs?: number | undefined;
  /** Each time a slot is taken, the property `busy` of this object is set to the limiter. */
  keeper?: { busy: RollingWindowLimiter | undefined } | undefined;
  /** A clock in ms that never goes back. @default performance.now */
  now?: (() => number) | undefined;
  /**
   * True if a call that ends may give its slot to a waiting call. False in Workers, where a promise belongs to the
   * request that made it. Each waiting call in a Worker therefore wakes itself.
   *
   * @default true, except in Workers
   */
  handOver?: boolean | undefined;
}

const DEFAULTS = {
  windowMs: 60_000,
  maxInFlight: 32,
  maxQueue: 100_000,
  leaseMs: 120_000,
  maxPenaltyMs: 365 * 86_400_000,
};

/** Additional time in ms for requests that end late on a busy machine. */
const HOLD_GRACE_MS = 5000;

/**
 * Allows `limit` requests in any rolling window. A slot becomes free one window after the *response* to its request, because
 * the service counted the request before it responded.
 *
 * @throws {ConfigurationError} for a number below 1.
 */
export function createRollingWindowLimiter(options: RollingWindowOptions): RollingWindowLimiter {
  return new RollingWindowLimiter(options);
}

export class RollingWindowLimiter implements RateLimiter, AwaitedWindow {
  readonly buckets: Record<BucketName, Bucket>;
  readonly #waiters: Waiters;
  maxInFlight: number;
  #maxQueue: number;
  readonly #leaseMs: number;
  readonly #keeper: RollingWindowOptions['keeper'];
  readonly now: () => number;

  constructor(options: RollingWindowOptions) {
    const { limits, windowMs = DEFAULTS.windowMs, maxInFlight = DEFAULTS.maxInFlight } = options;
    const { leaseMs = DEFAULTS.leaseMs, maxPenaltyMs = DEFAULTS.maxPenaltyMs } = options;
    const numbers = { windowMs, maxInFlight, leaseMs, maxPenaltyMs, ...perBucket(name => limits[name]) };
    for (const [name, value] of Object.entries(numbers)) numberAtLeast(1, name, value);
    this.buckets = perBucket(name => new Bucket({ limit: limits[name], windowMs, maxPenaltyMs }));
    this.maxInFlight = maxInFlight;
    this.#maxQueue = options.maxQueue ?? DEFAULTS.maxQueue;
    this.#leaseMs = leaseMs;
    this.#keeper = options.keeper;
    this.now = options.now ?? (() => performance.now());
    this.#waiters = new Waiters(this, options.handOver ?? !inWorkers());
  }

  acquire(request: SlotRequest): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (request.signal?.aborted) throw request.signal.reason;
      const slot = this.tryAcquire(request.bucket, request.timeoutMs);
      if (slot) {
        resolve(slot);
        return;
      }
      const now = this.now();
      this.refuseIfClosed(request, now);
      const estimatedWaitMs = this.#estimate(request, now);
      request.onQueued?.(estimatedWaitMs);
      // The hook may have aborted the call, or closed the client.
      request.signal?.throwIfAborted();
      this.#waiters.join(request, now, resolve, reject);
    });
  }

  /** A slot, if one is free and no call waits for it. */
  tryAcquire(name: BucketName, timeoutMs: number | undefined): Slot | undefined {
    const now = this.now();
    const isFirst = this.#waiters.total === 0 || this.#waiters.count(name) === 0;
    const isFree = isFirst && this.buckets[name].room(now) >= 1 && this.spare(now) >= 1;
    return isFree ? this.take(name, now, timeoutMs) : undefined;
  }

  snapshot(): Record<BucketName, BucketSnapshot> {
    const now = this.now();
    const toEpoch = Date.now() - now;
    return perBucket(name => {
      const bucket = this.buckets[name];
      const closedUntil = bucket.closedUntil(now);
      return {
        limit: bucket.limit,
        windowMs: bucket.windowMs,
        used: bucket.used(now),
        queued: this.#waiters.count(name),
        nextFreeAt: Math.ceil(bucket.turn(0, now) + toEpoch),
        closedUntil: closedUntil === undefined ? null : Math.ceil(closedUntil + toEpoch),
      };
    });
  }

  /**
   * Keeps the stricter value of each limit: the current value or the new value. Returns the names of the limits that
   * differ.
   */
  tighten(to: RollingWindowOptions): string[] {
    const { limits, windowMs = DEFAULTS.windowMs, maxInFlight = DEFAULTS.maxInFlight } = to;
    const { maxQueue = DEFAULTS.maxQueue } = to;
    const differing = new Set<string>();
    for (const name of BUCKET_NAMES) {
      const bucket = this.buckets[name];
      if (bucket.limit !== limits[name]) differing.add(name);
      if (bucket.windowMs !== windowMs) differing.add('windowMs');
      bucket.limit = Math.min(bucket.limit, limits[name]);
      bucket.windowMs = Math.max(bucket.windowMs, windowMs);
    }
    if (this.maxInFlight !== maxInFlight) differing.add('maxInFlight');
    this.maxInFlight = Math.min(this.maxInFlight, maxInFlight);
    if (this.#maxQueue !== maxQueue) differing.add('maxQueue');
    this.#maxQueue = Math.min(this.#maxQueue, maxQueue);
    return [...differing];
  }

  setLimits(limits: Readonly<Record<BucketName, number>>): void {
    for (const name of BUCKET_NAMES) this.buckets[name].limit = limits[name];
    this.#waiters.grantAll(this.now());
  }

  /** Closes a bucket in the same way as a 429. */
  close(name: BucketName, forMs: number): void {
    const now = this.now();
    this.buckets[name].closeUntil(now + forMs);
    this.#refuseWaiting(name, now);
  }

  /** Number of requests of a bucket that may be sent now. */
  room(name: BucketName): number {
    const now = this.now();
    return Math.max(0, Math.min(this.buckets[name].room(now), this.spare(now)));
  }

  /** @throws {QueueError} if the bucket is closed for longer than the call allows. */
  refuseIfClosed({ bucket, maxClosedMs }: Pick<SlotRequest, 'bucket' | 'maxClosedMs'>, now = this.now()): void {
    const closedMs = (this.buckets[bucket].closedUntil(now) ?? now) - now;
    if (closedMs > (maxClosedMs ?? Infinity)) throw closedTooLong(bucket, closedMs);
  }

  /** True if this limiter is in the state of a new limiter. */
  isIdle(): boolean {
    const now = this.now();
    return BUCKET_NAMES.every(
      name =>
        this.buckets[name].used(now) === 0 &&
        this.#waiters.count(name) === 0 &&
        this.buckets[name].closedUntil(now) === undefined,
    );
  }

  take(name: BucketName, now: number, timeoutMs: number | undefined): Slot {
    if (this.#keeper) this.#keeper.busy = this;
    const leaseMs = timeoutMs === undefined ? this.#leaseMs : timeoutMs + HOLD_GRACE_MS;
    const hold = { takenAt: now, expiresAt: now + leaseMs };
    this.buckets[name].take(hold);
    return { release: outcome => this.#release(name, hold, outcome) };
  }

  #release(name: BucketName, hold: Hold, outcome: SlotOutcome | undefined): void {
    const now = this.now();
    if (!this.buckets[name].giveBack(hold, now, outcome)) return;
    if (outcome?.limited) this.#refuseWaiting(name, now);
    if (this.#waiters.total > 0) this.#waiters.grantAll(now);
  }

  #refuseWaiting(name: BucketName, now: number): void {
    this.#waiters.refuse(name, ({ maxClosedMs }) => this.refuseIfClosed({ bucket: name, maxClosedMs }, now));
  }

  /** The minimum wait of the call, in ms. @throws {QueueError} if the queue is full, or the wait is too long for the call. */
  #estimate(request: SlotRequest, now: number): number {
    const estimatedWaitMs = this.#waiters.estimate(request, now);
    const total = this.#waiters.total;
    if (total >= this.#maxQueue) {
      throw new QueueError(`The queue is full: ${total} calls wait for a slot.`, {
        code: 'queue_full',
        estimatedWaitMs,
      });
    }
    if (request.maxWaitMs !== undefined && estimatedWaitMs >= request.maxWaitMs) {
      throw tooLong(request.bucket, estimatedWaitMs, request.maxWaitMs);
    }
    return estimatedWaitMs;
  }

  /** Number of further requests that may be in flight now. */
  spare(now: number): number {
    let spare = this.maxInFlight;
    for (const name of BUCKET_NAMES) spare -= this.buckets[name].inFlight(now);
    return spare;
  }
}

function closedTooLong(bucket: BucketName, closedMs: number): QueueError {
  const closedUntil = Date.now() + closedMs;
  const until = new Date(closedUntil).toISOString();
  const message = `The service accepts no request of the bucket "${bucket}" before ${until}, according to its response 429.`;
  return new QueueError(message, { code: 'bucket_closed', estimatedWaitMs: Math.ceil(closedMs), closedUntil });
}
