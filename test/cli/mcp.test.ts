import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { serverOf } from '../../src/cli/commands/mcp.ts';
import type { McpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, plainResult, stdioPeer } from '../../support/mcp-peer.ts';
import { createSandbox } from '../../support/sandbox.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const home = mkdtempSync(join(tmpdir(), 'cli-mcp-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const BASE_URL = 'http://127.0.0.1:9/v2';
const PATH = '/mcp';

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command without input, so that a server that starts ends immediately. */
function run(args: string[], environment: Record<string, string> = {}): Promise<Ended> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: home, TRACKING_BASE_URL: BASE_URL, ...environment };
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [MAIN, 'mcp', ...args],
      { env, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

function keyFile(name: string, mode: number, content = 'sandbox\n'): string {
  const path = join(home, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

test('without a key, the command says on stderr what is missing, and prints nothing on stdout', async () => {
  const { code, stdout, stderr } = await run([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Not set: the API key (TRACKING_API_KEY or --key-file). ');
});

test.each([
  ['may be read by others', 0o644],
  ['may be read by the group', 0o640],
])('a key file that %s is refused', async (_, mode) => {
  const path = keyFile('open', mode);
  const { code, stderr } = await run(['--key-file', path]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Others may read the key file ${path}. Run: chmod 600 ${path}\n`,
  });
});

test.each([
  ['that is named', ['--key-file', keyFile('private', 0o600)], {}],
  ['at its usual place', [], { XDG_CONFIG_HOME: home }],
])('a key file %s is accepted if only its owner can read it', async (_, args, environment) => {
  mkdirSync(join(home, 'container-tracking'), { recursive: true });
  keyFile('container-tracking/api-key', 0o600);
  expect(await run(args, environment)).toEqual({ code: 0, stdout: '', stderr: '' });
});

test.each<[string, string[], number, string]>([
  ['a key file that is not there', ['--key-file', join(home, 'none')], 2, 'cannot be read: there is no such file.'],
  ['a key file with nothing in it', ['--key-file', keyFile('empty', 0o600, '\n')], 1, 'is empty'],
  ['a key on the command line', ['--api-key', 'x'], 2, 'There is no option --api-key.'],
  ['a port without --http', ['--port', '1'], 2, '--port needs --http.'],
  ['a port that is no number', ['--http', '--port', 'x'], 2, '--port must be a number of at least 0, not x.'],
  [
    'a key file for callers that bring their own key',
    ['--http', '--key-file', 'x'],
    2,
    'each request brings its own key',
  ],
  ['an argument too many', ['now'], 2, 'The command mcp takes no argument now.'],
  ['an address that cannot work', ['--base-url', 'nowhere'], 2, '--base-url is not an absolute URL.'],
])('%s ends with a message and its exit code', async (_, args, code, message) => {
  const ended = await run(args, args.includes('--key-file') ? {} : { TRACKING_API_KEY: 'x' });
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  expect(ended.stderr).not.toMatch(/^\s+at /m);
  expect(ended.stderr.endsWith('\nSee: container-tracking help mcp\n')).toBe(code === 2);
});

test.each([[[]], [['--http']]])(
  'the error for an address of the environment names the variable, with %j',
  async args => {
    const { stderr } = await run(args, { TRACKING_API_KEY: 'x', TRACKING_BASE_URL: 'nowhere' });
    expect(stderr).toMatch(/^The address of the variable TRACKING_BASE_URL is not an absolute URL\./);
  },
);

test.each([[[]], [['--http']]])('without an address, %j names the command of the sandbox', async args => {
  const { code, stderr } = await run(args, { TRACKING_API_KEY: 'x', TRACKING_BASE_URL: '' });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('container-tracking sandbox') });
  expect(stderr).toMatch(/^Not set: the address of the service \(TRACKING_BASE_URL or --base-url\)\./);
});

test('the help of the command lists its options and the exit codes', async () => {
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  for (const text of ['--http', '--read-only', '--key-file', 'TRACKING_API_KEY', 'Exit codes: 0'])
    expect(stdout).toContain(text);
  expect(stdout).not.toContain('sandbox [--port');
});

test('the server over HTTP prints its address on stderr, serves callers with their own key, and ends after SIGTERM', async () => {
  const service = await createSandbox().listen();
  onTestFinished(() => service.close());
  const env = { ...process.env, TRACKING_BASE_URL: service.baseUrl, TRACKING_API_KEY: '' };
  const child = spawn(process.execPath, [MAIN, 'mcp', '--http', '--port', '0', '--read-only'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', chunk => {
    stdout += chunk;
  });
  const [line] = await once(child.stderr, 'data');
  const url = /MCP server at (\S+)/.exec(String(line))?.[1] ?? '';
  const peer = httpPeer(fetch, { url });
  expect(plainResult(await peer.call('list_shipments')).items).toEqual([]);
  expect((await peer.request('tools/list')).tools).toHaveLength(14);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await fetch(new URL('/', url), { method: 'POST', body: '{}' })).status).toBe(404);
  expect(await sentRaw(url, 'Content-Length: 100', '{"jsonrpc":"2.0",')).toMatch(/^HTTP\/1.1 400 .*"code":-32700/s);
  expect(await sentRaw(url, 'Transfer-Encoding: chunked', '11\r\n{"jsonrpc":"2.0",')).toMatch(
    /^HTTP\/1.1 400 .*-32700/s,
  );
  expect(await sentRaw(url, `X: ${'x'.repeat(40_000)}`, '')).toMatch(/^HTTP\/1.1 431 /);
  for (const head of [`POST ${PATH} HTTP/1.1\r\nHost: x@localhost`, `TRACE ${PATH} HTTP/1.1\r\nHost: localhost`])
    expect(await answerTo(url, `${head}\r\nConnection: close\r\n\r\n`), head).toMatch(/^HTTP\/1.1 400 /);
  expect((await peer.request('tools/list')).tools).toHaveLength(14);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(stdout).toBe('');
});

/** The response to a request that ends too early. */
function sentRaw(url: string, header: string, body: string): Promise<string> {
  const known = 'Host: 127.0.0.1\r\nAuthorization: Token sandbox\r\nContent-Type: application/json';
  return answerTo(url, `POST ${PATH} HTTP/1.1\r\n${known}\r\n${header}\r\n\r\n${body}`);
}

/** The response to these bytes. The client sends nothing after them. */
async function answerTo(url: string, bytes: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  socket.on('data', chunk => {
    answer += chunk;
  });
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}

test.each([
  ['within its headers', `POST ${PATH} HTTP/1.1\r\nHost: local`],
  ['within its body', `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"jsonrpc"`],
])('a connection that stops %s is closed, although its client never closes its side', async (_, bytes) => {
  const limits = { headersTimeout: 40, requestTimeout: 60, connectionsCheckingInterval: 20 };
  const node: McpHandler['node'] = incoming => void (incoming as IncomingMessage).on('error', () => {}).resume();
  const server = serverOf({ node }, limits).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket
    .on('error', () => {})
    .on('data', chunk => {
      answer += chunk;
    });
  socket.write(bytes);
  const [connection] = (await once(server, 'connection')) as [Socket];
  if (!connection.destroyed) await once(connection, 'close');
  await expect.poll(() => answer).toMatch(/^HTTP\/1.1 408 /);
});

test('the server over stdio ends with exit code 0 after SIGTERM', async () => {
  const peer = await stdioPeer(BASE_URL, { args: ['--read-only'] });
  expect((await peer.request('tools/list')).tools).toHaveLength(14);
  peer.child.kill('SIGTERM');
  expect(await once(peer.child, 'exit')).toEqual([0, null]);
});
