import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReceiver, memoryInbox } from '../../src/webhooks/index.ts';
import { freePort } from '../../support/free-port.ts';
import { sandboxed } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const { ct, environment } = sandboxed({ shipments: 1 });
const TIME_LIMIT = { timeout: 60_000 };

test(
  'an app accepts deliveries that the command listen forwards, with the secret that this command prints',
  TIME_LIMIT,
  async () => {
    const first = await listening(['--forward-to', 'http://127.0.0.1:9/']);
    const secret = secretIn(first.said());
    const app = await appWith(secret);
    const second = await listening(['--forward-to', app.url]);
    expect(secretIn(second.said())).toBe(secret);

    const { code, err } = await ct('webhooks', 'trigger', 'container.updated', '--url', second.url);
    expect([code, err]).toEqual([0, '']);
    await expect.poll(() => app.statuses).toEqual([202]);
  },
);

test(
  'an app accepts deliveries that the command listen forwards, with its own TRACKING_WEBHOOK_SECRET',
  TIME_LIMIT,
  async () => {
    const secret = 'of-the-app';
    const app = await appWith(secret);
    const { said, url } = await listening(['--forward-to', app.url], { TRACKING_WEBHOOK_SECRET: secret });
    expect(said()).toContain('signed with the secret of TRACKING_WEBHOOK_SECRET');
    expect(said()).not.toContain(secret);

    // The signature uses the secret that is derived from the API key, because the variable is not set here.
    const { code } = await ct('webhooks', 'trigger', 'container.updated', '--url', url);
    expect(code).toBe(0);
    await expect.poll(() => app.statuses).toEqual([202]);
  },
);

test(
  'trigger without --url sends the sample to the command listen that runs; if no such command runs, trigger lists the addresses of the account',
  TIME_LIMIT,
  async () => {
    const trigger = () => ct('webhooks', 'trigger', 'container.updated');
    expect(await trigger()).toMatchObject({ code: 2, err: expect.stringMatching(/^--url is missing\.\n/) });
    const address = 'https://app.example/hooks';
    const { code } = await ct('webhooks', 'create', '--url', address, '--event', 'container.updated');
    expect(code).toBe(0);
    expect((await trigger()).err).toContain(`--url is missing. Your active webhooks have: ${address}.\n`);
    const { url } = await listening([]);
    expect(await trigger()).toMatchObject({
      code: 0,
      err: `--url is missing, so the sample goes to ${url}, the address of a local webhook.\n`,
    });
  },
);

test('listen replaces the webhook that an earlier run at the same address has left', TIME_LIMIT, async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}/`;
  const create = ['webhooks', 'create', '--event', 'tracking_request.failed', '--url'];
  for (const url of [address, 'https://app.example/other']) expect((await ct(...create, url)).code).toBe(0);
  await listening(['--port', String(port)]);
  const webhooks = (await ct('webhooks', 'list')).json();
  expect(webhooks.filter(({ url }) => url === address)).toHaveLength(1);
  expect(webhooks.find(({ url }) => url === address).events).toEqual(['container.updated']);
  expect(webhooks.some(({ url }) => url === 'https://app.example/other')).toBe(true);
});

test('both commands name the variable from which a wrong secret comes', TIME_LIMIT, async () => {
  const { said, url } = await listening([], { TRACKING_WEBHOOK_SECRET: 'one' });
  process.env.TRACKING_WEBHOOK_SECRET = 'two';
  onTestFinished(() => void delete process.env.TRACKING_WEBHOOK_SECRET);
  const { code, err } = await ct('webhooks', 'trigger', 'container.updated', '--url', url);
  expect(code).toBe(1);
  expect(err).toBe(
    'The delivery failed. The sample was signed with the secret of TRACKING_WEBHOOK_SECRET: the receiver needs the same secret.\n',
  );
  await fetch(url, { method: 'POST', body: '{}' });
  await expect.poll(said).toContain('missing_signature');
  expect(said()).toContain(
    'A request was refused (mismatch): no secret fits its signature. For a sample, set the same TRACKING_WEBHOOK_SECRET here and for the command "webhooks trigger", or set it for neither of them.',
  );
  expect(said()).not.toMatch(/`|proxy|option/);
});

test('trigger names the cause if nothing listens at the address', TIME_LIMIT, async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const { json } = await ct('webhooks', 'trigger', 'container.updated', '--url', url);
  expect(json()).toMatchObject([{ succeeded: false, error: expect.stringMatching(/^fetch failed \(.*ECONNREFUSED/) }]);
});

test('on a terminal, listen prints the number of the container', TIME_LIMIT, async () => {
  const line = `${process.execPath} ${MAIN} webhooks listen --port 0 --event container.updated`;
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...environment };
  const child = spawn('script', ['-qec', line, '/dev/null'], { env, stdio: 'pipe' });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', part => {
    shown += part;
  });
  await expect.poll(() => shown, { timeout: 30_000 }).toContain('Ctrl+C');
  await ct('webhooks', 'trigger', 'container.updated', '--url', /Listening at (\S+)/.exec(shown)?.[1] ?? '');
  await expect.poll(() => shown).toMatch(/Z {2}container\.updated {2}[A-Z]{4}\d{7} {2}\S+/);
});

/** Runs the command until the end of the test. Returns the address at which it listens, and its messages. */
async function listening(options: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const args = [MAIN, 'webhooks', 'listen', '--port', '0', '--event', 'container.updated', ...options];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', ...environment, ...variables };
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: 'pipe' });
  onTestFinished(async () => {
    child.kill('SIGINT');
    await once(child, 'exit');
  });
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await expect.poll(() => text, { timeout: 30_000 }).toContain('Ctrl+C');
  return { url: /Listening at (\S+)/.exec(text)?.[1] ?? '', said: () => text };
}

function secretIn(text: string): string {
  return /signed with the secret (\w+)\b/.exec(text)?.[1] ?? '';
}

/** A program with the receiver of the library, and the statuses of its responses. */
async function appWith(secret: string) {
  const receiver = createReceiver({ secrets: secret, inbox: memoryInbox({ ephemeral: true }), logger: false });
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    await receiver.node(request, response);
    statuses.push(response.statusCode);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, statuses };
}
