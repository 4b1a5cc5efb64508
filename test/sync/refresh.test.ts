import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { createSync, type Sync, type SyncEvent, type SyncOptions } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { type Front, frontOf } from '../../support/sync-front.ts';
import { differences, sandboxTruth } from '../../support/sync-truth.ts';
import { type MemoryStore, memoryStore, recordsOf } from './memory-store.ts';

const idsOf = ({ rows }: MemoryStore, type: string) =>
  [...rows.values()].filter(row => row.type === type).map(({ id }) => id);

type Kind = 'refreshed' | 'backfill' | 'reconcile' | 'resync';

/** A polling sync over a socket, and a list of its readings. */
function polling(front: Front, store: MemoryStore, options: Partial<SyncOptions> = {}) {
  const sync: Sync = createSync({
    client: front.client(),
    store,
    logger: false,
    share: 1,
    every: { poll: 1 },
    ...options,
  });
  const readings: { kind: Kind; requests: number; written: number }[] = [];
  const note = (event: Extract<SyncEvent, { type: 'refreshed' | 'finished' }>) => {
    const { requests, written } = event;
    readings.push({ kind: event.type === 'refreshed' ? 'refreshed' : event.phase, requests, written });
  };
  sync.on('finished', note);
  sync.on('refreshed', note);
  return {
    readings,
    /** Runs until the next reading of a kind has ended. */
    async next(kind: Kind | 'error') {
      const controller = new AbortController();
      const count = () => readings.filter(reading => reading.kind === kind).length;
      const before = count();
      const end = () => count() > before && controller.abort();
      const stops = [sync.on('finished', end), sync.on('refreshed', end)];
      if (kind === 'error') stops.push(sync.on('error', () => controller.abort()));
      await sync.run({ signal: controller.signal });
      for (const stop of stops) stop();
      return readings.findLast(reading => reading.kind === kind);
    },
  };
}

async function accountOf(count: number, options: Parameters<typeof stillSandbox>[0] = {}) {
  const sandbox = stillSandbox({ shipments: count, ...options });
  const front = await frontOf(sandbox);
  return { sandbox, front, store: memoryStore() };
}

/** No sort order and no filter of the service shows changes of these fields. Only a reconciliation reads them. */
const UNSEEN = /_checked_at|_last_tracking_request_at|line_tracking_last|_et[ad]_at|^vessel /;

/** The stored records that differ from the service. Events that are estimates are left out. */
async function wrong(sandbox: Sandbox, store: MemoryStore): Promise<string[]> {
  const records = recordsOf(store);
  const events = [...(await sandboxTruth(sandbox))].filter(
    ([, { type, event }]) => type === 'transport_event' && !String(event).includes('estimated'),
  );
  expect(events.length).toBeGreaterThan(100);
  const others = await differences(sandbox, records, type => type !== 'transport_event');
  return [
    ...events.filter(([key, event]) => !isDeepStrictEqual(records.get(key), event)).map(([key]) => key),
    ...others.filter(text => !UNSEEN.test(text) && !text.includes(' transport_events: ')),
  ];
}

/** A store that was filled and read a second time, because the first refresh does not know where to stop. */
async function filled(count: number, options: Parameters<typeof stillSandbox>[0] = {}) {
  const account = await accountOf(count, options);
  const sync = polling(account.front, account.store);
  await sync.next('backfill');
  account.sandbox.advance({ minutes: 5 });
  await sync.next('reconcile');
  account.front.paths.length = 0;
  return { ...account, ...sync };
}

test('a refresh needs less than half of the requests, and the store then equals the service', async () => {
  const { sandbox, store, next, readings } = await filled(400);
  const pass = readings.at(-1)?.requests ?? 0;
  for (let round = 0; round < 6; round += 1) {
    sandbox.advance({ minutes: 30 });
    const { requests = pass, written = 0 } = (await next('refreshed')) ?? {};
    expect(written).toBeGreaterThan(0);
    expect(requests).toBeLessThan(pass / 2);
    expect(await wrong(sandbox, store)).toEqual([]);
  }
  expect(readings.filter(({ kind }) => kind !== 'refreshed')).toHaveLength(2);
}, 120_000);

test('a refresh finds new shipments with their containers, requests and documents', async () => {
  const { sandbox, front, store, next } = await filled(300);
  sandbox.seedShipments(3);
  await front
    .client()
    .trackingRequests.create({ request_type: 'bill_of_lading', request_number: 'MAEU-ATSEA-77', scac: 'MAEU' });
  sandbox.receiveEmail({
    from: 'a@shipper.example',
    subject: 'Invoice',
    attachments: [{ filename: 'invoice.pdf', content: '%PDF-1.7' }],
  } as never);
  sandbox.advance({ minutes: 10 });
  await next('refreshed');
  expect(await wrong(sandbox, store)).toEqual([]);
});

test('a refresh does not stop at rows that a failed refresh has written', async () => {
  const { sandbox, front, store, next, readings } = await filled(400);
  const ids = idsOf(store, 'container');
  sandbox.advance({ minutes: 1 });
  sandbox.refreshContainers(ids.slice(0, 180));
  sandbox.advance({ minutes: 1 });
  let failures = 0;
  front.instead = (path, query) => {
    if (path !== '/containers' || query.get('sort') !== '-updated_at' || query.get('page[number]') !== '3')
      return undefined;
    failures += 1;
    return failures <= 2 ? { status: 503 } : undefined;
  };
  await next('refreshed');
  expect(failures).toBeGreaterThan(2);
  expect(await wrong(sandbox, store)).toEqual([]);
  expect(readings.at(-1)?.kind).toBe('refreshed');
});

test('a refresh does not stop at records that another process has stored', async () => {
  const { sandbox, front, store, next } = await filled(400);
  const [missed = '', ...others] = idsOf(store, 'container');
  sandbox.advance({ minutes: 1 });
  await front.client().containers.update(missed, { ref_numbers: ['MISSED'] });
  sandbox.advance({ minutes: 1 });
  sandbox.refreshContainers(others.slice(0, 120));
  const other = memoryStore();
  await createSync({ client: front.client(), store: other, logger: false, share: 1 }).backfill();
  for (const key of others.slice(0, 120).map(id => `container ${id}`)) {
    const row = other.rows.get(key);
    if (row) store.rows.set(key, row);
  }
  sandbox.advance({ minutes: 1 });
  await next('refreshed');
  expect(store.rows.get(`container ${missed}`)?.record).toMatchObject({ ref_numbers: ['MISSED'] });
});

test('a refresh becomes a reconciliation if records were removed', async () => {
  const { sandbox, store, next, readings } = await filled(300);
  sandbox.advance({ minutes: 5 });
  await next('refreshed');
  const id = idsOf(store, 'shipment')[40] ?? '';
  sandbox.removeShipment(id);
  sandbox.advance({ minutes: 5 });
  await next('reconcile');
  expect(readings.map(({ kind }) => kind)).toEqual(['backfill', 'reconcile', 'refreshed', 'reconcile']);
  expect(store.rows.get(`shipment ${id}`)?.record).toBeNull();
  sandbox.advance({ minutes: 5 });
  await next('refreshed');
});

test.each([
  ['ignores filters and sort', { lists: 'older' } as const, 300],
  ['needs few requests for all records', {}, 20],
])('each reading is a reconciliation with a service that %s', async (_, options, count) => {
  const { sandbox, front, store } = await accountOf(count, options);
  const { next, readings } = polling(front, store);
  await next('backfill');
  for (let round = 0; round < 3; round += 1) {
    sandbox.advance({ minutes: 5 });
    await next('reconcile');
    expect(await differences(sandbox, recordsOf(store))).toEqual([]);
  }
  expect(new Set(readings.map(({ kind }) => kind))).toEqual(new Set(['backfill', 'reconcile']));
});

test('a refresh checks every six hours that the service still filters and sorts', async () => {
  const { sandbox, front, next } = await filled(300);
  sandbox.advance({ minutes: 5 });
  await next('refreshed');
  let probes = 0;
  const ignored = { status: 200, body: '{"data":[{"type":"container","id":"1","attributes":{}}]}' };
  front.instead = (_, query) => {
    if (!query.has('filter[updated_at]')) return undefined;
    probes += 1;
    return ignored;
  };
  sandbox.advance({ hours: 5 });
  await next('refreshed');
  expect(probes).toBe(0);
  sandbox.advance({ hours: 2 });
  await next('reconcile');
  expect(probes).toBe(1);
});

test('one reading a day is a reconciliation', async () => {
  const { sandbox, store, next, readings } = await filled(300);
  sandbox.advance({ hours: 23 });
  await next('refreshed');
  sandbox.advance({ hours: 1 });
  await next('reconcile');
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
  expect(readings.map(({ kind }) => kind)).toEqual(['backfill', 'reconcile', 'refreshed', 'reconcile']);
});

test('a refresh reads the changes even if the account may not read one of the lists', async () => {
  const { sandbox, front, store } = await accountOf(300);
  front.instead = path => (path === '/documents' ? { status: 403 } : undefined);
  const { next, readings } = polling(front, store);
  await next('backfill');
  sandbox.advance({ minutes: 5 });
  await next('reconcile');
  sandbox.advance({ minutes: 5 });
  await next('refreshed');
  expect(readings.map(({ kind }) => kind)).toEqual(['backfill', 'reconcile', 'refreshed']);
});

test('a refresh reads the other lists while one list fails, and a later refresh finds the changes that were missed', async () => {
  const { sandbox, front, store, next } = await filled(300);
  const isBroken = (path: string, query: URLSearchParams) =>
    path === '/parties' || query.has('filter[pod_eta_changed_at]');
  front.instead = (path, query) => (isBroken(path, query) ? { status: 500 } : undefined);
  sandbox.advance({ hours: 8 });
  await next('error');
  expect((await wrong(sandbox, store)).filter(text => !text.startsWith('shipment '))).toEqual([]);
  sandbox.advance({ hours: 8 });
  front.instead = () => undefined;
  await next('refreshed');
  expect(await wrong(sandbox, store)).toEqual([]);
});
