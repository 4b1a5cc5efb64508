import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRollingWindowLimiter } from '../../src/rate-limit/rolling-window.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const WINDOW = 500;

interface Call {
  /** Time of the call, in ms. */
  at: number;
  latency: number;
  /** Time at which the service counts the request, as a fraction of the latency. */
  counted: number;
  bulk: boolean;
  /** Time in ms after which the caller aborts. */
  abortAfter: number | undefined;
}

const call: fc.Arbitrary<Call> = fc.record({
  at: fc.nat(1500),
  latency: fc.oneof(fc.nat(20), fc.nat(400)),
  counted: fc.double({ min: 0, max: 1, noNaN: true }),
  bulk: fc.boolean(),
  abortAfter: fc.option(fc.nat(2000), { nil: undefined, freq: 4 }),
});

/** Runs the calls against a service that only logs, and returns its log with the outcome of each call. */
async function run(calls: Call[], limit: number, maxInFlight: number, handOver: boolean) {
  const limits = { default: limit, createTrackingRequest: 1, inferNumber: 1, refreshContainer: 1 };
  const limiter = createRollingWindowLimiter({ windowMs: WINDOW, limits, maxInFlight, handOver });
  const start = performance.now();
  const counted: number[] = [];
  let inFlight = 0;
  let mostInFlight = 0;
  let aborted = 0;
  let done = 0;
  const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

  const all = calls.map(async one => {
    await sleep(one.at);
    const controller = new AbortController();
    if (one.abortAfter !== undefined) setTimeout(() => controller.abort(), one.abortAfter);
    try {
      const priority = one.bulk ? 'bulk' : 'interactive';
      const slot = await limiter.acquire({ bucket: 'default', priority, signal: controller.signal });
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
      counted.push(performance.now() - start + one.latency * one.counted);
      await sleep(one.latency);
      inFlight -= 1;
      slot.release();
      done += 1;
    } catch {
      aborted += 1;
    }
  });
  await vi.runAllTimersAsync();
  await Promise.all(all);
  counted.sort((a, b) => a - b);
  return { counted, mostInFlight, aborted, done, snapshot: limiter.snapshot().default };
}

describe.each([
  ['with hand-over', true],
  ['without hand-over', false],
])('%s, for any arrivals, latencies and aborts', (_name, handOver) => {
  test('the service never counts more than the limit in a window, and every call ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 8 }),
        async (calls, limit, maxInFlight) => {
          const result = await run(calls, limit, maxInFlight, handOver);
          for (let i = limit; i < result.counted.length; i++) {
            expect((result.counted[i] ?? 0) - (result.counted[i - limit] ?? 0)).toBeGreaterThan(WINDOW);
          }
          expect(result.mostInFlight).toBeLessThanOrEqual(maxInFlight);
          expect(result.done + result.aborted).toBe(calls.length);
          expect(result.snapshot.queued).toBe(0);
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('no slot stays unused while a call waits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 10 }),
        async (count, limit, latency) => {
          const burst = Array.from({ length: count }, () => ({
            at: 0,
            latency,
            counted: 1,
            bulk: false,
            abortAfter: undefined,
          }));
          const { counted } = await run(burst, limit, 32, handOver);
          const rounds = Math.ceil(count / limit);
          const start = counted[0] ?? 0;
          // Each round may take one more millisecond, because timers count whole milliseconds.
          const ideal = (rounds - 1) * (WINDOW + 2 + latency + 1);
          expect((counted.at(-1) ?? 0) - start).toBeLessThanOrEqual(ideal);
        },
      ),
      { numRuns: 40 },
    );
  });
});
