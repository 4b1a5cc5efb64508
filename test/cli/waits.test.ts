import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withClient } from '../../src/cli/api.ts';
import { waitsOn } from '../../src/cli/output/waits.ts';
import type { QueuedEvent } from '../../src/hooks.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';
import { commandLine } from './command-line.ts';

const environment = { TRACKING_API_KEY: 'waits', TRACKING_BASE_URL: '' };
const ct = commandLine(() => environment);

/** Starts the sandbox. With `isTTY`, stderr is a terminal until the end of the test. */
async function served(sandbox: ReturnType<typeof createSandbox>, isTTY = false): Promise<SandboxServer> {
  const server = await sandbox.listen();
  onTestFinished(() => server.close());
  const terminalIs = (value: boolean | undefined) =>
    Object.defineProperty(process.stderr, 'isTTY', { value, configurable: true });
  terminalIs(isTTY);
  onTestFinished(() => void terminalIs(undefined));
  return server;
}

test.each([
  ['waits', 1, 1, /^Waiting [12] s: The service has failed.*\(GET \/shipping_lines: 503\)/gm],
  ['tries again twice at once', 0, 2, /^Trying again: The service has failed.*\(GET \/shipping_lines: 503\)/gm],
] as const)('a command that %s prints the reason once, and only on a terminal', async (_, retryAfter, times, line) => {
  const sandbox = createSandbox({ rateLimit: false, apiKeys: ['waits'] });
  for (const isTTY of [true, false]) {
    const server = await served(sandbox, isTTY);
    sandbox.fail({ status: 503, retryAfter, times });
    const { code, err } = await ct('carriers', '--base-url', server.baseUrl);
    expect({ code, lines: err.match(line)?.length ?? 0 }).toEqual({ code: 0, lines: isTTY ? 1 : 0 });
  }
});

test('on a terminal, a long wait for the rate limit prints one line', async () => {
  const sandbox = createSandbox({ apiKeys: ['waits'] });
  const server = await served(sandbox, true);
  const values = { 'base-url': server.baseUrl, timeout: '30s', retries: '0' };
  await withClient(values, async client => {
    const ending = new AbortController();
    const calls = Array.from({ length: 150 }, () =>
      client.ports.get('USLAX', { signal: ending.signal }).catch(() => {}),
    );
    await vi.waitFor(() => expect(vi.mocked(process.stderr.write)).toHaveBeenCalled());
    ending.abort();
    await Promise.all(calls);
  });
  expect(vi.mocked(process.stderr.write).mock.calls.flat().join('')).toMatch(/^Waiting \d+ s: .*\n$/);
});

test('a command prints the number of failed attempts, and says that the user may run the command again', async () => {
  const sandbox = createSandbox({ rateLimit: false, apiKeys: ['waits'] });
  const server = await served(sandbox);
  sandbox.fail({ status: 503, retryAfter: 0, times: 2 });
  const { code, err } = await ct('carriers', '--retries', '1', '--base-url', server.baseUrl);
  expect(code).toBe(6);
  expect(err).toMatch(/^2 attempts have failed\. Try again in a few minutes\.$/m);
});

test('a wait for the rate limit prints one line of text in a pipe, or of JSON with --json', async () => {
  const sandbox = createSandbox({ rateLimit: false, apiKeys: ['waits'] });
  const server = await served(sandbox);
  const said = async (...options: string[]) => {
    sandbox.fail({ status: 429, retryAfter: 1, times: 1 });
    return (await ct('carriers', '--base-url', server.baseUrl, ...options)).err;
  };
  const line = /^The rate limit is reached: the next attempt is in [12] s\.$/;
  const text = await said();
  expect(text.trim()).toMatch(line);
  expect(JSON.parse(await said('--json'))).toEqual({ note: expect.stringMatching(line) });
});

test('calls that wait at the same time print only one line, and short waits print nothing', () => {
  let now = 0;
  const { onQueued } = waitsOn({ isTTY: true }, () => now);
  const queue = (estimatedWaitMs: number) => onQueued?.({ estimatedWaitMs } as QueuedEvent);
  for (const wait of [20, 999, 5000, 5100, 5900]) queue(wait);
  now = 5000;
  queue(30_000);
  expect(vi.mocked(process.stderr.write).mock.calls.map(([text]) => text)).toEqual([
    'Waiting 5 s: the rate limit is reached.\n',
    'Waiting 30 s: the rate limit is reached.\n',
  ]);
});

test('the message about a connection that was closed has the reason in words', async () => {
  const server = createServer(socket => socket.once('data', () => socket.end()));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { err } = await ct('carriers', '--retries', '0', '--base-url', `http://127.0.0.1:${port}/v2`);
  expect(err).toMatch(/: the connection was closed, (?:UND_ERR_SOCKET|ECONNRESET)\b/);
});
