import { expect, test } from 'vitest';
import { SpareBudget } from '../../src/feed/spare-budget.ts';

const pace = { windowMs: 60_000, limit: 100 };
const signal = new AbortController().signal;

/** A budget of 100 requests. The test sets the clock and the number of requests by others. */
function setUp(share = 0.2) {
  const state = { others: 0, queued: 0, now: 0, own: 0 };
  const snapshot = () => ({ limit: 100, used: state.others + state.own, queued: state.queued });
  const limited = new SpareBudget({ pace, snapshot, now: () => state.now });
  const budget = {
    allowed: () => limited.allowed(share),
    spend: (request: () => Promise<void>, signal: AbortSignal) => limited.spend(request, share, signal),
  };
  const spend = async (count: number) => {
    const send = async () => {
      state.own += 1;
    };
    for (let n = 0; n < count; n += 1) await budget.spend(send, signal);
  };
  return { state, budget, spend };
}

test('the spare budget is the full share of the feed if others send no requests', () => {
  expect(setUp().budget.allowed()).toBe(20);
  expect(setUp(1).budget.allowed()).toBe(100);
});

test('the spare budget is at least one request, even if the requests of others use the whole budget', () => {
  expect(setUp(0.001).budget.allowed()).toBe(1);
  const { state, budget } = setUp();
  state.others = 100;
  state.queued = 50;
  expect(budget.allowed()).toBe(1);
});

test.each([
  [50, 20],
  [60, 16],
  [70, 4],
  [80, 1],
])(
  'with a limit of 100 and %i requests by others, whose number varies at random, the spare budget is %i',
  (others, allowed) => {
    const { state, budget } = setUp();
    state.others = others;
    expect(budget.allowed()).toBe(allowed);
  },
);

test('the spare budget does not count the requests of the feed as requests by others', async () => {
  const { state, budget, spend } = setUp();
  state.others = 50;
  await spend(10);
  expect(budget.allowed()).toBe(20);
});

test('the spare budget is the part that others left free in the busiest of the last five windows', () => {
  const { state, budget } = setUp();
  state.others = 95;
  budget.allowed();
  state.others = 0;
  for (let window = 1; window < 5; window += 1) {
    state.now = window * pace.windowMs;
    expect(budget.allowed()).toBe(5);
  }
  state.now = 5 * pace.windowMs;
  expect(budget.allowed()).toBe(20);
});

test('the spare budget has a default limit if the limiter does not report its state', () => {
  const options = { pace, share: 0.2 };
  expect(new SpareBudget({ ...options, snapshot: () => undefined }).allowed(0.2)).toBe(20);
  const unlimited = { limit: Number.POSITIVE_INFINITY, used: 5, queued: 0 };
  expect(new SpareBudget({ ...options, snapshot: () => unlimited }).allowed(1)).toBe(Number.POSITIVE_INFINITY);
});

test('the spare budget delays a request until the window has room, and an abort ends the wait', async () => {
  const { state, budget, spend } = setUp(0.02);
  await spend(2);
  const stopping = new AbortController();
  const waiting = budget.spend(() => Promise.resolve(), stopping.signal);
  stopping.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  state.now = 61_000;
  await spend(1);
});
