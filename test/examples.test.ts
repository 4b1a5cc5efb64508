import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TrackingClient } from '../src/client.ts';
import { fakeDelivery } from '../src/webhooks/index.ts';
import { freePort } from '../support/free-port.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { createSandbox, type Sandbox, type SandboxServer } from '../support/sandbox.ts';
import { startNode } from '../support/start-node.ts';

// The examples import the package by its name, so they use the build.
const EXAMPLES = resolve(import.meta.dirname, '../examples');
const SECRET = 'sample-signing-secret';

let directory = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'examples-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

function start(
  example: string,
  args: string[],
  env: Record<string, string>,
): { child: ChildProcess; output: () => string } {
  const started = startNode(['--disable-warning=ExperimentalWarning', join(EXAMPLES, example), ...args], env);
  children.push(started.child);
  return started;
}

/** A signed delivery, and a delivery that was signed with another secret. */
const body = JSON.stringify(fakeDelivery('container.updated'));
const signed = { 'X-SVC-Webhook-Signature': createHmac('sha256', SECRET).update(body).digest('hex') };
const forged = { 'X-SVC-Webhook-Signature': createHmac('sha256', 'another').update(body).digest('hex') };

describe.skipIf(!hasPostgres)('postgres-inbox.ts', () => {
  let postgres: PostgresServer;
  let service: SandboxServer;
  let client: TrackingClient;
  let env: Record<string, string>;
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = createSandbox({ speed: 0 });
    postgres = await startPostgres();
    service = await sandbox.listen();
    client = new TrackingClient({ baseUrl: service.baseUrl, apiKey: 'sandbox', rateLimit: false });
    const { host, port, user, database } = postgres.connection;
    env = {
      DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
      TRACKING_BASE_URL: service.baseUrl,
      TRACKING_API_KEY: 'sandbox',
      TRACKING_WEBHOOK_SECRET: SECRET,
    };
  });
  afterEach(async () => {
    client.close();
    await service.close();
    await postgres.stop();
  });

  test('stores, acknowledges and handles each delivery once, in two processes', { timeout: 40_000 }, async () => {
    const ports = [await freePort(), await freePort()];
    const processes = ports.map(each => start('postgres-inbox.ts', [], { ...env, PORT: String(each) }));
    const outputs = () => processes.map(({ output }) => output()).join('');
    await vi.waitUntil(() => outputs().split('Listening').length === 3);
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body };
    const answers = await Promise.all([...ports, ...ports].map(each => fetch(`http://127.0.0.1:${each}/`, init)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 202]);
    await vi.waitUntil(() => outputs().includes('container.updated'));
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(({ child }) => once(child, 'exit')));
    expect(outputs().split('container.updated').length).toBe(2);
  });

  test('continues to run if PostgreSQL is not available at the start', async () => {
    const address = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
    const settings = { ...env, DATABASE_URL: address, PORT: String(await freePort()) };
    const { child, output } = start('postgres-inbox.ts', [], settings);
    // The worker and the recovery each report the same change.
    await vi.waitUntil(() => output().split('ECONNREFUSED').length > 2);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('reacts to a container that became available, even if this happened while the program was down', {
    timeout: 60_000,
  }, async () => {
    const port = await freePort();
    const url = `http://localhost:${port}/`;
    const { secret } = await client.webhooks.ensure({ url, events: ['container.transport.available'] });
    const settings = { ...env, PORT: String(port), TRACKING_WEBHOOK_SECRET: String(secret), WEBHOOK_URL: url };
    const pool = new Pool(postgres.connection);
    pool.on('error', () => {});
    const hasCheckpoint = async () => {
      const { rowCount } = await pool.query('SELECT FROM recovery').catch(() => ({ rowCount: 0 }));
      return rowCount === 1;
    };
    const becomesAvailable = async () => {
      const [container] = sandbox.seedContainers(1, { phase: 'at_sea' });
      const { id = '', number } = container ?? {};
      while (!(await client.containers.get(id)).available_for_pickup) {
        sandbox.advance({ hours: 6 });
        await sandbox.flush();
      }
      return `${number} is ready for pickup`;
    };

    const first = start('postgres-inbox.ts', [], settings);
    await vi.waitUntil(hasCheckpoint);
    const seen = await becomesAvailable();
    await vi.waitUntil(() => first.output().includes(seen));
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const missed = await becomesAvailable();
    const second = start('postgres-inbox.ts', [], settings);
    await vi.waitUntil(() => second.output().includes(missed));
    expect(second.output()).not.toContain(seen);
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
    await pool.end();
  });
});

describe.each(['webhook-express.ts', 'webhook-fastify.ts'])('%s', example => {
  test('stores, acknowledges and handles deliveries, in an app whose other routes parse bodies, and stops on a signal', async () => {
    const port = await freePort();
    const env = { PORT: String(port), INBOX: join(directory, 'inbox.db'), TRACKING_WEBHOOK_SECRET: SECRET };
    const { child, output } = start(example, [], env);
    await vi.waitUntil(() => output().includes('Listening'));
    const post = async (path: string, headers: Record<string, string>, content = body) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: content };
      return fetch(`http://localhost:${port}${path}`, init);
    };
    const url = '/webhooks/tracking';
    expect((await post(url, signed)).status).toBe(202);
    expect((await post(url, signed)).status).toBe(200);
    expect((await post(url, forged)).status).toBe(401);
    expect(await (await post('/echo', {}, '{"a":1}')).json()).toEqual({ a: 1 });
    await vi.waitUntil(() => output().includes('container.updated'));
    child.kill();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('does not start without a secret', async () => {
    const { child, output } = start(example, [], {
      PORT: '0',
      INBOX: join(directory, 'inbox.db'),
      TRACKING_WEBHOOK_SECRET: '',
    });
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(output()).toContain('ConfigurationError');
  });
});

test('webhook-receiver.ts registers itself and prints the events', async () => {
  const sandbox = createSandbox({ speed: 0 });
  const server = await sandbox.listen();
  const port = await freePort();
  const env = { TRACKING_BASE_URL: server.baseUrl, TRACKING_API_KEY: 'sandbox' };
  const { child, output } = start(
    'webhook-receiver.ts',
    ['--port', String(port), '--inbox', join(directory, 'inbox.db')],
    env,
  );
  await vi.waitUntil(() => output().includes('Notifications go to'));
  const [container] = sandbox.seedContainers(1, { phase: 'at_sea' });
  for (let day = 0; day < 60; day++) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
  }
  const milestone = new RegExp(`${container?.number} +container\\.transport\\.vessel_arrived`);
  await vi.waitUntil(() => milestone.test(output()));
  await vi.waitUntil(() => output().includes('container.transport.empty_in'));
  // Some of the notifications have no container.
  const about = output()
    .split('\n')
    .filter(line => line.includes(' container.'));
  expect(about.filter(line => !line.includes(String(container?.number)))).toEqual([]);
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
  await server.close();
});

describe('without a number', () => {
  const env = { TRACKING_BASE_URL: 'http://127.0.0.1:9/v2', TRACKING_API_KEY: 'key' };

  test.each([[], ['--scac', 'MAEU'], ['--number', ' ']])(
    'the demo of the real service prints the needed arguments, with an example (%j)',
    async (...args) => {
      const { child, output } = start('../scripts/demo.ts', args, env);
      expect((await once(child, 'exit'))[0]).toBe(2);
      expect(output()).toContain('npm run demo -- --number MAEU123456789 --scac MAEU');
      expect(output()).not.toContain('blank');
    },
  );

  test('track-a-shipment.ts prints the needed arguments, and sends no request', async () => {
    const { child, output } = start('track-a-shipment.ts', [], env);
    expect((await once(child, 'exit'))[0]).toBe(2);
    expect(output()).toContain('--number MAEU123456789 --scac MAEU');
    expect(output()).not.toContain('Error');
  });
});

test('webhook-fetch.ts acknowledges notifications that the queue has accepted, and handles the notifications that the queue sends', async () => {
  const { default: worker } = await import('../examples/webhook-fetch.ts');
  const queue: Uint8Array[] = [];
  let isUp = true;
  const env = {
    TRACKING_WEBHOOK_SECRET: SECRET,
    NOTIFICATIONS: {
      async send(message: Uint8Array) {
        if (!isUp) throw new Error('The queue is full.');
        queue.push(message);
      },
    },
  };
  const post = async (headers: Record<string, string>) =>
    (
      await worker.fetch(
        new Request('https://worker.example/webhooks/tracking', { method: 'POST', headers, body }),
        env,
      )
    ).status;
  expect(await post(signed)).toBe(202);
  expect(await post(forged)).toBe(401);
  isUp = false;
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await post(signed)).toBe(503);
  error.mockRestore();

  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await worker.queue({ messages: queue.map(message => ({ body: message })) });
  expect(log.mock.calls).toMatchObject([['container.updated', 'CSQU3054383', {}]]);
  log.mockRestore();
});

test('webhook-lambda.ts passes only signed deliveries to the queue', async () => {
  const taken: [unknown, string][] = [];
  const queue = createServer(async (request, response) => {
    let content = '';
    for await (const chunk of request) content += chunk;
    taken.push([request.headers['message-deduplication-id'], content]);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(queue, 'listening');
  vi.stubEnv('TRACKING_WEBHOOK_SECRET', SECRET);
  vi.stubEnv('QUEUE_URL', `http://127.0.0.1:${(queue.address() as AddressInfo).port}`);
  const { handler } = await import('../examples/webhook-lambda.ts');
  const event = { requestContext: { http: { method: 'POST' } }, body, isBase64Encoded: false };
  expect((await handler({ ...event, headers: signed })).statusCode).toBe(202);
  expect((await handler({ ...event, headers: forged })).statusCode).toBe(401);
  expect(taken).toEqual([[JSON.parse(body).data.id, body]]);
  queue.close();
});

describe('agent-loop.ts', () => {
  test('finds a container and prints its last free day, or begins to track the container', async () => {
    const sandbox = createSandbox({ now: new Date() });
    const [
      {
        containers: [box],
      } = { containers: [] },
    ] = sandbox.seedShipments(1);
    const { baseUrl, close } = await sandbox.listen();
    const env = { TRACKING_BASE_URL: baseUrl, TRACKING_API_KEY: 'sandbox' };
    const known = start('agent-loop.ts', ['--number', box?.number ?? ''], env);
    expect(await once(known.child, 'exit')).toEqual([0, null]);
    expect(known.output().match(/^→ \w+/gm)).toEqual(['→ search_container', '→ get_container']);
    expect(known.output()).toMatch(/ is \w+\. Last free day: .* \((overdue|imminent|none|unknown)\)\.\n$/);
    const unknown = start('agent-loop.ts', ['--number', 'MAEU123456789'], env);
    expect(await once(unknown.child, 'exit')).toEqual([0, null]);
    expect(unknown.output()).toContain(
      '→ track_container {"number":"MAEU123456789"}\nMAEU123456789 was not tracked before.',
    );
    await close();
  });
});

test('upload-a-document.ts prints the data of each file, and names a missing file and a file that could not be read', async () => {
  const acknowledge = async () => new Response(null, { status: 204 });
  // The service reads a document in two seconds, and an address of the storage is valid for seven seconds.
  const sandbox = createSandbox({ speed: 40, rateLimit: false, fetch: acknowledge });
  const server = await sandbox.listen({ port: 0 });
  try {
    const account = { baseUrl: server.baseUrl, apiKey: 'sandbox' };
    // The service reports a failure only in a notification.
    await new TrackingClient(account).webhooks.create({
      url: 'https://app.example/',
      active: true,
      events: ['document.extraction_failed'],
    });
    const files = ['invoice.pdf', 'UNREADABLE.pdf'].map(name => join(directory, name));
    for (const file of files) writeFileSync(file, `%PDF-1.7 ${file}`);
    const { child, output } = start('upload-a-document.ts', [...files, join(directory, 'missing.pdf')], {
      TRACKING_BASE_URL: account.baseUrl,
      TRACKING_API_KEY: account.apiKey,
    });
    const [code] = await once(child, 'exit');
    expect(output()).toMatch(/invoice\.pdf: commercial_invoice \{/);
    expect(output()).toContain('Nothing could be read from the document UNREADABLE.pdf');
    expect(output()).toMatch(/missing\.pdf failed \(hash\)/);
    expect(code).toBe(1);
  } finally {
    await server.close();
  }
});
