import { ConfigurationError, QueueError } from '../errors.ts';
import { AbortFanout } from '../internal/abort-fanout.ts';
import { inWorkers } from '../internal/runtime.ts';
import { Bucket, type Hold } from './bucket.ts';
import { BUCKET_NAMES, perBucket } from './buckets.ts';
import type { BucketName, BucketSnapshot, RateLimiter, Slot, SlotOutcome, SlotRequest } from './limiter.ts';
import { type Waiter, WaiterQueue } from './waiter-queue.ts';

export interface RollingWindowOptions {
  /** Length of the window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Requests per window of each bucket; `Infinity` leaves a bucket to `maxInFlight`. */
  limits: Readonly<Record<BucketName, number>>;
  /** Requests in flight at a time, over all buckets. @default 32 */
  maxInFlight?: number | undefined;
  /** Calls that may wait, over all buckets; further ones are refused. @default 100_000 */
  maxQueue?: number | undefined;
  /**
   * A slot that is not released within this many ms counts as answered, since its holder must be gone: for requests that do
   * not tell how long they may take.
   * @default 120_000
   */
  leaseMs?: number | undefined;
  /** The longest a single 429 can close a bucket, in ms, whatever its `Retry-After` says. @default 31_536_000_000, a year */
  maxPenaltyMs?: number | undefined;
  /** Told of each slot that is taken. */
  onTake?: (() => void) | undefined;
  /** A clock in ms that never goes back. @default performance.now */
  now?: (() => number) | undefined;
  /**
   * Whether a call that ends may hand its slot to a waiting one. In Workers it must not: a promise belongs to the
   * request that made it, so there each call only ever wakes itself.
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

/** How often a call looks again that waits for nothing but answers. With hand-over this is only a safety net. */
const POLL_MS = { handOver: 1000, alone: 10 };
/** A timer holds 24 days at most. Without hand-over nobody tells a sleeper that those ahead of it gave up. */
const LONGEST_SLEEP_MS = { handOver: 86_400_000, alone: 1000 };
/** For holders that end late, on a busy machine. */
const HOLD_GRACE_MS = 5000;
/** A call that has slept this much too long is taken for dead, and the next ones go past it. */
const GRACE_MS = 1000;

/**
 * At most `limit` requests in any rolling window, and all of them used: a slot comes back one window after the
 * *answer* to the request that held it, because the service has counted the request before that.
 *
 * @throws ConfigurationError for numbers that make no limit.
 */
export function createRollingWindowLimiter(options: RollingWindowOptions): RollingWindowLimiter {
  return new RollingWindowLimiter(options);
}

export class RollingWindowLimiter implements RateLimiter {
  readonly #buckets: Record<BucketName, Bucket>;
  readonly #queues: Record<BucketName, { interactive: WaiterQueue; bulk: WaiterQueue }>;
  readonly #aborts = new AbortFanout<Waiter>(waiters => this.#abort(waiters));
  #maxInFlight: number;
  readonly #maxQueue: number;
  readonly #leaseMs: number;
  readonly #onTake: (() => void) | undefined;
  readonly #handOver: boolean;
  readonly #pollMs: number;
  readonly #longestSleepMs: number;
  readonly #now: () => number;
  #arrivals = 0;

  constructor(options: RollingWindowOptions) {
    const { limits, windowMs = DEFAULTS.windowMs, maxInFlight = DEFAULTS.maxInFlight } = options;
    const { leaseMs = DEFAULTS.leaseMs, maxPenaltyMs = DEFAULTS.maxPenaltyMs } = options;
    const numbers = { windowMs, maxInFlight, leaseMs, maxPenaltyMs, ...perBucket(name => limits[name]) };
    for (const [name, value] of Object.entries(numbers)) {
      if (!(value >= 1)) throw new ConfigurationError(`The rate limit's ${name} must be at least 1, not ${value}.`);
    }
    this.#buckets = perBucket(name => new Bucket({ limit: limits[name], windowMs, maxPenaltyMs }));
    this.#queues = perBucket(name => ({
      interactive: new WaiterQueue(name, this.#buckets[name], 'interactive'),
      bulk: new WaiterQueue(name, this.#buckets[name], 'bulk'),
    }));
    this.#maxInFlight = maxInFlight;
    this.#maxQueue = options.maxQueue ?? DEFAULTS.maxQueue;
    this.#leaseMs = leaseMs;
    this.#onTake = options.onTake;
    this.#handOver = options.handOver ?? !inWorkers();
    this.#pollMs = this.#handOver ? POLL_MS.handOver : POLL_MS.alone;
    this.#longestSleepMs = this.#handOver ? LONGEST_SLEEP_MS.handOver : LONGEST_SLEEP_MS.alone;
    this.#now = options.now ?? (() => performance.now());
  }

  acquire(request: SlotRequest): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (request.signal?.aborted) throw request.signal.reason;
      const now = this.#now();
      const bucket = this.#buckets[request.bucket];
      if (this.#queued(request.bucket) === 0 && bucket.room(now) >= 1 && this.#inFlight(now) < this.#maxInFlight) {
        resolve(this.#slot(request.bucket, now, request.timeoutMs));
        return;
      }
      this.refuseIfClosed(request, now);
      const estimatedWaitMs = this.#estimate(request, now);
      request.onQueued?.(estimatedWaitMs);
      const waiter: Waiter = {
        queue: this.#queues[request.bucket][request.priority],
        arrival: this.#arrivals++,
        queuedAt: now,
        expiresAt: now + (request.maxWaitMs ?? Number.POSITIVE_INFINITY),
        timeoutMs: request.timeoutMs,
        maxClosedMs: request.maxClosedMs,
        signal: request.signal,
        resolve,
        reject,
        timer: undefined,
        wakeAt: now,
        isQueued: false,
        place: 0,
        previous: undefined,
        next: undefined,
      };
      waiter.queue.push(waiter);
      if (waiter.signal) this.#aborts.add(waiter.signal, waiter);
      this.#wake(waiter);
    });
  }

  snapshot(): Record<BucketName, BucketSnapshot> {
    const now = this.#now();
    const toEpoch = Date.now() - now;
    return perBucket(name => {
      const bucket = this.#buckets[name];
      const closedUntil = bucket.closedUntil(now);
      return {
        limit: bucket.limit,
        used: bucket.used(now),
        queued: this.#queued(name),
        nextFreeAt: Math.ceil(bucket.turn(0, now) + toEpoch),
        closedUntil: closedUntil === undefined ? null : Math.ceil(closedUntil + toEpoch),
      };
    });
  }

  /** Keeps the stricter of the present and the given numbers. Returns the names of those that differed. */
  tighten(to: RollingWindowOptions): string[] {
    const { limits, windowMs = DEFAULTS.windowMs, maxInFlight = DEFAULTS.maxInFlight } = to;
    const differing = new Set<string>();
    for (const name of BUCKET_NAMES) {
      const bucket = this.#buckets[name];
      if (bucket.limit !== limits[name]) differing.add(name);
      if (bucket.windowMs !== windowMs) differing.add('windowMs');
      bucket.limit = Math.min(bucket.limit, limits[name]);
      bucket.windowMs = Math.max(bucket.windowMs, windowMs);
    }
    if (this.#maxInFlight !== maxInFlight) differing.add('maxInFlight');
    this.#maxInFlight = Math.min(this.#maxInFlight, maxInFlight);
    return [...differing];
  }

  setLimits(limits: Readonly<Record<BucketName, number>>): void {
    for (const name of BUCKET_NAMES) this.#buckets[name].limit = limits[name];
    if (this.#handOver) this.#grantAll(this.#now());
  }

  /** Closes a bucket as a 429 would. */
  close(name: BucketName, forMs: number): void {
    const now = this.#now();
    this.#buckets[name].closeUntil(now + forMs);
    this.#refuseWaiting(name, now);
  }

  /** How many requests of a bucket may be sent now. */
  room(name: BucketName): number {
    const now = this.#now();
    return Math.max(0, Math.min(this.#buckets[name].room(now), this.#maxInFlight - this.#inFlight(now)));
  }

  /** @throws QueueError where the bucket is closed for longer than the call allows. */
  refuseIfClosed({ bucket, maxClosedMs }: Pick<SlotRequest, 'bucket' | 'maxClosedMs'>, now = this.#now()): void {
    const closedMs = (this.#buckets[bucket].closedUntil(now) ?? now) - now;
    if (closedMs > (maxClosedMs ?? Number.POSITIVE_INFINITY)) throw closedTooLong(bucket, closedMs);
  }

  /** True when a limiter made anew would be in the same state. */
  isIdle(): boolean {
    const now = this.#now();
    return BUCKET_NAMES.every(
      name =>
        this.#buckets[name].used(now) === 0 &&
        this.#queued(name) === 0 &&
        this.#buckets[name].closedUntil(now) === undefined,
    );
  }

  #slot(name: BucketName, now: number, timeoutMs: number | undefined): Slot {
    this.#onTake?.();
    const hold = this.#buckets[name].take(now, timeoutMs === undefined ? this.#leaseMs : timeoutMs + HOLD_GRACE_MS);
    return { release: outcome => this.#release(name, hold, outcome) };
  }

  #release(name: BucketName, hold: Hold, outcome: SlotOutcome | undefined): void {
    const now = this.#now();
    if (!this.#buckets[name].giveBack(hold, now, outcome)) return;
    if (outcome?.limited) this.#refuseWaiting(name, now);
    if (this.#handOver) this.#grantAll(now);
  }

  #refuseWaiting(name: BucketName, now: number): void {
    const { interactive, bulk } = this.#queues[name];
    for (const queue of [interactive, bulk]) {
      let waiter = queue.first;
      while (waiter) {
        const next: Waiter | undefined = waiter.next;
        try {
          this.refuseIfClosed({ bucket: name, maxClosedMs: waiter.maxClosedMs }, now);
        } catch (refusal) {
          this.#leave(waiter);
          waiter.reject(refusal);
        }
        waiter = next;
      }
    }
  }

  /** How long the call will wait at least, in ms. @throws QueueError where it may not wait for that long, or not at all. */
  #estimate(request: SlotRequest, now: number): number {
    const queued = this.#queued(request.bucket);
    const ahead = request.priority === 'bulk' ? queued : this.#queues[request.bucket].interactive.size;
    const estimatedWaitMs = Math.ceil(this.#buckets[request.bucket].turn(ahead, now) - now);
    const total = BUCKET_NAMES.reduce((sum, name) => sum + this.#queued(name), 0);
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

  /** A waiter's own timer has run out, or it has just arrived. */
  readonly #wake = (waiter: Waiter): void => {
    const now = this.#now();
    waiter.timer = undefined;
    if (!waiter.isQueued) waiter.queue.putFirst(waiter);
    if (this.#handOver) this.#grantAll(now);
    else if (this.#due(now).includes(waiter)) this.#grant(waiter, now);
    if (!waiter.isQueued) return;
    const turn = waiter.queue.bucket.turn(this.#ahead(waiter), now);
    if (Math.max(turn, now) < waiter.expiresAt) {
      this.#sleep(waiter, now);
      return;
    }
    this.#leave(waiter);
    waiter.reject(tooLong(waiter.queue.name, Math.ceil(turn - waiter.queuedAt), waiter.expiresAt - waiter.queuedAt));
    this.#alarm(waiter.queue.name, now);
  };

  #sleep(waiter: Waiter, now: number): void {
    waiter.wakeAt = this.#nextLook(waiter, now);
    clearTimeout(waiter.timer);
    waiter.timer = setTimeout(this.#wake, Math.ceil(waiter.wakeAt - now), waiter);
  }

  #nextLook(waiter: Waiter, now: number): number {
    const ahead = this.#ahead(waiter);
    const turn = waiter.queue.bucket.turn(ahead, now);
    // When an answer will come is not known, but those far behind wait for several of them.
    const poll = now + this.#pollMs * (1 + Math.floor(ahead / this.#maxInFlight));
    return Math.min(turn > now ? turn : poll, waiter.expiresAt, now + this.#longestSleepMs);
  }

  #grantAll(now: number): void {
    if (!this.#isAnyoneWaiting()) return;
    for (const waiter of this.#due(now)) this.#grant(waiter, now);
  }

  #grant(waiter: Waiter, now: number): void {
    this.#leave(waiter);
    waiter.resolve(this.#slot(waiter.queue.name, now, waiter.timeoutMs));
    this.#alarm(waiter.queue.name, now);
  }

  #abort(waiters: Waiter[]): void {
    const now = this.#now();
    const touched = new Set<BucketName>();
    for (const waiter of waiters) {
      this.#leave(waiter);
      waiter.reject(waiter.signal?.reason);
      touched.add(waiter.queue.name);
    }
    for (const name of touched) this.#alarm(name, now);
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    waiter.timer = undefined;
    waiter.queue.remove(waiter);
    if (waiter.signal) this.#aborts.delete(waiter.signal, waiter);
  }

  /** The new head of a queue may have planned for a later time, when calls that have given up were ahead of it. */
  #alarm(name: BucketName, now: number): void {
    if (!this.#handOver) return;
    const head = this.#queues[name].interactive.first ?? this.#queues[name].bulk.first;
    if (head && head.wakeAt > this.#nextLook(head, now)) this.#sleep(head, now);
  }

  /** The waiters whose turn it is, in order. */
  #due(now: number): Waiter[] {
    const room = this.#maxInFlight - this.#inFlight(now);
    if (room < 1) return [];
    return BUCKET_NAMES.flatMap(name => this.#first(Math.min(room, this.#buckets[name].room(now)), name, now))
      .sort(byPriorityAndArrival)
      .slice(0, room);
  }

  /** Up to `count` waiters of a bucket, in order. */
  #first(count: number, name: BucketName, now: number): Waiter[] {
    const first: Waiter[] = [];
    const { interactive, bulk } = this.#queues[name];
    for (const queue of [interactive, bulk]) {
      let waiter = queue.first;
      while (waiter && first.length + 1 <= count) {
        const next: Waiter | undefined = waiter.next;
        if (this.#seemsDead(waiter, now)) queue.remove(waiter);
        else first.push(waiter);
        waiter = next;
      }
    }
    return first;
  }

  /** The Worker request that it belongs to was cancelled, and its timer with it. If not, it comes back by itself. */
  #seemsDead(waiter: Waiter, now: number): boolean {
    return !this.#handOver && waiter.wakeAt + GRACE_MS < now;
  }

  #ahead(waiter: Waiter): number {
    const { interactive, bulk } = this.#queues[waiter.queue.name];
    return waiter.queue.priority === 'bulk' ? interactive.size + bulk.ahead(waiter) : interactive.ahead(waiter);
  }

  #queued(name: BucketName): number {
    const { interactive, bulk } = this.#queues[name];
    return interactive.size + bulk.size;
  }

  #isAnyoneWaiting(): boolean {
    return BUCKET_NAMES.some(name => this.#queues[name].interactive.first ?? this.#queues[name].bulk.first);
  }

  #inFlight(now: number): number {
    return BUCKET_NAMES.reduce((sum, name) => sum + this.#buckets[name].inFlight(now), 0);
  }
}

function byPriorityAndArrival(a: Waiter, b: Waiter): number {
  const bulkLast = Number(a.queue.priority === 'bulk') - Number(b.queue.priority === 'bulk');
  return bulkLast || a.arrival - b.arrival;
}

function tooLong(bucket: BucketName, estimatedWaitMs: number, allowedMs: number): QueueError {
  const message = `The wait for a slot in the bucket "${bucket}" would be at least ${estimatedWaitMs} ms, the call allows ${Math.floor(allowedMs)} ms.`;
  return new QueueError(message, { code: 'queue_timeout', estimatedWaitMs });
}

function closedTooLong(bucket: BucketName, closedMs: number): QueueError {
  const closedUntil = Date.now() + closedMs;
  const until = new Date(closedUntil).toISOString();
  const message = `The service takes no request of the bucket "${bucket}" before ${until}: it answered 429 and said so.`;
  return new QueueError(message, { code: 'bucket_closed', estimatedWaitMs: Math.ceil(closedMs), closedUntil });
}
