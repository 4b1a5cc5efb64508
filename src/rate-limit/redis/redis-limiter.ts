import { ConfigurationError } from '../../errors.ts';
import {
  type Checks,
  checkedOptions,
  milliseconds,
  objectArgument,
  oneOf,
  optionalFunction,
  requiredText,
  wholeNumber,
  wholeNumberOrInfinity,
} from '../../internal/arguments.ts';
import { consoleLogger } from '../../internal/console-logger.ts';
import { type RedisClient, redisClient } from '../../internal/redis.ts';
import { abortable, Scope, sleep } from '../../internal/signal.ts';
import {
  BUCKET_NAMES,
  type BucketName,
  type BucketSnapshot,
  checkLimits,
  type Priority,
  perBucket,
  QueueError,
  type RateLimiter,
  type Slot,
  type SlotRequest,
  tellOnce,
} from '../limiter.ts';
import { createRollingWindowLimiter, marginOf, type RollingWindowLimiter } from '../rolling-window.ts';
import { LocalBudget, PRACTICALLY_UNLIMITED } from './local-budget.ts';
import { Outage } from './outage.ts';
import { type Answer, type Grant, SharedWindow } from './shared-window.ts';

/** Options of {@link redisLimiter}. */
export interface RedisLimiterOptions {
  /** A connected client of the package `redis` (4 to 6) or `ioredis` (5, 6). */
  client: RedisClient;
  /**
   * Name of the budget: the API key, or any text. Processes with the same name share one budget. Redis receives only a hash of it.
   * An explicit `undefined`, such as a missing environment variable, is refused.
   * @default 'default'
   */
  key?: string | undefined;
  /** Length of the service's rolling window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Requests per window of each bucket, for all processes together. @default the limits that the service documents */
  limits?: Partial<Record<BucketName, number>> | undefined;
  /** Upper bound for the requests of this process that are in flight at the same time. @default 32 */
  maxInFlight?: number | undefined;
  /** Upper bound for the waiting calls of this process. Further calls reject with a `QueueError`. @default 100_000 */
  maxQueue?: number | undefined;
  /**
   * The reaction when Redis fails, or takes longer than `storeTimeoutMs`. `local`: continue without Redis. `reject`:
   * calls fail with a `ConnectionError` of code `rate_limit_store`. The next request to Redis is sent after a second.
   *
   * Without Redis, a process sends nothing for six seconds, because other processes may use its part of the budget.
   * Then, for one more window, it uses at most as many slots as it has in use at that time. Each of these slots becomes
   * free one window after its response. After this window, the process uses its whole part: the limit divided by the
   * number of processes. The other processes leave this part unused for ten windows. A call rejects if its `deadline`
   * is earlier than its slot. Two kinds of processes do not pause: the only process of a budget, and a process whose
   * client was never connected, because Redis does not reserve a part for it.
   * @default 'local'
   */
  onStoreFailure?: 'local' | 'reject' | undefined;
  /**
   * Number of processes that share the budget. Without Redis, each process uses the limits divided by this number. If
   * Redis last reported a higher number of processes, that number is used. Without this option, each process that starts
   * during an outage uses the whole budget.
   * @default 1
   */
  processes?: number | undefined;
  /** Upper bound in ms for the wait for a response of Redis. @default 1_000 */
  storeTimeoutMs?: number | undefined;
  /**
   * Upper bound in ms for a request; at least the `timeout` of the client. The slots of a process that died become free
   * after this time and one window.
   * @default 60_000
   */
  leaseMs?: number | undefined;
  /** Called once for each outage of Redis, and if Redis may delete keys when it is full. @default console.warn */
  warn?: ((message: string) => void) | undefined;
}

const OPTIONS = {
  client: (name, value) => redisClient(name, value),
  key: (name, value) => requiredText(name, value ?? 'default'),
  windowMs: (name, value) => wholeNumber(name, value ?? 60_000),
  limits: checkLimits,
  maxInFlight: (name, value) => wholeNumberOrInfinity(1, name, value ?? 32),
  maxQueue: (name, value) => wholeNumberOrInfinity(0, name, value ?? 100_000),
  onStoreFailure: (name, value) => oneOf<'local' | 'reject'>(name, value ?? 'local', ['local', 'reject']),
  processes: (name, value) => wholeNumber(name, value ?? 1),
  storeTimeoutMs: (name, value) => milliseconds(name, value ?? 1000),
  leaseMs: (name, value) => wholeNumber(name, value ?? 60_000),
  warn: (name, value) => optionalFunction(name, value) ?? consoleLogger.warn,
} satisfies Checks<RedisLimiterOptions>;

/**
 * The wait before the next request to Redis after a failure, in ms. If a window is shorter, the wait is one window.
 */
const RETRY_STORE_MS = 1000;
/**
 * The longest time in ms between the grant of a slot and the moment at which the service counts the request. This time
 * matters only if the request never gets a response.
 */
const DELAY_MS = 1000;
const UNLIMITED = perBucket(() => Infinity);

/**
 * A rate limiter that many processes share. Redis keeps the log of taken slots and uses its own clock.
 *
 * @throws {ConfigurationError} for an option that is missing, unknown or out of range.
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
  readonly #onStoreFailure: 'local' | 'reject';
  /** In each bucket, one call at a time takes its slot. The other calls of the bucket wait here, in order. */
  readonly #lines: Record<BucketName, RollingWindowLimiter>;
  /**
   * Counts the requests of this process that are in flight, or whose slots are in the window. Limits these requests
   * only in two cases: after a 429, and without Redis.
   */
  readonly #own: RollingWindowLimiter;
  readonly #shared: SharedWindow;
  readonly #outage: Outage;
  /** Slots that Redis granted and that no call has used yet. */
  readonly #grants = perBucket((): Grant[] => []);
  readonly #waiting: WaitingCalls;
  /** For each bucket: ends the sleep of the call that takes the next slot. */
  readonly #wake = perBucket(() => () => {});
  /** For each bucket: rejects the first call if an outage of Redis lasts longer than the call may wait. */
  readonly #recheck = perBucket(() => () => {});
  #underway = 0;

  constructor(options: RedisLimiterOptions) {
    objectArgument('redisLimiter', options, '{ client, key: apiKey }');
    if ('key' in options && options.key == null) {
      throw new ConfigurationError(
        `key is ${options.key}, so all accounts would share one budget: pass the API key, or leave out key if there is one account.`,
      );
    }
    const settings = checkedOptions('redisLimiter', options, OPTIONS);
    const { client, key, windowMs, limits, leaseMs, onStoreFailure, warn } = settings;
    this.#limits = limits;
    this.#cycleMs = windowMs + marginOf(windowMs);
    this.#onStoreFailure = onStoreFailure;
    this.#lines = perBucket(() =>
      createRollingWindowLimiter({ limits: UNLIMITED, maxInFlight: 1, maxQueue: Infinity }),
    );
    this.#own = createRollingWindowLimiter({
      windowMs,
      limits: perBucket(() => PRACTICALLY_UNLIMITED),
      maxInFlight: settings.maxInFlight,
    });
    const cycleMs = this.#cycleMs;
    this.#waiting = new WaitingCalls({
      limits,
      cycleMs,
      maxQueue: settings.maxQueue,
      opensAt: name => this.#outage.opensAt(name),
    });
    this.#shared = new SharedWindow({
      client,
      key,
      limits,
      cycleMs,
      leaseMs,
      timeoutMs: settings.storeTimeoutMs,
      isBusy: () => this.#underway > 0 || this.#waiting.isAnyWaiting(),
      isWaiting: name => this.#waiting.count(name) > 0,
      warn,
    });
    const { silenceMs, horizonMs } = this.#shared;
    const delayMs = Math.min(leaseMs, DELAY_MS);
    this.#outage = new Outage({
      shared: this.#shared,
      localBudget: new LocalBudget({ limits, cycleMs, silenceMs: silenceMs + horizonMs, delayMs }),
      own: this.#own,
      onStoreFailure,
      expectedProcesses: settings.processes,
      cycleMs,
      retryMs: Math.min(RETRY_STORE_MS, windowMs),
      isAnyoneWaiting: () => this.#waiting.isAnyWaiting(),
      onStillGone: () => {
        for (const name of BUCKET_NAMES) this.#recheck[name]();
      },
      warn,
    });
  }

  async acquire(request: SlotRequest): Promise<Slot> {
    const { bucket } = request;
    const expiresAt = performance.now() + (request.maxWaitMs ?? Infinity);
    const call = this.#waiting.join(request);
    void this.#outage.watch();
    try {
      const turn = await this.#lines[bucket].acquire({ ...request, onQueued: call.queueBehind });
      try {
        return await this.#take(request, expiresAt);
      } finally {
        turn.release();
      }
    } finally {
      call.leave();
      if (this.#waiting.count(bucket) === 0) this.#returnGrants(bucket);
    }
  }

  /** The state that this process knows: `used` does not include the slots of other processes. */
  snapshot(): Record<BucketName, BucketSnapshot> {
    const snapshot = this.#own.snapshot();
    const toEpoch = Date.now() - performance.now();
    for (const name of BUCKET_NAMES) {
      snapshot[name].limit = Math.min(snapshot[name].limit, this.#limits[name]);
      snapshot[name].queued = this.#waiting.count(name);
      snapshot[name].nextFreeAt = Math.max(
        snapshot[name].nextFreeAt,
        Math.ceil(this.#waiting.nextFree(name) + toEpoch),
      );
    }
    return snapshot;
  }

  async #take(request: SlotRequest, expiresAt: number): Promise<Slot> {
    const { bucket, signal } = request;
    for (;;) {
      const own = await this.#acquireOwn(request, expiresAt);
      let waitUntil = 0;
      try {
        const grant = this.#grants[bucket].shift();
        if (grant) {
          if (grant.isStale()) {
            this.#shared.settle(bucket, grant.id, 0);
          } else if (grant.readyAt <= performance.now()) {
            return this.#slot(bucket, grant.id, own);
          } else {
            waitUntil = grant.readyAt;
            this.#grants[bucket].unshift(grant);
          }
        } else if (this.#outage.mustNotAsk()) {
          if (this.#onStoreFailure === 'reject') throw this.#outage.error();
          if (this.#outage.mayGoOn()) return this.#slot(bucket, this.#shared.takeAlone(bucket), own);
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
      if (waitMs <= 0) continue;
      this.#waiting.notify(bucket, waitMs);
      await this.#sleepUntilWoken(bucket, waitMs, signal);
    }
  }

  async #acquireOwn(request: SlotRequest, expiresAt: number): Promise<Slot> {
    const { bucket } = request;
    const onQueued = (waitMs: number) =>
      this.#waiting.hold(bucket, Math.max(waitMs, this.#outage.opensAt(bucket) - performance.now()));
    const maxWaitMs = expiresAt - performance.now();
    if (maxWaitMs === Infinity) return this.#acquireHeld({ ...request, onQueued });
    const scope = new Scope().follow(request.signal);
    this.#recheck[bucket] = () => {
      const opensAt = this.#outage.opensAt(bucket);
      if (opensAt >= expiresAt) scope.abort(tooLong(opensAt - performance.now()));
    };
    this.#recheck[bucket]();
    try {
      return await this.#acquireHeld({ ...request, signal: scope.signal, maxWaitMs, onQueued });
    } finally {
      scope.dispose();
    }
  }

  async #acquireHeld(request: SlotRequest): Promise<Slot> {
    const { bucket } = request;
    try {
      return await this.#own.acquire(request);
    } finally {
      this.#waiting.endHold(bucket);
    }
  }

  /** Sleeps for `ms`, or until the bucket is closed. */
  async #sleepUntilWoken(bucket: BucketName, ms: number, signal: AbortSignal | undefined): Promise<void> {
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

  /** Requests slots from Redis. Resolves to the time of the next attempt. */
  async #ask({ bucket, signal }: SlotRequest, expiresAt: number): Promise<number> {
    const leftMs = expiresAt - performance.now();
    const scope = new Scope().follow(signal).limit(leftMs, () => tooLong(leftMs));
    const requested = Math.min(this.#waiting.count(bucket), this.#own.room(bucket) + 1);
    const asking = this.#shared.ask(bucket, requested).then(
      answer => this.#receive(bucket, answer),
      cause => this.#outage.begin(cause),
    );
    try {
      await abortable(asking, scope.signal);
    } finally {
      scope.dispose();
    }
    // If the bucket is closed, the call continues immediately: `#own` makes it wait until the bucket opens, or rejects
    // the call if this takes too long.
    return this.#own.snapshot()[bucket].closedUntil === null ? this.#waiting.nextFree(bucket) : performance.now();
  }

  #receive(bucket: BucketName, answer: Answer): void {
    const { grants, waitMs, closedMs } = answer;
    this.#grants[bucket].push(...grants);
    this.#waiting.setNextFree(bucket, grants.length > 0 ? -Infinity : performance.now() + waitMs);
    this.#outage.answered(answer);
    if (closedMs > 0) this.#close(bucket, closedMs);
    if (this.#waiting.count(bucket) === 0) this.#returnGrants(bucket);
  }

  #returnGrants(bucket: BucketName): void {
    for (const { id } of this.#grants[bucket].splice(0)) this.#shared.settle(bucket, id, 0);
  }

  #close(bucket: BucketName, forMs: number): void {
    this.#own.close(bucket, forMs);
    // Rejects the waiting calls that may not wait for so long.
    this.#lines[bucket].close(bucket, forMs);
    this.#wake[bucket]();
    this.#returnGrants(bucket);
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

export interface WaitingCallsOptions {
  limits: Readonly<Record<BucketName, number>>;
  /** Length of the window and its margin, in ms. */
  cycleMs: number;
  maxQueue: number;
  /** Time before which no slot is free, because Redis is unavailable. */
  opensAt(bucket: BucketName): number;
}

/** A call that has no slot yet. */
export interface WaitingCall {
  /** Call it if other calls are ahead of this call. `waitMs` is the wait of this call for other reasons. */
  queueBehind(waitMs: number): void;
  /** Call it when this call has its slot, or has given up. */
  leave(): void;
}

/** The calls of this process that have no slot yet. Notifies each call only one time that the call has to wait. */
export class WaitingCalls {
  readonly #options: WaitingCallsOptions;
  readonly #counts = perBucket((): Record<Priority, number> => ({ interactive: 0, bulk: 0 }));
  /** The callbacks of calls that were not notified of their wait yet, in the order of arrival. */
  readonly #unnotified = perBucket(
    (): Record<Priority, Set<(waitMs: number) => void>> => ({
      interactive: new Set(),
      bulk: new Set(),
    }),
  );
  /** Time before which no slot is free, according to the last response of Redis. */
  readonly #nextFree = perBucket(() => -Infinity);
  /** True if the first call of a bucket waits for a limit of this process. Then the calls behind it wait too. */
  readonly #isHeld = perBucket(() => false);

  constructor(options: WaitingCallsOptions) {
    this.#options = options;
  }

  /** @throws {QueueError} if the queue is full, or if the wait would be longer than the call allows. */
  join(request: SlotRequest): WaitingCall {
    const { bucket, priority, maxWaitMs = Infinity } = request;
    const estimatedWaitMs = this.#estimate(bucket, priority);
    const total = BUCKET_NAMES.reduce((sum, name) => sum + this.count(name), 0);
    if (total >= this.#options.maxQueue) {
      const message = `The queue is full: ${total} calls wait for a slot.`;
      throw new QueueError(message, { code: 'queue_full', estimatedWaitMs });
    }
    if (estimatedWaitMs >= maxWaitMs) throw tooLong(estimatedWaitMs);
    const unnotified = this.#unnotified[bucket][priority];
    const notify = tellOnce(request);
    this.#counts[bucket][priority] += 1;
    unnotified.add(notify);
    return {
      queueBehind: waitMs => {
        const longer = Math.max(waitMs, estimatedWaitMs);
        // Otherwise the call ahead only waits for a response of Redis. This response may also grant a slot to this
        // call.
        if (longer > 0 || this.#isHeld[bucket]) notify(longer);
      },
      leave: () => {
        this.#counts[bucket][priority] -= 1;
        unnotified.delete(notify);
      },
    };
  }

  count(bucket: BucketName): number {
    return this.#counts[bucket].interactive + this.#counts[bucket].bulk;
  }

  isAnyWaiting(): boolean {
    return BUCKET_NAMES.some(bucket => this.count(bucket) > 0);
  }

  nextFree(bucket: BucketName): number {
    return Math.max(this.#nextFree[bucket], this.#options.opensAt(bucket));
  }

  setNextFree(bucket: BucketName, time: number): void {
    this.#nextFree[bucket] = time;
  }

  /** Marks the first call of the bucket as waiting for a limit of this process, until {@link endHold}. */
  hold(bucket: BucketName, waitMs: number): void {
    this.#isHeld[bucket] = true;
    this.notify(bucket, waitMs);
  }

  endHold(bucket: BucketName): void {
    this.#isHeld[bucket] = false;
  }

  /** Notifies all calls of the bucket that they have to wait, because the first call has to wait. */
  notify(bucket: BucketName, waitMs: number): void {
    const { cycleMs, limits } = this.#options;
    const { interactive, bulk } = this.#unnotified[bucket];
    const unnotified = [...interactive, ...bulk];
    interactive.clear();
    bulk.clear();
    for (const [ahead, notify] of unnotified.entries()) notify(waitMs + Math.floor(ahead / limits[bucket]) * cycleMs);
  }

  #estimate(bucket: BucketName, priority: Priority): number {
    const ahead = priority === 'bulk' ? this.count(bucket) : this.#counts[bucket].interactive;
    const rounds = Math.floor(ahead / this.#options.limits[bucket]);
    return Math.max(0, this.nextFree(bucket) - performance.now()) + rounds * this.#options.cycleMs;
  }
}

export function tooLong(estimatedWaitMs: number): QueueError {
  const wait = Math.max(0, Math.ceil(estimatedWaitMs));
  return new QueueError(`The wait for a slot would be at least ${wait} ms, longer than the call allows.`, {
    code: 'queue_timeout',
    estimatedWaitMs: wait,
  });
}
