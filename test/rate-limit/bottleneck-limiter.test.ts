import { spawnSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import Bottleneck from 'bottleneck';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bottleneckLimiter } from '../../src/rate-limit/bottleneck-limiter.ts';
import type { RateLimiter, Slot, SlotRequest } from '../../src/rate-limit/limiter.ts';
import { type IdleClock, startIdleClock } from '../../support/idle-clock.ts';

const WINDOW = 200;

let clock: IdleClock;
const sleep = (ms: number) => clock.sleep(ms);
beforeEach(() => {
  clock = startIdleClock();
});

function setUp(limit: number, options: Parameters<typeof bottleneckLimiter>[1] = {}) {
  const bottleneck = new Bottleneck({ maxConcurrent: limit });
  return { bottleneck, limiter: bottleneckLimiter(bottleneck, { windowMs: WINDOW, ...options }) };
}

const take = (limiter: RateLimiter, over: Partial<SlotRequest> = {}): Promise<Slot> =>
  limiter.acquire({ bucket: 'default', priority: 'interactive', ...over });

describe('bottleneckLimiter', () => {
  test('keeps a slot for a window after the response, so that no window has more than maxConcurrent requests', async () => {
    const { limiter } = setUp(5);
    const counted: number[] = [];
    await Promise.all(
      Array.from({ length: 15 }, async (_, i) => {
        const slot = await take(limiter);
        await sleep(i % 3 === 0 ? 30 : 5);
        counted.push(performance.now());
        slot.release();
      }),
    );
    counted.sort((a, b) => a - b);
    for (let i = 5; i < 15; i++) expect((counted[i] ?? 0) - (counted[i - 5] ?? 0)).toBeGreaterThan(WINDOW);
    expect((counted[14] ?? 0) - (counted[0] ?? 0)).toBeLessThan(2 * WINDOW + 150);
  });

  test('counts other jobs of the Bottleneck instance', async () => {
    const { bottleneck, limiter } = setUp(1);
    const job = bottleneck.schedule(() => sleep(80));
    const start = performance.now();
    await take(limiter);
    expect(performance.now() - start).toBeGreaterThanOrEqual(80);
    await job;
  });

  test('serves interactive calls before bulk calls, and an abandoned call does not block the next call', async () => {
    const { limiter } = setUp(1);
    const first = await take(limiter);
    const order: string[] = [];
    const done = (name: string) => (slot: Slot) => {
      order.push(name);
      slot.release({ unsent: true });
    };
    const controller = new AbortController();
    const bulk = take(limiter, { priority: 'bulk' }).then(done('bulk'));
    const aborted = take(limiter, { signal: controller.signal });
    const late = take(limiter, { maxWaitMs: 30 });
    const interactive = take(limiter).then(done('interactive'));
    controller.abort('enough');
    await expect(aborted).rejects.toBe('enough');
    await expect(late).rejects.toMatchObject({ code: 'queue_timeout', estimatedWaitMs: 30 });
    await expect(take(limiter, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
    first.release({ unsent: true });
    await Promise.all([bulk, interactive]);
    expect(order).toEqual(['interactive', 'bulk']);
  });

  test('immediately rejects a call that aborts in onQueued, and removes the call from the queue', async () => {
    const { limiter } = setUp(1);
    await take(limiter);
    const controller = new AbortController();
    const second = take(limiter, { signal: controller.signal, onQueued: () => controller.abort('too long') });
    expect(limiter.snapshot?.()).toMatchObject({ default: { queued: 0 } });
    await expect(second).rejects.toBe('too long');
  });

  test('frees the slot of an abandoned request half a window later, because the service may count it late', async () => {
    const { limiter } = setUp(2);
    const start = performance.now();
    const [a, b] = [await take(limiter), await take(limiter)];
    await sleep(10);
    a.release({ unanswered: true });
    b.release();
    const estimates: number[] = [];
    const at = async () => {
      await take(limiter, { onQueued: ms => estimates.push(ms) });
      return performance.now() - start;
    };
    const [c, d] = await Promise.all([at(), at()]);
    expect(c).toBeGreaterThanOrEqual(10 + WINDOW);
    expect(c).toBeLessThan(1.5 * WINDOW);
    expect(d).toBeGreaterThanOrEqual(1.5 * WINDOW);
    expect(estimates[0]).toBeLessThan(1.1 * WINDOW);
    expect(estimates[1]).toBeGreaterThan(1.3 * WINDOW);
  });

  test('calls onQueued only for a call that waits: once, immediately, and with the minimum wait', async () => {
    const { limiter } = setUp(2, { maxInFlight: 1 });
    const heard: [string, number][] = [];
    const start = performance.now();
    const waits: Record<string, number> = {};
    const listen = async (name: string, over: Partial<SlotRequest> = {}) => {
      const slot = await take(limiter, { onQueued: ms => heard.push([name, ms]), ...over });
      waits[name] = performance.now() - start;
      slot.release();
    };
    await listen('first');
    await listen('second');
    const later = ['third', 'fourth', 'fifth', 'bulk'].map(name =>
      listen(name, name === 'bulk' ? { priority: 'bulk' } : {}),
    );
    expect(heard.map(([name]) => name)).toEqual(['third', 'fourth', 'fifth', 'bulk']);
    await Promise.all(later);
    expect(heard).toHaveLength(4);
    for (const [name, ms] of heard) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThanOrEqual(Math.ceil(waits[name] ?? 0));
    }
    // The calls behind two other calls wait for two windows.
    expect(heard.map(([, ms]) => ms > 1.5 * WINDOW)).toEqual([false, false, true, true]);
  });

  test('calls onQueued once for a call that waits for another job or for the end of a penalty', async () => {
    const { bottleneck, limiter } = setUp(1);
    const job = bottleneck.schedule(() => sleep(120));
    const onQueued = vi.fn();
    (await take(limiter, { onQueued })).release({ unsent: true });
    expect(onQueued.mock.calls).toEqual([[0]]);
    await job;

    const { limiter: closed } = setUp(10);
    (await take(closed)).release({ limited: true, retryAfterMs: 150 });
    const penalty = vi.fn();
    await take(closed, { onQueued: penalty });
    expect(penalty).toHaveBeenCalledTimes(1);
    expect(penalty.mock.calls[0]?.[0]).toBeGreaterThan(100);
  });

  test('never calls onQueued for a call that gets its slot immediately', async () => {
    const { limiter } = setUp(2);
    const onQueued = vi.fn();
    await take(limiter, { onQueued });
    await sleep(80);
    expect(onQueued).not.toHaveBeenCalled();
  });

  test('sends nothing after a 429 before Retry-After has passed', async () => {
    const { limiter } = setUp(10);
    (await take(limiter)).release({ limited: true, retryAfterMs: 150 });
    const start = performance.now();
    await take(limiter);
    expect(performance.now() - start).toBeGreaterThanOrEqual(150);
  });

  test('accepts an instance for one bucket, and keeps the default limits of the other buckets', async () => {
    const one = new Bottleneck({ maxConcurrent: 1 });
    const limiter = bottleneckLimiter({ inferNumber: one }, { windowMs: WINDOW, limits: { default: 2 } });
    await Promise.all([take(limiter), take(limiter), take(limiter, { bucket: 'inferNumber' })]);
    await expect(take(limiter, { maxWaitMs: 50 })).rejects.toMatchObject({ code: 'queue_timeout' });
    await expect(take(limiter, { bucket: 'inferNumber', maxWaitMs: 20 })).rejects.toMatchObject({
      code: 'queue_timeout',
    });
    expect(limiter.snapshot?.().inferNumber).toMatchObject({ used: 1, queued: 0 });
  });

  test('refuses calls if the queue is full or the instance was stopped', async () => {
    const { bottleneck, limiter } = setUp(1, { maxQueue: 1 });
    await take(limiter);
    const waiting = take(limiter, { maxWaitMs: 40 });
    await expect(take(limiter)).rejects.toMatchObject({ code: 'queue_full' });
    await expect(waiting).rejects.toMatchObject({ code: 'queue_timeout' });
    void bottleneck.stop({ dropWaitingJobs: true }).catch(() => {});
    await expect(take(limiter)).rejects.toMatchObject({ name: 'QueueError' });
  });

  test('spends less than 1 ms on each abandoned call', async () => {
    const { limiter } = setUp(1);
    const first = await take(limiter);
    const controllers = Array.from({ length: 1000 }, () => new AbortController());
    const aborted = Promise.allSettled(controllers.map(({ signal }) => take(limiter, { signal })));
    for (const controller of controllers) controller.abort();
    await aborted;
    const next = take(limiter);
    const start = performance.now();
    first.release({ unsent: true });
    await next;
    // Less than 1 ms for each call.
    expect(performance.now() - start).toBeLessThan(200);
  });

  test('adds a single listener to a signal that many calls share', async () => {
    const { limiter } = setUp(1);
    const first = await take(limiter);
    const { signal } = new AbortController();
    const waiting = Array.from({ length: 12 }, () => take(limiter, { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    first.release({ unsent: true });
    for (const slot of waiting) (await slot).release({ unsent: true });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('accepts an instance that is chained to an instance with maxConcurrent', async () => {
    const all = new Bottleneck({ maxConcurrent: 1 });
    const limiter = bottleneckLimiter(new Bottleneck({ minTime: 1 }).chain(all), { windowMs: WINDOW });
    await take(limiter);
    await expect(take(limiter, { maxWaitMs: 20 })).rejects.toMatchObject({ code: 'queue_timeout' });
  });

  const good = new Bottleneck({ maxConcurrent: 1 });
  test.each([
    [undefined, {}, 'bottleneckLimiter is undefined'],
    [null, {}, 'bottleneckLimiter is null'],
    ['default', {}, 'bottleneckLimiter is "default"'],
    [{}, {}, 'no instance'],
    [{ defualt: good }, {}, 'bottleneckLimiter has no defualt'],
    [{ default: {} }, {}, "bottleneckLimiter's default is an object"],
    [new Bottleneck({ minTime: 100 }), {}, 'maxConcurrent: 100'],
    [good, null, 'options is null'],
    [good, { windowMs: 0 }, 'windowMs is 0'],
    [good, { maxQueue: Number.NaN }, 'maxQueue is NaN'],
    [good, { maxInFlight: 0 }, 'maxInFlight is 0'],
    [good, { limits: { infer: 1 } }, 'limits has no infer'],
    [good, { window: 1 }, 'bottleneckLimiter has no window'],
  ])('refuses options with which it would not limit as intended (%#)', (instances, options, message) => {
    const create = () => bottleneckLimiter(instances as never, options as never);
    expect(create).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
    expect(create).toThrow(message);
  });

  test('keeps the process alive until its last call has ended, and not longer', () => {
    const worker = fileURLToPath(new URL('bottleneck-limiter.worker.ts', import.meta.url));
    // Nine calls need three windows of 300 ms. The window of the other three lasts an hour, but no further call waits for it.
    const { stdout, status } = spawnSync(process.execPath, [worker], { encoding: 'utf8', timeout: 20_000 });
    expect({ stdout, status }).toEqual({ stdout: '12 sent\n', status: 0 });
  });
});
