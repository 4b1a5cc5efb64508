import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { ConfigurationError, type RateLimiter, ServerError, type SlotRequest } from '../../src/index.ts';
import { createRollingWindowLimiter } from '../../src/rate-limit/rolling-window.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { startServer } from '../../support/server.ts';

/** A client with a custom limiter, and the log of the limiter. */
async function setUp(acquire: RateLimiter['acquire'], ...script: Parameters<typeof startServer>) {
  const server = await startServer(...(script.length > 0 ? script : [{ body: PARTY }]));
  const error = vi.fn();
  const logger = { debug() {}, info() {}, warn() {}, error };
  return { server, error, client: clientFor(server, { rateLimit: { limiter: { acquire } }, logger, retry: false }) };
}

describe('a custom limiter', () => {
  test.each([undefined, null, {}, 5])('that returns %s instead of a slot prevents the request', async slot => {
    const { client, server } = await setUp(async () => slot as never);
    const error = await rejection(client.parties.create({ company_name: 'Sample' }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).toContain('release()');
    expect(server.requests).toHaveLength(0);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('whose release() %s does not change the response, and the error is logged', async (_, release) => {
    const { client, error } = await setUp(async () => ({ release: release as () => void }));
    expect(await client.parties.get('1')).toMatchObject({ company_name: 'Sample Imports' });
    await vi.waitUntil(() => error.mock.calls.length > 0);
    expect(error.mock.calls[0]?.[0]).toContain('take a slot back');
  });

  test.each(['an abort', 'a deadline', 'closing the client'])(
    'that never responds does not keep a call waiting after %s',
    async how => {
      const { client } = await setUp(() => new Promise(() => {}));
      const controller = new AbortController();
      const deadline = how === 'a deadline' ? 20 : undefined;
      const call = client.parties.get('1', { signal: controller.signal, deadline });
      if (how === 'an abort') setTimeout(() => controller.abort(new Error('enough')), 20);
      if (how === 'closing the client') setTimeout(() => client.close(), 20);
      const error = await rejection(call);
      expect(error).toMatchObject(
        how === 'an abort' ? { message: 'enough' } : { code: how === 'a deadline' ? 'deadline' : 'closed' },
      );
      expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    },
  );

  test('gets a slot back as unused if it grants the slot after the abort', async () => {
    const release = vi.fn();
    const { client } = await setUp(() => new Promise(resolve => setTimeout(() => resolve({ release }), 30)));
    const signal = AbortSignal.timeout(5);
    await rejection(client.parties.get('1', { signal }));
    await vi.waitUntil(() => release.mock.calls.length > 0);
    expect(release).toHaveBeenCalledWith({ unsent: true });
  });

  test('gets each slot back once, even after a 429', async () => {
    let taken = 0;
    const release = vi.fn();
    const { client } = await setUp(
      async () => {
        taken += 1;
        return { release };
      },
      { status: 429, headers: { 'retry-after': '0' } },
      { body: PARTY },
    );
    await client.parties.get('1', { retry: { limit: 1, minDelay: 0 } });
    expect(release.mock.calls.map(([outcome]) => outcome)).toEqual([{ limited: true, retryAfterMs: 0 }, {}]);
    expect(taken).toBe(2);
  });

  test('receives the upper bound of a request, and receives the longest wait only if the call has a deadline', async () => {
    const asked: SlotRequest[] = [];
    const { client } = await setUp(async request => {
      asked.push(request);
      return { release() {} };
    });
    await client.parties.get('1', { timeout: 1234 });
    await client.parties.get('1', { deadline: 60_000 });
    await client.parties.get('1', { deadline: 20_000, timeout: 30_000 });
    expect(asked[0]).toMatchObject({ maxWaitMs: undefined, timeoutMs: 1234 });
    expect(asked[1]?.maxWaitMs).toBeGreaterThan(59_000);
    expect(asked[2]?.timeoutMs).toBe(20_000);
  });

  test.each<[string, Record<string, unknown>]>([
    ['the signal', { signal: true }],
    ['the timeout', { timeout: 30 }],
    ['the deadline', { deadline: 30 }],
  ])('gets a report that %s ended a request before its response', async (_, { signal, ...options }) => {
    const release = vi.fn();
    const { client } = await setUp(
      async () => ({ release }),
      () => {},
    );
    await rejection(client.parties.get('1', { ...options, ...(signal ? { signal: AbortSignal.timeout(30) } : {}) }));
    expect(release).toHaveBeenCalledWith({ unanswered: true });
  });
});

test('if a full queue refuses a retry, the call rejects with the error of the service', async () => {
  const limiter = createRollingWindowLimiter({
    limits: { default: 1, createTrackingRequest: 1, inferNumber: 1, refreshContainer: 1 },
    maxQueue: 0,
  });
  const server = await startServer({ status: 503 });
  const client = clientFor(server, { rateLimit: { limiter }, retry: { minDelay: 0 } });
  expect(await rejection(client.parties.get('1'))).toBeInstanceOf(ServerError);
});
