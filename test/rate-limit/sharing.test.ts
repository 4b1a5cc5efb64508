import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { sharedBudget } from '../../src/rate-limit/budget.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const LIMITS = { default: 100, createTrackingRequest: 100, inferNumber: 200, refreshContainer: 10 };
const baseUrl = 'https://api.example.com/v2';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('sharedBudget', () => {
  test('is one budget for the same key and base URL, with or without a trailing slash', () => {
    const first = sharedBudget({ baseUrl, credential: 'one', limits: LIMITS });
    expect(sharedBudget({ baseUrl: `${baseUrl}/`, credential: 'one', limits: LIMITS })).toBe(first);
    expect(sharedBudget({ baseUrl, credential: 'two', limits: LIMITS })).not.toBe(first);
    expect(sharedBudget({ baseUrl: `${baseUrl}1`, credential: 'one', limits: LIMITS })).not.toBe(first);
  });

  test('is shared only by clients with the same token function', () => {
    const token = () => 'token';
    const first = sharedBudget({ baseUrl, credential: token, limits: LIMITS });
    expect(sharedBudget({ baseUrl, credential: token, limits: LIMITS })).toBe(first);
    expect(sharedBudget({ baseUrl, credential: () => 'token', limits: LIMITS })).not.toBe(first);
  });

  test('uses the lower limit and the longer window if options differ, and warns once', () => {
    const warn = vi.fn();
    const first = sharedBudget({ baseUrl, credential: 'disagreeing', limits: LIMITS, warn });
    for (const limit of [40, 60]) {
      sharedBudget({
        baseUrl,
        credential: 'disagreeing',
        limits: { ...LIMITS, default: limit },
        windowMs: 70_000,
        warn,
      });
    }
    expect(first.snapshot().default.limit).toBe(40);
    expect(first.snapshot().inferNumber.limit).toBe(200);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('default, windowMs')]]);
  });

  test('uses the lower maxQueue', async () => {
    const warn = vi.fn();
    const options = { baseUrl, credential: 'short queue', limits: { ...LIMITS, default: 1 }, warn };
    const first = sharedBudget(options);
    sharedBudget({ ...options, maxQueue: 0 });
    sharedBudget(options);
    await first.acquire({ bucket: 'default', priority: 'bulk' });
    const second = first.acquire({
      bucket: 'default',
      priority: 'bulk',
      maxWaitMs: 100_000,
      signal: AbortSignal.timeout(50),
    });
    await expect(second).rejects.toMatchObject({ code: 'queue_full' });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('(maxQueue)')]]);
  });

  test('does not warn clients with equal options', () => {
    const warn = vi.fn();
    for (let i = 0; i < 3; i++) sharedBudget({ baseUrl, credential: 'agreeing', limits: LIMITS, warn });
    expect(warn).not.toHaveBeenCalled();
  });

  test('still counts used slots even after unused budgets were dropped', async () => {
    const credential = 'idle at first';
    async function clientThatIsDropped() {
      const limiter = sharedBudget({ baseUrl, credential, limits: LIMITS });
      for (let i = 0; i < 100; i++) sharedBudget({ baseUrl, credential: `other ${i}`, limits: LIMITS });
      (await limiter.acquire({ bucket: 'default', priority: 'bulk' })).release();
    }
    await clientThatIsDropped();
    await new Promise(resolve => setTimeout(resolve));
    collectGarbage();
    expect(sharedBudget({ baseUrl, credential, limits: LIMITS }).snapshot().default.used).toBe(1);
  });

  test('is shared by two copies of the package', async () => {
    const first = sharedBudget({ baseUrl, credential: 'loaded twice', limits: LIMITS });
    vi.resetModules();
    const copy = await import('../../src/rate-limit/budget.ts');
    expect(copy.sharedBudget).not.toBe(sharedBudget);
    expect(copy.sharedBudget({ baseUrl, credential: 'loaded twice', limits: LIMITS })).toBe(first);
  });

  test('still counts used slots after the client is dropped, but drops unused budgets', async () => {
    const unused: WeakRef<object>[] = [];
    async function clientsThatAreDropped() {
      const limiter = sharedBudget({ baseUrl, credential: 'used', limits: LIMITS });
      (await limiter.acquire({ bucket: 'default', priority: 'bulk' })).release();
      for (let i = 0; i < 100; i++) {
        unused.push(new WeakRef(sharedBudget({ baseUrl, credential: `unused ${i}`, limits: LIMITS })));
      }
    }
    await clientsThatAreDropped();
    await new Promise(resolve => setTimeout(resolve));
    collectGarbage();
    for (let i = 0; i < 200; i++) sharedBudget({ baseUrl, credential: `later ${i}`, limits: LIMITS });
    // A single collection may miss an object that an old stack frame or optimised code still references.
    await vi.waitFor(() => {
      collectGarbage();
      expect(unused.filter(ref => ref.deref() !== undefined)).toEqual([]);
    });
    expect(sharedBudget({ baseUrl, credential: 'used', limits: LIMITS }).snapshot().default.used).toBe(1);
  });
});

test('a 429 of one sandbox does not delay the calls to another sandbox', async () => {
  const connect = () => {
    const sandbox = stillSandbox();
    return { sandbox, client: clientOn(sandbox.fetch, { rateLimit: {}, retry: false }) };
  };
  const first = connect();
  first.sandbox.fail({ error: 'rate-limited', retryAfter: 3600 });
  await expect(first.client.parties.list()).rejects.toMatchObject({ code: 'rate_limited' });
  expect((await connect().client.parties.list()).data).toEqual([]);
  await expect(first.client.parties.list()).rejects.toMatchObject({ code: 'rate_limited', attempts: 0 });
});

test('a 429 before a reset of the sandbox does not delay the calls of clients that are created after the reset', async () => {
  const sandbox = stillSandbox();
  const connect = () => clientOn(sandbox.fetch, { rateLimit: {}, retry: false });
  sandbox.fail({ error: 'rate-limited', retryAfter: 3600 });
  await expect(connect().parties.list()).rejects.toMatchObject({ code: 'rate_limited', attempts: 1 });
  await expect(connect().parties.list()).rejects.toMatchObject({ code: 'rate_limited', attempts: 0 });
  sandbox.reset();
  expect((await connect().parties.list()).data).toEqual([]);
});
