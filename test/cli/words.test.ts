import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reportTo } from '../../src/cli/sync/report.ts';
import { inWords } from '../../src/cli/words.ts';
import type { Sync } from '../../src/sync/index.ts';
import { messageIn } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const NOBODY = ['--base-url', 'http://127.0.0.1:59999/v2', '--retries', '0'];

interface Ended {
  code: number | string;
  stdout: string;
  stderr: string;
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: '/nonexistent', TRACKING_API_KEY: 'sandbox', ...environment };
  const node = ['--disable-warning=ExperimentalWarning', MAIN, ...args];
  return new Promise(done => {
    execFile(process.execPath, node, { timeout: 30_000, killSignal: 'SIGKILL', env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : (error.signal ?? Number(error.code)), stdout, stderr }),
    );
  });
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cli-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test.each([
  [['help'], ['--help']],
  [['help', 'help'], ['--help']],
  [
    ['help', 'sync'],
    ['sync', '--help'],
  ],
  [
    ['help', 'webhooks'],
    ['webhooks', '--help'],
  ],
  [
    ['help', 'webhooks', 'listen'],
    ['webhooks', 'listen', '--help'],
  ],
  [['webhooks'], ['webhooks', '--help']],
  [
    ['webhooks', 'help'],
    ['webhooks', '--help'],
  ],
])('%j prints the same as %j', async (words, options) => {
  const [asWords, asOptions] = await Promise.all([run(words), run(options)]);
  expect(asWords).toMatchObject({ code: 0, stderr: '' });
  expect(asWords).toEqual(asOptions);
});

test('help for an unknown command says that there is no such command', async () => {
  const { code, stderr } = await run(['help', 'serve']);
  expect(code).toBe(2);
  expect(messageIn(stderr)).toBe('There is no command serve.');
});

test.each<[args: string[], message: string, environment?: NodeJS.ProcessEnv]>([
  [['limits'], 'Not set: the address of the service (TRACKING_BASE_URL or --base-url).'],
  [['limits'], 'The address of the variable TRACKING_BASE_URL is not an absolute URL', { TRACKING_BASE_URL: 'here' }],
  [['limits', '--base-url', 'here'], '--base-url is not an absolute URL'],
  [['limits', '--base-url', 'http://host.example/v2'], '--base-url uses http://'],
  [['limits', '--base-url', 'https://me:pw@host.example/v2'], 'Remove them and use TRACKING_API_KEY or --key-file.'],
  [['documents', 'get', 'HLCU750091647', ...NOBODY], 'To find the id, use the command search.'],
  [['limits', ...NOBODY], 'TRACKING_API_KEY holds', { TRACKING_API_KEY: 'a\nb' }],
  [['limits', ...NOBODY, '--retries', '1.5'], '--retries is 1.5'],
  [['limits', ...NOBODY, '--timeout', '0'], '--timeout must be a duration such as 30s, 5m, 2h or 1d, not 0.'],
  [['track', 'X', ...NOBODY, '--wait', '0'], '--wait must be a duration such as 30s, 5m, 2h or 1d, not 0.'],
  [
    ['track', 'X', ...NOBODY, '--type', 'ship'],
    '--type must be bill_of_lading or booking_number or container, not ship.',
  ],
  [['containers', 'list', ...NOBODY, '--filter', 'size=1'], 'There is no --filter size. There are: number'],
  [['webhooks', 'recover', ...NOBODY, '--since', '2026-02-30'], '--since must be a moment in the past'],
  [[''], 'The command is blank.'],
  [['webhooks', 'recover', ...NOBODY, '--since', 'noon'], '--since must be a moment in the past'],
  [['webhooks', 'trigger', 'container.updated', ...NOBODY, '--url', 'here'], '--url must be an https address.'],
  [['webhooks', 'trigger', 'container.updatd', ...NOBODY], 'There is no event container.updatd. Did you mean'],
  [['sync', '--sqlite', ':memory:', '--share', '2', ...NOBODY.slice(0, 2)], '--share is 2'],
  [['sandbox', '--seed', '1.5'], '--seed is 1.5'],
  [['mcp'], 'Not set: the address of the service (TRACKING_BASE_URL or --base-url).'],
])('%j is refused in the words of the command line', async (args, message, environment) => {
  const { stderr } = await run(args, environment);
  expect(messageIn(stderr)).toContain(message);
  expect(messageIn(stderr)).not.toMatch(/\b(apiKey|baseUrl|waitTimeout|retry\.limit|accessToken)\b/);
});

test.each(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY'])(
  'the message says that Node does not use %s if this variable is set and the service cannot be reached',
  async name => {
    const { code, stderr } = await run(['limits', ...NOBODY], { [name]: 'http://proxy.example:3128' });
    expect(code).toBe(6);
    expect(stderr).toContain(`${name} is set, but Node uses it only with NODE_USE_ENV_PROXY=1`);
    const used = await run(['limits', ...NOBODY], { [name]: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' });
    expect(used.stderr).not.toContain('but Node uses it only');
  },
);

test('a proxy from the environment is used with NODE_USE_ENV_PROXY=1', async () => {
  const { createServer } = await import('node:http');
  const asked: string[] = [];
  const proxy = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise(done => proxy.once('listening', done));
  const { port } = proxy.address() as { port: number };
  const environment = { HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_USE_ENV_PROXY: '1' };
  await run(['limits', '--base-url', 'https://host.example/v2', '--retries', '0'], environment);
  expect(asked).toEqual(['host.example:443']);
});

test.runIf(process.platform !== 'win32')('a FIFO as the key file is refused without blocking', async () => {
  const path = join(folder(), 'key');
  execFileSync('mkfifo', ['-m', '600', path]);
  const { code, stderr } = await run(['limits', ...NOBODY, '--key-file', path]);
  expect(code).toBe(1);
  expect(stderr).toBe(`The key file ${path} is not a file.\n`);
});

test.runIf(process.platform !== 'win32')('a FIFO as the checkpoint is refused without blocking', async () => {
  const path = join(folder(), 'checkpoint');
  execFileSync('mkfifo', ['-m', '600', path]);
  const { code, stderr } = await run(['webhooks', 'recover', ...NOBODY, '--checkpoint', path]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: `The checkpoint ${path} is not a file.\n` });
});

test.each([
  ['webhooks', 'listen', ...NOBODY, '--port', '99999'],
  ['mcp', '--http', '--port', '99999'],
  ['sandbox', '--port', '99999'],
])('%s %s names the valid range of a port', async (...args) => {
  const { code, stderr } = await run(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--port must be from 0 to 65535, not 99999\.\nSee: container-tracking help [^\n]+\n$/);
});

test('the message names an address at which the sandbox cannot listen', async () => {
  const { code, stderr } = await run(['sandbox', '--host', 'nobody.invalid']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^Port 4010 of nobody\.invalid cannot be used: /);
});

test('the message about a Node version without SQLite does not contain names of functions', () => {
  const said =
    'sqliteInbox() needs node:sqlite, which Node has from 22.13 on; this is v20.20.2. Update Node, or use redisInbox().';
  expect(inWords(said, { options: {} })).toBe('SQLite needs Node 22.13 or newer, and this is v20.20.2. Update Node.');
});

test.runIf(process.platform === 'linux')('a key can come from a pipe of the shell, such as <(…)', async () => {
  const script = `exec "$0" "${MAIN}" limits ${NOBODY.join(' ')} --key-file <(echo secret)`;
  const { PATH } = process.env;
  const ended = await new Promise<string>(done => {
    const options = { timeout: 30_000, env: { PATH } };
    execFile('bash', ['-c', script, process.execPath], options, (_, __, stderr) => done(stderr));
  });
  expect(ended).toContain('no response from the service');
});

test('sync --status does not create a file', async () => {
  const path = join(folder(), 'tracking.db');
  const { code, stdout } = await run(['sync', '--sqlite', path, '--status']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, '');
  const empty = await run(['sync', '--sqlite', path, '--status']);
  expect(empty).toMatchObject({ code: 7, stderr: 'The database has not been filled yet.\n' });
  expect(JSON.parse(empty.stdout)).toMatchObject({ version: 0, tables: [] });
});

test.each([
  ['xterm', true],
  ['dumb', false],
])('with TERM=%s the report of sync on a terminal has escape sequences: %s', (term, hasEscapes) => {
  let written = '';
  const listeners = new Map<string, (event: object) => void>();
  const sync = { on: (type: string, listener: (event: object) => void) => listeners.set(type, listener) };
  const write = (text: string) => {
    written += text;
    return true;
  };
  const out = { isTTY: true, columns: 80, write };
  reportTo(sync as unknown as Sync, out, undefined, { TERM: term });
  const counts = { phase: 'backfill', records: 5, total: 10, requests: 2, remainingMs: 1000, list: 'shipments' };
  listeners.get('progress')?.({ type: 'progress', ...counts });
  listeners.get('recovered')?.({ type: 'recovered', records: 3 });
  expect(written.includes('\u001B')).toBe(hasEscapes);
  expect(written.endsWith('3 records of notifications that did not arrive are read now.\n')).toBe(true);
  expect(written.includes('\r')).toBe(hasEscapes);
});
