import { afterEach, expect, test, vi } from 'vitest';
import { SharedWindow } from '../../src/rate-limit/redis/shared-window.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('during an outage, a limiter keeps at most the slots of the last windows and leases', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const sent: string[][] = [];
  const client = {
    async eval(_: string, { arguments: args }: { arguments: string[] }) {
      sent.push(args);
      throw new Error('away');
    },
    evalSha() {},
  };
  const limits = { default: 50, refreshContainer: 1, createTrackingRequest: 1, inferNumber: 1 };
  const shared = new SharedWindow({
    client,
    key: 'key',
    limits,
    cycleMs: 1000,
    leaseMs: 500,
    timeoutMs: 1000,
    isBusy: () => false,
    isWaiting: () => false,
    warn() {},
  });
  shared.isOnline = false;
  for (let n = 0; n < 1000; n++) {
    vi.advanceTimersByTime(20);
    const id = shared.takeAlone('default');
    // The other half of the calls never ends.
    if (n % 2 === 0) shared.settle('default', id, 1000);
  }
  // When Redis is available again, the limiter reports all kept slots.
  shared.isOnline = true;
  await expect(shared.ask('default', 0)).rejects.toThrow('away');
  const kept = ((sent[0]?.length ?? 0) - 12) / 2;
  expect(kept).toBeGreaterThanOrEqual(50);
  // Each slot is kept for 1 s or 1.5 s, and for at most 1 s more until the next cleanup.
  expect(kept).toBeLessThanOrEqual(50 + 25 / 2 + 50 + 1);
});
