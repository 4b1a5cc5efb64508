import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Hooks } from '../src/index.ts';
import { clientFor, KEY, PARTY } from './support/client.ts';
import { serve } from './support/server.ts';

/** Hooks that note what they are called with. */
function recorder() {
  const events: Record<string, unknown>[] = [];
  const note = (hook: string) => (event: object) => {
    events.push({ hook, ...event });
  };
  const names = ['onRequest', 'onResponse', 'onRetry', 'onRateLimited', 'onSchemaMismatch'] as const;
  const hooks: Hooks = Object.fromEntries(names.map(name => [name, note(name)]));
  return { events, hooks, names: () => events.map(event => event.hook) };
}

test('are called in the order of events, once for each attempt', async () => {
  const server = await serve(
    { status: 503 },
    { status: 429, headers: { 'retry-after': '0.001' } },
    { headers: { 'x-request-id': 'req-3' }, body: PARTY },
  );
  const { events, hooks, names } = recorder();
  await clientFor(server, { hooks }).parties.get('a b');
  expect(names()).toEqual([
    ...['onRequest', 'onResponse', 'onRetry'],
    ...['onRequest', 'onResponse', 'onRateLimited', 'onRetry'],
    ...['onRequest', 'onResponse'],
  ]);
  for (const event of events) expect(event).toMatchObject({ method: 'GET', path: '/parties/a%20b' });
  expect(events.map(event => event.attempt)).toEqual([1, 1, 1, 2, 2, 2, 2, 3, 3]);
  expect(events[2]).toMatchObject({ delayMs: 0, error: { name: 'ServerError', attempts: 1 } });
  expect(events[5]).toMatchObject({ bucket: 'default', retryAfterMs: 1 });
  expect(events[8]).toMatchObject({ status: 200, requestId: 'req-3', durationMs: expect.any(Number) });
});

test('the path holds the query', async () => {
  const server = await serve({ body: { data: [] } });
  const { events, hooks } = recorder();
  await clientFor(server, { hooks }).parties.list({ pageSize: 5 });
  expect(events[0]).toMatchObject({ path: '/parties?page[number]=1&page[size]=5' });
});

test('a connection that breaks is reported before the next attempt', async () => {
  const server = await serve((_, response) => response.socket?.destroy(), { body: PARTY });
  const { events, hooks, names } = recorder();
  await clientFor(server, { hooks }).parties.get('1');
  expect(names()).toEqual(['onRequest', 'onRetry', 'onRequest', 'onResponse']);
  expect(events[1]).toMatchObject({ error: { name: 'ConnectionError' } });
});

test('a header that onRequest adds or changes arrives, for that attempt only', async () => {
  const server = await serve({ status: 503 }, { body: PARTY });
  const onRequest: Hooks['onRequest'] = ({ headers, attempt }) => {
    headers.append('x-attempt', String(attempt));
    headers.set('user-agent', 'mine');
  };
  await clientFor(server, { hooks: { onRequest } }).parties.get('1');
  expect(server.requests.map(request => request.headers['x-attempt'])).toEqual(['1', '2']);
  expect(server.requests[1]?.headers['user-agent']).toBe('mine');
});

test('onRequest cannot replace the credential', async () => {
  const server = await serve({ body: PARTY });
  const onRequest: Hooks['onRequest'] = ({ headers }) => headers.set('authorization', 'Token other');
  await clientFor(server, { hooks: { onRequest } }).parties.get('1');
  expect(server.requests[0]?.headers.authorization).toBe(`Token ${KEY}`);
});

test('what a hook keeps does not come to hold the credential later', async () => {
  const server = await serve({ headers: { 'x-echo': `Token ${KEY}`, 'x-request-id': KEY }, body: PARTY });
  const { events, hooks } = recorder();
  await clientFor(server, { hooks }).parties.get('1');
  const [sent, received] = events.map(event => event.headers as Headers);
  expect(sent?.get('authorization')).toBeNull();
  expect(received?.get('x-echo')).toBe('Token [credential]');
  expect(inspect(events, { depth: 20, showHidden: true })).not.toContain(KEY);
});

describe('a hook that fails harms no call and is logged', () => {
  const fail = () => {
    throw new Error('hook broken');
  };
  const reject = async () => {
    throw new Error('hook broken');
  };

  test.each([
    ['throws', fail],
    ['rejects', reject],
  ])('%s', async (_, hook) => {
    const server = await serve({ status: 429, headers: { 'retry-after': '0.001' } }, { body: PARTY });
    const hooks = { onRequest: hook, onResponse: hook, onRetry: hook, onRateLimited: hook };
    const errors: string[] = [];
    const quiet = () => {};
    const logger = { debug: quiet, info: quiet, warn: quiet, error: (message: string) => errors.push(message) };
    expect(await clientFor(server, { hooks, logger }).parties.get('1')).toMatchObject({ id: '1' });
    await new Promise(resolve => setImmediate(resolve));
    expect([...new Set(errors)].sort()).toEqual(
      ['onRateLimited', 'onRequest', 'onResponse', 'onRetry'].map(name => `The hook ${name} failed.`),
    );
  });

  test('also onSchemaMismatch', async () => {
    const server = await serve({ body: { data: { type: 'party', id: '1', attributes: { company_name: 5 } } } });
    expect(await clientFor(server, { hooks: { onSchemaMismatch: fail } }).parties.get('1')).toMatchObject({ id: '1' });
  });

  test('also where the logger fails', async () => {
    const server = await serve({ status: 503 }, { body: PARTY });
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const hooks = { onRequest: fail };
    expect(await clientFor(server, { hooks, logger }).parties.get('1')).toMatchObject({ id: '1' });
  });
});
