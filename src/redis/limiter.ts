import { knownNames, limitOf, objectArgument, oneOf, optionalFunction, wholeNumber } from '../arguments.ts';
import { ConnectionError, QueueError } from '../errors.ts';
import { marginOf } from '../transport/bucket.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS, perBucket } from '../transport/buckets.ts';
import type { BucketName, BucketSnapshot, Priority, RateLimiter, Slot, SlotRequest } from '../transport/limiter.ts';
import { createRollingWindowLimiter, type RollingWindowLimiter } from '../transport/rolling-window.ts';
import { abortable, Scope, sleep } from '../transport/signal.ts';
import { redisClient } from './client.ts';
import { OPTIONS, type RedisLimiterOptions } from './limiter-options.ts';
import { MOST, Share } from './share.ts';
import { type Answer, type Grant, SharedWindow } from './shared-window.ts';

export type { RedisLimiterOptions } from './limiter-options.ts';

/** How long to wait before Redis is asked again, in ms, or a window where that is shorter. */
const RETRY_STORE_MS = 1000;
/** How long after its slot a request may be counted, in ms, where nobody sees the answer. */
const DELAY_MS = 1000;
/** How long processes may take to notice that Redis is there again, in ms, or two windows. */
const RETURN_MS = 3000;
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
  /** One call a bucket takes its slot at a time: the others wait in their order. */
  readonly #lines: Record<BucketName, RollingWindowLimiter>;
  /** What this process has in flight and has used. Binds only after a 429 and while Redis is away. */
  readonly #own: RollingWindowLimiter;
  readonly #shared: SharedWindow;
  readonly #share: Share;
  /** What Redis gave and nobody has used yet. */
  readonly #grants = perBucket((): Grant[] => []);
  /** The call of each bucket that takes its slot, and those in line. */
  readonly #waiting = perBucket((): Record<Priority, number> => ({ interactive: 0, bulk: 0 }));
  /** Before this time no slot will be free, as far as Redis has told. */
  readonly #nextFree = perBucket(() => Number.NEGATIVE_INFINITY);
  /** Ends the nap of the one who takes its slot. */
  readonly #wake = perBucket(() => () => {});
  readonly #expectedProcesses: number;
  readonly #retryMs: number;
  #underway = 0;
  #away: { cause: unknown; askAt: number } | undefined;
  #watching = false;

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
      limits: perBucket(() => MOST),
      maxInFlight: limitOf(1, 'maxInFlight', maxInFlight),
    });
    const [cycleMs, allLimits] = [this.#cycleMs, this.#limits];
    const isWaiting = (name: BucketName) => this.#queued(name) > 0;
    const isBusy = () => this.#underway > 0 || BUCKET_NAMES.some(isWaiting);
    this.#shared = new SharedWindow({
      client,
      key,
      limits: allLimits,
      cycleMs,
      leaseMs,
      timeoutMs,
      isBusy,
      isWaiting,
      warn: this.#warn,
    });
    const { silenceMs, horizonMs } = this.#shared;
    const delayMs = Math.min(leaseMs, DELAY_MS);
    this.#share = new Share({ limits: allLimits, cycleMs, silenceMs: silenceMs + horizonMs, delayMs });
    this.#retryMs = Math.min(RETRY_STORE_MS, windowMs);
  }

  async acquire(request: SlotRequest): Promise<Slot> {
    const { bucket, priority } = request;
    const expiresAt = performance.now() + (request.maxWaitMs ?? Number.POSITIVE_INFINITY);
    this.#refuseIfHopeless(request);
    const waiting = this.#waiting[bucket];
    waiting[priority] += 1;
    if (this.#away) void this.#watch();
    try {
      const turn = await this.#lines[bucket].acquire(request);
      try {
        return await this.#take(request, expiresAt);
      } finally {
        turn.release();
      }
    } finally {
      waiting[priority] -= 1;
      if (this.#queued(bucket) === 0) this.#returnGrants(bucket);
    }
  }

  /** What this process knows: `used` leaves out the others' slots. */
  snapshot(): Record<BucketName, BucketSnapshot> {
    const snapshot = this.#own.snapshot();
    const toEpoch = Date.now() - performance.now();
    for (const name of BUCKET_NAMES) {
      snapshot[name].limit = Math.min(snapshot[name].limit, this.#limits[name]);
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
      let waitUntil: number;
      try {
        const grant = this.#grants[bucket].shift();
        if (grant) {
          waitUntil = grant.readyAt;
          if (waitUntil <= performance.now()) return this.#slot(bucket, grant.id, own);
          this.#grants[bucket].unshift(grant);
        } else if (this.#mustNotAsk()) {
          if (this.#onStoreFailure === 'reject') throw this.#storeError();
          return this.#slot(bucket, this.#shared.takeAlone(bucket), own);
        } else {
          waitUntil = await this.#ask(request, expiresAt);
        }
      } catch (error) {
        own.release({ unsent: true });
        throw error;
      }
      own.release({ unsent: true });
      if (waitUntil >= expiresAt) throw tooLong(waitUntil - performance.now());
      const waitMs = waitUntil - performance.now();
      if (waitMs > 0) await this.#nap(bucket, waitMs, signal);
    }
  }

  /** Ends early when the bucket is closed. */
  async #nap(bucket: BucketName, ms: number, signal: AbortSignal | undefined): Promise<void> {
    const scope = new Scope().follow(signal);
    this.#wake[bucket] = () => scope.abort();
    try {
      await sleep(ms, scope.signal);
    } catch {
      signal?.throwIfAborted();
    } finally {
      scope.dispose();
    }
  }

  #mustNotAsk(): boolean {
    if (!this.#away) return false;
    return this.#onStoreFailure === 'local' || performance.now() < this.#away.askAt;
  }

  /** Gives the time at which to look again. */
  async #ask({ bucket, signal }: SlotRequest, expiresAt: number): Promise<number> {
    const leftMs = expiresAt - performance.now();
    const scope = new Scope().follow(signal).limit(leftMs, () => tooLong(leftMs));
    const wanted = Math.min(this.#queued(bucket), this.#own.room(bucket) + 1);
    const asking = this.#shared.ask(bucket, wanted).then(
      answer => this.#hear(bucket, answer),
      cause => this.#goAway(cause),
    );
    try {
      await abortable(asking, scope.signal);
    } finally {
      scope.dispose();
    }
    // Its own window knows how long a closed bucket is closed, and whether the call wants to wait for that.
    return this.#own.snapshot()[bucket].closedUntil === null ? this.#nextFree[bucket] : performance.now();
  }

  #hear(bucket: BucketName, { grants, waitMs, closedMs, isLost }: Answer): void {
    const now = performance.now();
    if (this.#onStoreFailure === 'reject') this.#away = undefined;
    // While Redis was asked, another bucket's question may have failed.
    this.#grants[bucket].push(...grants);
    this.#nextFree[bucket] = grants.length > 0 ? Number.NEGATIVE_INFINITY : now + waitMs;
    if (isLost && !this.#away) this.#keepToShare(now, closedMs);
    if (closedMs > 0) this.#close(bucket, closedMs);
    if (this.#queued(bucket) === 0) this.#returnGrants(bucket);
  }

  #returnGrants(bucket: BucketName): void {
    for (const { id } of this.#grants[bucket].splice(0)) this.#shared.settle(bucket, id, 0);
  }

  #close(bucket: BucketName, forMs: number): void {
    this.#own.close(bucket, forMs);
    // Refuses those in line that do not want to wait so long.
    this.#lines[bucket].close(bucket, forMs);
    this.#wake[bucket]();
    this.#returnGrants(bucket);
  }

  #goAway(cause: unknown): void {
    const now = performance.now();
    const isNews = !this.#away;
    this.#away = { cause, askAt: now + this.#retryMs };
    if (this.#onStoreFailure === 'reject' || !isNews) return;
    const { part = 1, lastSentAt } = this.#shared;
    const share = Math.min(part, 1 / this.#expectedProcesses);
    this.#shared.isOnline = false;
    this.#share.leave(now, share, lastSentAt);
    this.#limit(now);
    this.#warn(
      `The rate limit's Redis is away (${messageOf(cause)}): this process goes on with ${fraction(share)} of the budget.`,
    );
    void this.#watch();
  }

  /** Asks for Redis, and keeps to what may be sent meanwhile, as long as somebody waits. */
  async #watch(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    // After a time in which nobody asked, Redis may be there again.
    if (this.#away && performance.now() >= this.#away.askAt) this.#own.setLimits(perBucket(() => 0));
    const { signal } = new AbortController();
    while (this.#away && BUCKET_NAMES.some(name => this.#queued(name) > 0)) {
      const now = performance.now();
      if (now >= this.#away.askAt) await this.#tryReturn();
      else await sleep(Math.min(this.#away.askAt, this.#share.changesAt(now)) - now, signal);
      this.#limit(performance.now());
    }
    this.#watching = false;
  }

  async #tryReturn(): Promise<void> {
    try {
      await this.#shared.probe();
      // Redis gives this part to the others from when it hears of this process until it has all been told.
      this.#own.setLimits(perBucket(() => 0));
      const isLost = await this.#shared.tellAll();
      this.#away = undefined;
      this.#shared.isOnline = true;
      this.#keepToShare(performance.now(), isLost ? this.#cycleMs : 0);
    } catch (cause) {
      const now = performance.now();
      this.#away = { cause, askAt: now + this.#retryMs };
      this.#share.heardAt(this.#shared.lastSentAt);
      this.#limit(now);
    }
  }

  #keepToShare(now: number, closedMs: number): void {
    const forMs = closedMs + this.#cycleMs + Math.min(RETURN_MS, 2 * this.#cycleMs);
    this.#share.comeBack(now, this.#shared.part ?? 1, forMs);
    this.#limit(now);
    const timer: { unref?: () => void } | number = setTimeout(() => this.#limit(performance.now()), forMs + 1);
    if (typeof timer === 'object') timer.unref?.();
  }

  #limit(now: number): void {
    const snapshot = this.#own.snapshot();
    this.#own.setLimits(this.#share.at(now, name => snapshot[name].used));
  }

  #storeError(): ConnectionError {
    const cause = this.#away?.cause;
    return new ConnectionError(`The rate limit's Redis failed, so nothing was sent: ${messageOf(cause)}`, {
      code: 'rate_limit_store',
      cause,
    });
  }

  #slot(bucket: BucketName, id: string, own: Slot): Slot {
    const takenAt = performance.now();
    let isReleased = false;
    this.#underway += 1;
    return {
      release: (outcome = {}) => {
        if (isReleased) return;
        isReleased = true;
        this.#underway -= 1;
        own.release(outcome);
        const later = outcome.unanswered ? Math.max(0, takenAt + this.#cycleMs / 2 - performance.now()) : 0;
        this.#shared.settle(bucket, id, outcome.unsent ? 0 : this.#cycleMs + later);
        if (!outcome.limited) return;
        const { closedUntil } = this.#own.snapshot()[bucket];
        if (closedUntil === null) return;
        this.#close(bucket, closedUntil - Date.now());
        this.#shared.close(bucket, closedUntil - Date.now());
      },
    };
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function fraction(share: number): string {
  return share > 0 ? `1/${Math.round(1 / share)}` : 'none';
}

function tooLong(estimatedWaitMs: number): QueueError {
  const wait = Math.max(0, Math.ceil(estimatedWaitMs));
  return new QueueError(`The wait for a slot would be at least ${wait} ms, longer than the call allows.`, {
    code: 'queue_timeout',
    estimatedWaitMs: wait,
  });
}
