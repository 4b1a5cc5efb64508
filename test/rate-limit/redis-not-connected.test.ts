import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { perBucket } from '../../src/rate-limit/limiter.ts';
import { type RedisLimiterOptions, redisLimiter } from '../../src/rate-limit/redis/redis-limiter.ts';
import { freePort } from '../../support/free-port.ts';
import { hasProgram } from '../../support/needs.ts';
import { startRedis } from '../../support/redis.ts';

const LIMITS = perBucket(() => 20);

/** Clients whose connection was never opened, or whose port has no listener. */
const clients = {
  'redis, without connect()': (port: number) => nodeRedis(port),
  'redis, at a port where nothing listens': (port: number) => {
    const client = nodeRedis(port);
    client.connect().catch(() => {});
    return client;
  },
  'ioredis, ended': (port: number) => {
    const client = ioRedis(port);
    client.disconnect();
    return client;
  },
  'ioredis, at a port where nothing listens': ioRedis,
};

function nodeRedis(port: number) {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 20 } });
  client.on('error', () => {});
  onTestFinished(() => (client.isOpen ? client.destroy() : undefined));
  return client;
}

function ioRedis(port: number) {
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 20 });
  client.on('error', () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

function limiterOf(options: Omit<RedisLimiterOptions, 'limits' | 'storeTimeoutMs'>) {
  const warn = vi.fn();
  return { warn, limiter: redisLimiter({ ...options, limits: LIMITS, storeTimeoutMs: 50, warn }) };
}

const take = (limiter: ReturnType<typeof redisLimiter>, onQueued = vi.fn()) =>
  limiter.acquire({ bucket: 'default', priority: 'interactive', onQueued, signal: AbortSignal.timeout(4000) });

describe.each(Object.entries(clients))('a client that is not connected: %s', (_, open) => {
  test('does not delay a call: it gets a slot from the share of its process', async () => {
    const { limiter, warn } = limiterOf({ client: open(await freePort()), processes: 4 });
    const onQueued = vi.fn();
    (await take(limiter, onQueued)).release();
    expect(onQueued).not.toHaveBeenCalled();
    expect(limiter.snapshot?.().default).toMatchObject({ limit: 5, used: 1 });
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/is not connected: .*connect.* 1\/4 of the budget/)]]);
  });

  test('immediately rejects each call if onStoreFailure is "reject"', async () => {
    const { limiter } = limiterOf({ client: open(await freePort()), onStoreFailure: 'reject' });
    await expect(take(limiter)).rejects.toMatchObject({
      code: 'rate_limit_store',
      message: expect.stringContaining('is not connected'),
    });
  });
});

test.skipIf(!hasProgram('redis-server')).each(['redis', 'ioredis'] as const)(
  'a process of %s that started without Redis shares the budget when Redis is available',
  async kind => {
    const port = await freePort();
    const client = kind === 'redis' ? nodeRedis(port) : ioRedis(port);
    if ('isOpen' in client) client.connect().catch(() => {});
    const { limiter } = limiterOf({ client, processes: 4, windowMs: 300 });
    (await take(limiter)).release();
    const server = await startRedis({ port });
    onTestFinished(() => server.stop());
    await vi.waitFor(
      async () => {
        (await take(limiter)).release();
        expect(limiter.snapshot?.().default.limit).toBe(20);
      },
      { timeout: 10_000, interval: 50 },
    );
  },
  15_000,
);
