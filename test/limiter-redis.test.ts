import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RedisClient } from '../src/redis/client.ts';
import { type RedisLimiterOptions, redisLimiter } from '../src/redis/limiter.ts';
import type { RateLimiter, Slot } from '../src/transport/limiter.ts';
import { hasProgram } from './support/needs.ts';
import { type RedisServer, startRedis } from './support/redis.ts';

const WINDOW = 300;
const CYCLE = WINDOW + 2;
const LIMIT = 20;

let port = 0;
let redisServer: RedisServer;

const kinds = {
  async redis() {
    const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 20 } });
    client.on('error', () => {});
    await client.connect();
    const send = (...args: string[]): Promise<unknown> => client.sendCommand(args);
    return { client: client satisfies RedisClient as RedisClient, send, close: () => client.destroy() };
  },
  async ioredis() {
    const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20 });
    client.on('error', () => {});
    const send = (command: string, ...args: string[]): Promise<unknown> => client.call(command, ...args);
    return { client: client satisfies RedisClient as RedisClient, send, close: () => client.disconnect() };
  },
};

const hasRedis = hasProgram('redis-server');

describe.skipIf(!hasRedis).each(['redis', 'ioredis'] as const)('redisLimiter with the package %s', kind => {
  beforeAll(async () => {
    redisServer = await startRedis();
    port = redisServer.port;
  });
  afterAll(() => redisServer.stop());

  let connections: Awaited<ReturnType<(typeof kinds)['redis']>>[] = [];
  let key = '';
  beforeEach(() => {
    key = `secret ${Math.random()}`;
  });
  afterEach(() => {
    for (const connection of connections) connection.close();
    connections = [];
  });

  const connect = async () => {
    const connection = await kinds[kind]();
    connections.push(connection);
    return connection;
  };
  const setUp = async (options: Partial<RedisLimiterOptions> = {}) => {
    const { client, send } = await connect();
    const warn = vi.fn();
    const limits = { default: LIMIT, refreshContainer: 1 };
    return { limiter: redisLimiter({ client, key, windowMs: WINDOW, limits, warn, ...options }), warn, send };
  };
  const take = (limiter: RateLimiter, over = {}) =>
    limiter.acquire({ bucket: 'default', priority: 'interactive', ...over });

  /** Each call takes 5 ms and is counted in the middle of them. */
  async function use(limiter: RateLimiter, count: number, counted: number[]): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, async () => {
        const slot = await take(limiter);
        await sleep(2);
        counted.push(performance.now());
        await sleep(3);
        slot.release();
      }),
    );
  }
  function expectWithinLimit(counted: number[]): void {
    counted.sort((a, b) => a - b);
    for (let i = LIMIT; i < counted.length; i++) {
      expect((counted[i] ?? 0) - (counted[i - LIMIT] ?? 0)).toBeGreaterThan(WINDOW);
    }
  }

  // On a loaded machine a turn may come late.
  test('several processes together use the budget in full and never exceed it', { retry: 2 }, async () => {
    const limiters = await Promise.all([setUp(), setUp(), setUp()]);
    const counted: number[] = [];
    const start = performance.now();
    await Promise.all(limiters.map(({ limiter }, i) => use(limiter, [70, 20, 10][i] ?? 0, counted)));
    expectWithinLimit(counted);
    expect(counted).toHaveLength(100);
    expect(performance.now() - start).toBeLessThan((4 * WINDOW) / 0.85);
  });

  test('a 429 in one process closes the bucket for the others', async () => {
    const [one, other] = await Promise.all([setUp(), setUp()]);
    (await take(one.limiter)).release({ limited: true, retryAfterMs: 400 });
    await sleep(50);
    const start = performance.now();
    await take(other.limiter);
    expect(performance.now() - start).toBeGreaterThanOrEqual(340);
  });

  test('buckets are counted apart, an unsent request gives its slot back, a second release does nothing', async () => {
    const { limiter } = await setUp();
    const start = performance.now();
    const first = await take(limiter, { bucket: 'refreshContainer' });
    await take(limiter);
    first.release({ unsent: true });
    await sleep(20);
    const second = await take(limiter, { bucket: 'refreshContainer' });
    expect(performance.now() - start).toBeLessThan(WINDOW / 2);
    second.release();
    await sleep(WINDOW / 2);
    second.release();
    await take(limiter, { bucket: 'refreshContainer' });
    expect(performance.now() - start).toBeLessThan(1.4 * WINDOW);
  });

  test('a process that died gives its slots back after lease and window', async () => {
    const { limiter: dead } = await setUp({ leaseMs: 200, limits: { default: 1 } });
    await take(dead);
    const { limiter } = await setUp({ leaseMs: 200, limits: { default: 1 } });
    const start = performance.now();
    await take(limiter);
    expect(performance.now() - start).toBeGreaterThan(WINDOW);
    expect(performance.now() - start).toBeLessThan(200 + 2 * CYCLE);
  });

  test('an interactive call goes before bulk ones, an abort and a known wait end the waiting', async () => {
    const { limiter } = await setUp({ limits: { default: 1 } });
    (await take(limiter)).release();
    const order: string[] = [];
    const done = (name: string) => (slot: Slot) => {
      order.push(name);
      slot.release({ unsent: true });
    };
    const controller = new AbortController();
    const aborted = take(limiter, { signal: controller.signal });
    const bulk = [1, 2, 3].map(i => take(limiter, { priority: 'bulk' }).then(done(`bulk${i}`)));
    await sleep(20);
    controller.abort('enough');
    await expect(aborted).rejects.toBe('enough');
    await sleep(20);
    const interactive = take(limiter).then(done('interactive'));
    await expect(take(limiter, { maxWaitMs: 100 })).rejects.toMatchObject({ code: 'queue_timeout' });
    await Promise.all([...bulk, interactive]);
    // The first bulk call was already asking.
    expect(order).toEqual(['bulk1', 'interactive', 'bulk2', 'bulk3']);
  });

  test('a full queue refuses with the wait that it would have been', async () => {
    const { limiter } = await setUp({ limits: { default: 1 }, maxQueue: 1 });
    (await take(limiter)).release();
    const waiting = take(limiter);
    await sleep(30);
    const error = await take(limiter).catch(reason => reason);
    expect(error).toMatchObject({ code: 'queue_full' });
    expect(error.estimatedWaitMs).toBeGreaterThan(WINDOW);
    (await waiting).release();
  });

  test('Redis sees a hash of the key, and every key expires', async () => {
    const { limiter, send } = await setUp();
    (await take(limiter)).release();
    await sleep(20);
    const keys = (await send('KEYS', '*')) as string[];
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(keys.join()).not.toContain('secret');
    for (const name of keys) expect(await send('PTTL', name)).toBeGreaterThan(0);
  });

  test('when the keys vanish the bucket pauses for a window, and no more is sent than allowed', async () => {
    const [one, other] = await Promise.all([setUp(), setUp()]);
    const counted: number[] = [];
    const using = Promise.all([use(one.limiter, 30, counted), use(other.limiter, 30, counted)]);
    await sleep(150);
    await one.send('FLUSHALL');
    await one.send('SCRIPT', 'FLUSH');
    await using;
    expectWithinLimit(counted);
    expect(counted).toHaveLength(60);
  });

  test('while Redis is down this process goes on with its share and says so once, then shares again', async () => {
    const [one, other] = await Promise.all([setUp({ storeTimeoutMs: 50 }), setUp({ storeTimeoutMs: 50 })]);
    for (const { limiter } of [one, other, one]) (await take(limiter)).release();
    await sleep(CYCLE);
    await redisServer.stop();
    const alone: number[] = [];
    await use(one.limiter, LIMIT, alone);
    expect((alone[LIMIT / 2] ?? 0) - (alone[0] ?? 0)).toBeGreaterThan(WINDOW);
    expect(one.warn.mock.calls).toEqual([[expect.stringContaining('1/2 of the budget')]]);
    redisServer = await startRedis({ port });
    await sleep(1100);
    const counted: number[] = [];
    await Promise.all([use(one.limiter, LIMIT, counted), use(other.limiter, LIMIT, counted)]);
    expectWithinLimit(counted);
    expect(one.warn).toHaveBeenCalledTimes(1);
  });

  test('a Redis that hangs counts as away, and with "reject" the call is rejected', async () => {
    const local = await setUp({ storeTimeoutMs: 50 });
    const reject = await setUp({ storeTimeoutMs: 50, onStoreFailure: 'reject' });
    redisServer.signal('SIGSTOP');
    try {
      const start = performance.now();
      await take(local.limiter);
      await expect(take(reject.limiter)).rejects.toMatchObject({
        name: 'ConnectionError',
        code: 'rate_limit_store',
        message: expect.stringContaining('no answer within 50 ms'),
      });
      expect(performance.now() - start).toBeLessThan(500);
    } finally {
      redisServer.signal('SIGCONT');
    }
    (await take(reject.limiter)).release();
  });

  test('a call that is aborted while Redis is asked keeps no slot', async () => {
    const { limiter } = await setUp({ limits: { default: 1 } });
    (await take(limiter)).release({ unsent: true });
    const controller = new AbortController();
    const aborted = take(limiter, { signal: controller.signal });
    setImmediate(() => controller.abort('meanwhile'));
    await expect(aborted).rejects.toBe('meanwhile');
    await sleep(20);
    const start = performance.now();
    await take(limiter);
    expect(performance.now() - start).toBeLessThan(WINDOW / 2);
  });
});

describe.skipIf(!hasRedis)('four processes and one Redis', () => {
  test('1,000 calls without a 429, and killing one process loses none of the others', async () => {
    redisServer = await startRedis();
    port = redisServer.port;
    const windowMs = 1000;
    const limit = 100;
    const counted: number[] = [];
    let limited = 0;
    const server = createServer((request, response) => {
      if (request.url === '/warm-up') return response.end();
      const now = performance.now();
      while ((counted[0] ?? now) <= now - windowMs) counted.shift();
      if (counted.length >= limit) {
        limited += 1;
        return response.writeHead(429).end();
      }
      counted.push(now);
      return response.end('ok');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const serverPort = (server.address() as AddressInfo).port;
    const worker = fileURLToPath(new URL('limiter-redis.worker.ts', import.meta.url));

    async function run(counts: number[], kill?: number) {
      const children = counts.map(count => {
        const args = [worker, port, serverPort, windowMs, limit, count].map(String);
        const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
        let output = '';
        child.stdout.on('data', chunk => {
          output += chunk;
        });
        const ready = new Promise(resolve => child.stdout.once('data', resolve));
        const ended = new Promise<string>(resolve => child.once('close', () => resolve(output)));
        return { child, ready, ended };
      });
      await Promise.all(children.map(({ ready }) => ready));
      for (const { child } of children) child.stdin.write('go\n');
      if (kill !== undefined) setTimeout(() => children[kill]?.child.kill('SIGKILL'), 1.5 * windowMs);
      const outputs = await Promise.all(children.map(({ ended }) => ended));
      return outputs.map(output => JSON.parse(output.split('\n')[1] || '{}')[200] ?? 0);
    }

    try {
      expect(await run([250, 250, 250, 250])).toEqual([250, 250, 250, 250]);
      const [long, , ...others] = await run([150, 50, 50, 50], 1);
      expect([long, ...others]).toEqual([150, 50, 50]);
      expect(limited).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
      await redisServer.stop();
    }
  }, 30_000);
});
