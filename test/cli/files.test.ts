import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxServer } from '../../support/sandbox.ts';
import { commandLine } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const ID = '3f2a9c1e-0d4b-4c55-8a65-1f0f3c5b7d11';
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const folder = mkdtempSync(join(tmpdir(), 'cli-files-'));
const file = join(folder, 'numbers.csv');
writeFileSync(file, 'MAEU123456789,MAEU\n');

let sandbox: Sandbox;
let server: SandboxServer;
const environment = () => ({ TRACKING_API_KEY: 'sandbox', TRACKING_BASE_URL: server.baseUrl });
const ct = commandLine(environment);

beforeAll(async () => {
  sandbox = createSandbox({ shipments: 2, rateLimit: false });
  server = await sandbox.listen();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const WRITERS: readonly ((path: string) => string[])[] = [
  path => ['changes', path],
  path => ['documents', 'download', ID, '--force', '--to', path],
  path => ['webhooks', 'recover', '--since', '2026-03-09T00:00:00Z', '--checkpoint', path],
  path => ['track', '--from', file, '--to', path],
];

const PLACES = [
  ['in a folder that is missing', join('missing', 'x'), `there is no folder ${join(folder, 'missing')}`],
  ['below a file', join('numbers.csv', 'x'), 'a part of its path is a file'],
  ['that is a folder', '.', 'it is a folder'],
] as const;

describe.each(WRITERS.map(args => [args('FILE').join(' '), args] as const))('%s', (command, args) => {
  // A document is written into the folder.
  const places = command.includes('download') ? PLACES.slice(0, -1) : PLACES;

  test.each(places)('names a file %s before it sends a request', async (_, name, reason) => {
    const before = sandbox.requests.length;
    const path = join(folder, name);
    expect(await ct(...args(path))).toMatchObject({ code: 2, last: `${path} cannot be written: ${reason}.` });
    expect(sandbox.requests.length).toBe(before);
  });
});

test('sync ends with exit code 2 if the database cannot be created', async () => {
  const before = sandbox.requests.length;
  const path = join(folder, 'missing', 'x.db');
  const { code, last } = await ct('sync', '--once', '--sqlite', path);
  expect({ code, last }).toEqual({ code: 2, last: expect.stringContaining('there is no directory') });
  expect(sandbox.requests.length).toBe(before);
});

describe.runIf(process.platform === 'linux')('in a folder where no file can be created', () => {
  const closed = mkdtempSync(join(tmpdir(), 'cli-closed-'));
  const state = join(closed, 'state.json');
  writeFileSync(state, '{"at":"2026-03-09T00:00:00Z","records":[]}');
  chmodSync(closed, 0o555);
  if (isRoot) chownSync(state, NOBODY, NOBODY);
  afterAll(() => {
    chmodSync(closed, 0o755);
    rmSync(closed, { recursive: true });
  });

  const changes = (path: string, ...options: string[]) =>
    new Promise<{ code: unknown; stderr: string }>(done => {
      const child = {
        timeout: 60_000,
        env: { PATH: process.env.PATH, ...environment() },
        ...(isRoot && { uid: NOBODY, gid: NOBODY }),
      };
      execFile(process.execPath, [MAIN, 'changes', path, ...options], child, (error, _, stderr) => {
        done({ code: error?.code ?? 0, stderr });
      });
    });

  test('a new file is refused with a message, but a writable file is replaced', async () => {
    const before = sandbox.requests.length;
    const refused = await changes(join(closed, 'new.json'));
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/new\.json cannot be written: permission denied\.\nSee: /),
    });
    expect(sandbox.requests.length).toBe(before);
    expect((await changes(state, '--done')).code).toBe(0);
    expect(JSON.parse(readFileSync(state, 'utf8')).records.length).toBeGreaterThan(0);
  });

  test('a read-only file is refused with a message', async () => {
    chmodSync(state, 0o444);
    expect(await changes(state)).toMatchObject({ code: 2, stderr: expect.stringContaining('permission denied.') });
  });
});

test('the message about a missing input file names the file, with exit code 2', async () => {
  const missing = join(folder, 'none.csv');
  const last = `${missing} cannot be read: there is no such file.`;
  expect(await ct('track', '--from', missing, '--to', join(folder, 'out.csv'))).toMatchObject({ code: 2, last });
  vi.stubEnv('TRACKING_WEBHOOK_SECRET', 'secret');
  expect(await ct('webhooks', 'verify', missing, '--signature', 'x')).toMatchObject({ code: 2, last });
  mkdirSync(join(folder, 'deep'));
  expect((await ct('track', '--from', file, '--to', '-')).last).toContain('--to must be a file');
  expect((await ct('track', '--from', join(folder, 'deep'), '--to', join(folder, 'out.csv'))).last).toContain(
    'cannot be read: it is a folder.',
  );
});
