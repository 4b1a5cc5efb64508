import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type SandboxServer } from '../src/sandbox/index.ts';
import { installPacked, type PackedProject, tool } from './support/packed.ts';

const EXPECTED = { lines: 38, status: 'created', containers: true, valid: true, again: true, missing: 'not_found' };

let project: PackedProject;
let server: SandboxServer;

beforeAll(async () => {
  project = installPacked();
  for (const file of ['smoke.mjs', 'main.mjs', 'worker.mjs']) {
    copyFileSync(join(import.meta.dirname, 'runtimes', file), join(project.directory, file));
  }
  server = await createSandbox({ trackingDelayMs: 100 }).listen({ port: 0 });
}, 120_000);

afterAll(async () => {
  await server?.close();
  project?.remove();
});

describe('the packed tarball does the main job', () => {
  test.each([
    ['the system’s Node', systemNode(), ['main.mjs']],
    ['the newest Node of the toolchain', tool('node'), ['main.mjs']],
    ['Bun', tool('bun'), ['run', 'main.mjs']],
    ['Deno', tool('deno'), ['run', '--allow-net', '--allow-env', '--allow-read', 'main.mjs']],
  ])('in %s', { timeout: 60_000 }, async (_name, command, args) => {
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: project.directory,
      env: { ...process.env, BASE_URL: server.baseUrl },
    });
    expect(JSON.parse(stdout)).toMatchObject(EXPECTED);
  });

  test('in workerd', { timeout: 60_000 }, async () => {
    await build({
      entryPoints: [join(project.directory, 'worker.mjs')],
      outfile: join(project.directory, 'bundle.mjs'),
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      logLevel: 'silent',
    });
    const port = await freePort();
    writeFileSync(join(project.directory, 'worker.capnp'), workerConfig(port, server.baseUrl));
    const worker = spawn(tool('workerd'), ['serve', 'worker.capnp'], { cwd: project.directory, stdio: 'pipe' });
    try {
      const response = await answerOf(`http://127.0.0.1:${port}/`, worker);
      expect(await response.json()).toMatchObject(EXPECTED);
    } finally {
      worker.kill('SIGKILL');
    }
  });
});

/** The Node that is there before the project's own: on a user's machine often an older one. */
function systemNode(): string {
  const path = (process.env.PATH ?? '').split(':').filter(directory => !directory.includes('node_modules'));
  return join(path.find(directory => existsSync(join(directory, 'node'))) ?? '', 'node');
}

function workerConfig(port: number, baseUrl: string): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "bundle.mjs", esModule = embed "bundle.mjs")],
      compatibilityDate = "2026-10-01",
      bindings = [(name = "BASE_URL", text = "${baseUrl}")],
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}

async function answerOf(url: string, worker: ChildProcess): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetch(url);
    } catch (error) {
      if (attempt > 100 || worker.exitCode !== null) throw error;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
