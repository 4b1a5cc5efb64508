/**
 * Each recipe serves a shipment and receives a delivery, in its runtime, and with its framework if the framework is
 * installed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { fakeDelivery, signWebhook } from '../../src/webhooks/index.ts';
import { nameOf, pathsOfPages, ROOT, readPage, type Snippet } from '../../support/docs/pages.ts';
import { createProject, writeSnippets } from '../../support/docs/run.ts';
import { writeWorkerConfig } from '../../support/docs/worker-config.ts';
import { freePort } from '../../support/free-port.ts';
import { tool } from '../../support/packed.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';
import { whenUp } from '../../support/workerd.ts';

const SECRET = 'sample-signing-secret';
const NODE = [process.execPath, '--no-warnings'];
const SERVE = resolve(ROOT, 'support/docs/serve-recipe.ts');

interface Recipe {
  /** The command that starts the files of the snippets. The program listens on the port. */
  command(files: string[], port: number, env: Record<string, string>): string[] | Promise<string[]>;
  /** True if the last file is a program, and not a module that a framework imports. */
  isProgram?: true;
  /** True if the recipe has a task for each morning. */
  hasSchedule?: true;
  /** True if the queue of the recipe does not drop duplicates. */
  hasQueue?: true;
  /** True if the recipe is not informed when a caller disconnects, at least on this machine. */
  isDeaf?: true;
  /** True if the runtime itself logs that a caller has left. */
  logsLeavers?: true;
}

const RECIPES: Record<string, Recipe> = {
  express: { command: files => [...NODE, ...files.slice(-1)], isProgram: true },
  fastify: { command: files => [...NODE, ...files.slice(-1)], isProgram: true },
  nestjs: { command: files => [...NODE, ...files.slice(-1)], isProgram: true },
  hono: { command: files => [tool('bun'), 'run', ...files], isProgram: true },
  bun: { command: files => [tool('bun'), 'run', ...files], isProgram: true },
  deno: {
    command: (files, port) => [tool('deno'), 'serve', '--port', String(port), '-A', '--no-check', ...files],
    isProgram: true,
    logsLeavers: true,
  },
  nextjs: { command: files => [...NODE, SERVE, 'nextjs', ...files] },
  remix: { command: files => [...NODE, SERVE, 'remix', ...files] },
  lambda: { command: files => [...NODE, SERVE, 'lambda', ...files], hasQueue: true, isDeaf: true },
  workers: {
    hasQueue: true,
    hasSchedule: true,
    isDeaf: true,
    async command([file = ''], port, env) {
      const directory = resolve(file, '..');
      const outfile = join(directory, 'bundle.mjs');
      const conditions = ['workerd', 'worker', 'browser'];
      await build({ entryPoints: [file], outfile, bundle: true, format: 'esm', conditions, logLevel: 'silent' });
      return [tool('workerd'), 'serve', '--experimental', writeWorkerConfig(directory, 'bundle.mjs', port, env)];
    },
  },
};

let project: string;
let sandbox: SandboxServer;
let baseUrl: string;
let id: string;
/**
 * Requests for a shipment that never get a response: the number of requests that arrived, and the number of requests
 * whose caller has left.
 */
const slow = { came: 0, left: 0 };
/** Requests for a shipment that get their response later. */
const held: (() => void)[] = [];
const upstream = createServer(async (request, response) => {
  if (request.url?.includes('/shipments/slow')) {
    slow.came += 1;
    response.once('close', () => {
      slow.left += 1;
    });
    return;
  }
  if (request.url?.includes('/shipments/busy')) {
    response.writeHead(429, { 'retry-after': '60' }).end();
    return;
  }
  if (request.url?.includes('/shipments/held')) {
    await new Promise<void>(release => held.push(release));
    response.writeHead(404).end();
    return;
  }
  const { authorization = '' } = request.headers;
  const answer = await fetch(new URL(request.url ?? '', sandbox.baseUrl), { headers: { authorization } });
  response.writeHead(answer.status, { 'content-type': 'application/vnd.api+json' }).end(await answer.text());
});
const children: ChildProcess[] = [];

beforeAll(async () => {
  project = createProject();
  const world = createSandbox({ shipments: 1, rateLimit: false });
  id = world.account().shipments()[0]?.id ?? '';
  sandbox = await world.listen();
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v2`;
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await sandbox?.close();
  rmSync(project, { recursive: true, force: true });
});

test('every recipe has a test', () => {
  const pages = pathsOfPages().filter(path => path.startsWith('docs/recipes/'));
  expect(pages).toEqual(
    Object.keys(RECIPES)
      .map(name => `docs/recipes/${name}.md`)
      .sort(),
  );
});

test.each(Object.keys(RECIPES))(
  'the recipe %s serves a shipment and receives a delivery',
  { timeout: 90_000 },
  async name => {
    const recipe = RECIPES[name] as Recipe;
    const { url, output } = await start(name, recipe);

    const shown = await fetch(`${url}/shipments/${id}`);
    expect({ status: shown.status, output: output() }).toMatchObject({ status: 200 });
    expect(await shown.json()).toMatchObject({
      id,
      containers: expect.arrayContaining([expect.objectContaining({ type: 'container', number: expect.any(String) })]),
    });
    const missing = await fetch(`${url}/shipments/00000000-0000-4000-8000-000000000000`);
    expect({ status: missing.status, body: await missing.json() }).toEqual({
      status: 404,
      body: { error: 'not_found' },
    });
    const wrong = await fetch(`${url}/shipments/MAEU1234567`);
    expect({ status: wrong.status, body: await wrong.json() }).toEqual({
      status: 400,
      body: { error: 'configuration' },
    });

    const body = JSON.stringify(fakeDelivery('container.updated'));
    const deliver = async (secret: string) => {
      const signature = await signWebhook({ body, secret });
      const headers = { 'content-type': 'application/json', 'X-SVC-Webhook-Signature': signature };
      return (await fetch(`${url}/webhooks/tracking`, { method: 'POST', headers, body })).status;
    };
    expect({ status: await deliver(SECRET), output: output() }).toMatchObject({ status: 202 });
    expect(await deliver(SECRET)).toBe(recipe.hasQueue ? 202 : 200);
    expect(await deliver('another')).toBe(401);
    await vi.waitUntil(() => output().includes('container.updated'));
    if (recipe.hasSchedule) await vi.waitUntil(() => output().includes('scheduled: ok'), 10_000);

    if (!recipe.isDeaf) {
      const { came, left } = slow;
      const caller = new AbortController();
      const call = fetch(`${url}/shipments/slow`, { signal: caller.signal }).catch(error => error);
      await vi.waitUntil(() => slow.came > came);
      caller.abort();
      await call;
      await vi.waitUntil(() => slow.left > left);
    }

    // The budget stays used up for longer than the deadline of the recipe, so the recipe responds with 503.
    const busy = await fetch(`${url}/shipments/busy`);
    expect({ status: busy.status, body: await busy.json() }).toEqual({ status: 503, body: { error: 'deadline' } });
    // A caller that has left is not an error of the app.
    if (!recipe.logsLeavers) expect(output()).not.toMatch(/abort/i);
  },
);

test('after SIGTERM, the recipe nextjs responds to the requests that it has accepted, and then ends', async () => {
  const { url, child } = await start('nextjs', RECIPES.nextjs as Recipe);
  const shown = fetch(`${url}/shipments/held`);
  await vi.waitUntil(() => held.length > 0);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await vi.waitUntil(() =>
    fetch(url).then(
      () => false,
      () => true,
    ),
  );
  for (const release of held.splice(0)) release();
  expect((await shown).status).toBe(404);
  expect(await ended).toEqual([143, null]);
});

const modules = Object.keys(RECIPES).flatMap(name => {
  const snippets = snippetsOf(name);
  // The last file only starts the other files.
  const imported = RECIPES[name]?.isProgram && snippets.length > 1 ? snippets.slice(0, -1) : snippets;
  return imported.map((snippet, index) => ({ name: nameOf(snippet), recipe: name, index }));
});

test.each(modules)('$name can be imported without variables, and leaves no file', async ({ recipe, index }) => {
  const files = write(recipe);
  const directory = mkdtempSync(join(project, 'empty-'));
  const code = `await import(${JSON.stringify(files[index])})`;
  const [command = '', ...args] =
    recipe === 'bun' || recipe === 'hono'
      ? [tool('bun'), '-e', code]
      : recipe === 'deno'
        ? [tool('deno'), 'eval', code]
        : [...NODE, '--input-type=module', '-e', code];
  await promisify(execFile)(command, args, { cwd: directory, env: {}, timeout: 30_000 });
  expect(readdirSync(directory)).toEqual([]);
});

const programs = Object.keys(RECIPES).filter(name => RECIPES[name]?.isProgram);

test.each(programs)('%s names the missing variable if it is started without variables', async name => {
  const files = write(name);
  const directory = mkdtempSync(join(project, 'empty-'));
  const [command = '', ...args] = (await RECIPES[name]?.command(files, 0, {})) ?? [];
  const ended = promisify(execFile)(command, args, { cwd: directory, env: {}, timeout: 30_000 });
  await expect(ended).rejects.toMatchObject({ killed: false, stderr: expect.stringContaining('TRACKING_BASE_URL') });
});

/** The snippets of a recipe. `npm run builds` builds the other snippets, whose packages are not installed here. */
function snippetsOf(name: string): Snippet[] {
  return readPage(`docs/recipes/${name}.md`).snippets.filter(({ isChecked }) => isChecked);
}

/** Writes the snippets of a recipe to their own directory. */
function write(name: string): string[] {
  return writeSnippets(snippetsOf(name), mkdtempSync(join(project, `${name}-`)));
}

async function start(name: string, recipe: Recipe): Promise<{ url: string; child: ChildProcess; output(): string }> {
  const files = write(name);
  const directory = mkdtempSync(join(project, 'empty-'));
  const port = await freePort();
  const variables = { TRACKING_BASE_URL: baseUrl, TRACKING_API_KEY: 'sandbox', TRACKING_WEBHOOK_SECRET: SECRET };
  const [command = '', ...args] = await recipe.command(files, port, variables);
  const env = { ...process.env, ...variables, PORT: String(port), NODE_OPTIONS: '', DENO_NO_UPDATE_CHECK: '1' };
  const child = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'], env });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk;
    });
  }
  const url = `http://localhost:${port}`;
  await whenUp(url, child).catch(() => expect(output).toBe('the server has started'));
  return { url, child, output: () => output };
}
