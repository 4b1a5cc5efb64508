import { knownNames, limitOf, namesOf, objectArgument, oneOf, optionalFunction, wholeNumber } from '../arguments.ts';
import { ConnectionError, QueueError } from '../errors.ts';
import { marginOf } from '../transport/bucket.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS, perBucket } from '../transport/buckets.ts';
import type { BucketName, BucketSnapshot, Priority, RateLimiter, Slot, SlotRequest } from '../transport/limiter.ts';
import { createRollingWindowLimiter, type RollingWindowLimiter } from '../transport/rolling-window.ts';
import { abortable, Scope, sleep } from '../transport/signal.ts';
import { type RedisClient, redisClient } from './client.ts';
import { type Reservation, SharedWindow } from './shared-window.ts';

export interface RedisLimiterOptions {
  /** A connected client of the package `redis` (5, 6) or `ioredis` (5, 6). */
  client: RedisClient;
  /**
   * What the processes share a budget by: the API key, or any name for it. Redis only sees its hash.
   * @default 'default'
   */
  key?: string | undefined;
  /** Length of the service's rolling window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Requests per window of each bucket, for all processes together. @default as documented by the service */
  limits?: Partial<Record<BucketName, number>> | undefined;
  /** Requests of this process in flight at a time. @default 32 */
  maxInFlight?: number | undefined;
  /** Calls of this process that may wait; further ones are refused. @default 100_000 */
  maxQueue?: number | undefined;
  /**
   * When Redis fails or takes longer than `storeTimeoutMs`: go on alone, with the limit divided by the number of
   * processes (`local`), or reject with a `ConnectionError` of code `rate_limit_store` (`reject`). Redis is asked again
   * after a second.
   * @default 'local'
   */
  onStoreFailure?: 'local' | 'reject' | undefined;
  /**
   * How many processes to expect. While Redis is away each takes this part of the limits, or a smaller one if Redis has
   * told of more processes. Set it so that those started meanwhile do not take a whole budget each.
   * @default 1
   */
  processes?: number | undefined;
  /** How long to wait for an answer of Redis, in ms. @default 1_000 */
  storeTimeoutMs?: number | undefined;
  /**
   * How long a request can take, in ms: the slot of a process that died comes back this and one window later. Not
   * below the client's `timeout`.
   * @default 60_000
   */
  leaseMs?: number | undefined;
  /** Told once for each outage of Redis. @default console.warn */
  warn?: ((message: string) => void) | undefined;
}

const OPTIONS = namesOf<RedisLimiterOptions>({
  client: true,
  key: true,
  windowMs: true,
  limits: true,
  maxInFlight: true,
  maxQueue: true,
  onStoreFailure: true,
  processes: true,
  storeTimeoutMs: true,
  leaseMs: true,
  warn: true,
});

/** How long to go on alone before Redis is asked again, in ms. */
const RETRY_STORE_MS = 1000;
const UNLIMITED = perBucket(() => Number.POSITIVE_INFINITY);

/**
 * One budget for many processes: a log of taken slots in Redis, on the server's clock.
 *
 * @throws {ConfigurationError} for an option that is missing, misspelt or out of range.
 *
 * @example
 * const redis = await createClient({ url }).connect();
 * const client = new TrackingClient({ apiKey, rateLimit: { limiter: redisLimiter({ client: redis, key: apiKey }) } });
 */
export function redisLimiter(options: RedisLimiterOptions): RateLimiter {
  return new RedisLimiter(options);
}

class RedisLimiter implements RateLimiter {
  readonly #limits: Record<BucketName, number>;
  readonly #cycleMs: number;
  readonly #maxQueue: number;
  readonly #onStoreFailure: 'local' | 'reject';
  readonly #warn: (message: string) => void;
  /** One call a bucket asks Redis at a time: the others wait in their order. */
  readonly #lines: Record<BucketName, RollingWindowLimiter>;
  /** What this process has in flight and has used. Binds only after a 429 and while Redis is away. */
  readonly #own: RollingWindowLimiter;
  readonly #shared: SharedWindow;
  /** The call of each bucket that asks, and those in line. */
  readonly #waiting = perBucket((): Record<Priority, number> => ({ interactive: 0, bulk: 0 }));
  /** Before this time no slot will be free, as far as Redis has told. */
  readonly #nextFree = perBucket(() => Number.NEGATIVE_INFINITY);
  /** As Redis told of each bucket last. */
  readonly #processes = perBucket(() => 1);
  readonly #expectedProcesses: number;
  #awayUntil: number | undefined;
  #awayCause: unknown;

  constructor(options: RedisLimiterOptions) {
    knownNames('redisLimiter', objectArgument('redisLimiter', options, '{ client, key: apiKey }'), OPTIONS);
    const { key = 'default', limits = {}, maxQueue = 100_000, maxInFlight = 32, onStoreFailure = 'local' } = options;
    knownNames('limits', objectArgument('limits', limits, '{ default: 100 }'), BUCKET_NAMES);
    const client = redisClient('client', options.client);
    const windowMs = wholeNumber('windowMs', options.windowMs ?? 60_000);
    const leaseMs = wholeNumber('leaseMs', options.leaseMs ?? 60_000);
    const timeoutMs = wholeNumber('storeTimeoutMs', options.storeTimeoutMs ?? 1000);
    this.#limits = perBucket(name => limitOf(1, `limits.${name}`, limits[name] ?? DEFAULT_LIMITS[name]));
    this.#cycleMs = windowMs + marginOf(windowMs);
    this.#maxQueue = limitOf(0, 'maxQueue', maxQueue);
    this.#onStoreFailure = oneOf('onStoreFailure', onStoreFailure, ['local', 'reject']);
    this.#expectedProcesses = wholeNumber('processes', options.processes ?? 1);
    this.#warn = optionalFunction('warn', options.warn) ?? (message => console.warn(message));
    this.#lines = perBucket(() =>
      createRollingWindowLimiter({ limits: UNLIMITED, maxInFlight: 1, maxQueue: Number.POSITIVE_INFINITY }),
    );
    this.#own = createRollingWindowLimiter({
      windowMs,
      limits: this.#limits,
      maxInFlight: limitOf(1, 'maxInFlight', maxInFlight),
    });
    this.#shared = new SharedWindow({ client, key, cycleMs: this.#cycleMs, leaseMs, timeoutMs });
  }

  async acquire(request: SlotRequest): Promise<Slot> {
    const expiresAt = performance.now() + (request.maxWaitMs ?? Number.POSITIVE_INFINITY);
    this.#refuseIfHopeless(request);
    const waiting = this.#waiting[request.bucket];
    waiting[request.priority] += 1;
    try {
      const turn = await this.#lines[request.bucket].acquire(request);
      try {
        return await this.#take(request, expiresAt);
      } finally {
        turn.release();
      }
    } finally {
      waiting[request.priority] -= 1;
    }
  }

  /** What this process knows: `used` leaves out the others' slots. */
  snapshot(): Record<BucketName, BucketSnapshot> {
    const snapshot = this.#own.snapshot();
    const toEpoch = Date.now() - performance.now();
    for (const name of BUCKET_NAMES) {
      snapshot[name].queued = this.#queued(name);
      snapshot[name].nextFreeAt = Math.max(snapshot[name].nextFreeAt, Math.ceil(this.#nextFree[name] + toEpoch));
    }
    return snapshot;
  }

  #queued(name: BucketName): number {
    return this.#waiting[name].interactive + this.#waiting[name].bulk;
  }

  #refuseIfHopeless({ bucket, priority, maxWaitMs = Number.POSITIVE_INFINITY }: SlotRequest): void {
    const ahead = priority === 'bulk' ? this.#queued(bucket) : this.#waiting[bucket].interactive;
    const rounds = Math.floor(ahead / this.#limits[bucket]);
    const estimatedWaitMs = Math.max(0, this.#nextFree[bucket] - performance.now()) + rounds * this.#cycleMs;
    const total = BUCKET_NAMES.reduce((sum, name) => sum + this.#queued(name), 0);
    if (total >= this.#maxQueue) {
      throw new QueueError(`The queue is full: ${total} calls wait for a slot.`, {
        code: 'queue_full',
        estimatedWaitMs,
      });
    }
    if (estimatedWaitMs >= maxWaitMs) throw tooLong(estimatedWaitMs);
  }

  async #take(request: SlotRequest, expiresAt: number): Promise<Slot> {
    const { bucket, signal } = request;
    for (;;) {
      const own = await this.#own.acquire({ ...request, maxWaitMs: expiresAt - performance.now() });
      const id = crypto.randomUUID();
      let waitMs: number;
      try {
        if (this.#isAway()) return this.#slotAlone(bucket, own);
        const reservation = await this.#ask(request, id, expiresAt);
        if (!reservation) return this.#slotAlone(bucket, own);
        if (reservation.waitMs === 0) return this.#slot(bucket, id, own);
        waitMs = reservation.waitMs;
      } catch (error) {
        own.release({ unsent: true });
        throw error;
      }
      own.release({ unsent: true });
      this.#nextFree[bucket] = performance.now() + waitMs;
      if (this.#nextFree[bucket] >= expiresAt) throw tooLong(waitMs);
      await sleep(waitMs, signal ?? new AbortController().signal);
    }
  }

  #isAway(): boolean {
    return this.#awayUntil !== undefined && performance.now() < this.#awayUntil;
  }

  /** Nothing if Redis fails. */
  async #ask({ bucket, signal }: SlotRequest, id: string, expiresAt: number): Promise<Reservation | undefined> {
    const leftMs = expiresAt - performance.now();
    const scope = new Scope().follow(signal).limit(leftMs, () => tooLong(leftMs));
    const asking = this.#shared.reserve(bucket, id, this.#limits[bucket]).then(
      reservation => {
        this.#isBack(bucket, reservation);
        return reservation;
      },
      cause => {
        this.#goAway(cause);
        return undefined;
      },
    );
    try {
      return await abortable(asking, scope.signal);
    } catch (reason) {
      // Redis may grant the slot yet.
      void asking.then(late => {
        if (late?.waitMs === 0) void this.#shared.settle(bucket, id, 0, 0);
      });
      throw reason;
    } finally {
      scope.dispose();
    }
  }

  #isBack(bucket: BucketName, { processes, closedMs }: Reservation): void {
    this.#processes[bucket] = processes;
    if (this.#awayUntil !== undefined) this.#own.setLimits(this.#limits);
    this.#awayUntil = undefined;
    if (closedMs > 0) this.#own.close(bucket, closedMs);
  }

  #goAway(cause: unknown): void {
    this.#awayCause = cause;
    if (this.#awayUntil === undefined && this.#onStoreFailure === 'local') {
      const processes = Math.max(this.#expectedProcesses, ...Object.values(this.#processes));
      this.#own.setLimits(perBucket(name => Math.max(1, Math.floor(this.#limits[name] / processes))));
      this.#warn(
        `The rate limit's Redis is away (${messageOf(cause)}): this process goes on with 1/${processes} of the budget.`,
      );
    }
    this.#awayUntil = performance.now() + RETRY_STORE_MS;
  }

  /** Under an id of its own: what Redis was asked for may yet be granted, and is then given back. */
  #slotAlone(bucket: BucketName, own: Slot): Slot {
    if (this.#onStoreFailure === 'local') return this.#slot(bucket, crypto.randomUUID(), own);
    throw new ConnectionError(`The rate limit's Redis failed, so nothing was sent: ${messageOf(this.#awayCause)}`, {
      code: 'rate_limit_store',
      cause: this.#awayCause,
    });
  }

  #slot(bucket: BucketName, id: string, own: Slot): Slot {
    const takenAt = performance.now();
    let isReleased = false;
    return {
      release: (outcome = {}) => {
        if (isReleased) return;
        isReleased = true;
        own.release(outcome);
        const closedUntil = outcome.limited ? this.#own.snapshot()[bucket].closedUntil : null;
        const penaltyMs = closedUntil === null ? 0 : closedUntil - Date.now();
        const later = outcome.unanswered ? Math.max(0, takenAt + this.#cycleMs / 2 - performance.now()) : 0;
        void this.#shared.settle(bucket, id, outcome.unsent ? 0 : this.#cycleMs + later, penaltyMs);
      },
    };
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function tooLong(estimatedWaitMs: number): QueueError {
  const wait = Math.ceil(estimatedWaitMs);
  return new QueueError(`The wait for a slot would be at least ${wait} ms, longer than the call allows.`, {
    code: 'queue_timeout',
    estimatedWaitMs: wait,
  });
}
