/**
 * Builds each recipe as its framework does, with the packed tarball and without environment variables. Fails if a build
 * fails, leaves an unexpected file, or does not pass the check of its framework.
 *
 * node builds/run.ts [names]   only the recipes with these names
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readPage } from '../support/docs/pages.ts';
import { writeSnippets } from '../support/docs/run.ts';
import { installPacked } from '../support/packed.ts';
import { FRAMEWORKS, type Framework } from './frameworks.ts';
import manifest from './package.json' with { type: 'json' };

// The projects are below this folder, so that a build finds the packages that are installed here.
const PROJECTS = join(import.meta.dirname, 'projects');
const names = process.argv.slice(2);
const { PATH, HOME } = process.env;

rmSync(PROJECTS, { recursive: true, force: true });
const packed = installPacked();
try {
  cpSync(join(packed.directory, 'node_modules'), join(PROJECTS, 'node_modules'), { recursive: true });
  for (const [name, framework] of Object.entries(FRAMEWORKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const startedAt = performance.now();
    const fault = await faultOf(name, framework);
    console.log(`${fault ? '✗' : '✓'} ${name}: ${Math.round(performance.now() - startedAt)} ms`);
    if (!fault) continue;
    console.error(fault);
    process.exitCode = 1;
  }
} finally {
  packed.remove();
  rmSync(PROJECTS, { recursive: true, force: true });
}

async function faultOf(
  name: string,
  { page = `docs/recipes/${name}.md`, leavesOut, files, command, output, check }: Framework,
): Promise<string | undefined> {
  const cwd = join(PROJECTS, name);
  const read = readPage(page).snippets.filter(({ heading }) => heading !== leavesOut);
  const snippets = writeSnippets(read, cwd, false);
  // All packages are listed, because a framework installs packages that it considers missing.
  const project = JSON.stringify({ name, private: true, type: 'module', dependencies: manifest.dependencies });
  for (const [path, text] of Object.entries({ 'package.json': project, ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const before = readdirSync(cwd);
  const [program = '', ...args] = command(snippets);
  const env = { PATH, HOME, CI: 'true', NEXT_TELEMETRY_DISABLED: '1', DENO_NO_UPDATE_CHECK: '1' };
  try {
    await promisify(execFile)(program, args, { cwd, env, timeout: 300_000 });
    const left = readdirSync(cwd).filter(file => !before.includes(file) && !output.includes(file));
    if (left.length > 0) return `It has left ${left.join(', ')}.`;
    await check?.(cwd);
    return undefined;
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string };
    return `${message}\n${stdout}\n${stderr}`;
  }
}
