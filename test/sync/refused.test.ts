import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { createSync, type SyncEvent } from '../../src/sync/index.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { memoryStore } from './memory-store.ts';

const MINUTE = 60_000;

function refusal(status: number, headers: Record<string, string> = {}): Response {
  return new Response('{"errors":[]}', { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** A sync with a fake clock. `instead` replaces the responses of the sandbox. */
function started(options: Partial<ClientOptions> = {}, store = memoryStore()) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sandbox = stillSandbox({ shipments: 2 });
  const service = { instead: (_: Request): Response | undefined => undefined };
  const keys: (string | null)[] = [];
  const fetch = async (input: string, init?: RequestInit) => {
    const request = new Request(input, init);
    keys.push(request.headers.get('authorization'));
    const instead = service.instead(request);
    // The test decides which token is accepted.
    request.headers.set('authorization', 'Token sandbox');
    return instead ?? sandbox.fetch(request);
  };
  const logs: string[] = [];
  const log = (message: string) => void logs.push(message);
  const logger = { warn: log, error: log };
  const client = clientOn(fetch, { retry: { limit: 0 }, ...options });
  const sync = createSync({ client, store, logger, every: { poll: MINUTE } });
  const events: SyncEvent[] = [];
  for (const type of ['finished', 'refreshed', 'error', 'continued'] as const)
    sync.on(type, event => events.push(event));
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  let end: unknown = 'none';
  const run = sync.run({ signal: controller.signal }).then(
    () => {
      end = 'resolved';
    },
    error => {
      end = error;
    },
  );
  const count = (type: SyncEvent['type']) => events.filter(event => event.type === type).length;
  return { sync, service, store, keys, logs, events, count, run, end: () => end };
}

test('a key that is refused at the start ends run() immediately', async () => {
  const { service, run, end, count } = started();
  service.instead = () => refusal(401);
  await vi.advanceTimersByTimeAsync(MINUTE);
  await run;
  expect(end()).toMatchObject({ name: 'AuthenticationError' });
  expect(count('error')).toBe(0);
});

test('run() continues while a key is refused for half an hour, and calls a token function again for each attempt', async () => {
  let key = 'sandbox';
  const { sync, service, keys, logs, count, end } = started({ apiKey: undefined, accessToken: () => key });
  await vi.waitUntil(() => count('finished'));
  expect((await sync.status()).failure).toBeUndefined();
  service.instead = request => (request.headers.get('authorization') === 'Bearer new' ? undefined : refusal(401));
  await vi.advanceTimersByTimeAsync(30 * MINUTE);
  expect(end()).toBe('none');
  expect(count('error')).toBeGreaterThan(25);
  expect(count('error')).toBeLessThan(70);
  expect(await sync.status()).toMatchObject({
    failure: { error: { name: 'AuthenticationError' }, since: expect.any(Number), retryAt: expect.any(Number) },
  });
  expect(logs.at(-1)).toMatch(/401.*start this process with the new key/);
  key = 'new';
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect(keys.at(-1)).toBe('Bearer new');
  expect(count('continued')).toBe(1);
  expect((await sync.status()).failure).toBeUndefined();
  expect(logs.at(-1)).toMatch(/follow works again/);
  // The hour begins again with the next refusal.
  service.instead = () => refusal(401);
  await vi.advanceTimersByTimeAsync(45 * MINUTE);
  expect(end()).toBe('none');
});

test('run() ends when the key has been refused for an hour, so that a process manager can start it with the new key', async () => {
  const { service, count, run, end } = started();
  await vi.waitUntil(() => count('finished'));
  service.instead = () => refusal(401);
  await vi.advanceTimersByTimeAsync(58 * MINUTE);
  expect(end()).toBe('none');
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  await run;
  expect(end()).toMatchObject({ name: 'AuthenticationError' });
});

test('run() continues if a key is refused after a wait for another process that reads', async () => {
  const store = memoryStore();
  const lock = await store.lock('reader');
  const { service, count, end } = started({}, store);
  service.instead = () => refusal(401);
  await vi.advanceTimersByTimeAsync(MINUTE);
  await lock?.release();
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(count('error')).toBeGreaterThan(3);
  expect(end()).toBe('none');
});

test('run() waits as long as a response with 429 says, and reports the beginning and the end of this wait once', async () => {
  const { service, logs, events, count, keys } = started();
  await vi.waitUntil(() => count('finished'));
  service.instead = () => refusal(429, { 'retry-after': '3600' });
  const until = Date.now();
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  const sent = keys.length;
  await vi.advanceTimersByTimeAsync(55 * MINUTE);
  expect(keys.length).toBe(sent);
  const errors = events.filter(event => event.type === 'error');
  expect(errors).toMatchObject([{ error: { name: 'RateLimitError' } }]);
  expect(errors[0]?.retryInMs).toBeGreaterThanOrEqual(3_600_000);
  expect(logs.length).toBe(1);
  const [, time = ''] = /tried again at (\S+):/.exec(logs[0] ?? '') ?? [];
  expect(Date.parse(time) - until).toBeGreaterThan(59 * MINUTE);
  service.instead = () => undefined;
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(logs.slice(1)).toEqual([expect.stringMatching(/follow works again after 36\d\d s/)]);
});
