import { execFile, execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { tool } from '../support/packed.ts';
import { answerOfWorker } from '../support/workerd.ts';
import { bundleWithEsbuild, bundleWithVite, CHROMIUM, openPage } from './browser.ts';
import manifest from './package.json' with { type: 'json' };

export interface Runtime {
  name: string;
  version: string;
  /** Resolves to the output of the program. */
  run(baseUrl: string): Promise<unknown>;
}

const PROGRAMS = resolve(import.meta.dirname, '../test/runtimes');

/**
 * Copies the program into a project with the package. If programs of the runtime are usually bundled, it is bundled
 * too.
 */
export async function prepare(directory: string): Promise<Runtime[]> {
  cpSync(PROGRAMS, directory, { recursive: true });
  const worker = bundleWorker(directory);
  const pages: [bundler: string, folder: Promise<string>][] = [
    ['Vite', bundleWithVite(directory)],
    ['esbuild', bundleWithEsbuild(directory)],
  ];
  await Promise.all([worker, ...pages.map(([, folder]) => folder)]);
  return [
    ...Object.keys(manifest.dependencies)
      .filter(name => name.startsWith('node-'))
      .map(name => program('Node', directory, resolve(import.meta.dirname, 'node_modules', name, 'bin/node'), [])),
    program('Bun', directory, tool('bun'), ['run']),
    program('Deno', directory, tool('deno'), ['run', '--allow-net', '--allow-env', '--allow-read']),
    {
      name: 'workerd',
      version: versionOf(tool('workerd')),
      run: async baseUrl => (await answerOfWorker(directory, 'bundle.mjs', baseUrl)).json(),
    },
    ...pages.map(([bundler, folder]) => ({
      name: `Chromium, bundled by ${bundler}`,
      version: versionOf(CHROMIUM),
      run: async (baseUrl: string) => openPage(await folder, baseUrl),
    })),
  ];
}

function program(name: string, cwd: string, command: string, args: string[]): Runtime {
  return {
    name,
    version: versionOf(command),
    async run(baseUrl) {
      const env = { ...process.env, BASE_URL: baseUrl };
      const { stdout } = await promisify(execFile)(command, [...args, 'main.mjs'], { cwd, env, timeout: 60_000 });
      return JSON.parse(stdout);
    },
  };
}

async function bundleWorker(directory: string): Promise<void> {
  await build({
    entryPoints: [join(directory, 'worker.mjs')],
    outfile: join(directory, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'silent',
  });
}

function versionOf(command: string): string {
  const text = execFileSync(command, ['--version'], { encoding: 'utf8' });
  return /\d[\w.-]*/.exec(text)?.[0] ?? 'unknown';
}
