import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { answer, type Handler, serve } from '../../support/server.ts';

const reason = new Error('the user left');
let controller = new AbortController();
const signal = () => controller.signal;
const listeners = () => getEventListeners(controller.signal, 'abort').length;

afterEach(() => {
  expect(listeners()).toBe(0);
  controller = new AbortController();
});

describe('an abort rejects with the reason of the signal', () => {
  test('before the call: nothing is sent', async () => {
    const server = await serve({ body: PARTY });
    controller.abort(reason);
    expect(await rejection(clientFor(server).parties.get('1', { signal: signal() }))).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  test('in the same tick as the call: nothing is sent', async () => {
    const server = await serve({ body: PARTY });
    const call = clientFor(server).parties.get('1', { signal: signal() });
    controller.abort(reason);
    expect(await rejection(call)).toBe(reason);
    expect(server.requests).toHaveLength(0);
  });

  test('while the call is in the queue', async () => {
    const server = await serve({ body: PARTY });
    const client = clientFor(server, { rateLimit: { limits: { default: 1 } } });
    await client.parties.get('1');
    const call = rejection(client.parties.get('1', { signal: signal() }));
    await expect.poll(() => client.rateLimit.snapshot()?.default.queued, { interval: 1 }).toBe(1);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(client.rateLimit.snapshot()?.default.queued).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('in the token function: the slot becomes free', async () => {
    const server = await serve({ body: PARTY });
    const accessToken = () => {
      controller.abort(reason);
      return new Promise<string>(() => {});
    };
    const client = clientFor(server, { accessToken, rateLimit: { limits: { default: 1 } } });
    expect(await rejection(client.parties.get('1', { signal: signal() }))).toBe(reason);
    expect(client.rateLimit.snapshot()?.default.used).toBe(0);
  });

  test('during the wait before the next attempt', async () => {
    const server = await serve({ status: 503, headers: { 'retry-after': '60' } });
    const hooks = { onRetry: () => setTimeout(() => controller.abort(reason)) };
    expect(await rejection(clientFor(server, { hooks }).parties.get('1', { signal: signal() }))).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test('before the headers of the response', async () => {
    const server = await serve(() => controller.abort(reason));
    expect(await rejection(clientFor(server).parties.get('1', { signal: signal() }))).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test.each([200, 503])('during the body of a %i response', async status => {
    const server = await serve((_, response) => {
      response.writeHead(status).write('{"data":');
    });
    const hooks = { onResponse: () => setTimeout(() => controller.abort(reason)) };
    expect(await rejection(clientFor(server, { hooks }).parties.get('1', { signal: signal() }))).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  test('during the iteration over a list', async () => {
    const server = await serve({ body: { data: [PARTY.data], links: { next: 'x' } } });
    const call = clientFor(server).parties.list({ signal: signal() }).toArray();
    controller.abort(reason);
    expect(await rejection(call)).toBe(reason);
  });

  test.each([
    ['a text', 'stop'],
    ['null', null],
    ['a number', 0],
    ['an object', { why: 'x' }],
  ])('if the reason is %s', async (_, value) => {
    const inFlight: Handler = () => controller.abort(value);
    const server = await serve(inFlight);
    expect(await rejection(clientFor(server).parties.get('1', { signal: signal() }))).toBe(value);
  });

  test('even without a given reason: the reason is then a DOMException', async () => {
    const server = await serve(() => controller.abort());
    const error = await rejection(clientFor(server).parties.get('1', { signal: signal() }));
    expect(error).toBe(controller.signal.reason);
    expect(error).toMatchObject({ name: 'AbortError' });
  });

  test('even if the reason is an error of this package: the call is not retried', async () => {
    const failing = await serve({ status: 503, headers: { 'retry-after': '60' } });
    const failure = await rejection(clientFor(failing, { retry: false }).parties.get('1'));
    const server = await serve(() => controller.abort(failure));
    let retries = 0;
    const hooks = { onRetry: () => (retries += 1) };
    const client = clientFor(server, { hooks, deadline: 5_000 });
    expect(await rejection(client.parties.get('1', { signal: signal() }))).toBe(failure);
    expect(retries).toBe(0);
  });
});

test('an abort closes the connection of the request', async () => {
  let closed = false;
  const server = await serve((_, response) => {
    response.on('close', () => {
      closed = true;
    });
    controller.abort(reason);
  });
  await rejection(clientFor(server).parties.get('1', { signal: signal() }));
  await expect.poll(() => closed, { interval: 5 }).toBe(true);
});

test('many calls share one listener on the signal, because Node 20 warns of a leak at the eleventh listener', async () => {
  const held: (() => void)[] = [];
  const server = await serve((_, response) => held.push(() => answer(response, { body: PARTY })));
  const client = clientFor(server);
  const calls = Array.from({ length: 20 }, () => client.parties.get('1', { signal: signal() }));
  await expect.poll(() => held.length, { interval: 5 }).toBe(20);
  expect(listeners()).toBe(1);
  for (const release of held) release();
  await Promise.all(calls);
});

test('a call that ends leaves no listener on the signal, whatever its outcome is', async () => {
  const server = await serve({ body: PARTY }, { status: 404 }, { status: 503 }, { body: PARTY }, { body: 'no JSON' });
  const client = clientFor(server, { retry: { limit: 1, minDelay: 0 } });
  await client.parties.get('1', { signal: signal() });
  await rejection(client.parties.get('1', { signal: signal() }));
  await client.parties.get('1', { signal: signal() });
  await rejection(client.parties.get('1', { signal: signal() }));
  await rejection(client.parties.get('', { signal: signal() }));
});

test('a call of asResponse() that fails leaves no listener on the signal', async () => {
  const server = await serve({ status: 404 });
  await rejection(clientFor(server).parties.get('1', { signal: signal() }).asResponse());
});

test('a value that is not a signal is refused', async () => {
  const server = await serve({ body: PARTY });
  const wrong = new AbortController() as unknown as AbortSignal;
  expect(await rejection(clientFor(server).parties.get('1', { signal: wrong }))).toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining('controller.signal'),
  });
});
