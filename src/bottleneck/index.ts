import { knownNames, limitOf, namesOf, objectArgument, shown, wholeNumber } from '../arguments.ts';
import { ConfigurationError, QueueError } from '../errors.ts';
import { AbortFanout } from '../transport/abort-fanout.ts';
import { marginOf } from '../transport/bucket.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS, perBucket } from '../transport/buckets.ts';
import type { BucketName, Priority, RateLimiter, Slot, SlotRequest } from '../transport/limiter.ts';
import { createRollingWindowLimiter } from '../transport/rolling-window.ts';
import { startTimer } from '../transport/signal.ts';

/** The part of a Bottleneck instance (2.19) that is used. */
export interface BottleneckLike {
  schedule<T>(options: { priority: number }, job: () => PromiseLike<T>): PromiseLike<T>;
}

/** Options of {@link bottleneckLimiter}. */
export interface BottleneckLimiterOptions {
  /** Length of the service's rolling window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Limits of the buckets that have no instance: those keep the built-in limiter. */
  limits?: Partial<Record<BucketName, number>> | undefined;
  /** Requests in flight at a time. @default 32 */
  maxInFlight?: number | undefined;
  /** Calls that may wait for an instance; further ones are refused. @default 100_000 */
  maxQueue?: number | undefined;
}

const OPTIONS = namesOf<BottleneckLimiterOptions>({ windowMs: true, limits: true, maxInFlight: true, maxQueue: true });

/** Bottleneck's own default, and one step less urgent. */
const PRIORITY = { interactive: 5, bulk: 6 };

/**
 * Uses an existing Bottleneck instance as a semaphore: a request keeps its place for one window after its answer,
 * so `maxConcurrent` is the number of requests per window. A single instance serves the `default` bucket.
 *
 * Not for Workers: Bottleneck resolves one request's promise from another's.
 *
 * @throws {ConfigurationError} for an instance without `maxConcurrent`, which limits nothing, and for an option that is
 * misspelt or out of range.
 *
 * @example
 * const bottleneck = new Bottleneck({ maxConcurrent: 100 });   // No reservoir: that is a fixed window.
 * const client = new TrackingClient({ rateLimit: { limiter: bottleneckLimiter(bottleneck) } });
 */
export function bottleneckLimiter(
  instances: BottleneckLike | Partial<Record<BucketName, BottleneckLike>>,
  options: BottleneckLimiterOptions = {},
): RateLimiter {
  knownNames('bottleneckLimiter', objectArgument('options', options, '{ windowMs: 60_000 }'), OPTIONS);
  const { limits = {} } = options;
  knownNames('limits', objectArgument('limits', limits, '{ inferNumber: 200 }'), BUCKET_NAMES);
  const windowMs = wholeNumber('windowMs', options.windowMs ?? 60_000);
  const maxQueue = limitOf(0, 'maxQueue', options.maxQueue ?? 100_000);
  const instanceOf = instancesOf(instances);
  const queues = perBucket(name => {
    const instance = instanceOf[name];
    return instance && new Semaphore(name, instance, windowMs + marginOf(windowMs), maxQueue);
  });
  // Penalties, requests in flight, and the buckets without an instance.
  const rest = createRollingWindowLimiter({
    windowMs,
    maxInFlight: limitOf(1, 'maxInFlight', options.maxInFlight ?? 32),
    maxQueue,
    limits: perBucket(name => {
      const limit = limitOf(1, `limits.${name}`, limits[name] ?? DEFAULT_LIMITS[name]);
      return queues[name] ? Number.POSITIVE_INFINITY : limit;
    }),
  });

  return {
    async acquire(request): Promise<Slot> {
      const queue = queues[request.bucket];
      if (!queue) return rest.acquire(request);
      rest.refuseIfClosed(request);
      const queuedAt = performance.now();
      const place = await queue.enter(request);
      try {
        const waited = performance.now() - queuedAt;
        const maxWaitMs = request.maxWaitMs === undefined ? undefined : request.maxWaitMs - waited;
        const slot = await rest.acquire({ ...request, maxWaitMs });
        return {
          release(outcome) {
            slot.release(outcome);
            if (outcome?.limited) queue.refuse(waiter => rest.refuseIfClosed({ ...waiter, bucket: request.bucket }));
            if (outcome?.unsent) place.leave();
            else place.leaveAfterWindow();
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
  knownNames('bottleneckLimiter', instances, BUCKET_NAMES);
  const names = BUCKET_NAMES.filter(name => instances[name] !== undefined);
  if (names.length === 0) {
    throw new ConfigurationError('bottleneckLimiter has no instance; pass new Bottleneck({ maxConcurrent: 100 }).');
  }
  for (const name of names) checkInstance(name, instances[name]);
  return instances;
}

/** What an instance was made with. Bottleneck has no public way to ask for it. */
interface Internals {
  _store?: { storeOptions?: { maxConcurrent?: number | null } };
  /** The instance that this one is chained to. */
  _limiter?: Internals | null;
}

function checkInstance(name: BucketName, instance: unknown): void {
  if (typeof Object(instance).schedule !== 'function') {
    throw new ConfigurationError(
      `bottleneckLimiter's ${name} is ${shown(instance)}; it must be an instance such as new Bottleneck({ maxConcurrent: 100 }).`,
    );
  }
  for (let link: Internals | null | undefined = instance as Internals; link; link = link._limiter) {
    const settings = link._store?.storeOptions;
    if (!settings || typeof settings.maxConcurrent === 'number') return;
  }
  throw new ConfigurationError(
    `bottleneckLimiter's ${name} has no maxConcurrent, so it would limit nothing; make it with the number of requests per window: maxConcurrent: 100. minTime and reservoir do not make a rolling window.`,
  );
}

interface Place {
  leave(): void;
  leaveAfterWindow(): void;
}

interface Waiter {
  priority: Priority;
  signal: AbortSignal | undefined;
  maxClosedMs: number | undefined;
  resolve: (place: Place) => void;
  reject: (reason: unknown) => void;
  stopTimer: () => void;
}

/**
 * Bottleneck cannot take a job out of its queue, so those of calls that gave up stay. For this no job belongs to a call:
 * each lets in the first one that still waits, and one is added only where there are fewer jobs than calls.
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

  enter({ priority, signal, maxClosedMs, maxWaitMs = Number.POSITIVE_INFINITY }: SlotRequest): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      if (this.waiting >= this.#maxQueue) {
        throw this.#error(`The queue is full: ${this.waiting} calls wait for a slot.`, 'queue_full', 0);
      }
      const stopTimer = startTimer(maxWaitMs, () => {
        const message = `No slot came free within ${Math.floor(maxWaitMs)} ms`;
        this.#giveUp(waiter, this.#error(message, 'queue_timeout', maxWaitMs));
      });
      const waiter: Waiter = { priority, signal, maxClosedMs, resolve, reject, stopTimer };
      this.#waiters[priority].add(waiter);
      if (signal) this.#aborts.add(signal, waiter);
      this.#stayAlive();
      if (this.#jobs < this.waiting) void this.#schedule(waiter);
    });
  }

  /** Those that `check` throws for. */
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
    waiter.stopTimer();
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
      leaveAfterWindow: () => {
        const timer: { unref?: () => void } | number = setTimeout(leave, this.#holdMs);
        if (typeof timer === 'object') timer.unref?.();
      },
    };
  }

  /** Places that are held keep no process alive, or each would end a window late; calls that wait for one must. */
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
