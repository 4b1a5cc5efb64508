import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { fakeDelivery, signWebhook } from '../../src/webhooks/index.ts';
import { freePort } from '../../support/free-port.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { messageIn } from './command-line.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const home = mkdtempSync(join(tmpdir(), 'cli-'));

let sandbox: SandboxServer;
/** The records of a number that was tracked before the tests. */
let known: { shipment: string; container: string; request: string; number: string; document: string };

beforeAll(async () => {
  const world = createSandbox({ rateLimit: false, trackingDelayMs: 1 });
  sandbox = await world.listen({ port: 0 });
  const client = new TrackingClient({ baseUrl: sandbox.baseUrl, apiKey: 'sandbox', rateLimit: false });
  const { trackingRequest, shipment } = await client.track({ number: 'MAEU123456789', scac: 'MAEU' });
  const { containers } = await client.shipments.get(shipment.id, { include: ['containers'] });
  const [container] = containers;
  const document = await client.documents.upload({ file: new Blob(['%PDF-1.4 first']), filename: 'first.pdf' });
  known = {
    shipment: shipment.id,
    container: container?.id ?? '',
    request: trackingRequest.id,
    number: container?.number ?? '',
    document: document.id,
  };
  writeFileSync(join(home, 'invoice.pdf'), '%PDF-1.4 second');
});

afterAll(async () => {
  await sandbox.close();
  rmSync(home, { recursive: true, force: true });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function environmentFor(baseUrl: string, more: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_COMPILE_CACHE, HOME: home, TRACKING_BASE_URL: baseUrl, TRACKING_API_KEY: 'sandbox', ...more };
}

function run(args: readonly string[], { baseUrl = sandbox.baseUrl, env = {}, input = '' } = {}): Promise<Ended> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      // A command that does not end is killed, so that a failed test does not leave a process.
      { env: environmentFor(baseUrl, env), cwd: home, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

function linesOf(stdout: string): unknown[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
}

describe('in a pipe', () => {
  test('track prints the outcome, the shipment and its containers as JSON, and the progress on stderr', async () => {
    const { code, stdout, stderr } = await run(['track', 'MAEU987654321', '--scac', 'MAEU']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      tracking_request: { status: 'created' },
      shipment: { bill_of_lading_number: 'MAEU987654321', containers: expect.any(Array) },
    });
    expect(JSON.parse(stdout).shipment.containers[0].transport_events[0]).toHaveProperty('event');
    expect(stderr).toContain('MAEU987654321: ');
  });

  test('search, list and get print the records of the service', async () => {
    const [found, shipments, shipment, containers, requests] = await Promise.all([
      run(['search', known.number]),
      run(['shipments', 'list', '--include', 'containers,port_of_lading']),
      run(['shipments', 'get', known.shipment]),
      run(['containers', 'list', '--filter', `number=${known.number}`]),
      run(['tracking-requests', 'get', known.request]),
    ]);
    expect(linesOf(found.stdout)).toContainEqual(expect.objectContaining({ id: known.container }));
    expect(linesOf(shipments.stdout)).toContainEqual(
      expect.objectContaining({
        id: known.shipment,
        port_of_lading: expect.objectContaining({ name: expect.any(String) }),
      }),
    );
    expect(JSON.parse(shipment.stdout)).toMatchObject({ id: known.shipment, type: 'shipment' });
    expect(linesOf(containers.stdout)).toMatchObject([{ id: known.container }]);
    expect(JSON.parse(requests.stdout)).toMatchObject({ id: known.request });
  });

  test('a list ends at its limit', async () => {
    const { code, stdout } = await run(['shipments', 'list', '--limit', '1']);
    expect(code).toBe(0);
    expect(linesOf(stdout)).toHaveLength(1);
  });

  test('an uploaded document can be downloaded with the same bytes', async () => {
    const { code, stdout } = await run(['documents', 'upload', 'invoice.pdf', '--name', 'Invoice']);
    expect(code).toBe(0);
    const { id, name } = JSON.parse(stdout);
    expect(name).toBe('Invoice');
    const [piped, dash, written] = await Promise.all([
      run(['documents', 'download', id]),
      run(['documents', 'download', id, '--to', '-']),
      run(['documents', 'download', id, '--to', 'back.pdf']),
    ]);
    expect([piped.stdout, dash.stdout]).toEqual(['%PDF-1.4 second', '%PDF-1.4 second']);
    expect(written).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(home, 'back.pdf'), 'utf8')).toBe('%PDF-1.4 second');
    const again = await run(['documents', 'download', id, '--to', 'back.pdf']);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
  });

  test('whoami prints the account of the key and the features that it can use', async () => {
    const { code, stdout } = await run(['whoami']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'api_key',
      account: { company_name: 'Sandbox' },
      features: { routing_data: { status: 'available' } },
    });
  });

  test('whoami explains the 404 of a service that does not have this operation', async () => {
    const { baseUrl } = await serve({ status: 404, body: { errors: [{ title: 'Not Found' }] } });
    const { code, stdout, stderr } = await run(['whoami'], { baseUrl });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toBe(
      'The service does not find this. (GET /me: 404)\nThis command needs a service of November 2026 or later.\n',
    );
  });

  test.each([404, 200])(
    'a page with status %i ends a command in the same way as any other wrong address',
    async status => {
      const { baseUrl } = await serve({ status, headers: { 'content-type': 'text/html' }, body: '<html></html>' });
      for (const command of ['whoami', 'carriers']) {
        const { code, stderr } = await run([command], { baseUrl });
        expect(code).toBe(2);
        expect(stderr).toContain(`The address ${baseUrl} comes from the variable TRACKING_BASE_URL. Change`);
        expect(stderr).not.toContain('November 2026');
      }
      const { stderr } = await run(['carriers', '--json'], { baseUrl });
      expect(JSON.parse(stderr)).toMatchObject({ code: 'wrong_address', retryable: false });
    },
  );

  test('limits sends one request and prints each bucket, with the fields and times of the service', async () => {
    const { code, stdout } = await run(['limits']);
    expect(code).toBe(0);
    const bucket = { bucket: 'infer_number', limit: 200, window_ms: 60_000, next_free_at: expect.stringMatching(/Z$/) };
    expect(linesOf(stdout)).toContainEqual(expect.objectContaining(bucket));
  });
});

describe('on a terminal', () => {
  test('track prints the journey of each container, and list prints a table', async () => {
    const [journey, list] = await Promise.all([
      onTerminal(['track', 'MAEU123456789', '--scac', 'MAEU']),
      onTerminal(['containers', 'list']),
    ]);
    expect(journey).toMatch(/Bill of lading +MAEU123456789/);
    expect(journey).toContain(known.number);
    expect(journey).toMatch(/Loaded on vessel|Vessel departed/);
    expect(list).toMatch(/^NUMBER +STATUS/m);
    expect(list).toContain(known.number);
  });

  test('whoami prints a line for each fact', async () => {
    const stdout = await onTerminal(['whoami']);
    expect(stdout).toMatch(/Credential +api_key, Key of the sandbox/);
    expect(stdout).toMatch(/Account +Sandbox\b/);
    expect(stdout).toMatch(/Routing data +available/);
  });

  test.each([
    ['without its attributes', {}],
    [
      'whose features have another form',
      { kind: 'api_key', name: 'Key', features: { routing_data: null, rail: 'yes' } },
    ],
  ])('whoami prints the facts that it can find about a credential %s', async (_, attributes) => {
    const credential = { type: 'credential', id: '1', attributes, relationships: { account: { data: null } } };
    const stdout = await onTerminal(['whoami'], (await serve({ body: { data: credential } })).baseUrl);
    expect(stdout).not.toContain('TypeError');
    if ('kind' in attributes) expect(stdout).toMatch(/Credential +api_key, Key/);
  });

  test('text from the service cannot control the terminal', async () => {
    const party = {
      type: 'shipment',
      id: '1',
      attributes: { bill_of_lading_number: '\u001b]0;owned\u0007\u001b[2JX' },
    };
    const server = await serve({ body: { data: [party], links: {}, meta: {} } });
    const shown = await onTerminal(['shipments', 'list'], server.baseUrl);
    expect(shown).toContain(']0;owned');
    expect(shown).not.toContain('\u001b');
    expect(shown).not.toContain('\u0007');
  });

  test('JSON does not contain control characters from the service, and its values stay the same', async () => {
    const number = '\u009b2JA\u202eB\u007f\u{e0041}C';
    const record = { type: 'shipment', id: '1', attributes: { bill_of_lading_number: number } };
    const server = await serve({ body: { data: [record], links: {}, meta: {} } });
    const shown = await onTerminal(['shipments', 'list', '--json'], server.baseUrl);
    expect(shown).not.toMatch(/[\x7f-\x9f\p{Cf}]/u);
    expect(JSON.parse(shown)).toMatchObject({ bill_of_lading_number: number });
  });
});

/** Commands that call the service, with valid arguments. */
const CALLS: readonly (readonly string[])[] = [
  ['track', 'MAEU123456789', '--scac', 'MAEU'],
  ['search', 'MAEU'],
  ...['shipments', 'containers', 'tracking-requests'].flatMap(group => [
    [group, 'list'],
    [group, 'get', '1'],
  ]),
  ['documents', 'upload', 'invoice.pdf'],
  ['documents', 'download', '1'],
  ['webhooks', 'listen', '--port', '0'],
  ['webhooks', 'trigger', 'container.updated', '--url', 'https://receiver.example/'],
  ['webhooks', 'recover', '--since', '2026-03-09T03:00:00Z'],
  ['limits'],
];

describe.each([
  ['401', { status: 401 }, 3],
  ['429', { status: 429, headers: { 'retry-after': '5' } }, 5],
  ['500', { status: 500, body: 'the key was sandbox' }, 6],
  ['nothing', () => {}, 6],
] as const)('a service whose response is %s', (_, answer, exitCode) => {
  // Only the case without a response may end at the timeout.
  const timeout = typeof answer === 'function' ? '0.3' : '30';
  test.each(CALLS)(
    `makes %s %s end with exit code ${exitCode}, one message and nothing on stdout`,
    { timeout: 60_000 },
    async (...args) => {
      const server = await serve(answer as never);
      const { code, stdout, stderr } = await run([...args, '--retries', '0', '--timeout', timeout], server);
      expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(stderr.trim()).not.toBe('');
    },
  );
});

test('a service that cannot be reached gives exit code 6, and the message says why', async () => {
  const { code, stderr } = await run(['limits', '--retries', '0'], {
    baseUrl: `http://127.0.0.1:${await freePort()}/v2`,
  });
  expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('ECONNREFUSED') });
});

test('a key without the permission for a call gives exit code 3, like a wrong key', async () => {
  const server = await serve({ status: 403 });
  expect(await run(['limits'], server)).toMatchObject({ code: 3, stdout: '' });
});

test('an unknown id gives exit code 4', async () => {
  expect(await run(['shipments', 'get', '00000000-0000-4000-8000-000000000000'])).toMatchObject({
    code: 4,
    stdout: '',
  });
});

test('a number without an outcome before the timeout gives exit code 7', async () => {
  const slow = await createSandbox({ trackingDelayMs: 3_600_000, rateLimit: false }).listen({ port: 0 });
  onTestFinished(() => slow.close());
  const { code, stderr } = await run(['track', 'MAEU111111111', '--scac', 'MAEU', '--wait', '0.2'], slow);
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('MAEU111111111') });
});

test.each([
  ['an argument that is missing', ['shipments', 'get'], 'needs ID'],
  ['a blank argument', ['search', ' '], 'QUERY is blank'],
  ['an unknown subcommand', ['shipments', 'delete'], 'There is no command shipments delete.'],
  ['a filter that the list does not have', ['shipments', 'list', '--filter', 'nubmer=1'], 'nubmer'],
  ['a filter without a value', ['shipments', 'list', '--filter', 'number'], 'name=value'],
  ['a relationship that does not exist', ['shipments', 'list', '--include', 'bogus..x'], 'bogus'],
  ['a file that does not exist', ['documents', 'upload', 'none.pdf'], 'There is no file none.pdf.'],
  ['an address that is none', ['webhooks', 'listen', '--forward-to', 'localhost'], '--forward-to'],
  ['an event that does not exist', ['webhooks', 'listen', '--event', 'container.lost'], 'container.lost'],
  ['an inbox that was not named', ['inbox', 'dead'], 'Name an inbox'],
])('%s gives exit code 2, one message, and the command for the help', async (_, args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(messageIn(stderr)).toContain(message);
  expect(stderr).toMatch(/^[^\n]+\nSee: container-tracking help[^\n]*\n$/);
});

test('the help of a command has its options in one column', async () => {
  const { stdout } = await run(['search', '--help']);
  expect(new Set(stdout.match(/^ *(?=--)/gm))).toEqual(new Set(['  ']));
});

test.each(['shipments', 'containers', 'tracking-requests'])('the examples in the help of %s work', async group => {
  const { stdout } = await run([group, 'list', '--help']);
  const text = stdout.slice(stdout.indexOf('Options:')).replace(/\s+/g, ' ');
  const [, filter = ''] = /--filter [^;]* such as (\S+);/.exec(text) ?? [];
  const [, include = ''] = /--include [^;]* such as (\S+);/.exec(text) ?? [];
  const { code, stderr } = await run([group, 'list', '--filter', filter, '--include', include]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('shipments are found by their number', async () => {
  const { stdout } = await run(['shipments', 'list', '--filter', 'number=MAEU123456789']);
  expect(linesOf(stdout)).toMatchObject([{ id: known.shipment }]);
  expect((await run(['shipments', 'list', '--filter', 'number=MAEU000000000'])).stdout).toBe('');
});

test('the messages about a key file that is a folder and about a missing key are one line each', async () => {
  const folder = await run(['limits', '--key-file', home]);
  expect(folder).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The key file \S+ is a folder\.\n$/) });
  const homeless = await run(['limits'], { env: { TRACKING_API_KEY: '', HOME: '' } });
  expect(homeless).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Not set: the API key \(TRACKING_API_KEY or --key-file\)\. .* container-tracking sandbox\.\n$/,
    ),
  });
});

test.skipIf(!existsSync('/dev/full'))(
  'an output that cannot be written causes a message of one line without a stack trace',
  async () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const child = spawn(process.execPath, [MAIN, 'limits'], {
      env: environmentFor(sandbox.baseUrl),
      stdio: ['ignore', full, 'pipe'],
    });
    const exited = once(child, 'exit');
    expect(await outputUntil(child.stderr as Readable, 'written')).toMatch(
      /^The output cannot be written: ENOSPC[^\n]*$/m,
    );
    expect(await exited).toEqual([1, null]);
  },
);

test('the help of a group lists only its commands', async () => {
  const { stdout } = await run(['webhooks', '--help']);
  expect(stdout).toContain('webhooks listen');
  expect(stdout).not.toContain('shipments list');
});

describe('webhooks listen', () => {
  test.each(['x-svc-webhook-signature', 'x-acme-webhook-signature'])(
    'registers, verifies by %s, prints and forwards, and deletes its webhook at the end',
    {
      timeout: 60_000,
    },
    async header => {
      let resolveForwarded = (_: { signature: string; body: string }) => {};
      const forwarded = new Promise<{ signature: string; body: string }>(resolve => {
        resolveForwarded = resolve;
      });
      const target = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        resolveForwarded({ signature: String(request.headers[header]), body });
        response.end();
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void target.close());
      await once(target, 'listening');
      const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;

      const args = ['webhooks', 'listen', '--port', '0', '--forward-to', address, '--event', 'container.updated'];
      const child = spawn(process.execPath, [MAIN, ...args], { env: environmentFor(sandbox.baseUrl), stdio: 'pipe' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const url = /Listening at (\S+)/.exec(await outputUntil(child.stderr, 'Listening'))?.[1] ?? '';
      const client = new TrackingClient({ baseUrl: sandbox.baseUrl, apiKey: 'sandbox', rateLimit: false });
      const webhook = (await client.webhooks.list().toArray()).find(one => one.url === url);
      expect(webhook).toMatchObject({ active: true, events: ['container.updated'] });

      const body = JSON.stringify(fakeDelivery('container.updated'));
      const signature = await signWebhook({ body, secret: webhook?.secret });
      const deliver = (value: string) =>
        fetch(url, { method: 'POST', body, headers: { [header]: value } }).then(({ status }) => status);
      expect(await deliver(signature.replaceAll(/[0-9]/g, '7'))).toBe(401);
      expect(await deliver(signature)).toBe(202);
      expect(JSON.parse(await outputUntil(child.stdout, '\n'))).toEqual(JSON.parse(body));
      expect(await forwarded).toEqual({ signature: expect.stringMatching(/^[\da-f]{64}$/), body });

      child.kill('SIGINT');
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(await client.webhooks.list().toArray()).toEqual([]);
    },
  );

  test('accepts deliveries whose signature header has another name; a forgery and two signature headers are refused', {
    timeout: 60_000,
  }, async () => {
    const header = 'X-ACME-Webhook-Signature';
    const service = await createSandbox({ speed: 0, rateLimit: false, shipments: 3, webhookHeader: header }).listen();
    onTestFinished(() => service.close());
    const forwarded: IncomingHttpHeaders[] = [];
    const target = createServer((request, response) => {
      forwarded.push(request.headers);
      request.resume().once('end', () => response.end());
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void target.close());
    await once(target, 'listening');
    const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;

    const args = ['webhooks', 'listen', '--port', '0', '--forward-to', address];
    const env = { ...environmentFor(service.baseUrl), TRACKING_WEBHOOK_SECRET: 'of-the-user' };
    const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = /Listening at (\S+)/.exec(await outputUntil(child.stderr, 'Listening'))?.[1] ?? '';
    const client = new TrackingClient({ baseUrl: service.baseUrl, apiKey: 'sandbox', rateLimit: false });
    const secret = (await client.webhooks.list()).data[0]?.secret ?? '';
    const trigger = (key: string) => client.webhooks.trigger({ url, event: 'container.updated', secret: key });
    expect(await trigger(secret)).toMatchObject({ status_code: 202 });
    expect(await trigger('of-the-user')).toMatchObject({ status_code: 202 });
    expect(await trigger('another')).toMatchObject({ status_code: 401, response_body: 'mismatch' });
    await expect.poll(() => forwarded.length).toBe(2);
    expect(forwarded[0]).toHaveProperty(header.toLowerCase());

    // While the body of the slow request arrives, somebody else sends another signature header.
    const body = Buffer.from(JSON.stringify(fakeDelivery('container.updated')));
    const signature = await signWebhook({ body, secret });
    const evil = { 'x-evil-webhook-signature': 'ab'.repeat(32) };
    const slow = request(url, { method: 'POST', headers: { [header]: signature, 'content-length': body.length } });
    slow.write(body.subarray(0, 10));
    const forgery = await fetch(url, { method: 'POST', body: 'x', headers: evil });
    expect([forgery.status, await forgery.text()]).toEqual([401, 'mismatch']);
    const two = await fetch(url, { method: 'POST', body, headers: { ...evil, [header]: signature } });
    expect([two.status, await two.text()]).toEqual([401, 'several_signatures']);
    slow.end(body.subarray(10));
    expect(((await once(slow, 'response')) as [IncomingMessage])[0].statusCode).toBe(202);
    await expect.poll(() => forwarded.length).toBe(3);
    const again = await signWebhook({ body, secret: 'of-the-user' });
    expect(forwarded[2]).toMatchObject({ [header.toLowerCase()]: again });

    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each([
    ['the terminal is closed', (child: ChildProcess) => void child.kill('SIGHUP')],
    ['nobody reads its output any more', (child: ChildProcess) => void child.stdout?.destroy()],
  ])('deletes its webhook also if %s', { timeout: 60_000 }, async (_, leave) => {
    const args = ['webhooks', 'listen', '--port', '0', '--event', 'container.updated'];
    const child = spawn(process.execPath, [MAIN, ...args], { env: environmentFor(sandbox.baseUrl), stdio: 'pipe' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    const url = /Listening at (\S+)/.exec(await outputUntil(child.stderr, 'Listening'))?.[1] ?? '';
    const client = new TrackingClient({ baseUrl: sandbox.baseUrl, apiKey: 'sandbox', rateLimit: false });
    const own = async () => (await client.webhooks.list().toArray()).filter(webhook => webhook.url === url);
    const [webhook] = await own();
    leave(child);
    const body = JSON.stringify(fakeDelivery('container.updated'));
    const signature = await signWebhook({ body, secret: webhook?.secret });
    await fetch(url, { method: 'POST', body, headers: { 'x-svc-webhook-signature': signature } }).catch(() => {});
    expect(await exited).toEqual([0, null]);
    expect(await own()).toEqual([]);
  });

  test('trigger sends samples with the signature header that --webhook-header of the sandbox names', {
    timeout: 60_000,
  }, async () => {
    const [header, secret] = ['X-ACME-Webhook-Signature', 'sample-signing-secret'];
    const args = ['sandbox', '--port', '0', '--webhook-header', header];
    const service = spawn(process.execPath, [MAIN, ...args], { env: environmentFor(''), stdio: 'pipe' });
    onTestFinished(() => void service.kill('SIGKILL'));
    const baseUrl = /http:\S+\/v2/.exec(await outputUntil(service.stdout, '/v2'))?.[0] ?? '';
    const target = await serve({ status: 200 });
    const { code } = await run(['webhooks', 'trigger', 'container.updated', '--url', target.baseUrl], {
      baseUrl,
      env: { TRACKING_WEBHOOK_SECRET: secret },
    });
    expect(code).toBe(0);
    const [delivery] = target.requests;
    const signature = await signWebhook({ body: delivery?.body ?? '', secret });
    expect(delivery?.headers).toMatchObject({ [header.toLowerCase()]: signature });
    expect(delivery?.headers).not.toHaveProperty('x-svc-webhook-signature');
  });

  test('trigger sends a sample, and says if the receiver did not accept it', async () => {
    const target = await serve({ status: 500 });
    const { code, stdout, stderr } = await run(['webhooks', 'trigger', 'container.updated', '--url', target.baseUrl]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'The delivery failed.\n' });
    expect(JSON.parse(stdout)).toEqual({
      url: expect.stringContaining(target.baseUrl),
      succeeded: false,
      error: expect.anything(),
      status_code: 500,
      response_body: expect.anything(),
    });
    expect(target.requests).toHaveLength(1);
    const whole = await run(['webhooks', 'trigger', 'container.updated', '--url', target.baseUrl, '--json']);
    expect(JSON.parse(whole.stdout)).toMatchObject({ request_body: expect.stringContaining('container.updated') });
  });
});

test('verify distinguishes a right signature from a wrong signature', async () => {
  const body = JSON.stringify(fakeDelivery('container.updated'));
  const secret = 'whsec-of-the-test';
  const signature = await signWebhook({ body, secret });
  writeFileSync(join(home, 'body.json'), body);
  const env = { TRACKING_WEBHOOK_SECRET: secret };
  const [fromFile, fromInput, wrong, without] = await Promise.all([
    run(['webhooks', 'verify', 'body.json', '--signature', signature], { env }),
    run(['webhooks', 'verify', '--signature', signature], { env, input: body }),
    run(['webhooks', 'verify', '--signature', signature], { env, input: `${body} ` }),
    run(['webhooks', 'verify', '--signature', signature], { input: body }),
  ]);
  expect(JSON.parse(fromFile.stdout)).toMatchObject({ event: 'container.updated' });
  expect(fromInput).toEqual(fromFile);
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('mismatch') });
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('TRACKING_WEBHOOK_SECRET') });
});

test('verify says that the signature is right even if the body is not a notification', async () => {
  const body = '{"data":{"id":"1"}}';
  const secret = 'sample-signing-secret';
  const args = ['webhooks', 'verify', '--signature', await signWebhook({ body, secret })];
  const verified = await run(args, { env: { TRACKING_WEBHOOK_SECRET: secret }, input: body });
  expect(verified).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('The signature is right') });
  expect(verified.stderr).toContain('bad_payload');
});

test('recover prints missed records, and continues from its checkpoint', async () => {
  const args = ['webhooks', 'recover', '--since', '2026-01-01T00:00:00Z', '--checkpoint', 'at.json'];
  const first = await run(args);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(readFileSync(join(home, 'at.json'), 'utf8'))).toMatchObject({ until: expect.any(String) });
  linkSync(join(home, 'at.json'), join(home, 'before.json'));
  const before = readFileSync(join(home, 'before.json'), 'utf8');
  expect(await run(['webhooks', 'recover', '--checkpoint', 'at.json'])).toMatchObject({ code: 0, stdout: '' });
  // The file was replaced by a new file: the old file is unchanged under its second name.
  expect(statSync(join(home, 'at.json')).ino).not.toBe(statSync(join(home, 'before.json')).ino);
  expect(readFileSync(join(home, 'before.json'), 'utf8')).toBe(before);
  expect(readdirSync(home).filter(name => name.endsWith('.tmp'))).toEqual([]);
});

test('inbox lists dead letters, and lets a worker handle them again', async () => {
  const path = join(home, 'inbox.db');
  const inbox = sqliteInbox(path);
  onTestFinished(() => inbox.close());
  const entry = { event: 'container.updated', group: 'g', order: '1', body: new Uint8Array([123, 125]), receivedAt: 0 };
  const delivery = fakeDelivery('container.updated', { container: { id: 'c1', number: 'MSCU1234565' } });
  const body = new TextEncoder().encode(JSON.stringify(delivery));
  await inbox.put({ ...entry, id: 'one', poison: 'no JSON' });
  await inbox.put({ ...entry, id: 'two', poison: 'no JSON', body });
  const listed = await run(['inbox', 'dead', '--sqlite', 'inbox.db']);
  const letter = { event: 'container.updated', attempts: 0, error: 'no JSON', died_at: expect.any(String) };
  expect(linesOf(listed.stdout)).toEqual([
    { ...letter, id: 'one', number: null },
    { ...letter, id: 'two', number: 'MSCU1234565' },
  ]);
  const bodies = await run(['inbox', 'dead', '--sqlite', 'inbox.db', '--fields', 'id,body']);
  expect(linesOf(bodies.stdout)).toEqual([
    { id: 'one', body: '{}' },
    { id: 'two', body: JSON.stringify(delivery) },
  ]);
  const named = await run(['inbox', 'retry', 'one', 'three', '--sqlite', 'inbox.db']);
  expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('No dead letter has this id: three') });
  expect(await run(['inbox', 'retry', '--all', '--sqlite', 'inbox.db'])).toMatchObject({ code: 0 });
  expect(await inbox.stats?.()).toEqual({ open: 2, dead: 0 });
  const other = new DatabaseSync(join(home, 'orders.db'));
  other.exec('CREATE TABLE orders (id)');
  for (const args of [
    ['inbox', 'dead'],
    ['inbox', 'retry', '--all'],
    ['webhooks', 'recover', '--since', '2h'],
  ]) {
    expect(await run([...args, '--sqlite', 'orders.db'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^orders\.db is not an inbox: it has no table of entries\.$/m),
    });
  }
  expect(other.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'orders' }]);
  other.close();
  expect(await run(['inbox', 'dead', '--sqlite', 'none.db'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^There is no inbox none\.db\.\nSee: /),
  });
});

test.each(['bash', 'zsh', 'fish'])('completion for %s names every command', async shell => {
  const { code, stdout } = await run(['completion', shell]);
  expect(code).toBe(0);
  for (const word of ['tracking-requests', 'listen', 'filter', 'sqlite']) expect(stdout).toContain(word);
});

test('completion for bash completes commands, subcommands and options', async () => {
  const { stdout } = await run(['completion', 'bash']);
  const complete = async (...words: string[]) => {
    const script = `${stdout}
COMP_LINE='container-tracking ${words.join(' ')}'; COMP_POINT=\${#COMP_LINE}
_container_tracking 2>/dev/null; echo "\${COMPREPLY[@]}"`;
    return new Promise(resolve => execFile('bash', ['-c', script], (_, out) => resolve(out.trim())));
  };
  expect(await complete('ship')).toBe('shipments');
  expect(await complete('webhooks', '')).toBe('listen list get create update delete trigger verify recover');
  expect(await complete('shipments', 'list', '--fil')).toBe('--filter');
  expect(await complete('containers', 'list', '--filter', 'current_st')).toMatch(
    /^current_status=new current_status=on_ship /,
  );
  expect(await complete('containers', 'list', '--filter', 'current_status=av')).toBe('available');
  expect(await complete('containers', 'list', '--include', 'pod')).toBe('pod_terminal');
  expect(await complete('webhooks', 'trigger', 'container.pickup_app')).toBe('container.pickup_appointment.changed');
  expect(await complete('worklist', 'dem')).toBe('demurrage');
  expect(await complete('containers', 'list', '--include', 'shipment,pod')).toBe('shipment,pod_terminal');
  expect(await complete('containers', 'list', '--columns', 'number,status,hol')).toBe('number,status,holds');
  expect(await complete('worklist', 'held,dem')).toBe('held,demurrage');
  // Without words of the script, the shell offers file names.
  for (const words of [
    ['track', '--from', ''],
    ['documents', 'download', 'x', '--to', ''],
    ['sync', '--sqlite', 'tr'],
    ['documents', 'upload', ''],
  ])
    expect(await complete(...words)).toBe('');
  expect(await complete('documents', 'upload', '--con')).toBe('--content-type');
});

test('completion for fish offers file names only where a file may follow', async () => {
  const { stdout } = await run(['completion', 'fish']);
  expect(stdout).toMatch(/from track' -l from -r -F$/m);
  expect(stdout).toMatch(/from track' -l wait -x$/m);
  expect(stdout).toMatch(/from documents; and __fish_seen_subcommand_from upload' -F$/m);
});

test('a sandbox has the edition of the MCP endpoint that --mcp-edition names, and refuses an unknown edition', {
  timeout: 60_000,
}, async () => {
  const args = ['sandbox', '--port', '0', '--mcp-edition'];
  const service = spawn(process.execPath, [MAIN, ...args, '2026-11'], { env: environmentFor(''), stdio: 'pipe' });
  onTestFinished(() => void service.kill('SIGKILL'));
  const url = /http:\S+\/mcp/.exec(await outputUntil(service.stdout, '/mcp'))?.[0] ?? '';
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Token sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(await response.text()).toContain('"whoami"');
  const { code, stderr } = await run([...args, '2027']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('--mcp-edition is "2027"');
});

/** The output of a command whose stdout is a terminal. */
async function onTerminal(args: readonly string[], baseUrl = sandbox.baseUrl): Promise<string> {
  const line = [process.execPath, MAIN, ...args].map(word => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: environmentFor(baseUrl), stdio: 'pipe' });
  let shown = '';
  for await (const chunk of child.stdout) shown += chunk;
  return shown;
}

/**
 * Resolves when the output contains the text, and continues to read, so that the child never writes to a closed pipe.
 */
function outputUntil(stream: ChildProcess['stdout'], text: string): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    stream?.on('data', chunk => {
      output += chunk;
      if (output.includes(text)) resolve(output);
    });
    stream?.on('end', () => reject(new Error(`It ended after: ${output}`)));
  });
}
