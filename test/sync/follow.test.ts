import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { EventName, TrackingClient } from '../../src/index.ts';
import { StoreError } from '../../src/internal/store-error.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { createSync, type Sync, type SyncEvent, type SyncOptions } from '../../src/sync/index.ts';
import { createReceiver, memoryInbox, type Notification, parseNotification } from '../../src/webhooks/index.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { differences } from '../../support/sync-truth.ts';
import { type MemoryStore, memoryStore, recordsOf } from './memory-store.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function clientOf(sandbox: Pick<Sandbox, 'fetch'>): TrackingClient {
  return clientOn(sandbox.fetch, { retry: { minDelay: 0 } });
}

function syncOf(sandbox: Pick<Sandbox, 'fetch'>, store: MemoryStore, options: Partial<SyncOptions> = {}): Sync {
  return createSync({ client: clientOf(sandbox), store, logger: false, ...options });
}

/** Runs the sync until the test ends. */
function running(sync: Sync): void {
  const controller = new AbortController();
  const run = sync.run({ signal: controller.signal });
  stops.push(() => {
    controller.abort();
    return run;
  });
}

/** Resolves when a condition holds. Only the time limit of the test ends the wait. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(resolve => setTimeout(resolve, 5));
}

/** A sandbox, a store that was filled from it, and the bodies of the notifications of the following days. */
async function collected(days: number): Promise<{ sandbox: Sandbox; store: MemoryStore; bodies: string[] }> {
  const bodies: string[] = [];
  const sandbox = stillSandbox({
    shipments: 8,
    fetch: async request => {
      bodies.push(await request.text());
      return new Response(null, { status: 200 });
    },
  });
  const store = memoryStore();
  await syncOf(sandbox, store).backfill();
  const client = clientOf(sandbox);
  const events = (await client.webhooks.events()).flatMap(category => category.events.map(({ name }) => name));
  await client.webhooks.create({ url: 'https://receiver.example/', active: true, events: events as EventName[] });
  await client.trackingRequests.create({
    request_type: 'bill_of_lading',
    request_number: 'MAEU-ATSEA-77',
    scac: 'MAEU',
  });
  for (let day = 0; day < days; day += 1) {
    sandbox.advance({ days: 1, seconds: 7 });
    await sandbox.flush();
  }
  sandbox.advance({ seconds: 5 });
  return { sandbox, store, bodies };
}

const parsed = (body: string): Notification => parseNotification(Buffer.from(body));

function copyOf({ rows, checkpoints }: MemoryStore): MemoryStore {
  const copy = memoryStore();
  for (const [key, row] of rows) copy.rows.set(key, row);
  for (const [name, value] of checkpoints) copy.checkpoints.set(name, value);
  return copy;
}

test('notifications in any order, with duplicates, lead to the same rows, except for records that are due to be read again', async () => {
  const { sandbox, store, bodies } = await collected(25);
  expect(bodies.length).toBeGreaterThan(60);
  const final = async (order: readonly string[]) => {
    const copy = copyOf(store);
    const { handler } = syncOf(sandbox, copy);
    for (const body of order) await handler(parsed(body));
    return copy;
  };
  const inOrder = await final(bodies);
  const containerOf = (record: unknown) => (record as { container?: { id: string } } | null)?.container?.id;
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...bodies, ...bodies.slice(0, 40)], { minLength: bodies.length + 40 }),
      async order => {
        const shuffled = await final(order);
        const isDue = (key: string) => {
          const [type, id] = key.split(' ');
          const container = [inOrder, shuffled].map(({ rows }) => containerOf(rows.get(key)?.record)).find(Boolean);
          const keys = [`${type} ${id}`, `container ${container}`];
          return keys.some(other => shuffled.dueReads.has(other) || inOrder.dueReads.has(other));
        };
        const keys = new Set([...inOrder.rows.keys(), ...shuffled.rows.keys()]);
        const different = [...keys].filter(
          key => JSON.stringify(inOrder.rows.get(key)) !== JSON.stringify(shuffled.rows.get(key)) && !isDue(key),
        );
        expect(different).toEqual([]);
      },
    ),
    { numRuns: 15 },
  );
});

test('after notifications in any order and the due reads, every row equals the record of the service', async () => {
  const { sandbox, store, bodies } = await collected(25);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(bodies, { minLength: bodies.length }), async order => {
      const copy = copyOf(store);
      const sync = syncOf(sandbox, copy);
      for (const body of order) await sync.handler(parsed(body));
      // The lists show fields that have changed without a notification.
      await sync.reconcile();
      expect(await differences(sandbox, recordsOf(copy))).toEqual([]);
      expect(copy.dueReads.size).toBe(0);
    }),
    { numRuns: 4 },
  );
});

test('a record is not read alone if all lists were read after its notification', async () => {
  const { sandbox, store, bodies } = await collected(25);
  const paths: string[] = [];
  const fetch: typeof sandbox.fetch = (input, init) => {
    paths.push(new URL(String(input)).pathname.replace('/v2', ''));
    return sandbox.fetch(input, init);
  };
  // Each run first reads one record, to see that the store is of the same account. New places of the lists are read too.
  const isPlace = (path: string) => /^\/(?:ports|terminals|metro_areas)\//.test(path);
  const alone = () => {
    const single = paths.splice(0).filter(path => path.split('/').length > 2);
    const others = single.filter(path => !isPlace(path));
    return others.filter(path => path !== others[0]);
  };
  const copy = copyOf(store);
  const sync = syncOf({ fetch }, copy);
  // The records of these notifications are due before the lists are read, and the other records are due after that.
  for (const body of bodies.slice(0, 60)) await sync.handler(parsed(body));
  const due = copy.dueReads.size;
  expect(due).toBeGreaterThan(10);
  await sync.reconcile();
  expect(alone()).toEqual([]);
  for (const body of bodies) await sync.handler(parsed(body));
  expect(copy.dueReads.size).toBeGreaterThan(due);
  running(sync);
  await until(() => copy.dueReads.size === 0);
  expect(alone()).toEqual([]);
  expect(await differences(sandbox, recordsOf(copy))).toEqual([]);
});

test('a read does not hide a notification of the same second, and a notification never replaces a later read', async () => {
  const sandbox = stillSandbox({ now: '2026-03-09T03:00:10.500Z' });
  const [box] = sandbox.seedContainers(1);
  const id = box?.id ?? '';
  const store = memoryStore();
  await syncOf(sandbox, store).backfill();
  const notified = (seal: string, created_at: string) => {
    const record = { ...store.rows.get(`container ${id}`)?.record, seal_number: seal };
    const reference_object = { type: 'container_updated_event', id: seal, container: { type: 'container', id } };
    const notification = { id: seal, type: 'webhook_notification', event: 'container.updated', created_at };
    return { ...notification, reference_object, container: record, included: [record] } as unknown as Notification;
  };
  const sealOf = () => (store.rows.get(`container ${id}`)?.record as { seal_number?: string } | undefined)?.seal_number;
  // The notification is sent half a second after the read, and its time has the same second as the read.
  await syncOf(sandbox, store).handler(notified('later', '2026-03-09T03:00:10Z'));
  expect(sealOf() === 'later' || store.dueReads.has(`container ${id}`)).toBe(true);
  // The record is changed and read, and then a notification from before the change arrives.
  sandbox.advance({ seconds: 30 });
  await clientOf(sandbox).containers.update(id, { ref_numbers: ['new'] });
  const stale = notified('stale', '2026-03-09T03:00:20Z');
  await syncOf(sandbox, store).reconcile();
  await syncOf(sandbox, store).handler(stale);
  expect(sealOf()).not.toBe('stale');
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test.each([
  ['2099-01-01T00:00:00Z', 'knows the time of the service', true],
  ['2099-01-01T00:00:00Z', 'makes no reads', false],
  ['some day', 'knows the time of the service', true],
])(
  'a notification with the date %s writes nothing in a process that %s, and the record of the notification is read',
  async (created_at, _, reads) => {
    const sandbox = stillSandbox();
    const [box] = sandbox.seedContainers(1);
    const id = box?.id ?? '';
    const store = memoryStore();
    const reader = syncOf(sandbox, store);
    await reader.backfill();
    const container = { ...store.rows.get(`container ${id}`)?.record, seal_number: 'of the notification' };
    const subject = { type: 'container_updated_event', id: 'e', container: { type: 'container', id } };
    const notification = { id: 'n', type: 'webhook_notification', event: 'container.updated', created_at };
    const all = { ...notification, reference_object: subject, container, included: [container] };
    await (reads ? reader : syncOf(sandbox, store)).handler(all as unknown as Notification);
    expect([...store.dueReads.keys()]).toEqual([`container ${id}`]);
    expect(store.rows.get(`container ${id}`)?.record).not.toMatchObject({ seal_number: 'of the notification' });
    await reader.reconcile();
    sandbox.advance({ seconds: 30 });
    await clientOf(sandbox).containers.update(id, { ref_numbers: ['new'] });
    await syncOf(sandbox, store).reconcile();
    expect(await differences(sandbox, recordsOf(store))).toEqual([]);
  },
);

test('the records of a notification are written even by a process that does not read, and another process makes the due reads', async () => {
  const { sandbox, store, bodies } = await collected(12);
  const before = sandbox.requests.length;
  const writer = syncOf(sandbox, store);
  const handled: SyncEvent[] = [];
  writer.on('handled', event => handled.push(event));
  for (const body of bodies) await writer.handler(parsed(body));
  expect(sandbox.requests.length).toBe(before);
  expect(handled.length).toBe(bodies.length);
  const milestones = bodies.map(parsed).filter(n => n.event === 'container.transport.vessel_departed');
  for (const { reference_object } of milestones) {
    const event = reference_object as { id: string };
    expect(store.rows.has(`transport_event ${event.id}`)).toBe(true);
  }
  expect(store.dueReads.size).toBeGreaterThan(0);
  const reader = syncOf(sandbox, store, { every: { poll: 1e9 } });
  const controller = new AbortController();
  const following = reader.follow({ signal: controller.signal });
  await until(() => store.dueReads.size === 0);
  controller.abort();
  await following;
});

test('run() handles the notifications that its inbox receives over a socket, and the store equals the service', async () => {
  const inbox = memoryInbox({ ephemeral: true });
  let secret = 'not known yet';
  const receiver = createReceiver({ secrets: () => secret, inbox, logger: false });
  const server = createServer(receiver.node).listen(0, '127.0.0.1');
  stops.push(() => new Promise(resolve => server.close(resolve)));
  await until(() => server.listening);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const sandbox = stillSandbox({ shipments: 10, webhooks: { duplicateRate: 0.2 } });
  const store = memoryStore();
  const sync = syncOf(sandbox, store, { inbox, webhook: { url }, every: { recover: 1e9 } });
  const events: SyncEvent[] = [];
  for (const type of ['webhook', 'checked', 'handled', 'finished', 'error'] as const) {
    sync.on(type, event => events.push(event));
  }
  sync.on('webhook', webhook => {
    secret = webhook.secret ?? secret;
  });
  running(sync);
  await until(() => events.some(({ type }) => type === 'finished'));
  for (let day = 0; day < 20; day += 1) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
  }
  sandbox.advance({ seconds: 5 });
  await until(async () => store.dueReads.size === 0 && (await inbox.claim({ limit: 1, leaseMs: 1 })).length === 0);
  const handled = events.filter(({ type }) => type === 'handled').length;
  expect(handled).toBeGreaterThan(60);
  expect(events.find(({ type }) => type === 'checked')).toMatchObject({ ok: true });
  expect(events.filter(({ type }) => type === 'error')).toEqual([]);
  for (const stop of stops.splice(1)) await stop();
  await syncOf(sandbox, store).reconcile();
  // The sample notifications of the self-check named records that do not exist.
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('the check of the webhook uses the header in the options, if the header has an unusual name', async () => {
  const header = 'X-Hub-Digest';
  const inbox = memoryInbox({ ephemeral: true });
  const receiver = createReceiver({ secrets: 'the secret', header, inbox, logger: false });
  const server = createServer(receiver.node).listen(0, '127.0.0.1');
  stops.push(() => new Promise(resolve => server.close(resolve)));
  await until(() => server.listening);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const checked = async (webhook: object) => {
    const sync = syncOf(stillSandbox({ webhookHeader: header }), memoryStore(), {
      inbox,
      webhook: { url, secret: 'the secret', ...webhook },
    });
    const results: boolean[] = [];
    sync.on('checked', ({ ok }) => results.push(ok));
    running(sync);
    await until(() => results.length > 0);
    return results;
  };
  expect(await checked({ header })).toEqual([true]);
  expect(await checked({})).toEqual([false]);
  await expect(checked({ header: 'X Hub' })).rejects.toThrow('header is "X Hub"');
});

test('a record is marked as deleted only after a 404 of the service, and not after a 404 of a gateway', async () => {
  const sandbox = stillSandbox();
  const [gone, kept] = sandbox.seedShipments(2, { containers: 2 });
  const store = memoryStore();
  await syncOf(sandbox, store).backfill();
  sandbox.advance({ minutes: 1 });
  sandbox.removeShipment(gone?.id ?? '');
  // An HTML page of a gateway does not mean that the record does not exist.
  const page = { times: 3, status: 404, body: '<html>Not found</html>' };
  for (const { id } of gone?.containers ?? [])
    sandbox.fail({ match: { path: `/containers/${id}` }, ...page, times: 1 });
  const sync = syncOf(sandbox, store);
  const outcomes: string[] = [];
  sync.on('skipped', ({ record }) => outcomes.push(`skipped ${record?.type}`));
  sync.on('read', ({ record, outcome }) => outcomes.push(`${outcome} ${record.type}`));
  const result = await sync.reconcile();
  expect(outcomes.filter(outcome => outcome === 'skipped container').length).toBe(2);
  expect(outcomes).toContain('deleted shipment');
  expect(result.deleted).toBeGreaterThanOrEqual(3);
  expect(store.rows.get(`shipment ${gone?.id}`)?.record).toBeNull();
  expect(store.rows.get(`shipment ${kept?.id}`)?.record).not.toBeNull();
  sandbox.advance({ minutes: 1 });
  await syncOf(sandbox, store).reconcile();
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('run() finds notifications that the receiver missed, and reads all lists if the webhook was switched off', async () => {
  const inbox = memoryInbox({ ephemeral: true });
  let isDown = false;
  let secret = '';
  const receiver = createReceiver({ secrets: () => secret || 'x', inbox, logger: false });
  const sandbox: Sandbox = stillSandbox({
    shipments: 10,
    webhooks: { deactivateAfter: 3, retryGapMs: 1 },
    fetch: async request => (isDown ? new Response(null, { status: 500 }) : receiver.fetch(request)),
  });
  const store = memoryStore();
  const every = { reconcile: Infinity };
  const started = () => {
    const sync = syncOf(sandbox, store, { inbox, webhook: { url: 'https://receiver.example/' }, every });
    const events: SyncEvent[] = [];
    for (const type of ['finished', 'recovered'] as const) sync.on(type, event => events.push(event));
    sync.on('webhook', webhook => {
      secret = webhook.secret ?? secret;
    });
    running(sync);
    return events;
  };
  const end = async () => {
    for (const stop of stops.splice(0)) await stop();
  };

  const filling = started();
  await until(() => filling.length > 0);
  await end();
  isDown = true;
  sandbox.advance({ days: 2 });
  await sandbox.flush();
  isDown = false;
  sandbox.advance({ seconds: 5 });
  const failed = (await clientOf(sandbox).webhookNotifications.list({ pageSize: 100 }).toArray()).length;
  expect(failed).toBeGreaterThan(2);
  // The webhook is inactive. Sync activates it, reads all lists, and then reads the notifications that were recorded as
  // missed.
  const mending = started();
  await until(() => mending.some(({ type }) => type === 'finished') && store.dueReads.size === 0);
  await end();
  expect(mending.map(({ type }) => type)).toContain('recovered');
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('only one of several processes reads, and another process takes over when the first process ends', async () => {
  const sandbox = stillSandbox({ shipments: 5 });
  const store = memoryStore();
  const [first, second] = [new AbortController(), new AbortController()];
  const readers: string[] = [];
  const start = (name: string, { signal }: AbortController) => {
    const sync = syncOf(sandbox, store);
    sync.on('reader', ({ active }) => readers.push(`${name} ${active}`));
    return sync.run({ signal });
  };
  const runs = [start('first', first), start('second', second)];
  await until(() => store.checkpoints.has('filled') && readers.length === 2);
  expect(readers.toSorted()).toEqual(['first true', 'second false']);
  first.abort();
  await until(() => readers.includes('second true'));
  second.abort();
  await Promise.all(runs);
});

test('an interrupted reconciliation is completed, and then all lists are read again', async () => {
  const sandbox = stillSandbox({ shipments: 40 });
  const store = memoryStore();
  await syncOf(sandbox, store).backfill();
  sandbox.advance({ days: 1 });
  let writes = 0;
  store.beforeWrite = () => {
    writes += 1;
    if (writes === 5) throw new Error('The process ended.');
  };
  await expect(syncOf(sandbox, store).reconcile()).rejects.toThrow('The process ended.');
  sandbox.advance({ days: 9 });
  const sync = syncOf(sandbox, store);
  const resumed: boolean[] = [];
  sync.on('finished', event => resumed.push(event.resumed));
  await sync.reconcile();
  expect(resumed).toEqual([true, false]);
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('a process that reads after another process first waits for a window, if both shares together exceed the limit', async () => {
  const sandbox = stillSandbox({ shipments: 2 });
  const store = memoryStore();
  // If the share is a half or less, a process does not wait. The length of the window does not matter.
  for (const share of [0.5, 0.3]) await syncOf(sandbox, store, { share, windowMs: 1e9 }).reconcile();
  const ended = Date.now();
  await syncOf(sandbox, store, { share: 1, windowMs: 300 }).reconcile();
  expect(Date.now() - ended).toBeGreaterThanOrEqual(250);
});

test('run() ends with an error if a second attempt cannot succeed', async () => {
  const sandbox = stillSandbox({ apiKeys: ['another'] });
  await expect(syncOf(sandbox, memoryStore()).run()).rejects.toMatchObject({ name: 'AuthenticationError' });
});

test('run() waits for a database that is unavailable at the start, and an abort ends this wait', async () => {
  const sandbox = stillSandbox({ shipments: 2 });
  const store = memoryStore();
  const { migrate } = store;
  const away = () => Promise.reject(new StoreError('The database is away.', { code: 'store_unavailable' }));
  let attempts = 0;
  store.migrate = options => {
    attempts += 1;
    return attempts === 1 ? away() : migrate(options);
  };
  const controller = new AbortController();
  const sync = syncOf(sandbox, store);
  const errors: unknown[] = [];
  sync.on('error', ({ phase, error }) => errors.push([phase, (error as StoreError).code]));
  sync.on('finished', () => controller.abort());
  await sync.run({ signal: controller.signal });
  expect(errors).toEqual([['migrate', 'store_unavailable']]);
  expect(recordsOf(store).size).toBeGreaterThan(0);

  store.migrate = away;
  const other = syncOf(sandbox, store);
  const second = new AbortController();
  other.on('error', () => second.abort());
  expect(await other.run({ signal: second.signal })).toBeUndefined();
});
