import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type Claim,
  createRouter,
  createWorker,
  fakeDelivery,
  type HandlerContext,
  type Inbox,
  memoryInbox,
  stream,
  type Worker,
  type WorkerOptions,
} from '../../src/webhooks/index.ts';

const BODY = new TextEncoder().encode(JSON.stringify(fakeDelivery('container.updated')));
const LEASE = 1000;
const TURN = 10;

interface Running extends HandlerContext {
  end(): void;
  fail(error: unknown): void;
}

const workers: Worker[] = [];
afterEach(async () => {
  const stopped = workers.splice(0).map(worker => worker.stop({ timeoutMs: 1 }));
  await vi.advanceTimersByTimeAsync(LEASE);
  await Promise.all(stopped);
  vi.useRealTimers();
});

/** A store that several workers can share. Only the test moves its clock. */
function setUp() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const inbox = memoryInbox({ ephemeral: true });
  const put = (id: string, group = 'g') =>
    inbox.put({ id, event: 'container.updated', group, order: '', body: BODY, receivedAt: 0 });
  return { inbox, put };
}

/** A worker whose handlers run until the test ends them. */
function work(inbox: WorkerOptions['inbox'], over: Partial<WorkerOptions> = {}) {
  const running: Running[] = [];
  const lines: string[] = [];
  const router = createRouter().otherwise(
    (_, context) => new Promise<void>((end, fail) => running.push({ ...context, end, fail })),
  );
  const logger = { warn: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
  const worker = createWorker({ inbox, router, leaseMs: LEASE, pollMs: TURN, minDelay: 1, logger, ...over });
  workers.push(worker);
  worker.start();
  return { running, lines };
}

/** The methods of an inbox as an object, so that a test can override some of them. */
function bound(inbox: Inbox): WorkerOptions['inbox'] {
  return {
    claim: inbox.claim.bind(inbox),
    renew: inbox.renew.bind(inbox),
    done: inbox.done.bind(inbox),
    fail: inbox.fail.bind(inbox),
  };
}

/** An inbox that cannot be reached while the process of the worker is paused. */
function paused(inbox: Inbox) {
  const state = { isPaused: false };
  const reach = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => (state.isPaused ? Promise.reject(new Error('paused')) : call(...args));
  };
  const { claim, renew, done, fail } = bound(inbox);
  return { claim: reach(claim), renew: reach(renew), done: reach(done), fail: reach(fail), state };
}

const NEVER = new Promise<never>(() => {});

async function pass(ms: number) {
  for (let passed = 0; passed < ms; passed += TURN) {
    await vi.advanceTimersByTimeAsync(TURN);
    await new Promise(resolve => setImmediate(resolve));
  }
}

describe('a lease that is lost while its handler runs', () => {
  /** A second worker claims the entry `a`, while the handler of the first worker still runs. */
  async function lose() {
    const { inbox, put } = setUp();
    const away = paused(inbox);
    await put('a');
    const first = work(away, { maxAttempts: 5 });
    await pass(TURN);
    away.state.isPaused = true;
    await pass(LEASE + TURN);
    const second = work(inbox);
    await pass(TURN);
    expect([first.running.length, second.running.length]).toEqual([1, 1]);
    away.state.isPaused = false;
    first.lines.length = 0;
    return { inbox, first, second };
  }

  test('aborts the signal of the handler with a reason, and is reported once', async () => {
    const { first } = await lose();
    const [stale] = first.running;
    expect(stale?.signal?.aborted).toBe(true);
    await pass(LEASE);
    expect(String(stale?.signal?.reason)).toMatch(/lease/);
    stale?.end();
    await pass(LEASE);
    expect(first.lines.filter(line => line.includes('discarded'))).toEqual([
      'container.updated a: attempt 1 is discarded: Another worker has claimed it.',
    ]);
  });

  test.each<[string, (stale: Running | undefined) => void]>([
    ['success', stale => stale?.end()],
    ['failure', stale => stale?.fail(new Error('no'))],
  ])('discards the %s of the handler, and only the newer claim settles', async (_, settle) => {
    const { inbox, first, second } = await lose();
    await pass(LEASE);
    settle(first.running[0]);
    await pass(LEASE * 2);
    expect(first.lines.filter(line => line.includes('attempt 1 failed'))).toEqual([]);
    // Neither worker received the group again.
    expect([first.running.length, second.running.length]).toEqual([1, 1]);
    expect(second.running[0]?.signal?.aborted).toBe(false);
    second.running[0]?.end();
    await pass(TURN * 2);
    expect(second.lines).toEqual([]);
    expect(await inbox.has('a')).toBe(true);
    await pass(LEASE * 2);
    expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
    expect(await inbox.deadLetters()).toEqual([]);
  });

  test('is reported even if the handler ends before the worker has checked the lease', async () => {
    const { first, second } = await lose();
    first.running[0]?.end();
    await pass(TURN);
    expect(first.lines).toContainEqual(expect.stringContaining('a: attempt 1 is discarded'));
    expect(second.running[0]?.signal?.aborted).toBe(false);
  });

  test('gives the later claim a higher number', async () => {
    const { first, second } = await lose();
    expect(first.running[0]?.fence).toBeTypeOf('number');
    expect(second.running[0]?.fence).toBeGreaterThan(first.running[0]?.fence as number);
  });

  test('lets another handler start immediately if the aborted handler ends', async () => {
    const { inbox, put } = setUp();
    const away = paused(inbox);
    await put('a');
    let handled = 0;
    const router = {
      handle(_: unknown, { signal }: HandlerContext = { attempt: 1 }) {
        handled += 1;
        return new Promise<void>((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));
      },
    };
    const lines: string[] = [];
    const logger = { warn: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    const worker = createWorker({ inbox: away, router, leaseMs: LEASE, pollMs: TURN, concurrency: 1, logger }).start();
    workers.push(worker);
    await pass(TURN);
    away.state.isPaused = true;
    await pass(LEASE + TURN);
    const [other] = await inbox.claim({ limit: 1, leaseMs: LEASE * 10 });
    away.state.isPaused = false;
    await pass(LEASE);
    expect(lines.filter(line => line.includes('attempt'))).toEqual([
      expect.stringContaining('attempt 1 must stop'),
      expect.stringContaining('attempt 1 failed'),
    ]);
    await inbox.put({ ...TAKEN.entry, id: 'b', group: 'h' });
    await pass(TURN * 2);
    expect(handled).toBe(2);
    expect(other && (await inbox.done(other))).toBe(true);
  });
});

describe('a worker without access to the store', () => {
  test.each<[string, () => Promise<never>]>([
    ['fail', () => Promise.reject(new Error('down'))],
    ['get no response', () => NEVER],
  ])('aborts the signal at the end of the lease if its renewals %s', async (_, answer) => {
    const { inbox, put } = setUp();
    await put('a');
    const renew = vi.fn(answer);
    const first = work({ ...bound(inbox), renew });
    await pass(LEASE - TURN);
    const second = work(inbox);
    expect(first.running[0]?.signal?.aborted).toBe(false);
    await pass(TURN);
    expect(first.running[0]?.signal?.aborted).toBe(true);
    expect(String(first.running[0]?.signal?.reason)).toMatch(/lease/);
    await pass(LEASE * 5);
    expect(second.running.map(({ attempt }) => attempt)).toEqual([2]);
    expect(first.lines).toEqual(['container.updated a: attempt 1 must stop: The lease was not renewed.']);
  });

  test('tries a renewal three times if it gets no response, and then stops', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const renew = vi.fn(() => NEVER);
    work({ ...bound(inbox), renew });
    await pass(LEASE);
    expect(renew.mock.calls.length).toBeGreaterThan(1);
    await pass(LEASE * 20);
    expect(renew).toHaveBeenCalledTimes(3);
  });

  test.each<[string, () => Promise<never>]>([
    ['fails', () => Promise.reject(new Error('down'))],
    ['gets no response', () => NEVER],
  ])('keeps its lease if one renewal %s, even after a late response to its claim', async (_, answer) => {
    const { inbox, put } = setUp();
    await put('a');
    const claim: Inbox['claim'] = async options => {
      const claims = await inbox.claim(options);
      await new Promise(resolve => setTimeout(resolve, TURN * 10));
      return claims;
    };
    const renew = vi.fn<Inbox['renew']>((taken, options) => inbox.renew(taken, options)).mockImplementationOnce(answer);
    const first = work({ ...bound(inbox), claim, renew });
    const second = work(inbox);
    await pass(LEASE * 4);
    expect([first.running.length, second.running.length]).toEqual([1, 0]);
    expect(first.running[0]?.signal?.aborted).toBe(false);
    expect(first.lines).toEqual([]);
  });

  test('counts the lease from the time of a request, and not from the time of the response', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const answers: ((renewed: boolean) => void)[] = [];
    const renew = vi.fn(() => new Promise<boolean>(resolve => answers.push(resolve)));
    const { running } = work({ ...bound(inbox), renew });
    await pass(LEASE * 0.9);
    answers[1]?.(true);
    answers[0]?.(true);
    await pass(LEASE * 0.7);
    expect(running[0]?.signal?.aborted).toBe(false);
    await pass(LEASE * 0.1);
    expect(running[0]?.signal?.aborted).toBe(true);
  });

  test('reports once that its lease was lost, even if several renewals settle at the same time', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const answers: ((renewed: boolean) => void)[] = [];
    const renew = () => new Promise<boolean>(resolve => answers.push(resolve));
    const { lines } = work({ ...bound(inbox), renew });
    await pass(LEASE * 0.8);
    for (const answer of answers) answer(false);
    await pass(LEASE);
    expect(answers).toHaveLength(2);
    expect(lines).toEqual([expect.stringContaining('a: attempt 1 is discarded')]);
  });
});

describe('a store that is away', () => {
  test('is tried again after waits that grow to half a minute, and the log reports this less and less often', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const store = paused(inbox);
    store.state.isPaused = true;
    const { running, lines } = work(store, { pollMs: 500 });
    await pass(10 * 60_000);
    expect(lines).toEqual([1, 2, 4, 8, 16].map(count => `Inbox failure ${count}: paused`));
    store.state.isPaused = false;
    await pass(31_000);
    expect(lines.slice(5)).toEqual(['The inbox: works again']);
    expect(running).toHaveLength(1);
  });

  test('is tried at once if it wakes the worker', async () => {
    const { inbox, put } = setUp();
    const store = paused(inbox);
    store.state.isPaused = true;
    const { running } = work({ ...store, subscribe: wake => inbox.subscribe?.(wake) ?? (() => {}) }, { pollMs: 500 });
    await pass(10 * 60_000);
    store.state.isPaused = false;
    await put('a');
    await pass(TURN);
    expect(running).toHaveLength(1);
  });
});

describe('a store that does not respond', () => {
  test('makes the worker abandon a claim after the duration of a lease, report this, and claim again', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const late: { reject?: (error: Error) => void } = {};
    const claim = vi
      .fn<Inbox['claim']>(options => inbox.claim(options))
      .mockImplementationOnce(
        () =>
          new Promise((_, reject) => {
            late.reject = reject;
          }),
      );
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { running, lines } = work({ ...bound(inbox), claim });
    await pass(LEASE - TURN);
    expect([lines, claim.mock.calls.length]).toEqual([[], 1]);
    await pass(TURN * 4);
    expect(lines.slice(0, 1)).toEqual([`Inbox failure 1: Not done within ${LEASE} ms.`]);
    expect(running).toHaveLength(1);
    late.reject?.(new Error('reset'));
    await pass(TURN);
    expect(unhandled).not.toHaveBeenCalled();
    process.off('unhandledRejection', unhandled);
  });

  test('makes the worker give back the entries of a claim whose response is late', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const claim = vi.fn<Inbox['claim']>(options => inbox.claim(options)).mockImplementation(() => NEVER);
    claim.mockImplementationOnce(async options => {
      await new Promise(resolve => setTimeout(resolve, LEASE + TURN));
      return inbox.claim(options);
    });
    const first = work({ ...bound(inbox), claim });
    await pass(LEASE + TURN);
    const second = work(inbox);
    await pass(TURN * 3);
    expect(first.running).toEqual([]);
    expect(second.running.map(({ attempt }) => attempt)).toEqual([1]);
  });

  test('never causes a dead letter, even if the responses to claims are always late', async () => {
    const { inbox, put } = setUp();
    await put('a');
    let isSlow = true;
    const claim: Inbox['claim'] = async options => {
      const claims = await inbox.claim(options);
      if (isSlow && claims.length > 0) await new Promise(resolve => setTimeout(resolve, LEASE + TURN / 2));
      return claims;
    };
    const { running } = work({ ...bound(inbox), claim }, { maxAttempts: 2 });
    await pass(LEASE * 8);
    isSlow = false;
    await pass(LEASE * 2);
    expect(await inbox.deadLetters()).toEqual([]);
    expect(running.map(({ attempt }) => attempt)).toEqual([1]);
  });

  test('delays stop() during a claim by at most the duration of a lease', async () => {
    const { inbox } = setUp();
    const worker = createWorker({
      inbox: { ...bound(inbox), claim: () => NEVER },
      router: createRouter(),
      leaseMs: LEASE,
      logger: false,
    }).start();
    const stopped = vi.fn();
    worker.stop().then(stopped);
    await pass(LEASE + TURN);
    expect(stopped).toHaveBeenCalled();
  });

  test.each(['done', 'fail'] as const)('delays the worker during %s by at most a lease', async method => {
    const { inbox, put } = setUp();
    await put('a', 'g');
    await put('b', 'h');
    const { running, lines } = work({ ...bound(inbox), [method]: () => NEVER }, { concurrency: 1 });
    await pass(TURN);
    if (method === 'done') running[0]?.end();
    else running[0]?.fail(new Error('no'));
    await pass(LEASE + TURN);
    expect(running).toHaveLength(2);
    expect(lines).toContain(`a: Not done within ${LEASE} ms.`);
  });
});

describe('a store that fails for a moment', () => {
  test.each(['done', 'fail'] as const)('makes the worker repeat the call of %s, but not the handler', async method => {
    const { inbox, put } = setUp();
    await put('a');
    await put('b');
    const call = vi
      .fn(bound(inbox)[method] as Inbox['fail'])
      .mockRejectedValueOnce(new Error('down'))
      .mockRejectedValueOnce(new Error('down'));
    const { running, lines } = work({ ...bound(inbox), [method]: call }, { maxAttempts: 1 });
    await pass(TURN);
    if (method === 'done') running[0]?.end();
    else running[0]?.fail(new Error('no'));
    await pass(LEASE / 4);
    expect(running.map(({ attempt }) => attempt)).toEqual([1, 1]);
    expect(call).toHaveBeenCalledTimes(3);
    expect(lines.filter(line => line.includes('down'))).toEqual([]);
  });

  test('is reported if it fails for the duration of a lease, and the entry is then handled again', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const done = vi.fn<Inbox['done']>().mockRejectedValue(new Error('down'));
    const { running, lines } = work({ ...bound(inbox), done });
    await pass(TURN);
    running[0]?.end();
    await pass(LEASE + TURN);
    expect(done.mock.calls.length).toBeGreaterThan(3);
    expect(done.mock.calls.length).toBeLessThan(12);
    expect(lines).toEqual(['a: down']);
    await pass(TURN * 10);
    expect(running.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe('suspects', () => {
  /** Stores `count` entries that a crashed process had claimed, and `count` new entries. */
  async function leave(count: number) {
    const { inbox, put } = setUp();
    for (let n = 0; n < count; n += 1) await put(`suspect ${n}`, `s${n}`);
    await inbox.claim({ limit: count, leaseMs: TURN, begins: true });
    await pass(TURN * 2);
    for (let n = 0; n < count; n += 1) await put(`new ${n}`, `n${n}`);
    return inbox;
  }
  const attempts = (running: Running[]) => running.map(({ attempt }) => attempt);

  test('are handled alone, one after another, while all other entries wait', async () => {
    const inbox = await leave(2);
    const { running } = work(inbox, { concurrency: 3, maxAttempts: 1 });
    await pass(TURN * 2);
    expect(attempts(running)).toEqual([1]);
    await pass(LEASE * 2);
    running[0]?.end();
    await pass(TURN * 2);
    expect(attempts(running)).toEqual([1, 2]);
    running[1]?.end();
    await pass(TURN * 2);
    expect(attempts(running)).toEqual([1, 2, 2]);
    running[2]?.end();
    await pass(TURN * 2);
    expect(attempts(running)).toEqual([1, 2, 2, 1]);
    running[3]?.end();
    await pass(TURN * 2);
    expect(await inbox.stats?.()).toEqual({ open: 0, dead: 0 });
  });

  test('are given back when the worker stops, and do not lose an attempt', async () => {
    const inbox = await leave(2);
    const { running } = work(inbox, { concurrency: 2 });
    await pass(TURN * 2);
    const stopped = workers.at(-1)?.stop();
    running[0]?.end();
    await pass(TURN * 2);
    await stopped;
    expect(attempts(running)).toEqual([2]);
    const claims = await inbox.claim({ limit: 5, leaseMs: LEASE, begins: true });
    expect(claims.map(({ entry, attempt, begunAlone }) => [entry.id, attempt, begunAlone]).sort()).toEqual([
      ['new 0', 1, undefined],
      ['new 1', 1, undefined],
      ['suspect 1', 2, 0],
    ]);
  });

  test('with the fewest attempts come first', async () => {
    const inbox = await leave(3);
    const claims = await inbox.claim({ limit: 3, leaseMs: TURN, begins: true });
    for (const claim of claims.slice(0, 2)) await inbox.begin?.(claim);
    await pass(TURN * 2);
    const { running } = work(inbox, { concurrency: 3 });
    for (let n = 0; n < 3; n += 1) {
      await pass(TURN * 2);
      running[n]?.end();
    }
    expect(attempts(running)).toEqual([2, 3, 3]);
  });

  test('are not handled if `begin` fails', async () => {
    const inbox = await leave(1);
    const { running, lines } = work({ ...bound(inbox), begin: () => Promise.reject(new Error('down')) });
    await pass(TURN);
    running[0]?.end();
    await pass(LEASE + TURN);
    expect(attempts(running)).toEqual([1]);
    expect(lines).toEqual(['suspect 0: down']);
  });
});

test('an entry does not become a dead letter if its lease was lost, and this is reported', async () => {
  const { inbox } = setUp();
  const claims = [[{ ...TAKEN, entry: { ...TAKEN.entry, body: new Uint8Array() } }]];
  const { lines } = work({ ...bound(inbox), claim: async () => claims.shift() ?? [], fail: async () => false });
  await pass(TURN * 2);
  expect(lines).toEqual([
    expect.stringContaining('x: attempt 1 failed'),
    expect.stringContaining('x: attempt 1 is discarded'),
  ]);
});

describe('a worker that was paused for longer than its lease', () => {
  test('does not claim its own entries again, and its late result counts if nobody else has claimed the entry', async () => {
    const { inbox, put } = setUp();
    const away = paused(inbox);
    await put('a');
    await put('b');
    const { running, lines } = work({ ...away, renew: () => Promise.reject(new Error('paused')) });
    await pass(LEASE * 5);
    expect(running.map(({ attempt }) => attempt)).toEqual([1]);
    running[0]?.end();
    await pass(TURN * 3);
    expect(running).toHaveLength(2);
    running[1]?.end();
    await pass(TURN * 3);
    expect(lines).toEqual([expect.stringContaining('a: attempt 1 must stop')]);
    expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
  });

  test('if the inbox ignores `except`, gives back a group that the worker still handles', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const claim: Inbox['claim'] = ({ limit, leaseMs }) => inbox.claim({ limit, leaseMs });
    const state = { isPaused: true };
    const renew: Inbox['renew'] = async (taken, options) => {
      if (state.isPaused) throw new Error('paused');
      return inbox.renew(taken, options);
    };
    const { running } = work({ ...bound(inbox), claim, renew });
    await pass(LEASE * 3);
    expect(running).toHaveLength(1);
    state.isPaused = false;
    await pass(LEASE);
    expect(running[0]?.signal?.aborted).toBe(true);
    running[0]?.end();
    await pass(LEASE * 3);
    expect(running.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(running[1]?.fence).toBeGreaterThan(running[0]?.fence as number);
    running[1]?.end();
    await pass(TURN * 2);
    expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
    expect(await inbox.put({ ...TAKEN.entry, id: 'a' })).toBe('duplicate');
  });
});

describe('the stream', () => {
  test('has, in each iteration, a context with the attempt and the number of the claim, but has no context outside its loop', async () => {
    const { inbox, put } = setUp();
    await put('a');
    await put('b');
    const notifications = inbox.stream({ leaseMs: LEASE, pollMs: TURN, minDelay: 1, logger: false });
    expect(notifications.context).toBeUndefined();
    const seen: unknown[] = [];
    const loop = async () => {
      for await (const _ of notifications) {
        const { attempt, fence, signal } = notifications.context ?? {};
        seen.push([attempt, fence, signal?.aborted]);
        if (seen.length === 2) break;
      }
    };
    const left = loop();
    await pass(TURN * 5);
    await left;
    expect(seen).toEqual([
      [1, 1, false],
      [1, 2, false],
    ]);
    expect(notifications.context).toBeUndefined();
  });

  test('aborts the signal in its context when the lease has ended, and discards the result after a newer claim', async () => {
    const { inbox, put } = setUp();
    await put('a');
    const away = paused(inbox);
    const lines: string[] = [];
    const logger = { warn: (line: string) => lines.push(line), error() {} };
    const notifications = stream(away, { leaseMs: LEASE, pollMs: TURN, minDelay: 1, logger });
    const first = notifications.next();
    await pass(TURN);
    await first;
    const { signal, fence } = notifications.context ?? {};
    away.state.isPaused = true;
    await pass(LEASE);
    expect(signal?.aborted).toBe(true);
    const { running } = work(inbox);
    await pass(TURN);
    expect(running[0]?.fence).toBeGreaterThan(fence as number);
    away.state.isPaused = false;
    const second = notifications.next();
    await pass(TURN);
    expect(lines.join()).toMatch(/attempt 1 must stop.*attempt 1 is discarded/);
    running[0]?.end();
    await notifications.return();
    expect(await second).toEqual({ done: true, value: undefined });
    expect(await inbox.stats?.()).toEqual({ open: 0, dead: 0 });
  });
});

test('a late response to a renewal is not reported as a lost lease if the handler has ended', async () => {
  const { inbox, put } = setUp();
  await put('a');
  let answer = (_: boolean) => {};
  const renew = () =>
    new Promise<boolean>(resolve => {
      answer = resolve;
    });
  const { running, lines } = work({ ...bound(inbox), renew });
  await pass(LEASE / 2);
  running[0]?.end();
  await pass(TURN);
  answer(false);
  await pass(TURN);
  expect(lines).toEqual([]);
  expect(await inbox.claim({ limit: 1, leaseMs: 1 })).toEqual([]);
});

const TAKEN: Claim = {
  entry: { id: 'x', event: 'container.updated', group: 'g', order: '', body: BODY, receivedAt: 0 },
  attempt: 1,
  lease: 'l',
};

test.each([Number.NaN, undefined])(
  'an entry with the attempt %s becomes a dead letter, and is not tried for ever',
  async attempt => {
    setUp();
    const settled: unknown[] = [];
    const claims = [[{ ...TAKEN, attempt: attempt as number }]];
    const { running } = work({
      claim: async () => claims.shift() ?? [],
      renew: async () => true,
      done: async () => true,
      fail: async (_, { retryInMs }) => settled.push(retryInMs) > 0,
    });
    await pass(TURN * 3);
    expect(running).toEqual([]);
    expect(settled).toEqual([undefined]);
  },
);
