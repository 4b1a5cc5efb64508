import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Cached } from '../../src/internal/cached.ts';
import { rejection } from '../../support/client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Call {
  resolve: (value: number) => void;
  reject: (reason: unknown) => void;
}

/** A load function whose calls are settled by the test. */
function load() {
  const calls: Call[] = [];
  const start = () => new Promise<number>((resolve, reject) => calls.push({ resolve, reject }));
  return { calls, start };
}

test('simultaneous callers share one load, and later callers receive its value', async () => {
  const { calls, start } = load();
  const cached = new Cached(start);
  const both = Promise.all([cached.get(), cached.get()]);
  calls[0]?.resolve(7);
  expect(await both).toEqual([7, 7]);
  expect(await cached.get()).toBe(7);
  expect(calls).toHaveLength(1);
});

test('a value is loaded again after it has expired', async () => {
  const { calls, start } = load();
  const cached = new Cached(start, 1000);
  const first = cached.get();
  calls[0]?.resolve(1);
  await first;
  vi.advanceTimersByTime(999);
  expect(await cached.get()).toBe(1);
  vi.advanceTimersByTime(1);
  const second = cached.get();
  calls[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('a failure rejects all waiting callers and is not cached', async () => {
  const { calls, start } = load();
  const cached = new Cached(start);
  const failed = Promise.all([rejection(cached.get()), rejection(cached.get())]);
  const error = new Error('down');
  calls[0]?.reject(error);
  expect(await failed).toEqual([error, error]);
  const next = cached.get();
  calls[1]?.resolve(3);
  expect(await next).toBe(3);
});

test('an abort ends the wait of a single caller, and leaves no timer', async () => {
  const { calls, start } = load();
  const cached = new Cached(start);
  const controller = new AbortController();
  const one = rejection(cached.get(controller.signal));
  const other = cached.get();
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await one).toBe(reason);
  calls[0]?.resolve(5);
  expect(await other).toBe(5);
  expect(vi.getTimerCount()).toBe(0);
});

describe('in a Worker', () => {
  beforeEach(() => void vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' }));
  afterEach(() => void vi.unstubAllGlobals());

  test('a caller does not wait for the load of another request, which may have been cancelled', async () => {
    const { calls, start } = load();
    const cached = new Cached(start);
    void cached.get();
    const value = cached.get();
    calls[1]?.resolve(9);
    expect(await value).toBe(9);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('later callers share the value of a load that has ended, even if a newer load never ends', async () => {
    const { calls, start } = load();
    const cached = new Cached(start);
    const value = cached.get();
    void cached.get();
    calls[0]?.resolve(9);
    expect([await value, await cached.get(), calls.length]).toEqual([9, 9, 2]);
  });
});
