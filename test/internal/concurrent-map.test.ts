import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ConcurrentMapOptions, concurrentMap, type Outcome } from '../../src/internal/concurrent-map.ts';

const REASON = new Error('enough');

interface Running {
  item: string;
  signal: AbortSignal;
  finish: (ok: boolean) => void;
}

/** A mapping function whose calls are ended by the test or by their signal. */
function controlledRun() {
  const running: Running[] = [];
  const finished: string[] = [];
  const started: string[] = [];
  const run = (item: string, _index: number, signal: AbortSignal) =>
    new Promise<{ value: string }>((resolve, reject) => {
      const call: Running = {
        item,
        signal,
        finish(ok) {
          finished.push(item);
          running.splice(running.indexOf(call), 1);
          if (ok) resolve({ value: `${item}!` });
          else reject(signal.aborted ? signal.reason : item);
        },
      };
      started.push(item);
      running.push(call);
      if (signal.aborted) call.finish(false);
      else signal.addEventListener('abort', () => running.includes(call) && call.finish(false), { once: true });
    });
  return { run, running, started, finished };
}

/** Items that count their reads, and record whether they were closed. */
function countedItems(count: number) {
  const state = { taken: 0, isClosed: false };
  function* items() {
    try {
      while (state.taken < count) yield `item ${state.taken++}`;
    } finally {
      state.isClosed = true;
    }
  }
  return { state, items };
}

async function* slowly<T>(items: Iterable<T>) {
  for (const item of items) {
    await setImmediate();
    yield item;
  }
}

/** Collects all outcomes, and the error at their end. */
function collect<T, R extends object>(outcomes: AsyncIterable<Outcome<T, R>>) {
  const seen: Outcome<T, R>[] = [];
  const state = { seen, isEnded: false, error: undefined as unknown };
  const done = (async () => {
    try {
      for await (const outcome of outcomes) seen.push(outcome);
    } catch (error) {
      state.error = error;
    }
    state.isEnded = true;
  })();
  return { state, done };
}

const OPTIONS: ConcurrentMapOptions = { concurrency: 3, startNext: 'at-yield', signal: undefined };
const MODES = ['at-yield', 'on-demand'] as const;

/** The running call that ends next, and its outcome. */
const steps = fc.infiniteStream(fc.record({ which: fc.nat(), ok: fc.boolean() }));
const setup = {
  count: fc.nat({ max: 12 }),
  concurrency: fc.integer({ min: 1, max: 5 }),
  startNext: fc.constantFrom(...MODES),
  isAsync: fc.boolean(),
  steps,
};

test('each item has one outcome, in the order of completion, and at most `concurrency` calls run at a time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(setup), async ({ count, isAsync, steps, ...options }) => {
      const { state: source, items } = countedItems(count);
      const { run, running, finished } = controlledRun();
      const controller = new AbortController();
      const { signal } = controller;
      const source$ = isAsync ? slowly(items()) : items();
      const { state, done } = collect(concurrentMap(source$, { ...options, signal }, run));
      const expected: unknown[] = [];
      while (expected.length < count) {
        for (let turns = 0; turns < 3 * options.concurrency; turns += 1) await setImmediate();
        // Exactly the allowed number of calls runs.
        expect(running).toHaveLength(Math.min(options.concurrency, count - expected.length));
        expect(source.taken).toBe(Math.min(count, expected.length + options.concurrency));
        const { which, ok } = steps.next().value;
        const { item, finish } = running[which % running.length] as Running;
        const index = Number(item.slice(5));
        expected.push(ok ? { item, index, ok, value: `${item}!` } : { item, index, ok, error: item });
        finish(ok);
      }
      await done;
      expect(state).toEqual({ seen: expected, isEnded: true, error: undefined });
      expect(new Set(finished).size).toBe(count);
      expect(source.isClosed).toBe(true);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }),
    { numRuns: 60 },
  );
});

test('after an abort at any time, each item that was read has one outcome, and then the iteration throws the reason of the abort', async () => {
  const abort = { abortAfter: fc.nat({ max: 40 }) };
  await fc.assert(
    fc.asyncProperty(fc.record({ ...setup, ...abort }), async ({ count, isAsync, steps, abortAfter, ...options }) => {
      const { state: source, items } = countedItems(count);
      const { run, running, started, finished } = controlledRun();
      const controller = new AbortController();
      const { signal } = controller;
      const source$ = isAsync ? slowly(items()) : items();
      const { state, done } = collect(concurrentMap(source$, { ...options, signal }, run));
      for (let turn = 0; turn < abortAfter && !state.isEnded; turn += 1) {
        // The abort may also come between two microtasks.
        await (turn % 2 ? setImmediate() : undefined);
        const { which, ok } = steps.next().value;
        if (running.length > 0 && which % 3 === 0) running[which % running.length]?.finish(ok);
      }
      const isEnded = state.isEnded;
      controller.abort(REASON);
      await done;
      expect(state.error).toBe(isEnded ? undefined : REASON);
      expect(state.seen.map(({ item }) => item)).toEqual(finished);
      expect(finished.toSorted()).toEqual(started.toSorted());
      expect(running).toEqual([]);
      const { taken } = source;
      await setImmediate();
      await setImmediate();
      expect(source.taken).toBe(taken);
      expect(source.isClosed || taken === 0).toBe(true);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }),
    { numRuns: 150 },
  );
});

test.each(MODES)('the running calls end and the items are closed if the consumer stops (%s)', async startNext => {
  const { state: source, items } = countedItems(50);
  const { run, running, started } = controlledRun();
  const { signal } = new AbortController();
  const outcomes = concurrentMap(items(), { ...OPTIONS, startNext, signal }, run);
  const first = outcomes.next();
  await setImmediate();
  const signals = running.map(({ signal }) => signal);
  running[1]?.finish(true);
  expect(await first).toMatchObject({ value: { index: 1, ok: true } });
  await outcomes.return();
  await setImmediate();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  expect(running).toEqual([]);
  expect(source).toEqual({ taken: started.length, isClosed: true });
  expect(await outcomes.next()).toEqual({ done: true, value: undefined });
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

describe('while the consumer is busy with an outcome', () => {
  test.each([
    ['at-yield', 4],
    ['on-demand', 3],
  ] as const)('%s: %i calls have started', async (startNext, count) => {
    const { items } = countedItems(50);
    const { run, running, started } = controlledRun();
    const outcomes = concurrentMap(items(), { ...OPTIONS, startNext }, run);
    const first = outcomes.next();
    await setImmediate();
    running[0]?.finish(true);
    await first;
    // A call that ends at this time waits for the consumer, and no other call can start.
    for (const call of [...running]) call.finish(true);
    await setImmediate();
    expect(started).toHaveLength(count);
    const second = outcomes.next();
    await second;
    await setImmediate();
    expect(started).toHaveLength(count + 1);
    await outcomes.return();
  });
});

describe('items that throw', () => {
  async function* later(items: Iterable<string>) {
    yield* items;
    throw REASON;
  }
  function* atOnce(items: Iterable<string>) {
    yield* items;
    throw REASON;
  }

  test.each([
    ['later', later],
    ['immediately', atOnce],
  ])('%s: running calls continue, then the error is thrown', async (_, broken) => {
    const { run, running } = controlledRun();
    const { state, done } = collect(concurrentMap(broken(['item 0', 'item 1']), OPTIONS, run));
    await setImmediate();
    expect(running.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    running[1]?.finish(true);
    await setImmediate();
    expect(state).toMatchObject({ seen: [{ index: 1 }], isEnded: false });
    running[0]?.finish(true);
    await done;
    expect(state).toMatchObject({ seen: [{ index: 1 }, { index: 0 }], error: REASON });
  });

  test('in their return(): a consumer that stops gets no error', async () => {
    const { run, running } = controlledRun();
    function* items() {
      try {
        yield 'item 0';
        yield 'item 1';
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: this case is tested.
        throw REASON;
      }
    }
    const outcomes = concurrentMap(items(), { ...OPTIONS, concurrency: 1, startNext: 'on-demand' }, run);
    const first = outcomes.next();
    await setImmediate();
    running[0]?.finish(true);
    await first;
    expect(await outcomes.return()).toEqual({ done: true, value: undefined });
  });

  test('before the first item: the error is thrown', async () => {
    const { run, started } = controlledRun();
    const { state, done } = collect(concurrentMap(atOnce([]), OPTIONS, run));
    await done;
    expect([state.error, started]).toEqual([REASON, []]);
  });
});

describe('items that hang', () => {
  /** One item, followed by a pending promise. Closing hangs too. */
  function hanging() {
    const state = { isClosed: false };
    let count = 0;
    const forever = new Promise<never>(() => {});
    const iterator = {
      next: () => (count++ === 0 ? Promise.resolve({ done: false as const, value: 'item 0' }) : forever),
      return: () => {
        state.isClosed = true;
        return forever;
      },
    };
    return { state, items: { [Symbol.asyncIterator]: () => iterator } };
  }

  test('do not delay the outcomes of earlier items, or a consumer that stops', async () => {
    const { state: source, items } = hanging();
    const { run, running } = controlledRun();
    const outcomes = concurrentMap(items, OPTIONS, run);
    const first = outcomes.next();
    await setImmediate();
    running[0]?.finish(true);
    expect(await first).toMatchObject({ value: { index: 0, ok: true } });
    await outcomes.return();
    expect(source.isClosed).toBe(true);
  });

  test('do not delay an abort', async () => {
    const { state: source, items } = hanging();
    const { run, running } = controlledRun();
    const controller = new AbortController();
    const { signal } = controller;
    const { state, done } = collect(concurrentMap(items, { ...OPTIONS, signal }, run));
    await setImmediate();
    running[0]?.finish(true);
    await setImmediate();
    controller.abort(REASON);
    await done;
    expect(state).toMatchObject({ seen: [{ index: 0, ok: true }], error: REASON });
    expect(source.isClosed).toBe(true);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

test('an aborted signal prevents the reading of items', async () => {
  const { state: source, items } = countedItems(3);
  const { run } = controlledRun();
  const { state, done } = collect(concurrentMap(items(), { ...OPTIONS, signal: AbortSignal.abort(REASON) }, run));
  await done;
  expect([state.error, state.seen, source.taken]).toEqual([REASON, [], 0]);
});

test('a function that throws synchronously makes only its item fail', async () => {
  const run = (item: string) => {
    if (item === 'item 1') throw REASON;
    return Promise.resolve({});
  };
  const { state, done } = collect(concurrentMap(countedItems(3).items(), OPTIONS, run));
  await done;
  const byIndex = state.seen.toSorted((a, b) => a.index - b.index);
  expect(byIndex.map(({ ok }) => ok)).toEqual([true, false, true]);
  expect(state.error).toBeUndefined();
});
