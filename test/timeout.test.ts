import { describe, expect, test } from 'vitest';
import { ConnectionError, type RateLimiter, TimeoutError } from '../src/index.ts';
import { clientFor, PARTY, rejection } from './support/client.ts';
import { answer, type Handler, serve } from './support/server.ts';

const silence: Handler = () => {};
const stallInBody: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/vnd.api+json' }).write('{"data":{');
};
const stallInErrorBody: Handler = (_, response) => {
  response.writeHead(500).write('<html>');
};

describe('an answer that does not end is a TimeoutError within 1.2 times the timeout', { retry: 2 }, () => {
  test.each([
    ['before the headers', silence],
    ['in the body', stallInBody],
    ['in the body of an error', stallInErrorBody],
  ])('%s', async (_, handler) => {
    const server = await serve({ body: PARTY }, handler);
    const client = clientFor(server, { retry: false, timeout: 500 });
    await client.parties.get('1');
    const start = performance.now();
    const error = await rejection(client.parties.get('1'));
    expect(performance.now() - start).toBeLessThan(600);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout', limitMs: 500, attempts: 1 });
  });
});

test('each attempt has the whole timeout for itself', async () => {
  const server = await serve(silence, silence, (_, response) =>
    setTimeout(() => answer(response, { body: PARTY }), 20),
  );
  const { attempts } = await clientFor(server, { timeout: 200 }).parties.get('1').withResponse();
  expect(attempts).toBe(3);
});

test('a POST that timed out is not sent again: the service may have acted', async () => {
  const server = await serve(silence);
  const error = await rejection(clientFor(server, { timeout: 150 }).parties.create({ company_name: 'A' }));
  expect(error).toMatchObject({ code: 'timeout', attempts: 1 });
  expect(server.requests).toHaveLength(1);
});

test('the timeout of the call replaces that of the client', async () => {
  const server = await serve(silence);
  const client = clientFor(server, { retry: false, timeout: 20_000 });
  expect(await rejection(client.parties.get('1', { timeout: 30 }))).toMatchObject({ limitMs: 30 });
  for (const timeout of [0, -5, Number.NaN, '30' as unknown as number]) {
    expect(await rejection(client.parties.get('1', { timeout }))).toMatchObject({ name: 'ConfigurationError' });
  }
});

test('waiting for a slot of the rate limit does not count', async () => {
  const server = await serve({ body: PARTY });
  const limiter: RateLimiter = {
    acquire: () => new Promise(resolve => setTimeout(() => resolve({ release: () => {} }), 150)),
  };
  const client = clientFor(server, { rateLimit: { limiter }, timeout: 100, retry: false });
  const { queuedMs } = await client.parties.get('1').withResponse();
  expect(queuedMs).toBeGreaterThanOrEqual(149);
});

test('a connection that timed out is closed, so that it does not pile up', async () => {
  let closed = false;
  const server = await serve((_, response) => {
    response.on('close', () => {
      closed = true;
    });
  });
  await rejection(clientFor(server, { retry: false, timeout: 150 }).parties.get('1'));
  await expect.poll(() => closed, { interval: 5, timeout: 5_000 }).toBe(true);
});
