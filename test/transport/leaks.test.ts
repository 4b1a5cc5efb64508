import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientFor, PARTY, rejection } from '../../support/client.ts';
import { holdTimers } from '../../support/held-timers.ts';

/** Node may collect objects too early, so each test runs the garbage collector before the call ends. */
setFlagsFromString('--expose-gc');
const collectNow = runInNewContext('gc') as () => void;

async function collect(): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    await new Promise(resolve => setTimeout(resolve, 5));
    collectNow();
  }
}

/** A service that sends half of a response and then waits until the client closes the connection. */
async function serveHalf(status: number, headers: Record<string, string> = { 'content-length': '100000000' }) {
  const open = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    open.add(response);
    response.on('error', () => {}).on('close', () => open.delete(response));
    response.writeHead(status, headers).write(`{"data":${' '.repeat(50_000)}`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    get open() {
      return open.size;
    },
    reached: (count: number) => expect.poll(() => open.size, { timeout: 15_000 }).toBe(count),
    nothingOpen: () => expect.poll(() => open.size, { timeout: 5000 }).toBe(0),
  };
}

const ROUNDS = 5;
const AT_ONCE = 32;
/** `holdTimers` holds this timeout until the test releases it. */
const LIMIT = 60_000;
const reason = new Error('the user left');

describe.each([
  ['abort', {}],
  ['timeout', { timeout: LIMIT }],
  ['deadline', { deadline: LIMIT, timeout: 10 * LIMIT }],
])('after the %s during the body, the service has no open response', (end, limits) => {
  test.each<[string, number, Record<string, string> | undefined]>([
    ['of a known length', 200, undefined],
    ['of an unknown length', 200, {}],
    ['of an error', 503, undefined],
  ])('%s', async (_, status, headers) => {
    const timers = holdTimers();
    const server = await serveHalf(status, headers);
    const client = clientFor(server, { retry: false, maxResponseBytes: 1e9 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const controller = new AbortController();
      const calls = Array.from({ length: AT_ONCE }, () =>
        rejection(client.parties.get('1', { signal: controller.signal, ...limits })),
      );
      await server.reached(AT_ONCE);
      await collect();
      if (end === 'abort') controller.abort(reason);
      else timers.pass(LIMIT);
      for (const error of await Promise.all(calls)) {
        expect(error).toEqual(end === 'abort' ? reason : expect.objectContaining({ name: 'TimeoutError', code: end }));
      }
      await server.nothingOpen();
    }
  });
});

test('an abort ends the body of asResponse() even after a garbage collection', async () => {
  const server = await serveHalf(200);
  const client = clientFor(server);
  const controller = new AbortController();
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => client.parties.get('1', { signal: controller.signal }).asResponse()),
  );
  const reading = responses.map(async (response, index) => {
    if (index % 2 === 0) return response.text();
    const reader = response.body?.getReader();
    for (;;) await reader?.read();
  });
  const ends = Promise.all(reading.map(rejection));
  responses.length = 0;
  await collect();
  expect(server.open).toBe(8);
  controller.abort(reason);
  expect(await ends).toEqual(Array.from({ length: 8 }, () => reason));
  await server.nothingOpen();
});

test('a long-lived signal does not keep a dropped response of asResponse() in memory', async () => {
  const server = createServer((_, response) => response.end(JSON.stringify(PARTY)));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  /** The signals that the client has passed to `fetch`. */
  const ended: WeakRef<AbortSignal>[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    ended.push(new WeakRef(init?.signal as AbortSignal));
    return globalThis.fetch(input, init);
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`;
  const client = clientFor({ baseUrl }, { fetch });
  const { signal } = new AbortController();
  const dropped: WeakRef<Response>[] = [];
  for (let i = 0; i < 50; i += 1) {
    const response = await client.parties.get('1', { signal }).asResponse();
    await response.text();
    dropped.push(new WeakRef(response));
  }
  await collect();
  expect(dropped.filter(weak => weak.deref()).length).toBeLessThan(3);
  expect(ended.filter(weak => weak.deref()).length).toBeLessThan(3);
});

test('close() lets open calls finish, and refuses later calls', async () => {
  const held: ServerResponse[] = [];
  const server = createServer((_, response) => held.push(response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const client = clientFor({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2` });
  const calls = Array.from({ length: 5 }, () => client.parties.get('1'));
  for (const call of calls) call.catch(() => {});
  await expect.poll(() => held.length).toBe(5);
  client.close();
  for (const response of held) response.end(JSON.stringify(PARTY));
  expect((await Promise.all(calls)).map(({ id }) => id)).toEqual(['1', '1', '1', '1', '1']);
  expect(await rejection(client.parties.get('1'))).toMatchObject({ name: 'ConfigurationError' });
  expect(held).toHaveLength(5);
});
