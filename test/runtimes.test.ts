import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { installPacked, type PackedProject, tool } from '../support/packed.ts';
import { faultsOf, smokeSandbox } from '../support/smoke.ts';

let project: PackedProject;

beforeAll(() => {
  project = installPacked();
  for (const file of ['smoke.mjs', 'main.mjs', 'broken-bodies.mjs']) {
    copyFileSync(join(import.meta.dirname, 'runtimes', file), join(project.directory, file));
  }
}, 120_000);

afterAll(() => project?.remove());

// The program runs in every other runtime with `npm run runtimes`.
test('the packed tarball does each job of the smoke program', { timeout: 60_000 }, async () => {
  const sandbox = smokeSandbox();
  const server = await sandbox.listen();
  onTestFinished(() => server.close());
  const { stdout } = await promisify(execFile)(tool('node'), ['main.mjs'], {
    cwd: project.directory,
    env: { ...process.env, BASE_URL: server.baseUrl },
  });
  expect(faultsOf(JSON.parse(stdout), sandbox)).toEqual({});
});

/** Sends half of a response. Then the connection ends, or nothing more comes. */
async function serveHalves(): Promise<string> {
  const text = JSON.stringify({ data: [], meta: Array.from({ length: 5000 }, (_, i) => (i * 7919) % 10_007) });
  const bodies: Record<string, Buffer> = {
    br: brotliCompressSync(text),
    gzip: gzipSync(text),
    identity: Buffer.from(text),
  };
  const server = createServer((request, response) => {
    const [, , status = '', encoding = '', end] = (request.url ?? '').split('/');
    const body = bodies[encoding] as Buffer;
    response.writeHead(Number(status), { 'content-type': 'application/vnd.api+json', 'content-encoding': encoding });
    response.write(body.subarray(0, body.length / 2), () => end === 'cut' && response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('no call hangs after half of a response, compressed or not,', () => {
  test.each([
    ['the system’s Node', systemNode(), []],
    ['the newest Node of the toolchain', tool('node'), []],
    ['Bun', tool('bun'), ['run']],
    ['Deno', tool('deno'), ['run', '--allow-net', '--allow-env', '--allow-read']],
  ])('in %s', { timeout: 60_000 }, async (_name, command, args) => {
    const of = (status: number, codes: Record<string, string>) =>
      ['br', 'gzip', 'identity'].flatMap(encoding =>
        Object.entries(codes).map(([end, code]) => [`/${status}/${encoding}/${end}`, code]),
      );
    // The status decides the class of the error, even if the rest of the body never comes.
    const expected = Object.fromEntries([
      ...of(200, { cut: 'connection', timeout: 'timeout', abort: 'aborted' }),
      ...of(500, { cut: 'server_error', timeout: 'timeout', abort: 'aborted' }),
    ]);
    const { stdout } = await promisify(execFile)(command, [...args, 'broken-bodies.mjs'], {
      cwd: project.directory,
      env: { ...process.env, BASE_URL: await serveHalves(), PATHS: JSON.stringify(Object.keys(expected)) },
      timeout: 50_000,
    });
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});

/** The Node that is installed on the machine. It is often older than the Node of the project. */
function systemNode(): string {
  const path = (process.env.PATH ?? '').split(':').filter(directory => !directory.includes('node_modules'));
  return join(path.find(directory => existsSync(join(directory, 'node'))) ?? '', 'node');
}
