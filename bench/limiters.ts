import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import pThrottle from 'p-throttle';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterRedis } from 'rate-limiter-flexible';
import { createClient } from 'redis';
import { bottleneckLimiter } from '../src/rate-limit/bottleneck-limiter.ts';
import type { BucketName, RateLimiter, Slot } from '../src/rate-limit/limiter.ts';
import { BUCKET_NAMES, DEFAULT_LIMITS } from '../src/rate-limit/limiter.ts';
import { redisLimiter } from '../src/rate-limit/redis/redis-limiter.ts';
import { createRollingWindowLimiter } from '../src/rate-limit/rolling-window.ts';
import { parseRetryAfter } from '../src/transport/retries.ts';

export type Bucket = BucketName;
export const LIMITS = DEFAULT_LIMITS;

/** Waits until one request may be sent. */
export type Take = (bucket: Bucket) => Promise<Slot>;

interface Contender {
  name: string;
  make(windowMs: number): Take;
}

const nothingToRelease: Slot = { release() {} };

function ours(limiter: RateLimiter): Take {
  return bucket => limiter.acquire({ bucket, priority: 'interactive' });
}

function eachBucket<T>(make: (limit: number) => T): Record<Bucket, T> {
  return Object.fromEntries(BUCKET_NAMES.map(name => [name, make(LIMITS[name])])) as Record<Bucket, T>;
}

export const contenders: Contender[] = [
  {
    name: 'ours',
    make: windowMs => ours(createRollingWindowLimiter({ windowMs, limits: LIMITS })),
  },
  {
    name: 'bottleneck as a semaphore (our adapter)',
    make: windowMs =>
      ours(
        bottleneckLimiter(
          eachBucket(limit => new Bottleneck({ maxConcurrent: limit })),
          { windowMs },
        ),
      ),
  },
  {
    name: 'bottleneck, reservoir with refresh',
    make(windowMs) {
      // Bottleneck refreshes its reservoir at most every 250 ms.
      const queues = eachBucket(
        limit =>
          new Bottleneck({
            reservoir: limit,
            reservoirRefreshAmount: limit,
            reservoirRefreshInterval: Math.max(250, windowMs),
          }),
      );
      return bucket => queues[bucket].schedule(async () => nothingToRelease);
    },
  },
  {
    name: 'p-throttle, strict',
    make(windowMs) {
      const queues = eachBucket(limit =>
        pThrottle({ limit, interval: windowMs, strict: true })(() => nothingToRelease),
      );
      return async bucket => queues[bucket]();
    },
  },
  {
    name: 'rate-limiter-flexible, queue',
    make(windowMs) {
      const queues = eachBucket(
        limit =>
          new RateLimiterQueue(new RateLimiterMemory({ points: limit, duration: windowMs / 1000 }), {
            maxQueueSize: 10_000,
          }),
      );
      return async bucket => {
        await queues[bucket].removeTokens(1, bucket);
        return nothingToRelease;
      };
    },
  },
  { name: 'retries alone', make: () => async () => nothingToRelease },
];

/** A limiter for one of several processes. `close` waits for the commands that Redis has not received yet. */
export async function overRedis(name: string, port: number, windowMs: number) {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  await client.connect();
  const close = () => client.close();
  if (name === 'ours') return { take: ours(redisLimiter({ client, windowMs, leaseMs: 2000 })), close };
  const queues = eachBucket(
    limit =>
      new RateLimiterQueue(
        new RateLimiterRedis({ storeClient: client, useRedisPackage: true, points: limit, duration: windowMs / 1000 }),
        { maxQueueSize: 10_000 },
      ),
  );
  const take: Take = async bucket => {
    await queues[bucket].removeTokens(1, bucket);
    return nothingToRelease;
  };
  return { take, close };
}

/**
 * Makes one call with up to four retries after a 429. Each retry waits for a slot. Returns the round trip in ms, or
 * `undefined` if all attempts failed.
 */
export async function call(url: string, bucket: Bucket, take: Take): Promise<number | undefined> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const slot = await take(bucket);
    const start = performance.now();
    const response = await fetch(`${url}/${bucket}`);
    await response.text();
    const limited = response.status === 429;
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
    slot.release({ limited, retryAfterMs });
    if (!limited) return performance.now() - start;
    await sleep(retryAfterMs ?? 0);
  }
  return undefined;
}
