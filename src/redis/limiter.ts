import { ConnectionError, QueueError } from '../errors.ts';
import { marginOf } from '../transport/bucket.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS, perBucket } from '../transport/buckets.ts';
import type { BucketName, BucketSnapshot, RateLimiter, Slot, SlotRequest } from '../transport/limiter.ts';
import { createRollingWindowLimiter, type RollingWindowLimiter } from '../transport/rolling-window.ts';
import { sleep } from '../transport/signal.ts';
import type { RedisClient } from './client.ts';
import { SharedWindow } from './shared-window.ts';

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
   * processes seen last (`local`), or reject with a `ConnectionError` of code `rate_limit_store` (`reject`).
   * @default 'local'
   */
  onStoreFailure?: 'local' | 'reject' | undefined;
  /** @default 1_000 */
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

/** How long to go on alone before Redis is asked again, in ms. */
const RETRY_STORE_MS = 1000;
const UNLIMITED = perBucket(() => Number.POSITIVE_INFINITY);

/**
 * One budget for many processes: a log of taken slots in Redis, on the server's clock.
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
  readonly #waiting = perBucket(() => 0);
  /** Before this time no slot will be free, as far as Redis has told. */
  readonly #nextFree = perBucket(() => Number.NEGATIVE_INFINITY);
  #processes = 1;
  #awayUntil: number | undefined;

  constructor(options: RedisLimiterOptions) {
    const { client, key = 'default', windowMs = 60_000, maxInFlight, maxQueue = 100_000 } = options;
    const { leaseMs = 60_000, storeTimeoutMs = 1000, onStoreFailure = 'local' } = options;
    this.#limits = perBucket(name => options.limits?.[name] ?? DEFAULT_LIMITS[name]);
    this.#cycleMs = windowMs + marginOf(windowMs);
    this.#maxQueue = maxQueue;
    this.#onStoreFailure = onStoreFailure;
    this.#warn = options.warn ?? (message => console.warn(message));
    this.#lines = perBucket(() =>
      createRollingWindowLimiter({ limits: UNLIMITED, maxInFlight: 1, maxQueue: Number.POSITIVE_INFINITY }),
    );
    this.#own = createRollingWindowLimiter({ windowMs, limits: this.#limits, maxInFlight });
    this.#shared = new SharedWindow({ client, key, cycleMs: this.#cycleMs, leaseMs, timeoutMs: storeTimeoutMs });
  }

  async acquire(request: SlotRequest): Promise<Slot> {
    const expiresAt = performance.now() + (request.maxWaitMs ?? Number.POSITIVE_INFINITY);
    this.#refuseIfHopeless(request);
    this.#waiting[request.bucket] += 1;
    try {
      const turn = await this.#lines[request.bucket].acquire(request);
      try {
        return await this.#take(request, expiresAt);
      } finally {
        turn.release();
      }
    } finally {
      this.#waiting[request.bucket] -= 1;
    }
  }

  /** What this process knows: `used` leaves out the others' slots. */
  snapshot(): Record<BucketName, BucketSnapshot> {
    const snapshot = this.#own.snapshot();
    const toEpoch = Date.now() - performance.now();
    for (const name of BUCKET_NAMES) {
      snapshot[name].queued = this.#waiting[name];
      snapshot[name].nextFreeAt = Math.max(snapshot[name].nextFreeAt, Math.ceil(this.#nextFree[name] + toEpoch));
    }
    return snapshot;
  }

  #refuseIfHopeless({ bucket, maxWaitMs = Number.POSITIVE_INFINITY }: SlotRequest): void {
    const rounds = Math.floor(this.#waiting[bucket] / this.#limits[bucket]);
    const estimatedWaitMs = Math.max(0, this.#nextFree[bucket] - performance.now()) + rounds * this.#cycleMs;
    const total = BUCKET_NAMES.reduce((sum, name) => sum + this.#waiting[name], 0);
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
    const id = crypto.randomUUID();
    for (;;) {
      const own = await this.#own.acquire({ ...request, maxWaitMs: expiresAt - performance.now() });
      let waitMs: number;
      try {
        waitMs = await this.#ask(bucket, id);
      } catch (error) {
        own.release({ unsent: true });
        throw error;
      }
      if (waitMs === 0) {
        const slot = this.#slot(bucket, id, own);
        if (!signal?.aborted) return slot;
        slot.release({ unsent: true });
        throw signal.reason;
      }
      own.release({ unsent: true });
      this.#nextFree[bucket] = performance.now() + waitMs;
      if (this.#nextFree[bucket] >= expiresAt) throw tooLong(waitMs);
      await sleep(waitMs, signal ?? new AbortController().signal);
    }
  }

  /** How long to wait before asking again; 0 if the slot is taken, or if this process goes on alone. */
  async #ask(bucket: BucketName, id: string): Promise<number> {
    if (this.#awayUntil !== undefined && performance.now() < this.#awayUntil) return 0;
    const busy = this.#own.snapshot()[bucket].used > 1;
    try {
      const { waitMs, processes, closedMs } = await this.#shared.reserve(bucket, id, this.#limits[bucket], busy);
      this.#processes = processes;
      if (this.#awayUntil !== undefined) this.#own.setLimits(this.#limits);
      this.#awayUntil = undefined;
      if (closedMs > 0) this.#own.close(bucket, closedMs);
      return waitMs;
    } catch (cause) {
      this.#goOnAlone(cause);
      return 0;
    }
  }

  #goOnAlone(cause: unknown): void {
    const why = cause instanceof Error ? cause.message : String(cause);
    if (this.#onStoreFailure === 'reject') {
      throw new ConnectionError(`The rate limit's Redis failed, so nothing was sent: ${why}`, {
        code: 'rate_limit_store',
        cause,
      });
    }
    if (this.#awayUntil === undefined) {
      const share = perBucket(name => Math.max(1, Math.floor(this.#limits[name] / this.#processes)));
      this.#own.setLimits(share);
      this.#warn(
        `The rate limit's Redis is away (${why}): this process goes on with 1/${this.#processes} of the budget.`,
      );
    }
    this.#awayUntil = performance.now() + RETRY_STORE_MS;
  }

  #slot(bucket: BucketName, id: string, own: Slot): Slot {
    let isReleased = false;
    return {
      release: (outcome = {}) => {
        if (isReleased) return;
        isReleased = true;
        own.release(outcome);
        const closedUntil = outcome.limited ? this.#own.snapshot()[bucket].closedUntil : null;
        const penaltyMs = closedUntil === null ? 0 : closedUntil - Date.now();
        void this.#shared.settle(bucket, id, outcome.unsent ? 0 : this.#cycleMs, penaltyMs);
      },
    };
  }
}

function tooLong(estimatedWaitMs: number): QueueError {
  const wait = Math.ceil(estimatedWaitMs);
  return new QueueError(`The wait for a slot would be at least ${wait} ms, longer than the call allows.`, {
    code: 'queue_timeout',
    estimatedWaitMs: wait,
  });
}
