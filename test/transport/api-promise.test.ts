import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { APIPromise, ConfigurationError } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { serve } from '../../support/server.ts';

test('a call starts in the next microtask, and only once, even if it is awaited several times', async () => {
  const server = await serve({ body: PARTY });
  const call = clientFor(server).parties.get('1');
  expect(call).toBeInstanceOf(APIPromise);
  expect(Object.prototype.toString.call(call)).toBe('[object APIPromise]');
  expect(await call).toBe(await call);
  expect((await call.withResponse()).data).toBe(await call);
  expect(server.requests).toHaveLength(1);
});

test('a call is sent even if nobody awaits it', async () => {
  const server = await serve({ status: 204 });
  clientFor(server).webhooks.delete('1');
  await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1);
});

test('a call has then, catch and finally like a promise', async () => {
  const server = await serve({ body: PARTY }, { status: 404 });
  const client = clientFor(server);
  let finished = 0;
  const count = () => {
    finished += 1;
  };
  expect(
    await client.parties
      .get('1')
      .then(party => party.id)
      .finally(count),
  ).toBe('1');
  expect(await client.parties.get('1').catch(error => (error as Error).name)).toBe('NotFoundError');
  expect(await rejection(client.parties.get('1').finally(count))).toMatchObject({ name: 'NotFoundError' });
  expect(finished).toBe(2);
});

describe('withResponse()', () => {
  test('gives the value with status, headers, attempts and waiting time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const headers = { 'x-request-id': 'req-7', 'x-other': 'a' };
    const server = await serve({ status: 500 }, { status: 201, headers, body: PARTY });
    const result = await clientFor(server).parties.get('1').withResponse();
    expect(result.data.company_name).toBe('Sample Imports');
    expect(result.response.status).toBe(201);
    expect(result.response.headers.get('x-other')).toBe('a');
    expect(result).toMatchObject({ attempts: 2, requestId: 'req-7' });
    expect(result.queuedMs).toBe(0);
  });

  test('gives the unchanged document of the response, and parses it again at each access', async () => {
    const server = await serve({ body: PARTY });
    const result = await clientFor(server).parties.get('1').withResponse();
    expect(result.document).toEqual(PARTY);
    expect(result.document).not.toBe(result.document);
    (result.document as typeof PARTY).data.id = 'changed';
    expect(result.document).toEqual(PARTY);
  });

  test('gives no document for an empty body', async () => {
    const server = await serve({ status: 204 });
    const result = await clientFor(server).webhooks.delete('1').withResponse();
    expect(result).toMatchObject({ data: undefined, document: undefined });
  });

  test('rejects with the same error as the call', async () => {
    const server = await serve({ status: 404 });
    expect(await rejection(clientFor(server).parties.get('1').withResponse())).toMatchObject({ status: 404 });
  });
});

describe('asResponse()', () => {
  test('gives the response with its body untouched', async () => {
    const server = await serve({ headers: { 'content-type': 'text/csv' }, body: 'a,b\n1,2\n' });
    const response = await clientFor(server).parties.get('1').asResponse();
    expect(response.bodyUsed).toBe(false);
    expect(response.headers.get('content-type')).toBe('text/csv');
    expect(await response.text()).toBe('a,b\n1,2\n');
  });

  test('resolves after the headers, and neither timeout nor deadline applies to the body', async () => {
    const timers = holdTimers(60_000);
    let end = () => {};
    const server = await serve((_, response) => {
      response.writeHead(200).write('first ');
      end = () => void response.end('last');
    });
    const response = await clientFor(server, { timeout: 60_000, deadline: 60_000 }).parties.get('1').asResponse();
    timers.pass(120_000);
    end();
    expect(await response.text()).toBe('first last');
  });

  test('retries until it has the headers of a successful response', async () => {
    const server = await serve({ status: 503 }, { body: 'x' });
    expect((await clientFor(server).parties.get('1').asResponse()).status).toBe(200);
    expect(server.requests).toHaveLength(2);
  });

  test('allows the signal of the caller to abort the body after the headers', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200).write('first ');
    });
    const controller = new AbortController();
    const response = await clientFor(server).parties.get('1', { signal: controller.signal }).asResponse();
    const text = rejection(response.text());
    controller.abort(new Error('enough'));
    expect(await text).toMatchObject({ message: 'enough' });
  });

  test('rejects for a failed response', async () => {
    const server = await serve({ status: 404 });
    expect(await rejection(clientFor(server).parties.get('1').asResponse())).toMatchObject({ name: 'NotFoundError' });
  });

  test('rejects with a ConfigurationError if the call is invalid', async () => {
    const client = clientFor({ baseUrl: 'http://127.0.0.1:9/v2' });
    for (const response of [client.parties.get('').asResponse(), client.parties.list({ timeout: -1 }).asResponse()]) {
      const error = (await rejection(response)) as Error;
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toMatch(/id|timeout/);
      expect(error.message).not.toContain('asResponse');
    }
  });

  test('makes the call itself reject, because the caller reads the body of the response', async () => {
    const server = await serve({ body: PARTY });
    const call = clientFor(server).parties.get('1');
    const response = await call.asResponse();
    expect(await rejection(call)).toBeInstanceOf(ConfigurationError);
    expect(await response.json()).toEqual(PARTY);
    expect(await call.asResponse()).toBe(response);
  });

  test('rejects if it is called after the tick of the call', async () => {
    const server = await serve({ body: PARTY });
    const call = clientFor(server).parties.get('1');
    await Promise.resolve();
    expect(await rejection(call.asResponse())).toBeInstanceOf(ConfigurationError);
    expect(await call).toMatchObject({ id: '1' });
  });

  test('leaves no unhandled rejection if it is called too late', async () => {
    const server = await serve({ status: 404 });
    const call = clientFor(server).parties.get('1');
    await Promise.resolve();
    await rejection(call.asResponse());
    // An unhandled rejection would fail the run.
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1);
    await new Promise(resolve => setTimeout(resolve, 20));
  });
});
