import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type CommonOptions, ConfigurationError, type TrackingClient } from '../../src/index.ts';
import type { RecoveryCheckpoint } from '../../src/recovery/checkpoint.ts';
import type { Recovered, RecoverOptions } from '../../src/recovery/recover-options.ts';
import {
  createReceiver,
  createRouter,
  createWorker,
  EVENT_NAMES,
  memoryInbox,
  type Worker,
} from '../../src/webhooks/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../support/sandbox.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const OUTAGE = new Date('2026-03-09T03:00:00Z');
const isDown = () => false;

interface Setup {
  sandbox: Sandbox;
  client: TrackingClient;
  /** Ids of delivered notifications. */
  stored: Set<string>;
  inbox: { has(id: string): Promise<boolean> };
}

/** A service with one webhook. Notifications are delivered if `isUp` returns true. */
async function setUp(
  isUp: (event: string) => boolean,
  { client: clientOptions, ...options }: SandboxOptions & { client?: CommonOptions } = {},
): Promise<Setup> {
  const stored = new Set<string>();
  const sandbox = createSandbox({
    speed: 0,
    rateLimit: false,
    async fetch(request) {
      const { data } = await request.json();
      if (!isUp(data.attributes.event)) return new Response(null, { status: 500 });
      stored.add(data.id);
      return new Response(null, { status: 202 });
    },
    ...options,
  });
  const server = await sandbox.listen();
  closers.push(server.close);
  const client = clientFor(server, { apiKey: 'sandbox', validation: 'strict', ...clientOptions });
  await client.webhooks.ensure({ url: 'https://hooks.example/tracking', events: EVENT_NAMES });
  return { sandbox, client, stored, inbox: { has: async id => stored.has(id) } };
}

async function sail(sandbox: Sandbox, days: number): Promise<void> {
  for (let quarters = 0; quarters < days * 4; quarters++) {
    sandbox.advance({ hours: 6 });
    await sandbox.flush();
  }
}

async function collect(items: AsyncIterable<Recovered>): Promise<Recovered[]> {
  const all: Recovered[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const idsOf = (items: Recovered[]) => items.flatMap(({ notifications }) => notifications.map(({ id }) => id)).sort();
const keysOf = (items: Recovered[]) => items.map(({ subject }) => `${subject.type} ${subject.id}`);
const notificationsOf = (client: TrackingClient) => client.webhookNotifications.list({ pageSize: 100 }).toArray();
/** The checkpoint of an earlier recovery. */
const nothingOwed = (until: Date): RecoveryCheckpoint => ({
  ...{ until: until.toISOString(), accounted: [], pending: [], sweep: null },
});
const asJson = (checkpoint: RecoveryCheckpoint | undefined): RecoveryCheckpoint =>
  JSON.parse(JSON.stringify(checkpoint));

/** A failed delivery with an event that is not included. */
function failedNotification(id: string) {
  return {
    id,
    type: 'webhook_notification',
    attributes: {
      event: 'container.transport.available',
      delivery_status: 'failed',
      created_at: '2026-03-10T03:00:00Z',
    },
    relationships: { reference_object: { data: { type: 'transport_event', id: '1' } } },
  };
}

describe('a start that is ahead of the clock of the service', () => {
  test.each<[string, RecoverOptions]>([
    ['since', { since: '2026-11-27T09:00:00Z' }],
    ['a checkpoint', { from: nothingOwed(new Date('2026-11-27T09:00:00Z')) }],
  ])('is logged and replaced by the present: %s', async (_, options) => {
    const warn = vi.fn();
    const logger = { warn, error() {}, debug() {}, info() {} };
    const { sandbox, client } = await setUp(() => false, { client: { logger } });
    const recovery = client.webhookNotifications.recover(options);
    expect(await collect(recovery)).toEqual([]);
    expect(warn.mock.calls).toEqual([
      ['2026-11-27T09:00:00.000Z is in the future of the service. The recovery begins at 2026-03-09T03:00:00.000Z.'],
    ]);
    sandbox.seedShipments(1, { phase: 'at_sea' });
    await sail(sandbox, 60);
    expect(await collect(client.webhookNotifications.recover({ from: asJson(recovery.checkpoint) }))).not.toEqual([]);
  });

  test('is used unchanged if it is ahead by less than a minute', async () => {
    const warn = vi.fn();
    const { client } = await setUp(() => false, { client: { logger: { warn, error() {}, debug() {}, info() {} } } });
    const since = new Date(OUTAGE.getTime() + 59_000);
    const recovery = client.webhookNotifications.recover({ since });
    await collect(recovery);
    expect(recovery.checkpoint?.until).toBe(since.toISOString());
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('a missed notification', () => {
  test('is found by its failed status, and its record is read once in its current state', async () => {
    const { sandbox, client } = await setUp(event => event !== 'container.updated' && !event.includes('vessel'));
    sandbox.seedShipments(3, { phase: 'at_sea' });
    await sail(sandbox, 60);
    const before = sandbox.requests.length;
    const items = await collect(client.webhookNotifications.recover({ since: OUTAGE }));

    const failed = (await notificationsOf(client)).filter(({ delivery_status }) => delivery_status === 'failed');
    expect(failed.length).toBeGreaterThan(10);
    expect(idsOf(items)).toEqual(failed.map(({ id }) => id).sort());
    expect(new Set(keysOf(items)).size).toBe(items.length);
    for (const { source, subject, record } of items) {
      expect({ source, subject }).toEqual({ source: 'recovery', subject: { type: record?.type, id: record?.id } });
      if (record?.type === 'container') expect(record).toEqual(await client.containers.get(record.id));
    }
    const reads = sandbox.requests.slice(before).filter(({ path }) => /^\/(containers|shipments)\/[^/]+$/.test(path));
    expect(reads.length).toBe(items.length + items.filter(({ subject }) => subject.type === 'container').length);
  });

  test('may be an acknowledged notification that the inbox never stored', async () => {
    const { sandbox, client, stored, inbox } = await setUp(() => true);
    sandbox.seedShipments(2, { phase: 'at_sea' });
    await sail(sandbox, 60);
    expect(await collect(client.webhookNotifications.recover({ since: OUTAGE, inbox }))).toEqual([]);
    const lost = [...stored].filter((_, index) => index % 3 === 0).sort();
    for (const id of lost) stored.delete(id);
    expect(await collect(client.webhookNotifications.recover({ since: OUTAGE }))).toEqual([]);
    expect(idsOf(await collect(client.webhookNotifications.recover({ since: OUTAGE, inbox })))).toEqual(lost);
  });

  test('is not a failed notification that the inbox has stored', async () => {
    const { sandbox, client, stored, inbox } = await setUp(event => event !== 'container.updated');
    sandbox.seedShipments(2, { phase: 'at_sea' });
    await sail(sandbox, 60);
    const failed = (await notificationsOf(client)).filter(({ delivery_status }) => delivery_status === 'failed');
    const [lost = '', ...kept] = failed.map(({ id }) => id);
    expect(kept.length).toBeGreaterThan(2);
    // Each notification was stored, but its acknowledgement was lost.
    for (const id of kept) stored.add(id);
    const before = sandbox.requests.length;
    const recovery = client.webhookNotifications.recover({ since: OUTAGE, inbox });
    expect(idsOf(await collect(recovery))).toEqual([lost]);
    const reads = sandbox.requests.slice(before).filter(({ path }) => /^\/(containers|shipments)\/[^/]+$/.test(path));
    expect(reads).toHaveLength(1);
    expect(await collect(client.webhookNotifications.recover({ from: asJson(recovery.checkpoint), inbox }))).toEqual(
      [],
    );
  });

  test('is not older than `since`, so the recovery does not read older pages', async () => {
    let isUp = true;
    const { sandbox, client } = await setUp(() => isUp);
    sandbox.seedShipments(20, { phase: 'at_sea' });
    await sail(sandbox, 50);
    isUp = false;
    const since = sandbox.now();
    expect((await notificationsOf(client)).length).toBeGreaterThan(400);
    sandbox.seedShipments(1, { phase: 'at_sea' });
    await sail(sandbox, 8);
    const before = sandbox.requests.length;
    const items = await collect(client.webhookNotifications.recover({ since }));
    expect(items.length).toBeGreaterThan(0);
    for (const { notifications } of items) {
      for (const { created_at } of notifications) expect(Date.parse(created_at)).toBeGreaterThanOrEqual(+since);
    }
    const pages = sandbox.requests.slice(before).filter(({ path }) => path === '/webhook_notifications');
    expect(pages.length).toBeLessThanOrEqual(2);
  });

  test('of tracking requests and documents is recovered like every other notification', async () => {
    const { sandbox, client } = await setUp(event => event.startsWith('container.'));
    const request = await client.trackingRequests.create({
      ...{ request_type: 'bill_of_lading', request_number: 'MAEU123456789', scac: 'MAEU' },
    });
    const attachments = [{ filename: 'invoice.pdf' }];
    const { documentIds } = sandbox.receiveEmail({ subject: 'Invoice', attachments });
    await sail(sandbox, 7);
    const items = await collect(client.webhookNotifications.recover({ since: OUTAGE }));
    expect(keysOf(items)).toContain(`tracking_request ${request.id}`);
    expect(keysOf(items)).toContain(`document ${documentIds[0]}`);
    const tracked = items.find(({ subject }) => subject.id === request.id)?.record;
    expect(tracked?.type === 'tracking_request' && tracked.tracked_object?.type).toBe('shipment');
  });

  test('is requested once if its record is unknown, and is yielded even without a record', async () => {
    const { sandbox, client } = await setUp(isDown);
    await client.trackingRequests.create({
      ...{ request_type: 'bill_of_lading', request_number: 'MAEU123456789', scac: 'MAEU' },
    });
    await sail(sandbox, 7);
    const [notification] = (await notificationsOf(client)).filter(
      ({ event }) => event === 'tracking_request.succeeded',
    );
    sandbox.fail({
      match: { path: '/webhook_notifications' },
      body: { data: [failedNotification('silent'), failedNotification(String(notification?.id))] },
    });
    sandbox.fail({ match: { path: '/webhook_notifications/silent' }, body: { data: failedNotification('silent') } });
    const before = sandbox.requests.length;
    const items = await collect(client.webhookNotifications.recover({ since: OUTAGE }));
    expect(items).toMatchObject([
      { subject: { type: 'webhook_notification', id: 'silent' }, record: null, notifications: [{ id: 'silent' }] },
      { subject: { type: 'tracking_request' }, record: { type: 'tracking_request' } },
    ]);
    const asked = sandbox.requests.slice(before).filter(({ path }) => path.startsWith('/webhook_notifications/'));
    expect(asked.length).toBe(2);
  });

  test('of a deleted record is yielded without the record', async () => {
    const { sandbox, client } = await setUp(isDown);
    const [shipment] = sandbox.seedShipments(1, { phase: 'at_sea' });
    await sail(sandbox, 10);
    sandbox.removeShipment(shipment?.id ?? '');
    await sail(sandbox, 5);
    const items = await collect(client.webhookNotifications.recover({ since: OUTAGE }));
    expect(items.length).toBeGreaterThan(0);
    expect(items.map(({ record }) => record)).toEqual(items.map(() => null));
  });
});

describe('several webhooks', () => {
  const PROD = 'https://hooks.example/prod';
  const STAGING = 'https://hooks.example/staging';

  test('do not add notifications that another address has missed', async () => {
    const stored = new Set<string>();
    const { sandbox, client } = await setUp(isDown, {
      async fetch(request) {
        if (request.url !== PROD) return new Response(null, { status: 500 });
        stored.add((await request.json()).data.id);
        return new Response(null, { status: 202 });
      },
    });
    const events = ['container.updated'] as const;
    await client.webhooks.ensure({ url: PROD, events });
    const staging = await client.webhooks.ensure({ url: STAGING, events });
    sandbox.seedShipments(3, { phase: 'at_sea' });
    await sail(sandbox, 60);
    expect(stored.size).toBeGreaterThan(0);
    const recover = (url: string) =>
      collect(client.webhookNotifications.recover({ since: OUTAGE, url, inbox: { has: async id => stored.has(id) } }));
    expect(await recover(PROD)).toEqual([]);
    expect(idsOf(await recover('https://HOOKS.example:443/staging')).length).toBe(stored.size);
    // The address of a deleted webhook is unknown.
    await client.webhooks.delete(staging.id);
    expect(idsOf(await recover(PROD)).length).toBe(stored.size);
  });

  test.each([true, false])(
    'that send the same events to the same address count as one webhook, and the other webhooks stay inactive (kept webhook active: %s)',
    async active => {
      const { client } = await setUp(isDown);
      const url = PROD;
      const create = () => client.webhooks.create({ url, active: true, events: ['container.updated'] });
      const surplus = [await create(), await create()];
      const kept = await client.webhooks.ensure({ url, events: ['container.updated'] });
      for (const { id } of surplus) await client.webhooks.update(id, { active: id === kept.id && active });
      const recovery = client.webhookNotifications.recover({ from: nothingOwed(OUTAGE), repair: true });
      expect(keysOf(await collect(recovery))).toEqual(active ? [] : [`webhook ${kept.id}`]);
      const after = await Promise.all(surplus.map(({ id }) => client.webhooks.get(id)));
      expect(after.filter(webhook => webhook.active).map(({ id }) => id)).toEqual([kept.id]);
    },
  );

  test('cause a warning if none of them has the given address', async () => {
    const warn = vi.fn();
    const { client } = await setUp(isDown, { client: { logger: { warn, error() {}, debug() {}, info() {} } } });
    await collect(client.webhookNotifications.recover({ since: OUTAGE, url: PROD }));
    expect(warn.mock.calls.flat().join()).toContain(`No webhook has the url ${PROD}`);
  });
});

describe('a failed reading', () => {
  test.each([403, 500])(
    'of a notification with the response %i is reported, does not stop the recovery, and is repeated later',
    async status => {
      const { sandbox, client } = await setUp(isDown, { client: { retry: false } });
      sandbox.fail({
        match: { path: '/webhook_notifications' },
        body: { data: [failedNotification('a'), failedNotification('b')] },
      });
      sandbox.fail({ match: { path: '/webhook_notifications/a' }, status });
      sandbox.fail({ match: { path: '/webhook_notifications/b' }, body: { data: failedNotification('b') } });
      const recovery = client.webhookNotifications.recover({ since: OUTAGE });
      expect(await collect(recovery)).toMatchObject([
        { subject: { id: 'a' }, record: null, error: { status }, notifications: [{ id: 'a' }] },
        { subject: { id: 'b' }, record: null, notifications: [{ id: 'b' }] },
      ]);
      const about = { data: { type: 'tracking_request', id: '7' } };
      const named = { ...failedNotification('a'), relationships: { reference_object: about } };
      sandbox.fail({ match: { path: '/webhook_notifications/a' }, body: { data: named } });
      const next = client.webhookNotifications.recover({ from: asJson(recovery.checkpoint) });
      expect(await collect(next)).toMatchObject([{ subject: about.data, record: null, notifications: [{ id: 'a' }] }]);
      expect(next.checkpoint?.pending).toEqual([]);
    },
  );

  test('of a deleted notification yields it without a record', async () => {
    const { sandbox, client } = await setUp(isDown);
    sandbox.fail({
      match: { path: '/webhook_notifications' },
      body: { data: [failedNotification('a'), failedNotification('b')] },
    });
    const recovery = client.webhookNotifications.recover({ since: OUTAGE });
    const items = await collect(recovery);
    expect(items.map(({ subject, record, error }) => [subject.id, record, error])).toEqual([
      ['a', null, undefined],
      ['b', null, undefined],
    ]);
    expect(recovery.checkpoint?.pending).toEqual([]);
  });

  async function sailed() {
    const setup = await setUp(isDown, { client: { retry: false } });
    setup.sandbox.seedShipments(4, { phase: 'at_sea' });
    await sail(setup.sandbox, 20);
    const whole = await collect(setup.client.webhookNotifications.recover({ since: OUTAGE }));
    const subject = whole[0]?.subject;
    const bad = (status: number) =>
      setup.sandbox.fail({ match: { path: `/${subject?.type}s/${subject?.id}` }, status });
    return { ...setup, whole, subject, bad };
  }

  test.each([403, 422, 500])(
    'of a record with the response %i is reported, does not stop the recovery, and is repeated later',
    async status => {
      const { client, whole, subject, bad } = await sailed();
      bad(status);
      const recovery = client.webhookNotifications.recover({ since: OUTAGE });
      const items = await collect(recovery);
      expect(keysOf(items)).toEqual(keysOf(whole));
      expect(items[0]).toMatchObject({ subject, record: null, error: { status } });
      expect(items.slice(1).filter(({ error, record }) => error || !record)).toEqual([]);

      const next = await collect(client.webhookNotifications.recover({ from: asJson(recovery.checkpoint) }));
      expect(next).toMatchObject([{ subject, record: { id: subject?.id }, notifications: whole[0]?.notifications }]);
      const last = asJson(next.at(-1)?.checkpoint);
      expect(await collect(client.webhookNotifications.recover({ from: last }))).toEqual([]);
    },
  );

  test('with a 404 page of a proxy does not count as a deletion, and is repeated later', async () => {
    const { sandbox, client, whole, subject } = await sailed();
    const body = '<html>Not Found</html>';
    const match = { path: `/${subject?.type}s/${subject?.id}` };
    sandbox.fail({ match, status: 404, body, headers: { 'content-type': 'text/html' } });
    const recovery = client.webhookNotifications.recover({ since: OUTAGE });
    expect((await collect(recovery))[0]).toMatchObject({ subject, record: null, error: { status: 404 } });
    const next = await collect(client.webhookNotifications.recover({ from: asJson(recovery.checkpoint) }));
    expect(next).toMatchObject([{ subject, record: { id: subject?.id }, notifications: whole[0]?.notifications }]);
  });

  test('ends the recovery if its reason concerns every record', async () => {
    const { client, bad } = await sailed();
    bad(401);
    expect(await rejection(collect(client.webhookNotifications.recover({ since: OUTAGE })))).toMatchObject({
      status: 401,
    });
  });
});

describe('a webhook that was deactivated', () => {
  async function deactivated(options: Parameters<typeof setUp>[1] = {}) {
    const setup = await setUp(isDown, { webhooks: { deactivateAfter: 1 }, ...options });
    setup.sandbox.seedShipments(4, { phase: 'at_sea' });
    setup.sandbox.seedShipments(2, { phase: 'returned' });
    await sail(setup.sandbox, 20);
    const [webhook] = (await setup.client.webhooks.list()).data;
    expect(webhook?.active).toBe(false);
    return { ...setup, id: webhook?.id ?? '' };
  }

  test('is reported, stays inactive by default, and causes a sweep over every tracked shipment with its containers', async () => {
    const { client, sandbox, id } = await deactivated();
    const onInactive = vi.fn();
    const before = sandbox.requests.length;
    const items = await collect(client.webhookNotifications.recover({ since: OUTAGE, onInactive }));
    expect(onInactive.mock.calls).toMatchObject([[{ id }]]);
    expect((await client.webhooks.get(id)).active).toBe(false);

    const tracked = await client.shipments.list({ filter: { tracking_stopped: false } }).toArray();
    const all = tracked.flatMap(shipment => [shipment, ...(shipment.containers ?? [])]);
    expect(all.length).toBeGreaterThan(6);
    expect(keysOf(items)).toEqual(expect.arrayContaining(all.map(({ type, id }) => `${type} ${id}`)));
    expect(new Set(keysOf(items)).size).toBe(items.length);
    expect(items.some(({ notifications }) => notifications.length > 0)).toBe(true);
    // The pages of the sweep include the containers, so no container is read separately.
    const reads = sandbox.requests.slice(before).map(({ path }) => path);
    expect(reads.filter(path => all.some(({ id }) => path.endsWith(id)))).toEqual([]);
  });

  test('is reactivated on request', async () => {
    const { client, id } = await deactivated();
    await collect(client.webhookNotifications.recover({ since: OUTAGE, repair: true }));
    expect((await client.webhooks.get(id)).active).toBe(true);
    expect(await collect(client.webhookNotifications.recover({ since: new Date('2027-01-01') }))).toEqual([]);
  });

  const containersOf = async (client: TrackingClient) =>
    (await client.containers.list({ pageSize: 100 }).toArray()).map(({ id }) => `container ${id}`);

  test('is reported before it is reactivated, with a checkpoint that still requires the sweep', async () => {
    const { client, id } = await deactivated();
    const recovery = client.webhookNotifications.recover({ from: nothingOwed(OUTAGE), repair: true });
    const first = await recovery.next();
    expect(first.value).toMatchObject({ subject: { type: 'webhook', id }, record: null, notifications: [] });
    expect((await client.webhooks.get(id)).active).toBe(false);
    // The process ends right after the webhook was reactivated.
    const checkpoint = asJson(recovery.checkpoint);
    await client.webhooks.update(id, { active: true });
    const rest = await collect(client.webhookNotifications.recover({ from: checkpoint, repair: true }));
    expect(keysOf(rest)).toEqual(expect.arrayContaining(await containersOf(client)));
  });

  test.each<[string, (sandbox: Sandbox) => void, number]>([
    ['the webhooks could not be read', s => s.fail({ match: { path: '/webhooks' }, status: 500 }), 99],
    [
      'the notifications could not be read',
      s => s.fail({ match: { path: '/webhook_notifications' }, status: 500 }),
      99,
    ],
    ['the shipments could not be read', s => s.fail({ match: { path: '/shipments' }, status: 500 }), 99],
    ['the first record could not be stored', () => {}, 0],
    ['the fourth record could not be stored', () => {}, 3],
  ])('is recovered by a repeated call if %s', async (_, fail, records) => {
    const { client, sandbox } = await deactivated({ client: { retry: false } });
    const options = { since: OUTAGE, repair: true };
    fail(sandbox);
    const interrupted = async () => {
      let stored = 0;
      for await (const _ of client.webhookNotifications.recover(options)) {
        if (stored++ === records) throw new Error('database down');
      }
    };
    await rejection(interrupted());
    const again = await collect(client.webhookNotifications.recover(options));
    expect(keysOf(again)).toEqual(expect.arrayContaining(await containersOf(client)));
  });

  test('is recovered completely, even if the recovery is interrupted after any item', async () => {
    const { client, id } = await deactivated();
    const all = async () => [
      ...(await client.shipments.list({ pageSize: 100 }).toArray()).map(shipment => `shipment ${shipment.id}`),
      ...(await containersOf(client)),
    ];
    for (let given = 1; ; given++) {
      await client.webhooks.update(id, { active: false });
      const recovery = client.webhookNotifications.recover({ from: nothingOwed(OUTAGE), repair: true });
      const before: Recovered[] = [];
      while (before.length < given) {
        const { value, done } = await recovery.next();
        if (done) return expect(given).toBeGreaterThan(5);
        before.push(value);
      }
      // The recovery continues, but its later items are not stored.
      await recovery.next();
      const rest = await collect(client.webhookNotifications.recover({ from: asJson(before.at(-1)?.checkpoint) }));
      expect(keysOf([...before, ...rest])).toEqual(expect.arrayContaining(await all()));
    }
  });

  test('that stays inactive requires a complete sweep after its reactivation', async () => {
    const { client, id } = await deactivated();
    const recovery = client.webhookNotifications.recover({ since: OUTAGE });
    const items = await collect(recovery);
    await client.webhooks.update(id, { active: true });
    for (const checkpoint of [items[0]?.checkpoint, items.at(-3)?.checkpoint, recovery.checkpoint]) {
      const next = client.webhookNotifications.recover({ from: asJson(checkpoint) });
      expect(keysOf(await collect(next))).toEqual(expect.arrayContaining(await containersOf(client)));
      expect(await collect(client.webhookNotifications.recover({ from: asJson(next.checkpoint) }))).toEqual([]);
    }
  });

  test('that stays inactive means that no part of the sweep counts as done', async () => {
    const { client, sandbox, id } = await deactivated();
    sandbox.seedShipments(100, { phase: 'booked' });
    const first: Recovered[] = [];
    for await (const item of client.webhookNotifications.recover({ since: OUTAGE })) {
      first.push(item);
      if (item.checkpoint.pending.length === 0 && first.length > 210) break;
    }
    await client.webhooks.update(id, { active: true });
    const rest = await collect(client.webhookNotifications.recover({ from: asJson(first.at(-1)?.checkpoint) }));
    expect(keysOf(rest)).toEqual(expect.arrayContaining(keysOf(first.slice(0, 5))));
  });

  test('does not lose the end of a shipment or the failure of a tracking request', async () => {
    const { sandbox, client } = await setUp(isDown);
    sandbox.seedShipments(2, { phase: 'returned' });
    sandbox.seedShipments(6, { phase: 'available' });
    const { id } = await client.webhooks.ensure({ url: 'https://hooks.example/tracking', events: EVENT_NAMES });
    await client.webhooks.update(id, { active: false });
    const stopped = async () =>
      (await client.shipments.list({ filter: { tracking_stopped: true } }).toArray()).map(({ id }) => id);
    sandbox.advance({ days: 1 });
    const stoppedBefore = await stopped();
    sandbox.advance({ days: 1 });
    const old = await client.trackingRequests.create({
      ...{ request_type: 'bill_of_lading', request_number: 'MAEU-INVALID-1', scac: 'MAEU' },
    });
    sandbox.advance({ days: 1 });
    const since = sandbox.now();
    const failing = await client.trackingRequests.create({
      ...{ request_type: 'bill_of_lading', request_number: 'MAEU-INVALID-2', scac: 'MAEU' },
    });
    await sail(sandbox, 90);
    expect((await client.trackingRequests.get(failing.id)).status).toBe('failed');
    const stoppedSince = (await stopped()).filter(shipment => !stoppedBefore.includes(shipment));
    expect(Math.min(stoppedBefore.length, stoppedSince.length)).toBeGreaterThan(0);

    const items = await collect(client.webhookNotifications.recover({ since, repair: true }));
    const given = keysOf(items);
    expect(given).toEqual(expect.arrayContaining(stoppedSince.map(shipment => `shipment ${shipment}`)));
    expect(given).toContain(`tracking_request ${failing.id}`);
    expect(given).not.toContain(`tracking_request ${old.id}`);
    for (const shipment of stoppedBefore) expect(given).not.toContain(`shipment ${shipment}`);
    expect(new Set(given).size).toBe(given.length);
    const containers = items.flatMap(({ record }) => (record?.type === 'shipment' ? record.containers : []));
    expect(given).toEqual(expect.arrayContaining(containers.map(container => `container ${container.id}`)));
  });

  test('is not changed if the option names another address', async () => {
    const { client, id } = await deactivated();
    const options = { from: nothingOwed(new Date('2027-01-01')), url: 'https://other.example', repair: true };
    expect(await collect(client.webhookNotifications.recover(options))).toEqual([]);
    expect((await client.webhooks.get(id)).active).toBe(false);
  });

  test('does not cause a sweep if the option forbids it', async () => {
    const { client } = await deactivated();
    const options = { since: new Date('2027-01-01'), sweep: false };
    expect(await collect(client.webhookNotifications.recover(options))).toEqual([]);
  });
});

describe('a checkpoint', () => {
  test.each([false, true])('continues after any item (sweep: %s)', async sweep => {
    const { sandbox, client } = await setUp(isDown);
    sandbox.seedShipments(4, { phase: 'at_sea', containers: 2 });
    await sail(sandbox, 20);
    const whole = await collect(client.webhookNotifications.recover({ since: OUTAGE, sweep }));
    expect(whole.length).toBeGreaterThan(5);

    for (const [index, { checkpoint }] of whole.entries()) {
      const rest = await collect(client.webhookNotifications.recover({ from: asJson(checkpoint) }));
      const all = [...whole.slice(0, index + 1), ...rest];
      expect(new Set(keysOf(all))).toEqual(new Set(keysOf(whole)));
      expect(idsOf(all)).toEqual(idsOf(whole));
      if (!sweep) expect(keysOf(all)).toEqual(keysOf(whole));
    }
    expect(
      await collect(client.webhookNotifications.recover({ from: asJson(whole.at(-1)?.checkpoint), sweep: false })),
    ).toEqual([]);
  });

  test.each([
    ['without a sweep', false],
    ['with a sweep', true],
  ])('has a limited length for any number of remaining records (%s)', async (_, sweep) => {
    const { sandbox, client } = await setUp(isDown);
    if (sweep) sandbox.seedShipments(150, { phase: 'at_sea' });
    const data = Array.from({ length: 600 }, (_, n) => ({
      ...failedNotification(`n${n}`),
      relationships: { reference_object: { data: { type: 'tracking_request', id: `r${n}` } } },
    }));
    sandbox.fail({ match: { path: '/webhook_notifications' }, times: Number.POSITIVE_INFINITY, body: { data } });
    const whole = await collect(client.webhookNotifications.recover({ since: OUTAGE, sweep }));
    expect(whole.length).toBeGreaterThanOrEqual(600);
    const lengths = whole.map(({ checkpoint }) => JSON.stringify(checkpoint).length);
    // The position in a list has the ids of one page of 100 records.
    expect(Math.max(...lengths)).toBeLessThan(6000);
    for (const index of [0, 1, Math.floor(whole.length / 2), whole.length - 2]) {
      const from = asJson(whole[index]?.checkpoint);
      const rest = await collect(client.webhookNotifications.recover({ from }));
      expect(idsOf([...whole.slice(0, index + 1), ...rest])).toEqual(idsOf(whole));
    }
  });

  test('of an older version, with a list of remaining records, is continued', async () => {
    const { client } = await setUp(isDown);
    const pending = ['a', 'b'].map(id => ({ type: 'tracking_request', id, notifications: [] }));
    const old = { until: OUTAGE.toISOString(), accounted: [], pending, sweep: null };
    const items = await collect(client.webhookNotifications.recover({ from: old }));
    expect(keysOf(items)).toEqual(['tracking_request a', 'tracking_request b']);
    expect(items.map(({ checkpoint }) => checkpoint.pending.length)).toEqual([1, 0]);
  });

  test('has the unreadable records, up to a limit', async () => {
    const { sandbox, client } = await setUp(isDown, { client: { retry: false } });
    const data = Array.from({ length: 300 }, (_, n) => ({
      ...failedNotification(`n${n}`),
      relationships: { reference_object: { data: { type: 'tracking_request', id: `r${n}` } } },
    }));
    const times = Number.POSITIVE_INFINITY;
    sandbox.fail({ match: { path: '/webhook_notifications' }, times, body: { data } });
    sandbox.fail({ match: { path: /^\/tracking_requests\// }, times, status: 500 });
    const recovery = client.webhookNotifications.recover({ since: OUTAGE });
    const whole = await collect(recovery);
    const held = whole.slice(0, -1).map(({ checkpoint }) => checkpoint.pending.length);
    expect(Math.max(...held)).toBe(100);
    expect(recovery.checkpoint?.pending).toHaveLength(300);
    for (const { checkpoint } of [whole[20], whole[250], { checkpoint: recovery.checkpoint }].filter(
      one => one !== undefined,
    )) {
      const rest = await collect(client.webhookNotifications.recover({ from: asJson(checkpoint) }));
      expect(new Set(idsOf(rest))).toEqual(new Set(idsOf(whole)));
    }
  });

  test('also finds notifications that were missed after it was taken', async () => {
    const { sandbox, client } = await setUp(isDown);
    sandbox.seedShipments(2, { phase: 'at_sea' });
    await sail(sandbox, 20);
    const first = await collect(client.webhookNotifications.recover({ since: OUTAGE }));
    await sail(sandbox, 20);
    const second = await collect(client.webhookNotifications.recover({ from: asJson(first.at(-1)?.checkpoint) }));
    expect(second.length).toBeGreaterThan(0);
    const failed = (await notificationsOf(client)).filter(({ delivery_status }) => delivery_status === 'failed');
    expect([...new Set([...idsOf(first), ...idsOf(second)])].sort()).toEqual(failed.map(({ id }) => id).sort());
  });

  test('causes a second reading only of notifications without an outcome', async () => {
    let isUp = true;
    const { sandbox, client } = await setUp(() => isUp);
    sandbox.seedShipments(6, { phase: 'at_sea' });
    await sail(sandbox, 10);
    isUp = false;
    await sail(sandbox, 6);
    const first = await collect(client.webhookNotifications.recover({ since: OUTAGE }));
    const pending = (await notificationsOf(client)).filter(({ delivery_status }) => delivery_status === 'pending');
    expect(Math.min(first.length, pending.length)).toBeGreaterThan(0);
    await sail(sandbox, 4);
    isUp = true;
    const second = await collect(client.webhookNotifications.recover({ from: asJson(first.at(-1)?.checkpoint) }));
    expect(idsOf(second)).toEqual(expect.arrayContaining(pending.map(({ id }) => id)));
    expect(idsOf(second).filter(id => idsOf(first).includes(id))).toEqual([]);
  });

  test('exists even if nothing was missed, and after a failure it continues after the last yielded item', async () => {
    let isUp = true;
    const { sandbox, client } = await setUp(() => isUp, { client: { retry: false } });
    sandbox.seedShipments(2, { phase: 'at_sea' });
    await sail(sandbox, 20);
    const newest = (await notificationsOf(client)).map(({ created_at }) => Date.parse(created_at));
    const quiet = client.webhookNotifications.recover({ since: OUTAGE });
    expect(quiet.checkpoint).toBeUndefined();
    expect(await collect(quiet)).toEqual([]);
    expect(Date.parse(quiet.checkpoint?.until ?? '')).toBe(Math.max(...newest));

    isUp = false;
    await sail(sandbox, 40);
    const failing = client.webhookNotifications.recover({ from: asJson(quiet.checkpoint) });
    const first = await failing.next();
    sandbox.fail({ match: { path: /^\/(containers|shipments|tracking_requests)\// }, status: 401 });
    await rejection(failing.next());
    expect(failing.checkpoint).toEqual((first.value as Recovered).checkpoint);
    const rest = await collect(client.webhookNotifications.recover({ from: asJson(failing.checkpoint) }));
    expect(rest.length).toBeGreaterThan(0);
    expect(keysOf(rest)).not.toContain(keysOf([first.value as Recovered])[0]);
  });

  const time = '2026-03-09T03:00:00Z';
  const good = { until: time, accounted: [], pending: [], sweep: null };
  test.each<[unknown, string]>([
    [undefined, 'options'],
    [null, 'options'],
    ['2026-03-09', 'options'],
    [{}, 'or pass from'],
    [{ since: 'yesterday' }, 'since'],
    [{ since: null }, 'since'],
    [{ since: 0 }, 'since'],
    [{ since: new Date(Number.NaN) }, 'since'],
    [{ since: time, inbox: {} }, 'inbox'],
    [{ since: time, inbox: null }, 'inbox'],
    [{ since: time, url: '' }, 'url'],
    [{ from: null }, 'from'],
    [{ from: { page: 1 } }, 'from'],
    [{ from: { ...good, until: 'x' } }, 'from'],
    [{ from: { ...good, pending: [null] } }, 'from'],
    [{ from: { ...good, sweep: 'yes' } }, 'from'],
    [{ from: { ...good, sweep: { since: 'x', list: 'shipments', after: null } } }, 'from'],
    [{ from: { ...good, sweep: { since: time, list: 'nothing', after: null } } }, 'from'],
  ])('(or a time) is required, and any other value is refused: %o', async (options, name) => {
    const { client, sandbox } = await setUp(isDown);
    const before = sandbox.requests.length;
    const error = await rejection(client.webhookNotifications.recover(options as RecoverOptions).next());
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain(name);
    expect(sandbox.requests.length).toBe(before);
  });
});

test('an abort ends a recovery that waits for a slot of the rate limit', async () => {
  const { sandbox, client } = await setUp(isDown, { client: { rateLimit: { limits: { default: 5 } } } });
  await client.trackingRequests.create({ request_type: 'bill_of_lading', request_number: 'MAEUATSEA1', scac: 'MAEU' });
  await sail(sandbox, 20);
  const controller = new AbortController();
  const waiting = client.withOptions({ hooks: { onQueued: () => controller.abort(new Error('stop')) } });
  const items = waiting.webhookNotifications.recover({ since: OUTAGE, signal: controller.signal });
  await expect(
    (async () => {
      for await (const _ of items);
    })(),
  ).rejects.toThrow('stop');
});

test('an abort ends a recovery that waits for a page', async () => {
  const { sandbox, client } = await setUp(isDown);
  await sandbox.flush();
  const controller = new AbortController();
  const reading = client.withOptions({
    fetch: async (input, init) => {
      if (!String(input).includes('/webhook_notifications')) return fetch(input, init);
      setTimeout(() => controller.abort(new Error('stop')));
      return new Promise(() => {});
    },
  });
  const items = reading.webhookNotifications.recover({ since: OUTAGE, signal: controller.signal });
  await expect(items.next()).rejects.toThrow('stop');
});

test('an abort ends a recovery with the reason of the signal', async () => {
  const { sandbox, client } = await setUp(isDown);
  sandbox.seedShipments(3, { phase: 'at_sea' });
  await sail(sandbox, 20);
  const controller = new AbortController();
  const items = client.webhookNotifications.recover({ since: OUTAGE, signal: controller.signal });
  await items.next();
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await rejection(items.next())).toBe(reason);
});

test('a recovery stays within the rate limit', async () => {
  const windowMs = 300;
  const limits = { default: 10 };
  const { sandbox, client } = await setUp(isDown, {
    rateLimit: { windowMs, limits },
    client: { rateLimit: { windowMs, limits } },
  });
  sandbox.seedShipments(10, { phase: 'at_sea', containers: 2 });
  await sail(sandbox, 20);
  const items = await collect(client.webhookNotifications.recover({ since: OUTAGE }));
  expect(items.length).toBeGreaterThan(20);
  expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
});

describe('after an outage between the service and a database', () => {
  test('the recovery restores every record', async () => {
    const sandbox = createSandbox({ speed: 0, rateLimit: false, webhooks: { duplicateRate: 0.2 } });
    const service = await sandbox.listen();
    closers.push(service.close);
    const client = clientFor(service, { apiKey: 'sandbox', validation: 'strict' });
    const stored = new Set<string>();
    const handled: string[] = [];
    const database = new Map<string, unknown>();
    const inbox = memoryInbox({ ephemeral: true });
    const put: typeof inbox.put = async entry => {
      stored.add(entry.id);
      return inbox.put(entry);
    };

    const port = await freePort();
    const { secret } = await client.webhooks.ensure({ url: `http://127.0.0.1:${port}/`, events: EVENT_NAMES });
    async function start(): Promise<{ server: Server; worker: Worker }> {
      const receiver = createReceiver({ secrets: String(secret), inbox: { put }, logger: false });
      const server = createServer(receiver.node).listen(port, '127.0.0.1');
      await new Promise(resolve => server.once('listening', resolve));
      const router = createRouter().otherwise(async n => {
        handled.push(n.id);
        const { container } = n;
        const subject = n.reference_object as { container?: { id: string } } | undefined;
        const id = container?.id ?? subject?.container?.id;
        if (id) database.set(id, await client.containers.get(id));
      });
      return { server, worker: createWorker({ inbox, router, pollMs: 5 }).start() };
    }
    async function stop({ server, worker }: Awaited<ReturnType<typeof start>>): Promise<void> {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
      await worker.stop();
    }

    let running = await start();
    sandbox.seedShipments(6, { phase: 'at_origin' });
    await sail(sandbox, 10);
    expect(stored.size).toBeGreaterThan(5);
    await stop(running);
    const beginning = sandbox.now();
    await sail(sandbox, 40);
    running = await start();
    closers.push(() => stop(running));

    const has = async (id: string) => stored.has(id);
    for await (const { record } of client.webhookNotifications.recover({ since: beginning, inbox: { has } })) {
      if (record?.type === 'container') database.set(record.id, record);
    }
    const notifications = await notificationsOf(client);
    const failed = notifications.filter(({ delivery_status }) => delivery_status === 'failed');
    expect(failed.length).toBeGreaterThan(10);
    await vi.waitUntil(() => handled.length >= stored.size, { timeout: 5000, interval: 10 });
    expect(handled.length).toBe(new Set(handled).size);
    for (const container of await client.containers.list({ pageSize: 100 }).toArray()) {
      expect(database.get(container.id)).toEqual(await client.containers.get(container.id));
    }
  });
});
