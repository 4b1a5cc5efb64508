import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { afterEach, describe, expect, test } from 'vitest';
import { ConfigurationError, TrackingClient } from '../../src/index.ts';
import { postgresInbox } from '../../src/postgres.ts';
import { redisInbox } from '../../src/redis.ts';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import {
  createReceiver,
  createRouter,
  createWorker,
  EVENT_NAMES,
  fromQueue,
  type Inbox,
  memoryInbox,
  type Notification,
} from '../../src/webhooks/index.ts';
import { hasProgram } from '../../support/needs.ts';
import { hasPostgres, startPostgres } from '../../support/postgres.ts';
import { startRedis } from '../../support/redis.ts';
import { createSandbox, type Sandbox } from '../../support/sandbox.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const SINCE = new Date('2026-03-09T00:00:00Z');
/** The clock of the sandbox. Twelve attempts take at most two days. */
const OUTAGE = { days: 6 };

interface Program {
  baseUrl: string;
  sandbox: Sandbox;
  client: TrackingClient;
  /** True if the receiver can be reached. */
  isUp: boolean;
  handled: Notification[];
  /** Everything that was sent to the receiver, even while it was unavailable. */
  sent: Map<string, string>;
  receive(body: string, headers: Headers): Promise<number>;
}

/** A service and a program that receives its webhooks, over sockets, with a worker on the inbox. */
async function programOn(inbox: Inbox): Promise<Program> {
  const handled: Notification[] = [];
  const sent: Program['sent'] = new Map();
  const program = { isUp: true } as Program;
  const sandbox = createSandbox({
    speed: 0,
    rateLimit: false,
    async fetch(request) {
      const body = await request.text();
      sent.set(JSON.parse(body).data.id, JSON.parse(body).data.attributes.event);
      if (!program.isUp) throw new TypeError('fetch failed');
      return new Response(null, { status: await program.receive(body, request.headers) });
    },
  });
  const server = await sandbox.listen();
  closers.push(() => server.close());
  const client = new TrackingClient({ baseUrl: server.baseUrl, apiKey: 'sandbox', rateLimit: false });
  closers.push(() => client.close());
  const { secret } = await client.webhooks.ensure({ url: 'https://hooks.example/tracking', events: EVENT_NAMES });
  const receiver = createReceiver({ secrets: secret as string, inbox });
  const router = createRouter().otherwise(notification => void handled.push(notification));
  const worker = createWorker({ inbox, router, pollMs: 5 }).start();
  closers.push(() => worker.stop());
  return Object.assign(program, {
    baseUrl: server.baseUrl,
    sandbox,
    client,
    handled,
    sent,
    async receive(body: string, headers: Headers) {
      const request = new Request('https://hooks.example/tracking', { method: 'POST', body, headers });
      return (await receiver.fetch(request)).status;
    },
  });
}

async function outage(program: Program): Promise<void> {
  program.isUp = false;
  for (let day = 0; day < OUTAGE.days; day += 1) {
    program.sandbox.advance({ days: 1 });
    await program.sandbox.flush();
  }
  program.isUp = true;
}

async function recover({ client }: Program, inbox: Inbox) {
  const records = [];
  const recovery = client.webhookNotifications.recover({ since: SINCE, inbox, requeue: true });
  for await (const item of recovery) records.push(item);
  return records;
}

const STORES: Record<string, { isThere: boolean; open(): Promise<Inbox> | Inbox }> = {
  memory: { isThere: true, open: () => memoryInbox({ ephemeral: true }) },
  'a queue': {
    isThere: true,
    open() {
      const queue = memoryInbox({ ephemeral: true });
      return Object.assign(queue, fromQueue(queue.put.bind(queue), { has: queue.has.bind(queue) }));
    },
  },
  SQLite: {
    isThere: true,
    open() {
      const folder = mkdtempSync(join(tmpdir(), 'requeue-'));
      closers.push(() => rmSync(folder, { recursive: true }));
      const inbox = sqliteInbox(join(folder, 'inbox.db'));
      closers.push(() => inbox.close());
      return inbox;
    },
  },
  PostgreSQL: {
    isThere: hasPostgres,
    async open() {
      const postgres = await startPostgres();
      closers.push(() => postgres.stop());
      const pool = new Pool(postgres.connection);
      pool.on('error', () => {});
      closers.push(() => pool.end());
      const inbox = postgresInbox({ pool });
      await inbox.migrate();
      return inbox;
    },
  },
  Redis: {
    isThere: hasProgram('redis-server'),
    async open() {
      const redis = await startRedis();
      closers.push(() => redis.stop());
      const client = await createClient({ url: redis.url }).connect();
      closers.push(() => client.destroy());
      return redisInbox({ client: client as never });
    },
  },
};

describe.each(Object.entries(STORES))('with the inbox in %s', (_, { isThere, open }) => {
  test.skipIf(!isThere)(
    'after an outage of all twelve attempts, handlers receive each notification once',
    { timeout: 60_000 },
    async () => {
      const inbox = await open();
      const program = await programOn(inbox);
      program.sandbox.seedShipments(4, { phase: 'at_sea' });
      await outage(program);
      expect(program.handled).toEqual([]);
      const missed = [...program.sent.keys()].toSorted();
      expect(missed.length).toBeGreaterThan(10);
      const list = await program.client.webhookNotifications.list({ pageSize: 100 }).toArray();
      expect(list.some(({ delivery_status }) => delivery_status === 'failed')).toBe(true);

      await recover(program, inbox);
      await expect.poll(() => program.handled.length).toBe(missed.length);
      // A second recovery and a late delivery do not cause a second handling.
      await recover(program, inbox);
      await outageEnds(program);
      expect(program.handled.map(({ id }) => id).toSorted()).toEqual([...program.sent.keys()].toSorted());
    },
  );
});

/** Advances until the service has made all its remaining attempts. */
async function outageEnds(program: Program): Promise<void> {
  program.sandbox.advance({ days: 2 });
  await program.sandbox.flush();
  await expect.poll(() => program.handled.length).toBe(program.sent.size);
}

describe('a requeued notification', () => {
  test('equals the delivery, with the current record', async () => {
    const inbox = memoryInbox({ ephemeral: true });
    const program = await programOn(inbox);
    program.sandbox.seedShipments(2, { phase: 'at_sea' });
    await outage(program);
    const records = await recover(program, inbox);
    await expect.poll(() => program.handled.length).toBe(program.sent.size);
    for (const notification of program.handled) {
      expect(notification.recovered).toBe('event');
      expect(program.sent.get(notification.id)).toBe(notification.event);
      if (!notification.container) continue;
      const item = records.find(({ subject }) => subject.id === notification.container?.id);
      if (item?.record?.type === 'container') expect(notification.container.number).toBe(item.record.number);
    }
    const arrived = program.handled.find(({ event }) => event.startsWith('container.transport.transshipment'));
    expect(arrived).toMatchObject({ reference_object: { timestamp: expect.any(String) } });
    expect(program.handled.some(({ container }) => container?.number)).toBe(true);
  });

  test('has only its record if the service no longer has the event', async () => {
    const inbox = memoryInbox({ ephemeral: true });
    const program = await programOn(inbox);
    program.sandbox.seedShipments(1, { phase: 'at_sea' });
    await outage(program);
    // The service lists notifications without their records.
    const forgetful = new TrackingClient({
      baseUrl: program.baseUrl,
      apiKey: 'sandbox',
      rateLimit: false,
      validation: 'off',
      async fetch(input: string | URL | Request, init?: RequestInit) {
        const response = await fetch(input, init);
        if (!String(input).includes('/webhook_notifications')) return response;
        const body = await response.json();
        return Response.json({ ...body, included: [] });
      },
    });
    for await (const _ of forgetful.webhookNotifications.recover({ since: SINCE, inbox, requeue: true })) void _;
    forgetful.close();
    await expect.poll(() => program.handled.length).toBe(program.sent.size);
    expect(program.handled.every(({ recovered }) => recovered === 'record')).toBe(true);
  });

  test('is put into the inbox before its item is yielded, so that a program that ends in between loses and repeats nothing', async () => {
    const inbox = memoryInbox({ ephemeral: true });
    const program = await programOn(inbox);
    program.sandbox.seedShipments(3, { phase: 'at_sea' });
    await outage(program);
    let checkpoint: unknown;
    for (let rounds = 0; rounds < 50; rounds += 1) {
      const start = checkpoint ? { from: checkpoint as never } : { since: SINCE };
      const recovery = program.client.webhookNotifications.recover({ ...start, inbox, requeue: true });
      const { done, value } = await recovery.next();
      if (done) break;
      // Every second program ends before it stores its position.
      if (rounds % 2 === 0) checkpoint = JSON.parse(JSON.stringify(value.checkpoint));
      await recovery.return(undefined as never);
    }
    await recover(program, inbox);
    await expect.poll(() => program.handled.length).toBe(program.sent.size);
    expect(new Set(program.handled.map(({ id }) => id)).size).toBe(program.sent.size);
  });
});

test('requeueing is refused without an inbox that has `has` and `put`, before a request is sent', async () => {
  const client = new TrackingClient({ baseUrl: 'http://127.0.0.1:9/v2', apiKey: 'x' });
  for (const inbox of [undefined, { has: async () => false }, fromQueue(async () => {})]) {
    // @ts-expect-error -- a method is missing
    const recovery = client.webhookNotifications.recover({ since: SINCE, inbox, requeue: true });
    await expect(recovery.next()).rejects.toThrow(
      new ConfigurationError(
        'inbox needs has(), and put() for requeue. For a queue: fromQueue(send, { has: id => … }).',
      ),
    );
  }
});
