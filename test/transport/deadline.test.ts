import { describe, expect, test } from 'vitest';
import { type ClientOptions, TimeoutError } from '../../src/index.ts';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { startIdleClock } from '../../support/idle-clock.ts';
import { type Handler, serve } from '../../support/server.ts';

const silence: Handler = () => {};

/** The error of a call with a deadline, and the time in ms until it rejects. */
async function missed(server: { baseUrl: string }, options: ClientOptions) {
  const client = clientFor(server, options);
  const start = performance.now();
  const error = await rejection(client.parties.get('1'));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(error).toMatchObject({ code: 'deadline', limitMs: options.deadline });
  return { error: error as TimeoutError, ms: performance.now() - start };
}

describe('the deadline covers', () => {
  test('an open attempt', async () => {
    const server = await serve(silence);
    const { error, ms } = await missed(server, { deadline: 100 });
    expect(ms).toBeLessThan(4_000);
    expect(error.attempts).toBe(1);
  });

  test('all attempts together', async () => {
    startIdleClock();
    const server = await serve(silence);
    let attempts = 0;
    const onRequest = () => {
      attempts += 1;
    };
    const { error, ms } = await missed(server, { deadline: 3000, timeout: 700, hooks: { onRequest } });
    expect(ms).toBeLessThan(4_000);
    expect(error.attempts).toBe(attempts);
    expect(attempts).toBeGreaterThan(1);
  });

  test('the wait before the next attempt: the wait does not begin if it is too long', async () => {
    const server = await serve({ status: 503, headers: { 'retry-after': '60' } });
    const { error, ms } = await missed(server, { deadline: 5_000 });
    expect(ms).toBeLessThan(4_000);
    expect(error.attempts).toBe(1);
    expect(error.cause).toMatchObject({ name: 'ServerError', status: 503 });
    expect(error.message).toBe(
      'GET /parties/1: not done within the deadline of 5000 ms: GET /parties/1: 503 Service Unavailable (retry after 60 s)',
    );
  });

  test('the wait in the queue: the wait does not begin if the estimate is too long', async () => {
    const server = await serve({ body: PARTY });
    const client = clientFor(server, { rateLimit: { limits: { default: 1 } } });
    await client.parties.get('1');
    const error = await rejection(client.parties.get('1', { deadline: 5_000 }));
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'deadline', attempts: 0 });
    expect((error as TimeoutError).estimatedWaitMs).toBeGreaterThan(5_000);
    expect((error as TimeoutError).message).toMatch(/rate limit/);
    expect(server.requests).toHaveLength(1);
  });

  test('the wait in the queue: a wait of unknown length ends at the deadline', async () => {
    const server = await serve(silence);
    const client = clientFor(server, { rateLimit: { maxInFlight: 1 } });
    const controller = new AbortController();
    const first = rejection(client.parties.get('1', { signal: controller.signal }));
    const error = await rejection(client.parties.get('1', { deadline: 50 }));
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'deadline', attempts: 0 });
    controller.abort();
    await first;
  });
});
