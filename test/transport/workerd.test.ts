import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';
import { serveWorker, whenUp } from '../../support/workerd.ts';

/** The client has four requests in 0.5 s, so that others wait for the rate limit. */
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
    await build({
      stdin: { contents: WORKER, resolveDir: join(import.meta.dirname, '../..'), loader: 'js' },
      external: ['cloudflare:workers', 'node:*'],
      conditions: ['workerd', 'worker', 'browser'],
      outfile: join(directory, 'worker.mjs'),
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
    });
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

  test('serves requests at the same time, of which some wait for the rate limit', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, async () => (await fetch(url)).text()));
    expect(responses).toEqual(Array(10).fill('1'));
  });
});

test('the construction of a client uses nothing that a Worker refuses outside of a request', () => {
  const refuse = () => {
    throw new Error('Disallowed operation called within global scope.');
  };
  for (const name of ['AbortController', 'setTimeout', 'setInterval', 'fetch']) vi.stubGlobal(name, refuse);
  vi.stubGlobal('crypto', { getRandomValues: refuse, randomUUID: refuse });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(() => new TrackingClient({ baseUrl: 'https://api.example/v2', apiKey: 'key' })).not.toThrow();
});
