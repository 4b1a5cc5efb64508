import { ConfigurationError } from '../../errors.ts';
import {
  describeValue,
  objectArgument,
  optionNames,
  refuseUnknownNames,
  wholeNumber,
  wholeNumberOrInfinity,
} from '../../internal/arguments.ts';
import { marginOf } from '../bucket.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS, perBucket } from '../buckets.ts';
import type { BucketName, RateLimiter, Slot } from '../limiter.ts';
import { createRollingWindowLimiter } from '../rolling-window.ts';
import { tellOnce } from '../tell-once.ts';
import { type BottleneckLike, concurrencyOf, Semaphore } from './semaphore.ts';

export type { BottleneckLike } from './semaphore.ts';

/** Options of {@link bottleneckLimiter}. */
export interface BottleneckLimiterOptions {
  /** Length of the service's rolling window, in ms. @default 60_000 */
  windowMs?: number | undefined;
  /** Limits of the buckets without an instance. The built-in limiter serves these buckets. */
  limits?: Partial<Record<BucketName, number>> | undefined;
  /** Requests in flight at the same time. @default 32 */
  maxInFlight?: number | undefined;
  /** Calls that may wait for an instance. Further calls are refused. @default 100_000 */
  maxQueue?: number | undefined;
}

const OPTIONS = optionNames<BottleneckLimiterOptions>({
  windowMs: true,
  limits: true,
  maxInFlight: true,
  maxQueue: true,
});

/**
 * Uses an existing Bottleneck instance as a semaphore. A request keeps its place until one window after its answer, so
 * `maxConcurrent` is the number of requests per window. A single instance serves the `default` bucket.
 *
 * Do not use it in Workers: Bottleneck settles the promise of one request while it runs another request.
 *
 * @throws {ConfigurationError} for an instance without `maxConcurrent`, which limits nothing, and for an option that is
 * unknown or out of range.
 *
 * @example
 * const bottleneck = new Bottleneck({ maxConcurrent: 100 });   // No reservoir: that is a fixed window.
 * const client = new TrackingClient({ rateLimit: { limiter: bottleneckLimiter(bottleneck) } });
 */
export function bottleneckLimiter(
  instances: BottleneckLike | Partial<Record<BucketName, BottleneckLike>>,
  options: BottleneckLimiterOptions = {},
): RateLimiter {
  refuseUnknownNames('bottleneckLimiter', objectArgument('options', options, '{ windowMs: 60_000 }'), OPTIONS);
  const { limits = {} } = options;
  refuseUnknownNames('limits', objectArgument('limits', limits, '{ inferNumber: 200 }'), BUCKET_NAMES);
  const windowMs = wholeNumber('windowMs', options.windowMs ?? 60_000);
  const maxQueue = wholeNumberOrInfinity(0, 'maxQueue', options.maxQueue ?? 100_000);
  const instanceOf = instancesOf(instances);
  const queues = perBucket(name => {
    const instance = instanceOf[name];
    return instance && new Semaphore(name, instance, windowMs + marginOf(windowMs), maxQueue);
  });
  // Limits the requests in flight and the buckets without an instance, and closes buckets after a 429.
  const rest = createRollingWindowLimiter({
    windowMs,
    maxInFlight: wholeNumberOrInfinity(1, 'maxInFlight', options.maxInFlight ?? 32),
    maxQueue,
    limits: perBucket(name => {
      const limit = wholeNumberOrInfinity(1, `limits.${name}`, limits[name] ?? DEFAULT_LIMITS[name]);
      return queues[name] ? Number.POSITIVE_INFINITY : limit;
    }),
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
            // Without an answer, the service may count the request later.
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
