import { describe, expect, onTestFinished, test } from 'vitest';
import { createSync } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { storePlaces } from '../../support/sync-places.ts';
import { memoryStore } from './memory-store.ts';

const places = storePlaces();

describe.each(places)('dryRun(), with a store in %s,', (_, makePlace) => {
  async function set() {
    const place = makePlace();
    onTestFinished(() => place.remove());
    const store = place.open();
    onTestFinished(() => store.close());
    const sandbox = stillSandbox({ shipments: 8 });
    const front = await frontOf(sandbox);
    const sync = createSync({ client: front.client(), store, logger: false, share: 0.5 });
    /** The rows that differ, by table. */
    const content = async () =>
      Object.fromEntries(
        await Promise.all(
          (await sync.status()).tables.map(async ({ table }) => {
            const rows = await place.sql(`SELECT id, record, deleted_at FROM $."${table}"`);
            return [table, new Map(rows.map(row => [String(row.id), JSON.stringify(row)]))] as const;
          }),
        ),
      );
    return { place, store, sandbox, front, sync, content };
  }

  const countsOf = (tables: readonly { table: string; written: number; deleted: number }[]) =>
    Object.fromEntries(tables.map(({ table, written, deleted }) => [table, written + deleted]));

  test('on an empty store, counts every row and request of the back-fill, and creates nothing', async () => {
    const { front, sync } = await set();
    const plan = await sync.dryRun();
    expect(plan.phase).toBe('backfill');
    expect(front.paths).toHaveLength(plan.requests);
    expect((await sync.status()).version).toBe(0);
    const result = await sync.once();
    expect({ records: plan.records, requests: plan.requests }).toEqual({
      records: result.records,
      requests: result.requests,
    });
    const { tables } = await sync.status();
    expect(countsOf(plan.tables)).toEqual(Object.fromEntries(tables.map(({ table, rows }) => [table, rows])));
  });

  test('on a filled store, counts the rows that the next reconciliation changes, and writes nothing', async () => {
    const { place, sandbox, sync, content } = await set();
    await sync.once();
    expect((await sync.dryRun()).tables.every(({ written, deleted }) => written + deleted === 0)).toBe(true);
    const [shipment] = await place.sql('SELECT id FROM $.shipments');
    sandbox.removeShipment(String(shipment?.id));
    sandbox.seedShipments(1);
    sandbox.advance({ days: 3 });
    const before = await content();
    const status = await sync.status();
    const plan = await sync.dryRun();
    expect(plan.phase).toBe('reconcile');
    expect(await content()).toEqual(before);
    expect(await sync.status()).toEqual(status);
    await sync.once();
    const after = await content();
    const changed = Object.entries(after).map(([table, rows]) => [
      table,
      [...rows].filter(([id, row]) => before[table]?.get(id) !== row).length,
    ]);
    expect(countsOf(plan.tables)).toEqual(Object.fromEntries(changed));
    const shipments = plan.tables.find(({ table }) => table === 'shipments');
    expect(shipments?.deleted).toBe(1);
  });

  test('of some tables, reads only their lists', async () => {
    const { place, front, sync } = await set();
    await sync.once();
    const [container] = await place.sql('SELECT id FROM $.containers');
    await place.sql(`DELETE FROM $.containers WHERE id = '${container?.id}'`);
    front.paths.length = 0;
    const plan = await sync.dryRun({ tables: ['container'] });
    expect(plan).toMatchObject({ phase: 'resync', estimatedMs: 0 });
    expect(plan.requests).toBe(front.paths.length);
    expect(front.paths.filter(path => path === '/shipments')).toEqual([]);
    expect(countsOf(plan.tables).containers).toBe(1);
  });

  test('emits only the events `started` and `progress`', async () => {
    const { sync } = await set();
    const events: string[] = [];
    for (const type of ['started', 'progress', 'finished', 'read', 'reader', 'migrated'] as const) {
      sync.on(type, () => events.push(type));
    }
    await sync.dryRun();
    expect(new Set(events)).toEqual(new Set(['started', 'progress']));
  });
});

test('dryRun() refuses a store that cannot compare records, before it sends a request', async () => {
  const front = await frontOf(stillSandbox({ shipments: 1 }));
  const { differing: _, ...store } = memoryStore();
  const sync = createSync({ client: front.client(), store, logger: false });
  await expect(sync.dryRun()).rejects.toThrow('The store (memory) cannot compare records; dryRun() needs that.');
  expect(front.paths).toEqual([]);
});
