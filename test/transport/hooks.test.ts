import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ClientOptions, Hooks, RateLimiter, TrackingClient } from '../../src/index.ts';
import { clientFor, KEY, PARTY, rejection } from '../../support/client.ts';
import { type Answer, answer, type Handler, serve } from '../../support/server.ts';

/** Hooks that record their arguments. */
function recorder() {
  const events: Record<string, unknown>[] = [];
  const note = (hook: string) => (event: object) => {
    events.push({ hook, ...event });
  };
  const names = ['onRequest', 'onResponse', 'onRetry', 'onRateLimited', 'onSchemaMismatch', 'onSettled'] as const;
  const hooks: Hooks = Object.fromEntries(names.map(name => [name, note(name)]));
  return { events, hooks, names: () => events.map(event => event.hook) };
}

test('hooks are called in the order of events, once for each attempt', async () => {
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
    ...['onRequest', 'onResponse', 'onSettled'],
  ]);
  const { callId } = events[0] as { callId: string };
  const about = { callId, operation: 'parties.get', route: '/parties/{id}', method: 'GET', path: '/parties/a%20b' };
  for (const event of events) expect(event).toMatchObject(about);
  expect(events.map(event => event.attempt)).toEqual([1, 1, 1, 2, 2, 2, 2, 3, 3, undefined]);
  expect(events[9]).toMatchObject({ error: undefined, attempts: 3 });
  expect(events[2]).toMatchObject({ delayMs: 0, error: { name: 'ServerError', attempts: 1 } });
  expect(events[5]).toMatchObject({ bucket: 'default', retryAfterMs: 1 });
  expect(events[8]).toMatchObject({ status: 200, requestId: 'req-3', durationMs: expect.any(Number) });
});

describe('onSettled is called once for each call', () => {
  const ends: [string, ClientOptions, (client: TrackingClient) => PromiseLike<unknown>, object][] = [
    ['a value', {}, client => client.parties.get('1'), { error: undefined, attempts: 1 }],
    ['an untouched response', {}, client => client.parties.get('1').asResponse(), { error: undefined, attempts: 1 }],
    ['a list', {}, client => client.parties.list(), { error: undefined, attempts: 1, operation: 'parties.list' }],
    [
      'a call of request()',
      {},
      client => client.request({ path: '/shipments/1/other' }),
      { error: undefined, operation: 'request', route: '/shipments/1/other' },
    ],
    [
      'custom fields of a shipment',
      {},
      client => client.shipments.customFields.update('1', 'slug', 'x'),
      { operation: 'shipments.customFields.update', route: '/shipments/{id}/custom_fields/{id}' },
    ],
  ];

  test.each(ends)('%s', async (_, options, run, expected) => {
    const server = await serve(({ url }, response) =>
      answer(response, {
        body: url.includes('?') ? { data: [PARTY.data] } : { data: { ...PARTY.data, type: typeOf(url) } },
      }),
    );
    const { events, hooks } = recorder();
    await run(clientFor(server, { ...options, hooks }));
    expect(events.filter(({ hook }) => hook === 'onSettled')).toMatchObject([expected]);
    expect(events.at(-1)).toMatchObject({
      hook: 'onSettled',
      durationMs: expect.any(Number),
      queuedMs: expect.any(Number),
    });
  });

  const failures: [string, Answer | Handler, ClientOptions, object][] = [
    ['an error of the service', { status: 404 }, {}, { name: 'NotFoundError' }],
    [
      'a dropped connection',
      (_, response) => response.socket?.destroy(),
      { retry: false },
      { name: 'ConnectionError' },
    ],
    ['a timeout', () => {}, { retry: false, timeout: 50 }, { code: 'timeout' }],
    ['a deadline', () => {}, { deadline: 50 }, { code: 'deadline' }],
    ['a response that cannot be read', { body: 'no JSON' }, {}, { name: 'ResponseFormatError' }],
    ['a failing token function', {}, { accessToken: () => Promise.reject(new Error('x')) }, { code: 'access_token' }],
  ];

  test.each(failures)('%s', async (_, step, options, error) => {
    const server = await serve(step);
    const { events, hooks } = recorder();
    await rejection(clientFor(server, { ...options, hooks }).parties.get('1'));
    expect(events.filter(({ hook }) => hook === 'onSettled')).toMatchObject([{ error, operation: 'parties.get' }]);
  });

  test.each<[string, (client: TrackingClient) => PromiseLike<unknown>, object]>([
    [
      'an empty text instead of the id of a record',
      client => client.parties.get(''),
      { operation: 'parties.get', path: '/parties/{id}' },
    ],
    ['an invalid option', client => client.parties.get('1', { timeout: -1 }), { operation: 'parties.get' }],
    [
      'a list from an invalid checkpoint',
      client => client.parties.list({ pageNumber: 0 }),
      { operation: 'parties.list' },
    ],
    ['a path with a query', client => client.request({ path: '/a?b' }), { operation: 'request' }],
    ['a path that is not a text', client => client.request({ path: Symbol('a') as never }), { operation: 'request' }],
  ])('without an attempt for %s', async (_, run, expected) => {
    const { events, hooks } = recorder();
    const error = await rejection(run(clientFor({ baseUrl: 'https://host.example/v2' }, { hooks })));
    expect(error).toMatchObject({ name: 'ConfigurationError' });
    expect(events).toMatchObject([{ hook: 'onSettled', error, attempts: 0, ...expected }]);
  });

  test('without an attempt if the token function fails or never settles', async () => {
    const server = await serve({ body: PARTY });
    const { events, hooks } = recorder();
    const failing = clientFor(server, { hooks, accessToken: () => Promise.reject(new Error('no')) });
    await rejection(failing.parties.get('1'));
    const silent = clientFor(server, { hooks, accessToken: () => new Promise(() => {}), timeout: 10 });
    await rejection(silent.parties.get('1', { retry: { limit: 2, minDelay: 0 } }));
    expect(events.filter(({ hook }) => hook === 'onSettled')).toMatchObject([
      { error: { code: 'access_token' }, attempts: 0 },
      { error: { code: 'timeout', attempts: 0 }, attempts: 0 },
    ]);
    expect(events.filter(({ hook }) => hook === 'onRetry')).toHaveLength(2);
    expect(server.requests).toHaveLength(0);
  });

  test('after an abort, and after close() while the call waits', async () => {
    const server = await serve({ body: PARTY });
    const { events, hooks } = recorder();
    const limiter: RateLimiter = { acquire: () => new Promise(() => {}) };
    const client = clientFor(server, { hooks, rateLimit: { limiter } });
    const controller = new AbortController();
    const aborted = rejection(client.parties.get('1', { signal: controller.signal }));
    const closed = rejection(client.parties.get('2'));
    await new Promise(resolve => setImmediate(resolve));
    controller.abort('enough');
    client.close();
    await Promise.all([aborted, closed]);
    expect(events).toMatchObject([
      { hook: 'onSettled', error: 'enough', attempts: 0 },
      { hook: 'onSettled', error: { code: 'closed' }, attempts: 0 },
    ]);
  });
});

function typeOf(url: string): string {
  return url.includes('custom_fields') ? 'custom_field' : 'party';
}

test('two calls have different ids', async () => {
  const server = await serve({ body: PARTY });
  const { events, hooks } = recorder();
  const client = clientFor(server, { hooks });
  await Promise.all([client.parties.get('1'), client.parties.get('1')]);
  expect(new Set(events.map(({ callId }) => callId)).size).toBe(2);
});

test('the path in an event includes the query', async () => {
  const server = await serve({ body: { data: [] } });
  const { events, hooks } = recorder();
  await clientFor(server, { hooks }).parties.list({ pageSize: 5 });
  expect(events[0]).toMatchObject({ path: '/parties?page[number]=1&page[size]=5' });
});

test('a broken connection is reported to onRetry before the next attempt', async () => {
  const server = await serve((_, response) => response.socket?.destroy(), { body: PARTY });
  const { events, hooks, names } = recorder();
  await clientFor(server, { hooks }).parties.get('1');
  expect(names()).toEqual(['onRequest', 'onRetry', 'onRequest', 'onResponse', 'onSettled']);
  expect(events[1]).toMatchObject({ error: { name: 'ConnectionError' } });
});

test('a header that onRequest adds or changes is sent only in that attempt', async () => {
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

test('an event that a hook stores does not receive the credential later', async () => {
  const server = await serve({ headers: { 'x-echo': `Token ${KEY}`, 'x-request-id': KEY }, body: PARTY });
  const { events, hooks } = recorder();
  await clientFor(server, { hooks }).parties.get('1');
  const [sent, received] = events.map(event => event.headers as Headers);
  expect(sent?.get('authorization')).toBeNull();
  expect(received?.get('x-echo')).toBe('Token [credential]');
  expect(inspect(events, { depth: 20, showHidden: true })).not.toContain(KEY);
});

describe('a hook that fails is logged and does not change the call', () => {
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

  test('even if it is onSchemaMismatch', async () => {
    const server = await serve({ body: { data: { type: 'party', id: '1', attributes: { company_name: 5 } } } });
    expect(await clientFor(server, { hooks: { onSchemaMismatch: fail } }).parties.get('1')).toMatchObject({ id: '1' });
  });

  test('also with a logger that fails', async () => {
    const server = await serve({ status: 503 }, { body: PARTY });
    const logger = { debug: fail, info: fail, warn: fail, error: fail };
    const hooks = { onRequest: fail };
    expect(await clientFor(server, { hooks, logger }).parties.get('1')).toMatchObject({ id: '1' });
  });
});
