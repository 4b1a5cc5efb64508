import { ConfigurationError } from '../errors.ts';
import {
  type Checks,
  checkedOptions,
  describeValue,
  objectArgument,
  refuseUnknownNames,
  wholeNumber,
  wholeNumberOrInfinity,
} from '../internal/arguments.ts';
import { AbortFanout, startTimer } from '../internal/signal.ts';
import {
  BUCKET_NAMES,
  type BucketName,
  checkLimits,
  type Priority,
  perBucket,
  QueueError,
  type RateLimiter,
  type Slot,
  type SlotRequest,
  tellOnce,
} from './limiter.ts';
import { createRollingWindowLimiter, marginOf } from './rolling-window.ts';

/** Options of {@link bottleneckLimiter}. */
export interface BottleneckLimiterOptions {
  /** Length of the service's rolling window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Limits of the buckets that have no Bottleneck instance. The built-in limiter serves these buckets. */
  limits?: Partial<Record<BucketName, number>> | undefined;
  /** Upper bound for the requests that are in flight at the same time. @default 32 */
  maxInFlight?: number | undefined;
  /** Upper bound for the calls that wait for an instance. Further calls reject with a `QueueError`. @default 100_000 */
  maxQueue?: number | undefined;
}

const OPTIONS = {
  windowMs: (name, value) => wholeNumber(name, value ?? 60_000),
  limits: checkLimits,
  maxInFlight: (name, value) => wholeNumberOrInfinity(1, name, value ?? 32),
  maxQueue: (name, value) => wholeNumberOrInfinity(0, name, value ?? 100_000),
} satisfies Checks<BottleneckLimiterOptions>;

/**
 * Uses an existing Bottleneck instance as a semaphore. A request occupies a place in the instance until one window
 * after its response. So `maxConcurrent` is the number of requests per window. A single instance serves the `default`
 * bucket.
 *
 * Do not use it in Workers: Bottleneck settles the promise of one request while another request runs.
 *
 * @throws {ConfigurationError} for an instance without `maxConcurrent`, because such an instance limits nothing, and
 *   for an option that is unknown or out of range.
 *
 * @example
 * const bottleneck = new Bottleneck({ maxConcurrent: 100 });   // No reservoir: that is a fixed window.
 * const client = new TrackingClient({ rateLimit: { limiter: bottleneckLimiter(bottleneck) } });
 */
export function bottleneckLimiter(
  instances: BottleneckLike | Partial<Record<BucketName, BottleneckLike>>,
  options: BottleneckLimiterOptions = {},
): RateLimiter {
  objectArgument('options', options, '{ windowMs: 60_000 }');
  const { windowMs, limits, maxInFlight, maxQueue } = checkedOptions('bottleneckLimiter', options, OPTIONS);
  const instanceOf = instancesOf(instances);
  const queues = perBucket(name => {
    const instance = instanceOf[name];
    return instance && new Semaphore(name, instance, windowMs + marginOf(windowMs), maxQueue);
  });
  // Limits the requests in flight, limits the buckets without an instance, and closes buckets after a 429.
  const rest = createRollingWindowLimiter({
    windowMs,
    maxInFlight,
    maxQueue,
    limits: perBucket(name => (queues[name] ? Infinity : limits[name])),
  });

  return {
    async acquire(request): Promise<Slot> {
      const queue = queues[request.bucket];
      if (!queue) return rest.acquire(request);
      rest.refuseIfClosed(request);
      const queuedAt = performance.now();
      const onQueued = tellOnce(request);
      const place = await queue.enter({ ...request, onQueued });
      try {
        const waited = performance.now() - queuedAt;
        const maxWaitMs = request.maxWaitMs === undefined ? undefined : request.maxWaitMs - waited;
        const slot = await rest.acquire({ ...request, maxWaitMs, onQueued });
        const takenAt = performance.now();
        return {
          release(outcome) {
            slot.release(outcome);
            if (outcome?.limited) queue.refuse(waiter => rest.refuseIfClosed({ ...waiter, bucket: request.bucket }));
            if (outcome?.unsent) place.leave();
            // If no response came, the service may count the request later than now.
            else
              place.leaveAfterWindow(outcome?.unanswered ? Math.max(0, takenAt + windowMs / 2 - performance.now()) : 0);
          },
        };
      } catch (error) {
        place.leave();
        throw error;
      }
    },

    snapshot() {
      const snapshot = rest.snapshot();
      for (const name of BUCKET_NAMES) {
        const queue = queues[name];
        if (!queue) continue;
        snapshot[name].used = queue.taken;
        snapshot[name].queued += queue.waiting;
      }
      return snapshot;
    },
  };
}

function instancesOf(
  given: BottleneckLike | Partial<Record<BucketName, BottleneckLike>>,
): Partial<Record<BucketName, BottleneckLike>> {
  objectArgument('bottleneckLimiter', given, 'new Bottleneck({ maxConcurrent: 100 })');
  const instances = 'schedule' in given ? { default: given } : given;
  refuseUnknownNames('bottleneckLimiter', instances, BUCKET_NAMES);
  const names = BUCKET_NAMES.filter(name => instances[name] !== undefined);
  if (names.length === 0) {
    throw new ConfigurationError('bottleneckLimiter has no instance; pass new Bottleneck({ maxConcurrent: 100 }).');
  }
  for (const name of names) checkInstance(name, instances[name]);
  return instances;
}

function checkInstance(name: BucketName, instance: unknown): void {
  if (typeof Object(instance).schedule !== 'function') {
    throw new ConfigurationError(
      `bottleneckLimiter's ${name} is ${describeValue(instance)}; it must be an instance such as new Bottleneck({ maxConcurrent: 100 }).`,
    );
  }
  if (concurrencyOf(instance) !== undefined) return;
  throw new ConfigurationError(
    `bottleneckLimiter's ${name} has no maxConcurrent, so it would limit nothing; set maxConcurrent to the number of requests per window, such as maxConcurrent: 100. minTime and reservoir do not make a rolling window.`,
  );
}

/** The part of a Bottleneck instance (2.19) that is used here. */
export interface BottleneckLike {
  schedule<T>(options: { priority: number }, job: () => PromiseLike<T>): PromiseLike<T>;
}

/** The settings of an instance. Bottleneck has no public way to read them. */
interface Internals {
  _store?: { storeOptions?: { maxConcurrent?: number | null } };
  /** The instance that this instance is chained to. */
  _limiter?: Internals | null;
}

/**
 * The smallest `maxConcurrent` of the instance and the instances that it is chained to; `undefined` if none of these
 * instances has a `maxConcurrent`. An instance whose settings cannot be read counts as `Infinity`.
 */
export function concurrencyOf(instance: unknown): number | undefined {
  let least: number | undefined;
  for (let link: Internals | null | undefined = instance as Internals; link; link = link._limiter) {
    const settings = link._store?.storeOptions;
    const own = settings ? (settings.maxConcurrent ?? undefined) : Infinity;
    if (own !== undefined) least = Math.min(own, least ?? own);
  }
  return least;
}

/**
 * If a place seems to be free, but a call still waits after this time in ms, the call is notified. Bottleneck itself
 * needs 1 or 2 ms.
 */
const TELL_AFTER_MS = 50;

/** Bottleneck's default priority, and the next lower one. */
const PRIORITY = { interactive: 5, bulk: 6 };

interface Place {
  leave(): void;
  /** @param extraMs time in ms for which the place is kept after the window. */
  leaveAfterWindow(extraMs: number): void;
}

interface Waiter {
  priority: Priority;
  signal: AbortSignal | undefined;
  maxClosedMs: number | undefined;
  resolve: (place: Place) => void;
  reject: (reason: unknown) => void;
  stopTimers: () => void;
}

/**
 * Bottleneck cannot remove a job from its queue, so the jobs of aborted calls stay there. Therefore a job does not
 * belong to a certain call: when it runs, it admits the first call that still waits. A new job is added only if there
 * are fewer jobs than calls.
 */
class Semaphore {
  taken = 0;
  readonly #name: BucketName;
  readonly #instance: BottleneckLike;
  readonly #holdMs: number;
  readonly #maxQueue: number;
  readonly #waiters: Record<Priority, Set<Waiter>> = { interactive: new Set(), bulk: new Set() };
  readonly #aborts = new AbortFanout<Waiter>(waiters => {
    for (const waiter of waiters) this.#giveUp(waiter, waiter.signal?.reason);
  });
  /** Jobs in Bottleneck's queue. */
  #jobs = 0;
  /** Times at which the places of finished requests become free, ascending. */
  readonly #returns: number[] = [];
  #keepAlive: ReturnType<typeof setInterval> | undefined;

  constructor(name: BucketName, instance: BottleneckLike, holdMs: number, maxQueue: number) {
    this.#name = name;
    this.#instance = instance;
    this.#holdMs = holdMs;
    this.#maxQueue = maxQueue;
  }

  get waiting(): number {
    return this.#waiters.interactive.size + this.#waiters.bulk.size;
  }

  enter({ priority, signal, maxClosedMs, maxWaitMs = Infinity, onQueued }: SlotRequest): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      if (this.waiting >= this.#maxQueue) {
        throw this.#error(`The queue is full: ${this.waiting} calls wait for a slot.`, 'queue_full', 0);
      }
      const stopTimer = startTimer(maxWaitMs, () => {
        const message = `No slot became free within ${Math.floor(maxWaitMs)} ms`;
        this.#giveUp(waiter, this.#error(message, 'queue_timeout', maxWaitMs));
      });
      const stopTelling = this.#tellOfWait(priority, onQueued);
      const stopTimers = () => {
        stopTimer();
        stopTelling();
      };
      const waiter: Waiter = { priority, signal, maxClosedMs, resolve, reject, stopTimers };
      // `onQueued` may have aborted the call.
      if (signal?.aborted) return this.#giveUp(waiter, signal.reason);
      this.#waiters[priority].add(waiter);
      if (signal) this.#aborts.add(signal, waiter);
      this.#stayAlive();
      if (this.#jobs < this.waiting) void this.#schedule(waiter);
    });
  }

  /**
   * Notifies a call that it has to wait: immediately if no place is free, otherwise after `TELL_AFTER_MS`. Returns a
   * function that cancels this notification.
   */
  #tellOfWait(priority: Priority, onQueued: SlotRequest['onQueued']): () => void {
    if (!onQueued) return () => {};
    const estimatedWaitMs = this.#estimate(priority);
    // The program may also run its own jobs in the instance. Only a delay shows that no place is free.
    if (estimatedWaitMs === undefined) return startTimer(TELL_AFTER_MS, () => onQueued(0));
    onQueued(estimatedWaitMs);
    return () => {};
  }

  /** The minimum wait of a new call, in ms; `undefined` if a place seems to be free. */
  #estimate(priority: Priority): number | undefined {
    const limit = concurrencyOf(this.#instance) ?? Infinity;
    const ahead = priority === 'bulk' ? this.waiting : this.#waiters.interactive.size;
    const turn = this.taken + ahead - limit;
    if (turn < 0) return undefined;
    // The place of a request without a response becomes free after one window at the earliest.
    const freeAt = this.#returns[turn % limit] ?? performance.now() + this.#holdMs;
    return freeAt - performance.now() + Math.floor(turn / limit) * this.#holdMs;
  }

  /** Rejects the waiting calls for which `check` throws. */
  refuse(check: (waiter: Pick<SlotRequest, 'maxClosedMs'>) => void): void {
    for (const waiter of [...this.#waiters.interactive, ...this.#waiters.bulk]) {
      try {
        check(waiter);
      } catch (refusal) {
        this.#giveUp(waiter, refusal);
      }
    }
  }

  async #schedule(waiter: Waiter): Promise<void> {
    this.#jobs += 1;
    try {
      await this.#instance.schedule({ priority: PRIORITY[waiter.priority] }, async () => {
        this.#jobs -= 1;
        const first = this.#first('interactive') ?? this.#first('bulk');
        if (!first) return;
        this.#remove(first);
        await new Promise<void>(leave => first.resolve(this.#place(leave)));
      });
    } catch (cause) {
      this.#jobs -= 1;
      if (this.#jobs >= this.waiting) return;
      const refused = this.#waiters[waiter.priority].has(waiter)
        ? waiter
        : (this.#first('bulk') ?? this.#first('interactive'));
      const why = cause instanceof Error ? cause.message : String(cause);
      if (refused) this.#giveUp(refused, this.#error(`Bottleneck refused the call: ${why}`, 'queue_full', 0));
    }
  }

  #first(priority: Priority): Waiter | undefined {
    const [first] = this.#waiters[priority];
    return first;
  }

  #giveUp(waiter: Waiter, reason: unknown): void {
    this.#remove(waiter);
    waiter.reject(reason);
  }

  #remove(waiter: Waiter): void {
    waiter.stopTimers();
    this.#waiters[waiter.priority].delete(waiter);
    if (waiter.signal) this.#aborts.delete(waiter.signal, waiter);
    this.#stayAlive();
  }

  #place(free: () => void): Place {
    this.taken += 1;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      this.taken -= 1;
      free();
    };
    return {
      leave,
      leaveAfterWindow: extraMs => {
        if (left) return;
        const holdMs = this.#holdMs + extraMs;
        const freeAt = performance.now() + holdMs;
        const later = this.#returns.findIndex(time => time > freeAt);
        this.#returns.splice(later < 0 ? this.#returns.length : later, 0, freeAt);
        const timer: { unref?: () => void } | number = setTimeout(() => {
          this.#returns.splice(this.#returns.indexOf(freeAt), 1);
          leave();
        }, holdMs);
        if (typeof timer === 'object') timer.unref?.();
      },
    };
  }

  /**
   * Calls that wait must keep the process alive. Occupied places must not keep the process alive: otherwise it would
   * end one window too late.
   */
  #stayAlive(): void {
    if (this.waiting > 0) {
      this.#keepAlive ??= setInterval(() => {}, 2 ** 31 - 1);
    } else {
      clearInterval(this.#keepAlive);
      this.#keepAlive = undefined;
    }
  }

  #error(message: string, code: 'queue_full' | 'queue_timeout', estimatedWaitMs: number): QueueError {
    return new QueueError(`${message} (bucket "${this.#name}").`, { code, estimatedWaitMs });
  }
}
