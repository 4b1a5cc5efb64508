import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RedisClient } from '../../src/internal/redis.ts';
import type { BucketName, RateLimiter, Slot } from '../../src/rate-limit/limiter.ts';
import { type RedisLimiterOptions, redisLimiter } from '../../src/rate-limit/redis/redis-limiter.ts';
import { type IdleClock, startIdleClock } from '../../support/idle-clock.ts';
import { hasProgram } from '../../support/needs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

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

/** The same client, with scripts that use the clock of the test. The clock stops until Redis has responded. */
function onClock(client: RedisClient, clock: IdleClock): RedisClient {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'eval') return typeof value === 'function' ? value.bind(target) : value;
      return (script: string, ...args: unknown[]) => {
        const now = Date.now();
        const time = `{ '${Math.floor(now / 1000)}', '${(now % 1000) * 1000}' }`;
        const given = [script.replaceAll("redis.call('TIME')", time), ...args];
        return clock.during(Reflect.apply(value as typeof target.eval, target, given as never) as Promise<unknown>);
      };
    },
  });
}

const hasRedis = hasProgram('redis-server');

describe.skipIf(!hasRedis).each(['redis', 'ioredis'] as const)('redisLimiter with the package %s', kind => {
  const directory = mkdtempSync(join(tmpdir(), 'limiter-'));
  beforeAll(async () => {
    redisServer = await startRedis({ args: ['--dir', directory] });
    port = redisServer.port;
  });
  afterAll(async () => {
    await redisServer.stop();
    rmSync(directory, { recursive: true });
  });

  let connections: Awaited<ReturnType<(typeof kinds)['redis']>>[] = [];
  let key = '';
  let clock: IdleClock;
  const sleep = (ms: number) => clock.sleep(ms);
  beforeEach(() => {
    clock = startIdleClock();
    key = `secret ${Math.random()}`;
  });
  afterEach(() => {
    for (const connection of connections) connection.close();
    connections = [];
  });

  const connect = async () => {
    const { client, send, close } = await clock.during(kinds[kind]());
    connections.push({ client, send, close });
    return { client: onClock(client, clock), send: (...args: string[]) => clock.during(send(...args)) };
  };
  const pauseRedis = () => {
    redisServer.signal('SIGSTOP');
    clock.ignoresWork = true;
  };
  const resumeRedis = () => {
    redisServer.signal('SIGCONT');
    clock.ignoresWork = false;
  };
  const setUp = async (options: Partial<RedisLimiterOptions> = {}) => {
    const { client, send } = await connect();
    const warn = vi.fn();
    const limits = { default: LIMIT, refreshContainer: 1 };
    return { limiter: redisLimiter({ client, key, windowMs: WINDOW, limits, warn, ...options }), warn, send };
  };
  const take = (limiter: RateLimiter, over = {}) =>
    limiter.acquire({ bucket: 'default', priority: 'interactive', ...over });

  /** Each call takes 5 ms and is counted in the middle of this time. */
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

  test('allows several processes to use the full budget, but not to exceed it', async () => {
    const limiters = await Promise.all([setUp(), setUp(), setUp()]);
    const counted: number[] = [];
    const start = performance.now();
    await Promise.all(limiters.map(({ limiter }, i) => use(limiter, [70, 20, 10][i] ?? 0, counted)));
    expectWithinLimit(counted);
    expect(counted).toHaveLength(100);
    expect(performance.now() - start).toBeLessThan((4 * WINDOW) / 0.85);
  });

  test('sends a burst in few windows with a latency of 200 ms, and sends at most 3 commands per call', async () => {
    const { client } = await connect();
    let commands = 0;
    const far = new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'eval') return value;
        return async (...args: unknown[]) => {
          commands += 1;
          await sleep(100);
          const answer = await Reflect.apply(value as (...args: unknown[]) => unknown, target, args);
          await sleep(100);
          return answer;
        };
      },
    });
    const windowMs = 2000;
    const { limiter } = await setUp({ client: far, windowMs, limits: { default: 60 } });
    const counted: number[] = [];
    const start = performance.now();
    await use(limiter, 180, counted);
    // Two windows and some round trips.
    expect(performance.now() - start).toBeLessThan(2 * windowMs + 5 * 200);
    expect(commands).toBeLessThanOrEqual(3 * 180);
  });

  test('closes the bucket for all processes after a 429 in one process', async () => {
    const [one, other] = await Promise.all([setUp(), setUp()]);
    (await take(one.limiter)).release({ limited: true, retryAfterMs: 400 });
    await sleep(50);
    const start = performance.now();
    await take(other.limiter);
    expect(performance.now() - start).toBeGreaterThanOrEqual(340);
  });

  test('counts buckets separately, frees the slot of an unsent request, and ignores a second release', async () => {
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

  test('frees the slots of a dead process when the lease and a window have passed', async () => {
    const leaseMs = 2000;
    const { limiter: dead } = await setUp({ leaseMs, limits: { default: 1 } });
    await take(dead);
    const { limiter } = await setUp({ leaseMs, limits: { default: 1 } });
    const start = performance.now();
    await take(limiter);
    expect(performance.now() - start).toBeGreaterThan(leaseMs + WINDOW);
    expect(performance.now() - start).toBeLessThan(leaseMs + 2 * CYCLE);
  });

  test('serves interactive calls before bulk calls, and ends a wait that is aborted or too long', async () => {
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
    // The first bulk call had already sent its request.
    expect(order).toEqual(['bulk1', 'interactive', 'bulk2', 'bulk3']);
  });

  test('does not count waiting bulk calls for the deadline of an interactive call', async () => {
    const { limiter } = await setUp({ limits: { default: 2 } });
    for (let i = 0; i < 2; i++) (await take(limiter)).release();
    const controller = new AbortController();
    const bulk = Array.from({ length: 20 }, () => take(limiter, { priority: 'bulk', signal: controller.signal }));
    await sleep(30);
    const maxWaitMs = 3 * CYCLE;
    await expect(take(limiter, { priority: 'bulk', maxWaitMs })).rejects.toMatchObject({ code: 'queue_timeout' });
    await take(limiter, { maxWaitMs });
    controller.abort();
    await Promise.allSettled(bulk);
  });

  test('calls onQueued once with the minimum wait, only for a call that waits', async () => {
    const { limiter } = await setUp({ limits: { default: 2 } });
    const heard: [number, number][] = [];
    const waits: number[] = [];
    const start = performance.now();
    await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const slot = await take(limiter, { onQueued: (ms: number) => heard.push([n, ms]) });
        waits[n] = performance.now() - start;
        slot.release();
      }),
    );
    expect(heard.map(([n]) => n).sort()).toEqual([2, 3, 4, 5]);
    for (const [n, ms] of heard) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(Math.ceil(waits[n] ?? 0));
    }
    expect(heard.filter(([, ms]) => ms > 1.5 * WINDOW).map(([n]) => n)).toEqual([4, 5]);
  });

  test('calls onQueued once for each waiting call if the first call waits for a response, or for the end of a penalty', async () => {
    const { limiter } = await setUp({ maxInFlight: 1 });
    const heard: string[] = [];
    const listen = (name: string) => take(limiter, { onQueued: () => heard.push(name) });
    const first = await listen('first');
    const [second, third] = [listen('second'), listen('third')];
    await sleep(20);
    expect(heard).toEqual(['second', 'third']);
    const fourth = listen('fourth');
    expect(heard).toEqual(['second', 'third', 'fourth']);
    first.release({ limited: true, retryAfterMs: 60 });
    for (const waiting of [second, third, fourth]) (await waiting).release();
    expect(heard).toHaveLength(3);

    const { limiter: other } = await setUp();
    (await take(other)).release({ limited: true, retryAfterMs: 100 });
    const penalties: number[] = [];
    const calls = Array.from({ length: 3 }, () => take(other, { onQueued: (ms: number) => penalties.push(ms) }));
    for (const call of calls) (await call).release();
    expect(penalties).toHaveLength(3);
    expect(Math.min(...penalties)).toBeGreaterThan(50);
  });

  test('refuses a call if the queue is full, and the error has the estimated wait', async () => {
    const { limiter } = await setUp({ limits: { default: 1 }, maxQueue: 1 });
    (await take(limiter)).release();
    const waiting = take(limiter);
    await sleep(30);
    const error = await take(limiter).catch(reason => reason);
    expect(error).toMatchObject({ code: 'queue_full' });
    expect(error.estimatedWaitMs).toBeGreaterThan(WINDOW);
    (await waiting).release();
  });

  test('sends Redis only a hash of the API key, and lets every key expire', async () => {
    const { limiter, send } = await setUp();
    (await take(limiter)).release();
    await sleep(20);
    const keys = (await send('KEYS', '*')) as string[];
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(keys.join()).not.toContain('secret');
    // -1 is a key without an expiry; -2 is a key that has expired.
    for (const name of keys) expect(await send('PTTL', name)).not.toBe(-1);
  });

  test('pauses the bucket for a window after its keys are lost, and stays within the limit', async () => {
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

  test('pauses in an idle process after the keys are lost, because other processes may have used the budget', async () => {
    const [one, idle] = await Promise.all([setUp(), setUp()]);
    (await take(idle.limiter)).release();
    await sleep(CYCLE);
    for (let i = 0; i < LIMIT; i++) (await take(one.limiter)).release();
    await sleep(20);
    await one.send('FLUSHALL');
    const start = performance.now();
    await take(idle.limiter);
    expect(performance.now() - start).toBeGreaterThanOrEqual(WINDOW);
    // The pause lasts for the window after the loss, so a process that starts later does not pause again.
    const later = performance.now();
    await take(one.limiter);
    expect(performance.now() - later).toBeLessThan(WINDOW / 2);
  });

  describe('with a Redis that was restarted from an older copy', () => {
    const startAgain = async (send: (...args: string[]) => Promise<unknown>, happen: () => Promise<void>) => {
      await send('SAVE');
      onTestFinished(() => rmSync(join(directory, 'dump.rdb')));
      await happen();
      await clock.during(redisServer.stop());
      redisServer = await clock.during(startRedis({ port, args: ['--dir', directory] }));
      // The clients wait until they are connected again.
      clock.ignoresWork = true;
      await Promise.all(connections.map(connection => connection.send('PING')));
      clock.ignoresWork = false;
    };
    const takeSome = async (limiter: RateLimiter, count: number, bucket: BucketName = 'default') => {
      for (let n = 0; n < count; n++) (await take(limiter, { bucket })).release();
      await sleep(20);
    };
    const timeOf = async (work: Promise<Slot>) => {
      const start = performance.now();
      (await work).release();
      return performance.now() - start;
    };

    test.each(['a process without an outage', 'a new process'])('pauses %s for a window', async who => {
      const [one, other, next] = await Promise.all([setUp(), setUp(), setUp()]);
      await takeSome(one.limiter, 1);
      await startAgain(other.send, () => takeSome(other.limiter, LIMIT - 1));
      const pause = await timeOf(take((who === 'a new process' ? next : one).limiter));
      expect(pause).toBeGreaterThanOrEqual(WINDOW);
      expect(pause).toBeLessThan(1.5 * WINDOW);
      // The pause lasts for the window after the restart, so the next process does not pause again.
      expect(await timeOf(take(next.limiter))).toBeLessThan(WINDOW / 2);
    });

    test('pauses a bucket that the copy does not have, but does not pause a bucket that is first used later', async () => {
      const [one, other] = await Promise.all([setUp(), setUp()]);
      await takeSome(one.limiter, 1);
      await startAgain(other.send, () => takeSome(other.limiter, 1, 'refreshContainer'));
      const used = timeOf(take(one.limiter));
      expect(await timeOf(take(one.limiter, { bucket: 'refreshContainer' }))).toBeGreaterThanOrEqual(WINDOW);
      await used;
      expect(await timeOf(take(one.limiter, { bucket: 'inferNumber' }))).toBeLessThan(WINDOW / 2);
    });

    test('detects the restart by the number of grants if Redis does not report its run id', async () => {
      const [one, other] = await Promise.all([setUp(), setUp()]);
      await one.send('ACL', 'SETUSER', 'default', '-info');
      await takeSome(one.limiter, 1);
      await startAgain(other.send, () => takeSome(other.limiter, 5));
      await other.send('ACL', 'SETUSER', 'default', '-info');
      try {
        expect(await timeOf(take(other.limiter))).toBeGreaterThanOrEqual(WINDOW);
      } finally {
        await other.send('ACL', 'SETUSER', 'default', '+info');
      }
    });
  });

  test('refuses keys of a newer format without changing them, but uses keys without a format mark', async () => {
    const { limiter, send, warn } = await setUp();
    await send('FLUSHALL');
    (await take(limiter)).release();
    await sleep(20);
    const [state = ''] = (await send('KEYS', '*:default:state')) as string[];
    expect(await send('HGET', state, 'format')).toBe('1');
    await send('HDEL', state, 'format');
    (await take(limiter)).release();
    await sleep(20);
    await send('HSET', state, 'format', '2');
    const before = await send('HGETALL', state);
    await expect(take(limiter)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('have the format 2, and this version of container-tracking-sdk knows only 1'),
    });
    expect(await send('HGETALL', state)).toEqual(before);
    expect(warn).not.toHaveBeenCalled();
  });

  describe('if the clock of Redis is set back by an hour', () => {
    const goBack = () => vi.setSystemTime(Date.now() - 3_600_000);

    test('does not delay calls for longer than usual, and stays within the limit', async () => {
      const [one, other] = await Promise.all([setUp(), setUp()]);
      await one.send('FLUSHALL');
      const counted: number[] = [];
      await use(one.limiter, LIMIT, counted);
      await sleep(20);
      goBack();
      const start = performance.now();
      (await take(other.limiter, { maxWaitMs: 2 * CYCLE })).release({ unsent: true });
      expect(performance.now() - start).toBeLessThan(1.2 * CYCLE);
      await Promise.all([use(one.limiter, 30, counted), use(other.limiter, 30, counted)]);
      expectWithinLimit(counted);
      expect(performance.now() - start).toBeLessThan((4 * WINDOW) / 0.85);
      // A process that ends at this time must not count as alive for an hour.
      const [processes = ''] = (await one.send('KEYS', '*:processes')) as string[];
      expect(await one.send('ZCARD', processes)).toBe(2);
      expect(await one.send('ZCOUNT', processes, `(${Date.now()}`, '+inf')).toBe(0);
    });

    test('closes the bucket after a 429 for the usual time', async () => {
      const [one, other] = await Promise.all([setUp(), setUp()]);
      (await take(one.limiter)).release({ limited: true, retryAfterMs: 400 });
      await sleep(50);
      goBack();
      const start = performance.now();
      await take(other.limiter, { maxWaitMs: 3 * CYCLE });
      expect(performance.now() - start).toBeGreaterThanOrEqual(340);
      expect(performance.now() - start).toBeLessThan(2 * CYCLE);
    });

    test('pauses the bucket for at most a window after its keys are lost', async () => {
      const [one, other] = await Promise.all([setUp(), setUp()]);
      (await take(other.limiter)).release();
      (await take(one.limiter)).release();
      await sleep(20);
      await one.send('FLUSHALL');
      await take(one.limiter);
      goBack();
      const start = performance.now();
      await take(other.limiter, { maxWaitMs: 3 * CYCLE });
      expect(performance.now() - start).toBeLessThan(1.2 * CYCLE);
    });
  });

  test('does not pause after keys have expired because nobody used them', async () => {
    const { limiter, send } = await setUp({ windowMs: 100, leaseMs: 50 });
    const bucket = 'createTrackingRequest';
    (await take(limiter, { bucket })).release();
    await sleep(3 * (102 + 50) + 50);
    // Redis uses its own clock for the expiry.
    await expect.poll(() => send('KEYS', `*:${bucket}:*`)).toEqual([]);
    const start = performance.now();
    await take(limiter, { bucket });
    expect(performance.now() - start).toBeLessThan(50);
  });

  test('keeps the keys after an unsent request until all other slots are free', async () => {
    const windowMs = 60_000;
    const { limiter, send } = await setUp({ windowMs, leaseMs: 10, limits: { refreshContainer: 2 } });
    const bucket = 'refreshContainer';
    (await take(limiter, { bucket })).release();
    (await take(limiter, { bucket })).release({ unsent: true });
    await sleep(20);
    const ttls = await Promise.all(((await send('KEYS', `*:${bucket}:log`)) as string[]).map(log => send('PTTL', log)));
    expect(ttls).toEqual([expect.any(Number)]);
    expect(ttls[0]).toBeGreaterThan(windowMs);
  });

  test('uses only its share while Redis is down, warns once, and shares the whole budget again afterwards', async () => {
    const [one, other] = await Promise.all([setUp({ storeTimeoutMs: 50 }), setUp({ storeTimeoutMs: 50 })]);
    for (const { limiter } of [one, other, one]) (await take(limiter)).release();
    // No other process uses this bucket. Its share here does not affect its share of the default bucket.
    (await take(one.limiter, { bucket: 'inferNumber' })).release();
    await sleep(CYCLE);
    await clock.during(redisServer.stop());
    clock.ignoresWork = true;
    const alone: number[] = [];
    await use(one.limiter, LIMIT, alone);
    expect((alone[LIMIT / 2] ?? 0) - (alone[0] ?? 0)).toBeGreaterThan(WINDOW);
    expect(one.warn.mock.calls).toEqual([[expect.stringContaining('1/2 of the budget')]]);
    redisServer = await clock.during(startRedis({ port }));
    await Promise.all([one.send('PING'), other.send('PING')]);
    clock.ignoresWork = false;
    await sleep(1100);
    const counted: number[] = [];
    await Promise.all([use(one.limiter, LIMIT, counted), use(other.limiter, LIMIT, counted)]);
    expectWithinLimit(counted);
    expect(one.warn).toHaveBeenCalledTimes(1);
  });

  describe('after Redis is lost, with a window of a minute,', () => {
    const MINUTE = { windowMs: 60_000, leaseMs: 60_000, storeTimeoutMs: 50, processes: 2, limits: { default: LIMIT } };
    const stop = async () => {
      await clock.during(redisServer.stop());
      clock.ignoresWork = true;
    };
    const restart = async () => {
      redisServer = await clock.during(startRedis({ port }));
      clock.ignoresWork = false;
    };

    test('a process that was busy before sends its next request after a few seconds', async () => {
      const [one, other] = await Promise.all([setUp(MINUTE), setUp(MINUTE)]);
      (await take(other.limiter)).release();
      for (let n = 0; n < 10; n++) {
        (await take(one.limiter)).release();
        await sleep(6000);
      }
      await stop();
      try {
        const start = performance.now();
        await take(one.limiter, { maxWaitMs: 20_000 });
        expect(performance.now() - start).toBeLessThan(8000);
        expect(one.warn.mock.calls).toEqual([
          [
            expect.stringMatching(
              /sends nothing for 6 s, then has at most as many slots as it has in use, and after 6\d s it uses 1\/2 of the budget\.$/,
            ),
          ],
        ]);
      } finally {
        await restart();
      }
    });

    test('a call rejects as soon as the limiter knows that the call would wait for its slot longer than it may', async () => {
      const [one, other] = await Promise.all([setUp(MINUTE), setUp(MINUTE)]);
      for (const { limiter } of [other, one]) (await take(limiter)).release();
      await sleep(61_000);
      await stop();
      try {
        const start = performance.now();
        // This process uses no slot, so it must wait until the other process no longer uses the part of this process.
        const reasons = await Promise.all(
          Array.from({ length: 3 }, () => take(one.limiter, { maxWaitMs: 20_000 }).catch(reason => reason)),
        );
        for (const reason of reasons) expect(reason).toMatchObject({ code: 'queue_timeout' });
        expect(reasons[0].estimatedWaitMs).toBeGreaterThan(60_000);
        expect(performance.now() - start).toBeLessThan(2000);
        const onQueued = vi.fn();
        await take(one.limiter, { onQueued });
        expect(onQueued.mock.calls[0]?.[0]).toBeGreaterThan(50_000);
        expect(performance.now() - start).toBeLessThan(72_000);
      } finally {
        await restart();
      }
    });

    test('a process keeps its part for itself while it waits for the response to a request', async () => {
      const [one, other] = await Promise.all([setUp(MINUTE), setUp(MINUTE)]);
      const slot = await take(one.limiter);
      await sleep(30_000);
      // Redis would grant only half of the limit if it had received nothing from the process.
      for (let n = 0; n < LIMIT - 1; n++) await take(other.limiter, { maxWaitMs: 1000 });
      slot.release();
    });
  });

  test('treats an unresponsive Redis as unavailable: rejects the call if onStoreFailure is "reject"', async () => {
    const local = await setUp({ storeTimeoutMs: 50 });
    const reject = await setUp({ storeTimeoutMs: 50, onStoreFailure: 'reject' });
    pauseRedis();
    try {
      const start = performance.now();
      await take(local.limiter);
      await expect(take(reject.limiter)).rejects.toMatchObject({
        name: 'ConnectionError',
        code: 'rate_limit_store',
        message: expect.stringContaining('no response within 50 ms'),
      });
      expect(performance.now() - start).toBeLessThan(500);
    } finally {
      resumeRedis();
    }
    await sleep(1000);
    (await take(reject.limiter)).release();
  });

  test('uses the share for the expected number of processes if it starts while Redis is unavailable', async () => {
    const { limiter, warn } = await setUp({ storeTimeoutMs: 50, processes: 4 });
    pauseRedis();
    try {
      const counted: number[] = [];
      await use(limiter, LIMIT / 2, counted);
      expect((counted[LIMIT / 4] ?? 0) - (counted[0] ?? 0)).toBeGreaterThan(WINDOW);
      expect(warn.mock.calls).toEqual([[expect.stringContaining('1/4 of the budget')]]);
    } finally {
      resumeRedis();
    }
  });

  test('rejects all waiting calls together if onStoreFailure is "reject", and an abort does not wait for Redis', async () => {
    const { limiter } = await setUp({ storeTimeoutMs: 200, onStoreFailure: 'reject', limits: { default: 1 } });
    pauseRedis();
    try {
      const start = performance.now();
      const controller = new AbortController();
      setTimeout(() => controller.abort('enough'), 20);
      await expect(take(limiter, { signal: controller.signal })).rejects.toBe('enough');
      await expect(take(limiter, { maxWaitMs: 20 })).rejects.toMatchObject({ code: 'queue_timeout' });
      expect(performance.now() - start).toBeLessThan(150);
      const results = await Promise.allSettled(Array.from({ length: 12 }, () => take(limiter)));
      for (const result of results) expect(result).toMatchObject({ reason: { code: 'rate_limit_store' } });
      expect(performance.now() - start).toBeLessThan(500);
    } finally {
      resumeRedis();
    }
    await sleep(1000);
    // The limiter has given back the slots that Redis granted after their calls had ended.
    await take(limiter, { maxWaitMs: WINDOW / 2 });
  });

  test('still counts a request that was sent while a response of Redis was late', async () => {
    const { client, send } = await connect();
    let isSlow = true;
    const slowAtFirst = new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'eval') return typeof value === 'function' ? value.bind(target) : value;
        return async (...args: unknown[]) => {
          const reply = await Reflect.apply(value, target, args);
          if (isSlow) {
            isSlow = false;
            await sleep(100);
          }
          return reply;
        };
      },
    });
    const options = { key: 'hiccup', windowMs: 5000, storeTimeoutMs: 50, warn() {} };
    const slot = await take(redisLimiter({ client: slowAtFirst, ...options }), { bucket: 'inferNumber' });
    slot.release();
    await sleep(150);
    const [log = ''] = (await send('KEYS', '*:inferNumber:log')) as string[];
    expect(await send('ZCARD', log)).toBe(1);
  });

  test('keeps no slot for a call that is aborted during its request to Redis', async () => {
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

test('redisLimiter treats a client with invalid script results as unavailable', async () => {
  const warn = vi.fn();
  const limiter = redisLimiter({ client: { eval: async () => 'OK', evalSha() {} }, warn });
  (await limiter.acquire({ bucket: 'default', priority: 'interactive' })).release();
  expect(warn.mock.calls).toEqual([[expect.stringContaining('its response to a script is "OK"')]]);
});

test('after a long outage, redisLimiter reports only the requests of the last window', async () => {
  const clock = startIdleClock();
  let isDown = true;
  const exchanges: string[][] = [];
  const client = {
    async eval(_: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) {
      if (isDown) throw new Error('away');
      // A call with a single key only checks the connection to Redis.
      if (keys.length > 1) exchanges.push(args.slice(12).filter((_, n) => n % 2 === 0));
      return [Date.now(), '1', 1, '1.000000', 1, 0, 0, 1];
    },
    evalSha() {},
  };
  const options = { windowMs: WINDOW, leaseMs: WINDOW, limits: { default: 50 }, warn() {} };
  const limiter = redisLimiter({ client, ...options });
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 1000 }, async () =>
      (await limiter.acquire({ bucket: 'default', priority: 'interactive' })).release(),
    ),
  );
  expect(performance.now() - start).toBeGreaterThan(19 * WINDOW);
  isDown = false;
  const controller = new AbortController();
  const { signal } = controller;
  const next = limiter.acquire({ bucket: 'default', priority: 'interactive', signal });
  while (exchanges.length === 0) await clock.sleep(1);
  controller.abort('enough');
  await expect(next).rejects.toBe('enough');
  expect(exchanges[0]?.length).toBeGreaterThan(0);
  expect(exchanges[0]?.length).toBeLessThanOrEqual(50);
});

describe('the options of redisLimiter', () => {
  const client = { eval: () => new Promise(() => {}), evalSha() {} };
  test.each([
    [undefined, 'redisLimiter is undefined'],
    [null, 'redisLimiter is null'],
    [{}, 'client is undefined'],
    [{ client: 'redis://localhost' }, 'client is "redis://localhost"'],
    [{ client: {} }, 'client is an object'],
    [{ client, windowMs: 0 }, 'windowMs is 0'],
    [{ client, leaseMs: Number.NaN }, 'leaseMs is NaN'],
    [{ client, storeTimeoutMs: -1 }, 'storeTimeoutMs is -1'],
    [{ client, storeTimeoutMs: 3e10 }, 'at most 24 days'],
    [{ client, key: undefined }, 'key is undefined, so all accounts would share one budget: pass the API key'],
    [{ client, key: '' }, 'key is blank'],
    [{ client, key: 5 }, 'key is 5'],
    [{ client, maxInFlight: 0 }, 'maxInFlight is 0'],
    [{ client, maxQueue: Number.NaN }, 'maxQueue is NaN'],
    [{ client, processes: 0 }, 'processes is 0'],
    [{ client, limits: { default: 2.5 } }, 'limits.default is 2.5'],
    [{ client, limits: { defualt: 2 } }, 'limits has no defualt'],
    [{ client, limits: null }, 'limits is null'],
    [{ client, window: 1 }, 'redisLimiter has no window'],
    [{ client, onStoreFailure: 'ignore' }, 'onStoreFailure is "ignore"'],
    [{ client, warn: 'loud' }, 'warn is "loud"'],
  ])('%o is refused', (options, message) => {
    expect(() => redisLimiter(options as never)).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
    expect(() => redisLimiter(options as never)).toThrow(message);
  });
});

describe.skipIf(!hasRedis)('four processes and one Redis', () => {
  test('make 1,000 calls without a 429, and killing one process does not lose calls of the other processes', async () => {
    redisServer = await startRedis();
    port = redisServer.port;
    const windowMs = 1000;
    const limit = 250;
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
    const worker = fileURLToPath(new URL('redis-limiter.worker.ts', import.meta.url));

    async function run(counts: number[], kill?: number) {
      const children = counts.map(count => {
        const args = [worker, port, serverPort, windowMs, limit, count].map(String);
        const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
        onTestFinished(() => void child.kill('SIGKILL'));
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
      // Three windows, so that every process has waiting calls when one process is killed.
      const [long, , ...others] = await run([375, 125, 125, 125], 1);
      expect([long, ...others]).toEqual([375, 125, 125]);
      expect(limited).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
      await redisServer.stop();
    }
  });
});
