import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionError, type RateLimiter, TimeoutError } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { answer, type Handler, serve } from '../../support/server.ts';

// Real sockets and a clock that the tests move: the assertions do not depend on the machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const silence: Handler = () => {};
const stallInBody: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.api+json' }).write('{"data":{');
};
const stallInErrorBody: Handler = (_, response) => {
  response.writeHead(500).write('<html>');
};

/** Runs the event loop until the condition is true. Meanwhile, the clock stands still. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

/** Observes a promise: `settled` is true when it has settled, and `error` is its error. */
function watch(promise: PromiseLike<unknown>) {
  const outcome: { settled: boolean; error?: unknown } = { settled: false };
  promise.then(
    () => Object.assign(outcome, { settled: true }),
    (error: unknown) => Object.assign(outcome, { settled: true, error }),
  );
  return outcome;
}

test.each(['all clocks', 'the clock of the time of day'])(
  'a process does not send in its old slot if it was stopped while it waited for a token (clocks that continued: %s)',
  async clocks => {
    const server = await serve((_, response) => answer(response, { body: PARTY }));
    const outcomes: unknown[] = [];
    const limiter: RateLimiter = { acquire: async () => ({ release: outcome => outcomes.push(outcome) }) };
    const [{ now }, dateNow] = [performance, Date.now];
    const accessToken = async () => {
      await turn();
      // The clocks have moved past the timeout, but no timer has fired yet.
      Date.now = () => dateNow() + 501;
      if (clocks === 'all clocks') performance.now = () => now.call(performance) + 501;
      return 'token';
    };
    onTestFinished(() => {
      Date.now = dateNow;
      performance.now = now;
    });
    const client = clientFor(server, { accessToken, timeout: 500, retry: false, rateLimit: { limiter } });
    const error = await rejection(client.parties.get('1'));
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout', attempts: 0 });
    expect([outcomes, server.requests.length]).toEqual([[{ unsent: true }], 0]);
  },
);

describe('a response that does not end causes a TimeoutError exactly when the timeout is over', () => {
  test.each([
    ['before the headers', silence, false],
    ['in the body', stallInBody, true],
    ['in the body of an error', stallInErrorBody, true],
  ])('%s', async (_, handler, hasHeaders) => {
    const server = await serve(handler);
    let answered = false;
    const ownFetch = async (...args: Parameters<typeof fetch>) => {
      const response = await fetch(...args);
      answered = true;
      return response;
    };
    const outcome = watch(clientFor(server, { retry: false, timeout: 500, fetch: ownFetch }).parties.get('1'));
    await until(() => (hasHeaders ? answered : server.requests.length === 1));
    await vi.advanceTimersByTimeAsync(499);
    for (let count = 0; count < 10; count += 1) await turn();
    expect(outcome.settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => outcome.settled);
    expect(outcome.error).toBeInstanceOf(TimeoutError);
    expect(outcome.error).toBeInstanceOf(ConnectionError);
    expect(outcome.error).toMatchObject({ name: 'TimeoutError', code: 'timeout', limitMs: 500, attempts: 1 });
  });
});

test('each attempt has the full timeout', async () => {
  let reply = () => {};
  const server = await serve(silence, silence, (_, response) => {
    reply = () => answer(response, { body: PARTY });
  });
  const call = clientFor(server, { timeout: 60_000 }).parties.get('1').withResponse();
  for (const attempt of [1, 2]) {
    await until(() => server.requests.length === attempt);
    await vi.advanceTimersByTimeAsync(60_000);
    // The back-off is a timer of 0 ms. Each turn shortens the next attempt by a millisecond.
    while (server.requests.length === attempt) {
      await turn();
      await vi.advanceTimersByTimeAsync(1);
    }
  }
  await vi.advanceTimersByTimeAsync(50_000);
  reply();
  expect((await call).attempts).toBe(3);
});

test('a POST that timed out is not sent again, because the service may have acted', async () => {
  const server = await serve(silence);
  const outcome = watch(clientFor(server, { timeout: 150 }).parties.create({ company_name: 'A' }));
  await until(() => server.requests.length === 1);
  await vi.advanceTimersByTimeAsync(150);
  await until(() => outcome.settled);
  expect(outcome.error).toMatchObject({ code: 'timeout', attempts: 1 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.requests).toHaveLength(1);
});

test('the timeout of a call replaces the timeout of the client', async () => {
  const server = await serve(silence);
  const client = clientFor(server, { retry: false, timeout: 20_000 });
  const outcome = watch(client.parties.get('1', { timeout: 30 }));
  await until(() => server.requests.length === 1);
  await vi.advanceTimersByTimeAsync(30);
  await until(() => outcome.settled);
  expect(outcome.error).toMatchObject({ limitMs: 30 });
  for (const timeout of [0, -5, Number.NaN, '30' as unknown as number]) {
    expect(await rejection(client.parties.get('1', { timeout }))).toMatchObject({ name: 'ConfigurationError' });
  }
});

test('the timeout does not include the wait for a slot of the rate limit', async () => {
  const server = await serve({ body: PARTY });
  let waiting = false;
  const limiter: RateLimiter = {
    acquire: () => {
      waiting = true;
      return new Promise(resolve => setTimeout(() => resolve({ release: () => {} }), 150));
    },
  };
  const client = clientFor(server, { rateLimit: { limiter }, timeout: 100, retry: false });
  const call = client.parties.get('1').withResponse();
  await until(() => waiting);
  await vi.advanceTimersByTimeAsync(150);
  const { queuedMs } = await call;
  expect(queuedMs).toBe(150);
});

test('a connection is closed, and not kept open, after a timeout', async () => {
  let closed = false;
  const server = await serve((_, response) => {
    response.on('close', () => {
      closed = true;
    });
  });
  const outcome = watch(clientFor(server, { retry: false, timeout: 150 }).parties.get('1'));
  await until(() => server.requests.length === 1);
  await vi.advanceTimersByTimeAsync(150);
  await until(() => outcome.settled && closed);
});
