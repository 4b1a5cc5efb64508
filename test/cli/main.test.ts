import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { messageIn } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  return new Promise(resolve => {
    // A command that does not end is killed, so that a failed test does not leave a process.
    execFile(process.execPath, [MAIN, ...args], { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('the program prints its help without a command and with --help', async () => {
  const [bare, help] = await Promise.all([run(), run('--help')]);
  expect(bare).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('container-tracking sandbox --shipments 20'),
  });
  expect(help).toEqual(bare);
});

test.each([
  ['a seed that is not whole', ['sandbox', '--seed', '1.5'], 'seed is 1.5; it must be a whole number.'],
  ['a speed without end', ['sandbox', '--speed', 'Infinity'], 'speed must be finite.'],
  ['a speed that is no number', ['sandbox', '--speed', 'fast'], '--speed must be a number of at least 0, not fast.'],
  ['a port that does not exist', ['sandbox', '--port', '99999'], '--port must be from 0 to 65535, not 99999.'],
  [
    'a rate limit that is neither on nor off',
    ['sandbox', '--rate-limit', '5'],
    '--rate-limit must be on or off, not 5.',
  ],
  ['half a shipment', ['sandbox', '--shipments', '1.5'], 'shipments is 1.5; it must be a whole number'],
  ['a host that is none', ['sandbox', '--host', 'no host'], 'cannot be used: '],
  ['an origin that is none', ['sandbox', '--cors', 'app.example'], 'an origin must be like https://app.example'],
  ['an unknown option', ['sandbox', '--spped', '2'], 'There is no option --spped. Did you mean --speed?'],
  ['an unknown command', ['serve'], 'There is no command serve.'],
  ['an argument too many', ['sandbox', 'now'], 'The command sandbox takes no argument now.'],
  [
    'a number in place of a filter',
    ['documents', 'list', 'A1'],
    'takes no argument A1. To choose records, use --filter',
  ],
  [
    'several numbers to track',
    ['track', 'A1', 'B2'],
    'takes no argument B2. For the numbers of a file, use --from FILE',
  ],
  ['the option of a file', ['track', '--file', 'a.csv'], 'There is no option --file. Did you mean --from?'],
])('%s gives one line and the command for the help, but not a stack trace', async (_, args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\nSee: container-tracking help[^\n]*\n$/);
  expect(messageIn(stderr)).toContain(message);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test.each([
  ['sandbox', ' of 127.0.0.1', []],
  ['mcp', '', ['--http', '--base-url', 'https://host.example/v2']],
])('the message of %s about a port that is in use names the port and the option', async (command, address, options) => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await run(command, ...options, '--port', String(port));
  expect(code).toBe(2);
  expect(stderr).toContain(
    `Port ${port}${address} is in use. Pass another one with --port; 0 stands for any free port.\n`,
  );
});

test('the sandbox responds at the address that it prints, until SIGTERM', async () => {
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'sandbox', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const baseUrl = /Sandbox at (\S+)/.exec(await firstOutput(child))?.[1] ?? '';
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox' });
  expect((await client.shipments.list()).data).toEqual([]);
  await client.close();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the sandbox accepts requests from pages of this machine and from the origins of --cors', async () => {
  const options = ['--port', '0', '--cors', 'https://one.example', '--cors', 'https://two.example'];
  const child = spawn(process.execPath, [MAIN, 'sandbox', ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  const [output] = await once(child.stdout, 'data');
  const baseUrl = /http:\/\/127\.0\.0\.1:\d+\/v2/.exec(String(output))?.[0] ?? '';
  const status = async (origin: string) => {
    const headers = { authorization: 'Token sandbox', origin };
    return (await fetch(`${baseUrl}/parties`, { headers })).status;
  };
  const origins = ['http://localhost:3000', 'https://one.example', 'https://two.example', 'https://three.example'];
  expect(await Promise.all(origins.map(status))).toEqual([200, 200, 200, 403]);
});

test('the sandbox prints the address of its page with a token that allows changes, and does not log the token', async () => {
  const child = spawn(process.execPath, [MAIN, 'sandbox', '--port', '0', '--log'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', chunk => {
    log += chunk;
  });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('export ')) break;
  }
  const { origin, pathname, hash } = new URL(/Page at (\S+)/.exec(output)?.[1] ?? '');
  expect(pathname).toBe('/');
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const advance = (headers: Record<string, string>) =>
    fetch(`${origin}/page/actions/advance`, { method: 'POST', body: '{"days":1}', headers });
  expect((await advance({})).status).toBe(403);
  expect((await advance({ 'x-sandbox-token': token })).status).toBe(200);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(log).toBe('');
});

test('the sandbox starts with shipments and without a rate limit, and prints one line per request on stderr', async () => {
  const options = ['--port', '0', '--host', '0.0.0.0', '--shipments', '20', '--log', '--rate-limit', 'off'];
  const child = spawn(process.execPath, [MAIN, 'sandbox', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', chunk => {
    log += chunk;
  });
  const [, port] = /Sandbox at http:\/\/0\.0\.0\.0:(\d+)/.exec(await firstOutput(child)) ?? [];
  const address = `http://127.0.0.1:${port}/v2`;
  const headers = { authorization: 'Token sandbox' };
  const statuses = new Set<number>();
  for (let n = 0; n < 110; n++) statuses.add((await fetch(`${address}/ports/USLAX`, { headers })).status);
  expect([...statuses]).toEqual([200]);
  expect((await (await fetch(`${address}/shipments?page[size]=2`, { headers })).json()).meta.total).toBe(20);
  await fetch(`${address}/rails/active_storage/disk/x?expires=1&signature=secret%0AGET`);
  child.kill('SIGTERM');
  await once(child, 'close');
  const lines = log.split('\n').filter(Boolean);
  expect(lines.slice(-2)).toEqual([
    'GET /shipments?page[size]=2 200',
    'GET /rails/active_storage/disk/x?expires=1&signature=*** 403',
  ]);
  expect(lines).toHaveLength(112);
});

async function firstOutput({ stdout }: ChildProcess): Promise<string> {
  for await (const chunk of stdout ?? []) return String(chunk);
  return '';
}
