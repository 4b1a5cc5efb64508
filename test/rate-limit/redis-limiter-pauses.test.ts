import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { redisLimiter } from '../../src/rate-limit/redis/redis-limiter.ts';
import { type IdleClock, startIdleClock } from '../../support/idle-clock.ts';
import { hasProgram } from '../../support/needs.ts';
import { LIMIT } from '../../support/outages.ts';
import { pauseAgainAndAgain, pauses } from '../../support/pauses.ts';

const WINDOW = 300;
const LEASE = 400;
const EPOCH = '1';

interface Exchange {
  requested: number;
  /** The id of each reported slot, and the time in ms until the slot is free. */
  reported: Record<string, number>;
}

/** Simulates a stopped process: the clock advances, but no code runs. */
function stopFor(ms: number, clocks: 'all' | 'without the monotonic one' = 'all'): void {
  if (clocks === 'all') {
    const { now } = performance;
    performance.now = () => now.call(performance) + ms;
    onTestFinished(() => {
      performance.now = now;
    });
  }
  vi.setSystemTime(Date.now() + ms);
}

/** A Redis that gives its n-th grant after `delays[n]` ms, and responds when `answering` allows it. */
function setUp(
  clock: IdleClock,
  delays: number[],
  answering: (n: number) => Promise<unknown> | undefined = () => undefined,
) {
  const exchanges: Exchange[] = [];
  const warn = vi.fn();
  let granted = 0;
  const client = {
    async eval(_: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) {
      // A call with a single key only checks the connection to Redis.
      if (keys.length === 1) return [];
      const reports = args.slice(12);
      const reported: Record<string, number> = {};
      for (let i = 0; i < reports.length; i += 2) reported[reports[i] ?? ''] = Number(reports[i + 1]);
      const requested = Number(args[9]);
      exchanges.push({ requested, reported });
      const grants = requested > 0 ? [`slot ${granted}`, delays[granted++] ?? 0] : [];
      const reply = [Date.now(), EPOCH, granted, '1.000000', 1, 0, 0, 0, ...grants];
      await answering(exchanges.length);
      return reply;
    },
    evalSha() {},
  };
  const limiter = redisLimiter({ client, windowMs: WINDOW, leaseMs: LEASE, storeTimeoutMs: 100, warn });
  const take = () => limiter.acquire({ bucket: 'default', priority: 'interactive' });
  const asked = () => exchanges.filter(({ requested }) => requested > 0);
  /** The slot of a request that was sent. */
  const used = async () => {
    (await take()).release();
    await clock.sleep(100);
    const ids = exchanges.flatMap(({ reported }) => Object.entries(reported));
    return ids.filter(([, ms]) => ms > 0).map(([id]) => id);
  };
  return { exchanges, asked, take, used, warn };
}

describe('a process that was stopped for longer than the lease and the window', () => {
  let clock: IdleClock;
  beforeEach(() => {
    clock = startIdleClock();
  });
  test.each(['all', 'without the monotonic one'] as const)(
    'gives back its old slot, and requests a new slot (running clocks: %s)',
    async clocks => {
      const { exchanges, asked, used } = setUp(clock, [50, 0]);
      const using = used();
      while (asked().length === 0) await clock.sleep(1);
      await clock.sleep(10);
      stopFor(LEASE + WINDOW, clocks);
      expect(await using).toEqual(['slot 1']);
      expect(exchanges[1]).toMatchObject({ requested: 1, reported: { 'slot 0': 0 } });
    },
  );

  test('ignores the slots of a response that arrived during the stop, and does not treat Redis as unavailable', async () => {
    let answer = () => {};
    const { asked, used, warn } = setUp(clock, [0, 0], n =>
      n === 1 ? new Promise<void>(resolve => (answer = resolve)) : undefined,
    );
    const using = used();
    while (asked().length === 0) await clock.sleep(1);
    stopFor(LEASE + WINDOW);
    // After the stop, the timers are late, and may fire before the data is read.
    await clock.sleep(150);
    answer();
    expect(await using).toEqual(['slot 1']);
    expect(warn).not.toHaveBeenCalled();
  });

  test('immediately uses a slot that was granted after the stop', async () => {
    const { asked, used } = setUp(clock, [0, 0]);
    stopFor(LEASE + WINDOW);
    expect(await used()).toEqual(['slot 0']);
    expect(asked()).toHaveLength(1);
  });

  test('reports a slot again in its next call to Redis, because its request may be sent only after the stop', async () => {
    const { exchanges, take } = setUp(clock, [0, 0]);
    await take();
    stopFor(LEASE + 1);
    (await take()).release({ unsent: true });
    expect(exchanges[1]?.requested).toBe(1);
    expect(exchanges[1]?.reported['slot 0']).toBeGreaterThanOrEqual(WINDOW);
  });

  test('reports a slot only once, even if it is never released', async () => {
    const { exchanges, take } = setUp(clock, [0, 0, 0, 0]);
    await take();
    for (let n = 0; n < 3; n++) {
      stopFor(LEASE + WINDOW);
      (await take()).release();
    }
    expect(exchanges.filter(({ reported }) => 'slot 0' in reported)).toHaveLength(1);
  });

  test('sends a request to Redis again before it continues without Redis', async () => {
    let isDown = true;
    const { asked, take, warn } = setUp(clock, [0, 0], () => (isDown ? Promise.reject(new Error('away')) : undefined));
    (await take()).release();
    expect(warn.mock.calls).toEqual([[expect.stringContaining('(away)')]]);
    const before = asked().length;
    (await take()).release();
    expect(asked()).toHaveLength(before);
    const slot = await take();
    isDown = false;
    const next = take();
    stopFor(20 * WINDOW);
    slot.release();
    (await next).release();
    expect(asked().length).toBeGreaterThan(before);
  });
});

test.skipIf(!hasProgram('redis-server'))(
  'four processes stay within the budget while they are stopped one after the other',
  async () => {
    const { limited, answered } = await pauseAgainAndAgain(pauses['pauses past lease and window'] ?? []);
    expect(limited).toBe(0);
    expect(answered).toBeGreaterThan(LIMIT);
  },
  180_000,
);
