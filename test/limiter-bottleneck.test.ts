import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Bottleneck from 'bottleneck';
import { describe, expect, test } from 'vitest';
import { bottleneckLimiter } from '../src/bottleneck/index.ts';
import type { RateLimiter, Slot, SlotRequest } from '../src/transport/limiter.ts';

const WINDOW = 200;

function setUp(limit: number, options: Parameters<typeof bottleneckLimiter>[1] = {}) {
  const bottleneck = new Bottleneck({ maxConcurrent: limit });
  return { bottleneck, limiter: bottleneckLimiter(bottleneck, { windowMs: WINDOW, ...options }) };
}

const take = (limiter: RateLimiter, over: Partial<SlotRequest> = {}): Promise<Slot> =>
  limiter.acquire({ bucket: 'default', priority: 'interactive', ...over });

describe('bottleneckLimiter', () => {
  test('a place is kept for a window after the answer, so that no window holds more than maxConcurrent', async () => {
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

  test('other jobs of the team count', async () => {
    const { bottleneck, limiter } = setUp(1);
    const job = bottleneck.schedule(() => sleep(80));
    const start = performance.now();
    await take(limiter);
    expect(performance.now() - start).toBeGreaterThanOrEqual(70);
    await job;
  });

  test('interactive before bulk; a call that gives up is refused at once and lets the next one pass', async () => {
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

  test('after a 429 nothing is sent before Retry-After has passed', async () => {
    const { limiter } = setUp(10);
    (await take(limiter)).release({ limited: true, retryAfterMs: 150 });
    const start = performance.now();
    await take(limiter);
    expect(performance.now() - start).toBeGreaterThanOrEqual(149);
  });

  test('buckets without an instance keep their own limit, and each may have an instance', async () => {
    const one = new Bottleneck({ maxConcurrent: 1 });
    const limiter = bottleneckLimiter({ inferNumber: one }, { windowMs: WINDOW, limits: { default: 2 } });
    await Promise.all([take(limiter), take(limiter), take(limiter, { bucket: 'inferNumber' })]);
    await expect(take(limiter, { maxWaitMs: 50 })).rejects.toMatchObject({ code: 'queue_timeout' });
    await expect(take(limiter, { bucket: 'inferNumber', maxWaitMs: 20 })).rejects.toMatchObject({
      code: 'queue_timeout',
    });
    expect(limiter.snapshot?.().inferNumber).toMatchObject({ used: 1, queued: 0 });
  });

  test('a queue that is full, or an instance that was stopped, refuses', async () => {
    const { bottleneck, limiter } = setUp(1, { maxQueue: 1 });
    await take(limiter);
    const waiting = take(limiter, { maxWaitMs: 40 });
    await expect(take(limiter)).rejects.toMatchObject({ code: 'queue_full' });
    await expect(waiting).rejects.toMatchObject({ code: 'queue_timeout' });
    void bottleneck.stop({ dropWaitingJobs: true }).catch(() => {});
    await expect(take(limiter)).rejects.toMatchObject({ name: 'QueueError' });
  });

  test('a process ends once its last call has, and not before', () => {
    const worker = fileURLToPath(new URL('limiter-bottleneck.worker.ts', import.meta.url));
    const start = performance.now();
    const { stdout, status } = spawnSync(process.execPath, [worker], { encoding: 'utf8', timeout: 20_000 });
    expect({ stdout, status }).toEqual({ stdout: '12 sent\n', status: 0 });
    // Nine calls, three a window of 300 ms; the places of the other three are held for 5 s, which nobody waits for.
    expect(performance.now() - start).toBeLessThan(4000);
  });
});
