import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tool } from './support/packed.ts';
import { serveUploads } from './support/storage.ts';
import { answerOfWorker } from './support/workerd.ts';

const SIZE = 3_000_001;
const checksum = createHash('md5').update(Buffer.alloc(SIZE, 7)).digest('base64');
const directory = mkdtempSync(join(tmpdir(), 'upload-runtimes-'));
const entry = JSON.stringify(resolve(import.meta.dirname, '../src/index.ts'));

/** Uploads the same bytes as each kind of file that every runtime has. */
const UPLOADS = `
import { TrackingClient } from ${entry};
export async function uploads(baseUrl, paths) {
  const client = new TrackingClient({ baseUrl, apiKey: 'key', logger: false, rateLimit: false, retry: false });
  const bytes = new Uint8Array(${SIZE}).fill(7);
  const stream = { size: bytes.length, open: () => new Blob([bytes]).stream() };
  const told = [];
  for (const file of [...paths, bytes, new Blob([bytes]), stream]) {
    let last;
    const onProgress = progress => { last = progress; };
    await client.documents.upload({ file, filename: 'a.pdf', onProgress });
    told.push(last);
  }
  return told;
}`;
const MAIN = `${UPLOADS}
console.log(JSON.stringify(await uploads(process.env.BASE_URL, [process.env.FILE])));`;
const WORKER = `${UPLOADS}
export default {
  async fetch(request, env) {
    try {
      return Response.json(await uploads(env.BASE_URL, []));
    } catch (error) {
      return new Response(String(error) + String(error.cause?.stack), { status: 500 });
    }
  },
};`;

beforeAll(async () => {
  writeFileSync(join(directory, 'a.pdf'), Buffer.alloc(SIZE, 7));
  await bundle(MAIN, 'main.mjs', { platform: 'node' });
  await bundle(WORKER, 'worker.mjs', { conditions: ['workerd', 'worker', 'browser'] });
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
const finished = (count: number) => Array(count).fill({ stage: 'put', loaded: SIZE, total: SIZE });

describe('the bytes arrive with their length', () => {
  test.each([
    ['Node', tool('node'), ['main.mjs']],
    ['Bun', tool('bun'), ['run', 'main.mjs']],
    ['Deno', tool('deno'), ['run', '--allow-net', '--allow-env', '--allow-read', 'main.mjs']],
  ])('from %s', { timeout: 60_000 }, async (_name, command, args) => {
    const server = await serveUploads();
    const env = { ...process.env, BASE_URL: server.baseUrl, FILE: join(directory, 'a.pdf') };
    const { stdout } = await promisify(execFile)(command, args, { cwd: directory, env });
    expect(JSON.parse(stdout)).toEqual(finished(4));
    expect(server.puts).toMatchObject(arrived(4));
    expect(server.documents).toHaveLength(4);
  });

  test('from workerd', { timeout: 60_000 }, async () => {
    const server = await serveUploads();
    const response = await answerOfWorker(directory, 'worker.mjs', server.baseUrl);
    expect(JSON.parse(await response.text())).toEqual(finished(3));
    expect(server.puts).toMatchObject(arrived(3));
    expect(server.documents).toHaveLength(3);
  });
});
