import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSandbox, type SandboxServer } from '../src/sandbox/index.ts';
import { installPacked, type PackedProject, tool } from '../support/packed.ts';
import { answerOfWorker } from '../support/workerd.ts';

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
    const response = await answerOfWorker(project.directory, 'bundle.mjs', server.baseUrl);
    expect(await response.json()).toMatchObject(EXPECTED);
  });
});

/** The Node that is there before the project's own: on a user's machine often an older one. */
function systemNode(): string {
  const path = (process.env.PATH ?? '').split(':').filter(directory => !directory.includes('node_modules'));
  return join(path.find(directory => existsSync(join(directory, 'node'))) ?? '', 'node');
}
