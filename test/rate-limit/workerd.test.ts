import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';

const WINDOW = 400;
const root = fileURLToPath(new URL('../..', import.meta.url));

/** All requests share the limiter at module scope. A request for `/leave` ends while it waits. */
const WORKER = `
import { createRollingWindowLimiter } from './src/rate-limit/rolling-window.ts';
const limits = { default: 2, createTrackingRequest: 1, inferNumber: 100, refreshContainer: 1 };
const limiter = createRollingWindowLimiter({ windowMs: ${WINDOW}, limits, maxInFlight: 4 });
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/snapshot') return Response.json(limiter.snapshot());
    const bucket = searchParams.get('bucket') ?? 'default';
    const acquiring = limiter.acquire({ bucket, priority: 'interactive' });
    if (pathname === '/leave') return new Response('left');
    const slot = await acquiring;
    const answer = await env.upstream.fetch('http://upstream/' + bucket);
    const text = await answer.text();
    slot.release();
    return new Response(text);
  },
};`;

describe.each(['2024-01-01', '2025-10-01'])('a client at module scope in workerd, compatibility date %s', date => {
  const directory = mkdtempSync(join(tmpdir(), 'limiter-workerd-'));
  const counted: number[] = [];
  let upstream: Server;
  let workerd: ChildProcess;
  let url = '';

  beforeAll(async () => {
    upstream = createServer((_request, response) => {
      counted.push(performance.now());
      setTimeout(() => response.end('ok'), 20);
    });
    await new Promise<void>(resolve => upstream.listen(0, '127.0.0.1', resolve));
    const bundle = await build({
      stdin: { contents: WORKER, resolveDir: root, loader: 'js' },
      bundle: true,
      format: 'esm',
      write: false,
    });
    writeFileSync(join(directory, 'worker.js'), bundle.outputFiles[0]?.text ?? '');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    writeFileSync(
      join(directory, 'config.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "${date}",
      bindings = [(name = "upstream", service = "upstream")])),
    (name = "upstream", external = (address = "127.0.0.1:${(upstream.address() as AddressInfo).port}", http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);`,
    );
    const binary = join(root, 'node_modules/workerd/bin/workerd');
    workerd = spawn(binary, ['serve', join(directory, 'config.capnp')], { stdio: 'inherit' });
    while (!(await fetch(`${url}/snapshot`).catch(() => undefined))?.ok) {
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  });
  afterAll(() => {
    // With any other signal, workerd would wait for requests that hang. This test checks for such requests.
    workerd.kill('SIGKILL');
    upstream.closeAllConnections();
    upstream.close();
    rmSync(directory, { recursive: true });
  });

  const answer = async (path: string) => (await fetch(url + path, { signal: AbortSignal.timeout(10_000) })).text();

  test('serves six concurrent requests to the worker, and sends two requests per window to the service', async () => {
    counted.length = 0;
    const answers = await Promise.all(Array.from({ length: 6 }, () => answer('/')));
    expect(answers).toEqual(Array(6).fill('ok'));
    for (let i = 2; i < 6; i++) expect((counted[i] ?? 0) - (counted[i - 2] ?? 0)).toBeGreaterThan(WINDOW);
  });

  test('serves requests to the worker that wait for other open requests', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => answer('/?bucket=inferNumber')));
    expect(answers).toEqual(Array(30).fill('ok'));
  });

  test('does not block requests behind a waiting request that ends before its timer fires', async () => {
    await answer('/?bucket=refreshContainer');
    expect(await answer('/leave?bucket=refreshContainer')).toBe('left');
    expect(await answer('/?bucket=refreshContainer')).toBe('ok');
    expect(JSON.parse(await answer('/snapshot')).refreshContainer.queued).toBe(0);
  });
});
