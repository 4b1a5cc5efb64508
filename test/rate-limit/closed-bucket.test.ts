import Bottleneck from 'bottleneck';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RedisClient } from '../../src/internal/redis.ts';
import { bottleneckLimiter } from '../../src/rate-limit/bottleneck-limiter.ts';
import type { RateLimiter } from '../../src/rate-limit/limiter.ts';
import { QueueError } from '../../src/rate-limit/limiter.ts';
import { redisLimiter } from '../../src/rate-limit/redis/redis-limiter.ts';
import { createRollingWindowLimiter } from '../../src/rate-limit/rolling-window.ts';
import { hasProgram } from '../../support/needs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

const HOUR = 3_600_000;
const limits = { default: 2, createTrackingRequest: 2, inferNumber: 2, refreshContainer: 2 };
const hasRedis = hasProgram('redis-server');
let server: RedisServer | undefined;
let client: ReturnType<typeof createClient> | undefined;

beforeAll(async () => {
  if (!hasRedis) return;
  server = await startRedis();
  client = createClient({ url: server.url });
  await client.connect();
});
afterAll(async () => {
  client?.destroy();
  await server?.stop();
});

const makers: Record<string, () => RateLimiter> = {
  'the rolling window': () => createRollingWindowLimiter({ limits }),
  'a limiter that limits nothing but what is closed': () =>
    createRollingWindowLimiter({
      limits: {
        default: Number.POSITIVE_INFINITY,
        createTrackingRequest: Number.POSITIVE_INFINITY,
        inferNumber: Number.POSITIVE_INFINITY,
        refreshContainer: Number.POSITIVE_INFINITY,
      },
      maxInFlight: 3,
    }),
  'the adapter for bottleneck': () => bottleneckLimiter(new Bottleneck({ maxConcurrent: 2 })),
  ...(hasRedis && {
    'the limiter in Redis': () => redisLimiter({ client: client as RedisClient, key: crypto.randomUUID(), limits }),
  }),
};

describe.each(Object.entries(makers))('%s, after a 429 that closes a bucket for two hours', (name, make) => {
  const take = (limiter: RateLimiter, over = {}) =>
    limiter.acquire({ bucket: 'default', priority: 'interactive', ...over });

  test('immediately refuses every new or waiting call with a shorter maxRetryAfter', async () => {
    const limiter = make();
    const [first] = [await take(limiter), await take(limiter)];
    const isUnlimited = name.includes('nothing but what is closed');
    if (isUnlimited) await take(limiter);
    const controller = new AbortController();
    const waiting = take(limiter, { maxClosedMs: 120_000 }).catch(error => error);
    const behind = take(limiter, { maxClosedMs: 120_000, priority: 'bulk' }).catch(error => error);
    const patient = take(limiter, { maxClosedMs: 3 * HOUR, signal: controller.signal }).catch(reason => reason);
    if (!isUnlimited) await take(limiter, { bucket: 'inferNumber', maxClosedMs: 120_000 });
    const closedAt = Date.now();
    first.release({ limited: true, retryAfterMs: 2 * HOUR });
    const late = take(limiter, { maxClosedMs: 120_000 }).catch(error => error);
    for (const refused of [waiting, behind, late]) {
      const error = await refused;
      expect(error).toBeInstanceOf(QueueError);
      expect(error.code).toBe('bucket_closed');
      // The wait is not limited to ten minutes.
      expect(error.closedUntil).toBeGreaterThanOrEqual(closedAt + 2 * HOUR - 1000);
      expect(error.closedUntil).toBeLessThan(Date.now() + 2 * HOUR + 1000);
      expect(error.message).toContain(new Date(error.closedUntil).toISOString());
    }
    controller.abort('enough');
    expect(await patient).toBe('enough');
  });

  test('lets a call wait if its maxRetryAfter is longer', async () => {
    const limiter = make();
    (await take(limiter)).release({ limited: true, retryAfterMs: 300 });
    const start = performance.now();
    await take(limiter, { maxClosedMs: 120_000 });
    expect(performance.now() - start).toBeGreaterThan(250);
  });
});

test.skipIf(!hasRedis)('a bucket that another process has closed is also closed for this process', async () => {
  const key = crypto.randomUUID();
  const make = () => redisLimiter({ client: client as RedisClient, key });
  const [one, other] = [make(), make()];
  const request = { bucket: 'default', priority: 'interactive', maxClosedMs: 120_000 } as const;
  (await other.acquire(request)).release();
  (await one.acquire(request)).release({ limited: true, retryAfterMs: 2 * HOUR });
  await expect
    .poll(() =>
      other.acquire(request).then(
        slot => slot.release({ unsent: true }),
        error => error.code,
      ),
    )
    .toBe('bucket_closed');
});
