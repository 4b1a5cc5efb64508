import { QueueError } from '../errors.ts';
import { marginOf } from '../transport/bucket.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS, perBucket } from '../transport/buckets.ts';
import type { BucketName, RateLimiter, Slot, SlotRequest } from '../transport/limiter.ts';
import { createRollingWindowLimiter } from '../transport/rolling-window.ts';

/** The part of a Bottleneck instance (2.19) that is used. */
export interface BottleneckLike {
  schedule<T>(options: { priority: number }, job: () => PromiseLike<T>): PromiseLike<T>;
}

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

/** Bottleneck's own default, and one step less urgent. */
const PRIORITY = { interactive: 5, bulk: 6 };

/**
 * Uses an existing Bottleneck instance as a semaphore: a request keeps its place for one window after its answer,
 * so `maxConcurrent` is the number of requests per window. A single instance serves the `default` bucket.
 *
 * Not for Workers: Bottleneck resolves one request's promise from another's.
 *
 * @example
 * const bottleneck = new Bottleneck({ maxConcurrent: 100 });   // No reservoir: that is a fixed window.
 * const client = new TrackingClient({ rateLimit: { limiter: bottleneckLimiter(bottleneck) } });
 */
export function bottleneckLimiter(
  instances: BottleneckLike | Partial<Record<BucketName, BottleneckLike>>,
  options: BottleneckLimiterOptions = {},
): RateLimiter {
  const { windowMs = 60_000, maxQueue = 100_000 } = options;
  const perName = 'schedule' in instances ? { default: instances } : instances;
  const queues = perBucket(name => {
    const instance = perName[name];
    return instance && new Semaphore(name, instance, windowMs + marginOf(windowMs), maxQueue);
  });
  // Penalties, requests in flight, and the buckets without an instance.
  const rest = createRollingWindowLimiter({
    windowMs,
    maxInFlight: options.maxInFlight,
    maxQueue,
    limits: perBucket(name =>
      queues[name] ? Number.POSITIVE_INFINITY : (options.limits?.[name] ?? DEFAULT_LIMITS[name]),
    ),
  });

  return {
    async acquire(request): Promise<Slot> {
      const queue = queues[request.bucket];
      if (!queue) return rest.acquire(request);
      const queuedAt = performance.now();
      const place = await queue.enter(request);
      try {
        const waited = performance.now() - queuedAt;
        const maxWaitMs = request.maxWaitMs === undefined ? undefined : request.maxWaitMs - waited;
        const slot = await rest.acquire({ ...request, maxWaitMs });
        return {
          release(outcome) {
            slot.release(outcome);
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

interface Place {
  leave(): void;
  leaveAfterWindow(): void;
}

class Semaphore {
  waiting = 0;
  taken = 0;
  readonly #name: BucketName;
  readonly #instance: BottleneckLike;
  readonly #holdMs: number;
  readonly #maxQueue: number;
  #keepAlive: ReturnType<typeof setInterval> | undefined;

  constructor(name: BucketName, instance: BottleneckLike, holdMs: number, maxQueue: number) {
    this.#name = name;
    this.#instance = instance;
    this.#holdMs = holdMs;
    this.#maxQueue = maxQueue;
  }

  enter({ priority, signal, maxWaitMs }: SlotRequest): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      if (this.waiting >= this.#maxQueue) {
        throw this.#error(`The queue is full: ${this.waiting} calls wait for a slot.`, 'queue_full', 0);
      }
      const abort = () => giveUp(signal?.reason);
      const timer =
        maxWaitMs !== undefined && maxWaitMs < 2 ** 31
          ? setTimeout(() => {
              giveUp(this.#error(`No slot came free within ${Math.floor(maxWaitMs)} ms`, 'queue_timeout', maxWaitMs));
            }, maxWaitMs)
          : undefined;
      let waits = true;
      const stopWaiting = () => {
        waits = false;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#wait(-1);
      };
      const giveUp = (reason: unknown) => {
        if (!waits) return;
        stopWaiting();
        reject(reason);
      };

      this.#wait(+1);
      signal?.addEventListener('abort', abort);
      this.#instance
        .schedule({ priority: PRIORITY[priority] }, async () => {
          // Bottleneck cannot take a job out of its queue, but one that does nothing frees its place at once.
          if (!waits) return;
          stopWaiting();
          await new Promise<void>(leave => resolve(this.#place(leave)));
        })
        .then(undefined, cause => {
          const why = cause instanceof Error ? cause.message : String(cause);
          giveUp(this.#error(`Bottleneck refused the call: ${why}`, 'queue_full', 0));
        });
    });
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
  #wait(change: 1 | -1): void {
    this.waiting += change;
    if (this.waiting > 0) this.#keepAlive ??= setInterval(() => {}, 2 ** 31 - 1);
    if (this.waiting > 0 || this.#keepAlive === undefined) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
  }

  #error(message: string, code: 'queue_full' | 'queue_timeout', estimatedWaitMs: number): QueueError {
    return new QueueError(`${message} (bucket "${this.#name}").`, { code, estimatedWaitMs });
  }
}
