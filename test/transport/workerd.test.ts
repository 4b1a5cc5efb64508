import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';
import { serveWorker, whenUp } from '../../support/workerd.ts';

/** The client has four requests in 0.5 s, so that other requests wait for the rate limit. */
const WORKER = `
import { env } from 'cloudflare:workers';
import { TrackingClient } from './src/index.ts';
const rateLimit = { windowMs: 500, limits: { default: 4 } };
const client = new TrackingClient({ baseUrl: env.BASE_URL, apiKey: 'sandbox', rateLimit });
export default {
  async fetch(request) {
    const { data } = await client.shipments.list({ pageSize: 1, signal: request.signal });
    return Response.json(data.length);
  },
};`;

describe.each(['2025-01-01', '2026-10-01'])('a client at the top of a Worker, compatibility date %s', date => {
  const directory = mkdtempSync(join(tmpdir(), 'client-workerd-'));
  let sandbox: SandboxServer;
  let workerd: ChildProcess;
  let url = '';

  beforeAll(async () => {
    sandbox = await createSandbox({ shipments: 2, rateLimit: false }).listen();
    await bundle(WORKER, directory);
    ({ workerd, url } = await serveWorker(directory, 'worker.mjs', sandbox.baseUrl, date));
    await whenUp(url, workerd);
  });

  afterAll(async () => {
    workerd.kill('SIGKILL');
    await sandbox.close();
    rmSync(directory, { recursive: true });
  });

  test('serves one request after the other', async () => {
    for (const _ of [1, 2, 3]) expect(await (await fetch(url)).text()).toBe('1');
  });

  test('serves requests at the same time, and some of them wait for the rate limit', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, async () => (await fetch(url)).text()));
    expect(responses).toEqual(Array(10).fill('1'));
  });
});

/** The client may send one request every 0.1 s. Its timeout is longer than the test. */
const ONE_AT_A_TIME = `
import { env } from 'cloudflare:workers';
import { TrackingClient } from './src/index.ts';
const rateLimit = { windowMs: 100, limits: { default: 1 } };
const client = new TrackingClient({ baseUrl: env.BASE_URL, apiKey: 'sandbox', rateLimit, timeout: 300_000 });
export default {
  async fetch({ url, signal }) {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/') return new Response();
    const deadline = Number(searchParams.get('deadline') ?? 60_000);
    return Response.json(await client.request({ path: pathname, signal, deadline }).catch(String));
  },
};`;

test.concurrent.each([
  { when: 'at once with the flag enable_request_signal', flags: ['enable_request_signal'], deadline: 60_000 },
  { when: 'after the deadline of the request without this flag', flags: [], deadline: 100 },
])(
  'if the caller of a request leaves, the other requests get its slot $when',
  async ({ flags, deadline }) => {
    const directory = mkdtempSync(join(tmpdir(), 'left-workerd-'));
    let held = 0;
    const service = createServer((request, response) => {
      if (request.url?.includes('held')) held += 1;
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    await bundle(ONE_AT_A_TIME, directory);
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v2`;
    const { workerd, url } = await serveWorker(directory, 'worker.mjs', baseUrl, '2026-10-01', flags);
    try {
      await whenUp(url, workerd);
      const caller = connect(Number(new URL(url).port), '127.0.0.1');
      caller.write(`GET /held?deadline=${deadline} HTTP/1.1\r\nhost: worker\r\n\r\n`);
      await vi.waitUntil(() => held > 0);
      caller.resetAndDestroy();
      const responses = await Promise.all(['a', 'b', 'c'].map(async path => (await fetch(url + path)).json()));
      expect(responses).toEqual(Array(3).fill({ data: [] }));
    } finally {
      workerd.kill('SIGKILL');
      service.closeAllConnections();
      service.close();
      rmSync(directory, { recursive: true });
    }
  },
  30_000,
);

const FIND = `
import { env } from 'cloudflare:workers';
import { TrackingClient } from './src/index.ts';
const client = new TrackingClient({ baseUrl: env.BASE_URL, apiKey: 'sandbox', timeout: 300_000 });
export default {
  async fetch({ url }) {
    if (new URL(url).pathname === '/') return new Response();
    const { line } = await client.shippingLines.find('SMPL');
    return Response.json(line.name);
  },
};`;

test('if a request is cancelled while it loads the carriers, the next request loads them, and later requests share them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cached-workerd-'));
  const line = { type: 'shipping_line', id: '1', attributes: { scac: 'SMPL', name: 'Sample Line' } };
  let loads = 0;
  const service = createServer((_request, response) => {
    loads += 1;
    // The first load has no response.
    if (loads === 1) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: [line] }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  await bundle(FIND, directory);
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v2`;
  const { workerd, url } = await serveWorker(directory, 'worker.mjs', baseUrl);
  try {
    await whenUp(url, workerd);
    const caller = connect(Number(new URL(url).port), '127.0.0.1');
    caller.write('GET /find HTTP/1.1\r\nhost: worker\r\n\r\n');
    await vi.waitUntil(() => loads > 0);
    caller.resetAndDestroy();
    for (const _ of [1, 2, 3]) expect(await (await fetch(`${url}find`)).json()).toBe('Sample Line');
    expect(loads).toBe(2);
  } finally {
    workerd.kill('SIGKILL');
    service.closeAllConnections();
    service.close();
    rmSync(directory, { recursive: true });
  }
}, 30_000);

test('the construction of a client uses nothing that a Worker refuses outside of a request', () => {
  const refuse = () => {
    throw new Error('Disallowed operation called within global scope.');
  };
  for (const name of ['AbortController', 'setTimeout', 'setInterval', 'fetch']) vi.stubGlobal(name, refuse);
  vi.stubGlobal('crypto', { getRandomValues: refuse, randomUUID: refuse });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(() => new TrackingClient({ baseUrl: 'https://api.example/v2', apiKey: 'key' })).not.toThrow();
});

async function bundle(contents: string, directory: string): Promise<void> {
  await build({
    stdin: { contents, resolveDir: join(import.meta.dirname, '../..'), loader: 'js' },
    external: ['cloudflare:workers', 'node:*'],
    conditions: ['workerd', 'worker', 'browser'],
    outfile: join(directory, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
  });
}
