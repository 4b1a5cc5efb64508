import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Fetch, UploadProgress } from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
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

const CALLS = 20;
/** `holdTimers` holds this timeout until the test releases it. */
const TIMEOUT = 60_000;
const reason = new Error('the user left');
const directory = mkdtempSync(join(tmpdir(), 'upload-leaks-'));
afterAll(() => rmSync(directory, { recursive: true }));

type Storage = (request: IncomingMessage, response: ServerResponse) => void;

/** A service and a storage that counts its open requests. */
async function serveStorage(storage: Storage) {
  const open = new Set<ServerResponse>();
  let arrived = 0;
  let connections = 0;
  const server = createServer(async (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    const { pathname } = new URL(request.url ?? '', origin);
    if (pathname.startsWith('/storage')) {
      open.add(response);
      response.on('close', () => open.delete(response));
      arrived += 1;
      return storage(request, response);
    }
    for await (const _ of request);
    const url = `${origin}/storage/${arrived}`;
    return response.end(JSON.stringify({ download_url: url, signed_id: 's', direct_upload: { url, headers: {} } }));
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/v2`,
    /** Number of connections opened so far. */
    connections: () => connections,
    /** Resolves when this number of requests is open. */
    reached: (count: number) => expect.poll(() => open.size, { timeout: 15_000 }).toBe(count),
    /** Rejects unless every request has ended within five seconds. */
    nothingOpen() {
      // A server that does not read does not notice that the client closes the connection.
      for (const { req } of open) req.resume();
      return expect.poll(() => open.size, { timeout: 5000 }).toBe(0);
    },
  };
}

const half = (status: number) => (_: unknown, response: ServerResponse) =>
  response.writeHead(status, { 'content-length': '100000' }).write('x'.repeat(50_000));
const afterBytes =
  (storage: Storage): Storage =>
  (request, response) =>
    request.on('end', () => storage(request, response)).resume();
const silent: Storage = () => {};

const passing: Fetch = (input, init) => fetch(input, init);
const deaf: Fetch = (input, init) => {
  const { signal: _, ...others } = init ?? {};
  return fetch(input, others);
};

const ends = ['abort', 'timeout', 'deadline'] as const;
type End = (typeof ends)[number];

/** Options for the calls, a function that ends the calls, and their expected error. */
function ending(end: End) {
  const timers = holdTimers();
  const controller = new AbortController();
  return {
    signal: controller.signal,
    timeout: end === 'timeout' ? TIMEOUT : 10 * TIMEOUT,
    deadline: end === 'deadline' ? TIMEOUT : undefined,
    async end(calls: Promise<unknown>[]) {
      if (end === 'abort') controller.abort(reason);
      else if (end === 'deadline') timers.pass(TIMEOUT);
      else await timers.passUntil(Promise.all(calls), TIMEOUT);
    },
    expected: end === 'abort' ? reason : expect.objectContaining({ name: 'UploadError' }),
  };
}

describe.each(ends)('after the %s, the storage has no request open', end => {
  test.each<[string, string, Storage, { fetch?: Fetch }]>([
    ['the client of Node', 'takes no bytes', request => request.pause(), {}],
    ['the client of Node', 'has not responded', afterBytes(silent), {}],
    ['the client of Node', 'has sent half of its response', afterBytes(half(200)), {}],
    ['the client of Node', 'has sent half of an error response', afterBytes(half(503)), {}],
    ['a custom fetch', 'takes no bytes', request => request.pause(), { fetch: passing }],
    ['a custom fetch', 'has not responded', afterBytes(silent), { fetch: passing }],
    ['a custom fetch', 'has sent half of its response', afterBytes(half(200)), { fetch: passing }],
    ['a custom fetch', 'has sent half of an error response', afterBytes(half(503)), { fetch: passing }],
    ['a fetch that ignores its signal', 'has sent half of its response', afterBytes(half(200)), { fetch: deaf }],
    ['a fetch that ignores its signal', 'has sent half of an error response', afterBytes(half(503)), { fetch: deaf }],
  ])('from %s if the storage %s', async (_, state, storage, options) => {
    const server = await serveStorage(storage);
    const { documents } = clientFor(server, { ...options, retry: false });
    const { end: endAll, expected, ...limits } = ending(end);
    // If a storage takes no bytes, the file must be larger than the buffers of the sockets.
    const [size, count] = state === 'takes no bytes' ? [40_000_000, 4] : [100_000, CALLS];
    const file = new Uint8Array(size);
    const calls = Array.from({ length: count }, () =>
      rejection(documents.upload({ file, filename: 'a.pdf', ...limits })),
    );
    await server.reached(count);
    await collect();
    await endAll(calls);
    expect(await Promise.all(calls)).toEqual(Array(count).fill(expected));
    await server.nothingOpen();
  });
});

test.each<[string, { fetch?: Fetch }]>([
  ['the client of Node', {}],
  ['a custom fetch', { fetch: passing }],
])('no connection is opened if onProgress causes an abort before %s sends the first byte', async (_, options) => {
  const server = await serveStorage(silent);
  const controller = new AbortController();
  const { signal } = controller;
  let before = 0;
  const onProgress = ({ stage }: UploadProgress) => {
    if (stage === 'hash') return;
    before = server.connections();
    controller.abort(reason);
  };
  const file = new Uint8Array(100_000);
  const upload = clientFor(server, options).documents.upload({ file, filename: 'a.pdf', signal, onProgress });
  expect(await rejection(upload)).toBe(reason);
  // The response comes over a new connection, so that every earlier connection has been counted.
  await new Promise(resolve => get(server.baseUrl, { agent: false }, resolve));
  expect(server.connections()).toBe(before + 1);
});

describe('a download', () => {
  const fetches: [string, { fetch?: Fetch }][] = [
    ['the fetch of the runtime', {}],
    ['a custom fetch', { fetch: passing }],
    ['a fetch that ignores its signal', { fetch: deaf }],
  ];
  const ways = fetches.flatMap(([name, options]) =>
    (['abort', 'timeout'] as const).map(end => [name, end, options] as const),
  );

  /** Ends the calls, and checks their errors. Rejects unless nothing is open after that. */
  async function allEnd(
    server: Awaited<ReturnType<typeof serveStorage>>,
    calls: Promise<unknown>[],
    endAll: ReturnType<typeof ending>['end'],
    end: 'abort' | 'timeout',
  ) {
    await server.reached(CALLS);
    await collect();
    await endAll(calls);
    for (const error of await Promise.all(calls))
      expect(error).toMatchObject(end === 'abort' ? reason : { limitMs: TIMEOUT });
    await server.nothingOpen();
  }

  test.each(ways)(
    'by %s that has received half of the response leaves nothing open after the %s',
    async (_, end, options) => {
      const server = await serveStorage(half(200));
      const { documents } = clientFor(server, { ...options, retry: false });
      const { end: endAll, signal, timeout } = ending(end);
      const calls = Array.from({ length: CALLS }, async () => {
        const stream = await documents.download('1', { signal, timeout });
        return rejection(new Response(stream).text());
      });
      await allEnd(server, calls, endAll, end);
    },
  );

  test.each(ways)('by %s to a file leaves no connection and no file after the %s', async (_, end, options) => {
    const server = await serveStorage(half(200));
    const { documents } = clientFor(server, { ...options, retry: false });
    const { end: endAll, signal, timeout } = ending(end);
    const to = join(directory, 'a.pdf');
    const calls = Array.from({ length: CALLS }, () => rejection(documents.download('1', { to, signal, timeout })));
    await allEnd(server, calls, endAll, end);
    expect(existsSync(to)).toBe(false);
  });

  test.each(ways.filter(([, , { fetch }]) => fetch !== deaf))(
    'by %s that has received no response leaves nothing open after the %s',
    async (_, end, options) => {
      const server = await serveStorage(silent);
      const { documents } = clientFor(server, { ...options, retry: false });
      const { end: endAll, signal, timeout } = ending(end);
      const calls = Array.from({ length: CALLS }, () => rejection(documents.download('1', { signal, timeout })));
      await allEnd(server, calls, endAll, end);
    },
  );

  test.each(fetches)('by %s without a reader leaves nothing open after the abort', async (_, options) => {
    const server = await serveStorage(half(200));
    const { documents } = clientFor(server, options);
    const controller = new AbortController();
    const { signal } = controller;
    await Promise.all(Array.from({ length: CALLS }, () => documents.download('1', { signal })));
    await server.reached(CALLS);
    controller.abort(reason);
    await server.nothingOpen();
  });

  test.each(fetches)('by %s that receives half of an error response leaves nothing open', async (_, options) => {
    const server = await serveStorage(half(403));
    const { documents } = clientFor(server, options);
    const { end, signal } = ending('abort');
    const calls = Array.from({ length: CALLS }, () => rejection(documents.download('1', { signal })));
    await server.reached(CALLS);
    await collect();
    await end(calls);
    expect(await Promise.all(calls)).toEqual(Array(CALLS).fill(reason));
    await server.nothingOpen();
  });

  test('frees its connection if the stream is dropped without cancel()', async () => {
    const server = await serveStorage(half(200));
    const { documents } = clientFor(server);
    await Promise.all(Array.from({ length: CALLS }, async () => void (await documents.download('1'))));
    await server.reached(CALLS);
    await collect();
    await server.nothingOpen();
  });
});
