import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tool } from '../../support/packed.ts';
import { reply, serveUploads, type UploadServer } from '../../support/storage.ts';
import { answerOfWorker } from '../../support/workerd.ts';

const SIZE = 3_000_001;
const checksum = createHash('md5').update(Buffer.alloc(SIZE, 7)).digest('base64');
const directory = mkdtempSync(join(tmpdir(), 'upload-runtimes-'));
const entry = JSON.stringify(resolve(import.meta.dirname, '../../src/index.ts'));

/** Uploads the same bytes as each kind of file that exists in every runtime. */
const UPLOADS = `
import { TrackingClient } from ${entry};
export async function uploads(baseUrl, paths) {
  const retry = { limit: 1, minDelay: 0 };
  const client = new TrackingClient({ baseUrl, apiKey: 'key', logger: false, rateLimit: false, retry });
  const bytes = new Uint8Array(${SIZE}).fill(7);
  const stream = { size: bytes.length, open: () => new Blob([bytes]).stream() };
  const told = [];
  for (const file of [...paths, bytes, new Blob([bytes]), stream]) {
    let last;
    const onProgress = progress => { last = progress; };
    await client.documents.upload({ file, filename: 'a.pdf', onProgress });
    told.push(last);
  }
  const downloaded = await new Response(await client.documents.download('1')).text();
  return [...told, downloaded];
}`;
const MAIN = `${UPLOADS}
console.log(JSON.stringify(await uploads(process.env.BASE_URL, [process.env.FILE])));`;
/** A Worker that responds with the value of an expression. */
const workerFor = (imports: string, value: string) => `${imports}
export default {
  async fetch(request, env) {
    try {
      return Response.json(await ${value});
    } catch (error) {
      return new Response(String(error) + String(error.cause?.stack), { status: 500 });
    }
  },
};`;

/** The outcome of an upload that must fail. */
const FAILURE = `
import { TrackingClient } from ${entry};
export async function failure(baseUrl, size, timeout, fetch) {
  const client = new TrackingClient({ baseUrl, apiKey: 'key', logger: false, retry: false, fetch });
  const file = new Uint8Array(size);
  const error = await client.documents.upload({ file, filename: 'a.pdf', timeout }).catch(error => error);
  return [error.stage, error.cause?.name, error.message];
}`;
/** The timeout ends during the PUT. */
const FAILING = `${FAILURE}
const { setTimeout } = globalThis;
const held = [];
globalThis.setTimeout = (run, ms, ...args) => (ms >= 60_000 ? void held.push(run) : setTimeout(run, ms, ...args));
const fetch = (input, init) => {
  if (init?.method === 'PUT') setTimeout(() => held.at(-1)(), 50);
  return globalThis.fetch(input, init);
};
console.log(JSON.stringify(await failure(process.env.BASE_URL, 1000, 60_000, fetch)));`;

beforeAll(async () => {
  writeFileSync(join(directory, 'a.pdf'), Buffer.alloc(SIZE, 7));
  await bundle(MAIN, 'main.mjs', { platform: 'node' });
  await bundle(FAILING, 'failing.mjs', { platform: 'node' });
  const conditions = ['workerd', 'worker', 'browser'];
  await bundle(workerFor(UPLOADS, 'uploads(env.BASE_URL, [])'), 'worker.mjs', { conditions });
  await bundle(workerFor(FAILURE, 'failure(env.BASE_URL, 40_000_000)'), 'failing-worker.mjs', { conditions });
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

async function bundle(contents: string, name: string, options: BuildOptions): Promise<void> {
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    outfile: join(directory, name),
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    ...options,
  });
}

const arrived = (count: number) =>
  Array(count).fill({ bytes: SIZE, checksum, headers: { 'content-length': String(SIZE), 'content-md5': checksum } });
const finished = (count: number) => [...Array(count).fill({ stage: 'put', loaded: SIZE, total: SIZE }), 'the content'];

async function serveDocuments(): Promise<UploadServer> {
  const server = await serveUploads();
  let refusals = 0;
  server.onGet = (path, response) => {
    if (path.endsWith('/download_url')) return reply(response, 200, { download_url: `${server.origin}/file` });
    refusals += 1;
    return refusals === 1 ? response.writeHead(503).end() : response.end('the content');
  };
  return server;
}

const runtimes: [name: string, command: string, args: string[]][] = [
  ['Node', tool('node'), []],
  ['Bun', tool('bun'), ['run']],
  ['Deno', tool('deno'), ['run', '--allow-net', '--allow-env', '--allow-read']],
];

/** The output of a program. */
async function printed(command: string, args: string[], program: string, baseUrl: string): Promise<unknown> {
  const env = { ...process.env, BASE_URL: baseUrl, FILE: join(directory, 'a.pdf') };
  const { stdout } = await promisify(execFile)(command, [...args, program], { cwd: directory, env });
  return JSON.parse(stdout);
}

describe('the bytes arrive with their length', () => {
  test.each(runtimes)('from %s', { timeout: 60_000 }, async (_, command, args) => {
    const server = await serveDocuments();
    expect(await printed(command, args, 'main.mjs', server.baseUrl)).toEqual(finished(4));
    expect(server.puts).toMatchObject(arrived(4));
    expect(server.documents).toHaveLength(4);
  });

  test('from workerd', { timeout: 60_000 }, async () => {
    const server = await serveDocuments();
    const response = await answerOfWorker(directory, 'worker.mjs', server.baseUrl);
    expect(JSON.parse(await response.text())).toEqual(finished(3));
    expect(server.puts).toMatchObject(arrived(3));
    expect(server.documents).toHaveLength(3);
  });
});

test.each(runtimes)(
  'in %s, the upload ends with a timeout if a custom fetch hangs',
  { timeout: 60_000 },
  async (_, command, args) => {
    const server = await serveUploads(() => {});
    const told = await printed(command, args, 'failing.mjs', server.baseUrl);
    expect(told).toEqual(['put', 'TimeoutError', expect.any(String)]);
  },
);

test('in workerd, a response with status 200 is not a success if it comes before the bytes were read', {
  timeout: 60_000,
}, async () => {
  const server = await serveUploads((request, response) => {
    request.pause();
    response.writeHead(200).end();
  });
  const response = await answerOfWorker(directory, 'failing-worker.mjs', server.baseUrl);
  const told = JSON.parse(await response.text());
  expect(told).toEqual(['put', 'ConnectionError', expect.stringContaining('before all bytes were sent')]);
  expect(server.documents).toEqual([]);
});
