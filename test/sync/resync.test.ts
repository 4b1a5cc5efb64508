import { describe, expect, onTestFinished, test } from 'vitest';
import { createSync, type SyncOptions } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { storePlaces } from '../../support/sync-places.ts';
import { memoryStore } from './memory-store.ts';

const places = storePlaces();

describe.each(places)('resync(), with a store in %s,', (_, makePlace) => {
  async function set() {
    const place = makePlace();
    onTestFinished(() => place.remove());
    const sandbox = stillSandbox({ shipments: 6 });
    const front = await frontOf(sandbox);
    /** Rows are dated in whole seconds, so a later reading needs a later second. */
    const later = () => sandbox.advance({ seconds: 2 });
    const start = (options: Partial<SyncOptions> = {}) => {
      const store = place.open();
      onTestFinished(() => store.close());
      const sync = createSync({ client: front.client(), store, logger: false, share: 0.5, ...options });
      const phases: string[] = [];
      sync.on('started', ({ phase }) => phases.push(phase));
      return { sync, store, phases };
    };
    const ids = async (table: string) => (await place.sql(`SELECT id FROM $.${table} ORDER BY id`)).map(({ id }) => id);
    return { place, sandbox, front, start, ids, later };
  }

  test('reads only the lists of the tables, and restores rows that were removed or changed', async () => {
    const { place, front, start, ids, later } = await set();
    const { sync, phases } = start();
    await sync.once();
    const before = await ids('containers');
    await place.sql(`DELETE FROM $.containers WHERE id = '${before[0]}'`);
    await place.sql(`UPDATE $.containers SET record = '{}', current_status = 'lost' WHERE id = '${before[1]}'`);
    front.paths.length = 0;
    later();
    const result = await sync.resync({ tables: ['container'] });
    expect(result).toMatchObject({ resumed: false, written: 2, deleted: 0 });
    expect(new Set(front.paths.filter(path => path.split('/').length === 2))).toEqual(new Set(['/containers']));
    expect(await ids('containers')).toEqual(before);
    const [restored] = await place.sql(`SELECT record, current_status FROM $.containers WHERE id = '${before[1]}'`);
    expect(restored?.current_status).not.toBe('lost');
    expect(Object.keys(JSON.parse(JSON.stringify(restored?.record))).length).toBeGreaterThan(1);
    expect(phases).toEqual(['backfill', 'resync']);
    expect(await sync.status()).toMatchObject({ due: 0 });
  });

  test('marks records that the service no longer has, and does not change the next reconciliation', async () => {
    const { place, sandbox, start } = await set();
    const { sync, phases } = start();
    await sync.once();
    const readAt = (await sync.status()).readAt;
    const [shipment] = await place.sql('SELECT id FROM $.shipments');
    sandbox.removeShipment(String(shipment?.id));
    sandbox.advance({ minutes: 5 });
    const result = await sync.resync({ tables: ['shipment'] });
    expect(result?.deleted).toBeGreaterThan(0);
    const deleted = await place.sql('SELECT id FROM $.shipments WHERE deleted_at IS NOT NULL');
    expect(deleted).toEqual([shipment]);
    expect((await sync.status()).readAt).toBe(readAt);
    expect(await sync.once()).toMatchObject({ resumed: false });
    expect(phases).toEqual(['backfill', 'resync', 'reconcile']);
  });

  test('reads the containers for their events, so that no event counts as deleted', async () => {
    const { place, start, later } = await set();
    const { sync } = start();
    await sync.once();
    later();
    const [event] = await place.sql('SELECT id FROM $.transport_events ORDER BY id');
    await place.sql(`DELETE FROM $.transport_events WHERE id = '${event?.id}'`);
    expect(await sync.resync({ tables: ['transport_event'] })).toMatchObject({ written: 1, deleted: 0 });
  });

  test('gives the work to the process that reads into the store, and resolves when the work is done', async () => {
    const { place, start, ids, later } = await set();
    const reader = start();
    await reader.sync.once();
    const before = await ids('containers');
    const stopping = new AbortController();
    const active = new Promise<void>(resolve => reader.sync.on('reader', ({ active }) => active && resolve()));
    const running = reader.sync.run({ signal: stopping.signal });
    await active;
    await place.sql(`DELETE FROM $.containers WHERE id = '${before[0]}'`);
    const other = start();
    later();
    expect(await other.sync.resync({ tables: ['container'] })).toBeUndefined();
    expect(await ids('containers')).toEqual(before);
    // A resync of the reader itself, whose `run` does the same.
    later();
    await place.sql(`DELETE FROM $.containers WHERE id = '${before[1]}'`);
    expect(await reader.sync.resync({ tables: ['container'] })).toBeUndefined();
    expect(await ids('containers')).toEqual(before);
    expect(other.phases).toEqual([]);
    stopping.abort();
    await running;
  }, 30_000);

  test('is not lost if it is interrupted: the next reading completes it', async () => {
    const { place, front, start, ids, later } = await set();
    const first = start();
    await first.sync.once();
    const before = await ids('containers');
    await place.sql(`DELETE FROM $.containers WHERE id = '${before[0]}'`);
    const stopping = new AbortController();
    const reason = new Error('stopped');
    front.instead = path => {
      if (path !== '/containers') return undefined;
      stopping.abort(reason);
      return 'hang';
    };
    await expect(first.sync.resync({ tables: ['container'], signal: stopping.signal })).rejects.toBe(reason);
    expect(await first.sync.status()).toMatchObject({ due: 1 });
    front.instead = () => undefined;
    later();
    const second = start();
    await second.sync.once();
    expect(await ids('containers')).toEqual(before);
    expect(await second.sync.status()).toMatchObject({ due: 0 });
  });
});

test('resync() and dryRun() refuse tables that sync does not keep', async () => {
  const front = await frontOf(stillSandbox({ shipments: 1 }));
  const sync = createSync({ client: front.client(), store: memoryStore(), tables: ['container'], logger: false });
  for (const call of [sync.resync, sync.dryRun]) {
    await expect(call({ tables: ['shipment'] })).rejects.toThrow(
      'A type in tables is "shipment"; use one of: container.',
    );
    await expect(call({ tables: [] })).rejects.toThrow('tables is empty; it needs at least one record type.');
    await expect(call({ tables: 'container' as never })).rejects.toThrow('tables is "container"');
    await expect(call({ tables: ['container'], table: 1 } as never)).rejects.toThrow('table');
  }
  await expect(sync.resync(undefined as never)).rejects.toThrow('The argument of resync() is undefined');
  expect(front.paths).toEqual([]);
});
