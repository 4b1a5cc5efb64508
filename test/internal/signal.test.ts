import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sleep, startTimer } from '../../src/internal/signal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a time limit longer than a timer can last', () => {
  test('ends once, after the full time', () => {
    const onTimeout = vi.fn();
    startTimer(2 ** 31 + 1000, onTimeout);
    vi.advanceTimersByTime(2 ** 31);
    expect(onTimeout).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(onTimeout).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('can be stopped while its second timer runs', () => {
    const onTimeout = vi.fn();
    const stop = startTimer(2 ** 31 + 1000, onTimeout);
    vi.advanceTimersByTime(2 ** 31);
    stop();
    vi.advanceTimersByTime(2 ** 31);
    expect(onTimeout).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a time in the past causes no negative delay, because Node warns about it', async () => {
  const start = vi.spyOn(globalThis, 'setTimeout');
  const waiting = sleep(-5, new AbortController().signal);
  vi.advanceTimersByTime(0);
  await waiting;
  expect(start.mock.calls.map(([, ms]) => ms)).toEqual([0]);
  start.mockRestore();
});
