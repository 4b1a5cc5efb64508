import { expect, test } from 'vitest';
import { createSync, type SyncOptions } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { differences } from '../../support/sync-truth.ts';
import { memoryStore, recordsOf } from './memory-store.ts';

async function set() {
  const sandbox = stillSandbox({ shipments: 12 });
  const front = await frontOf(sandbox);
  const store = memoryStore();
  const sync = (options: Partial<SyncOptions> = {}) =>
    createSync({ client: front.client(), store, logger: false, share: 0.5, ...options });
  return { sandbox, front, store, sync };
}

test('tables that are added to the options are filled at the next start, and not only at the next reconciliation', async () => {
  const { sandbox, store, sync } = await set();
  await sync({ tables: ['container'] }).backfill();
  expect(await sync({ tables: ['container'] }).backfill()).toBeUndefined();
  const controller = new AbortController();
  const all = sync();
  all.on('finished', () => controller.abort());
  await all.run({ signal: controller.signal });
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('if the options leave out a table for a while, its missed changes are read when the table is in the options again', async () => {
  const { sandbox, store, sync } = await set();
  await sync().backfill();
  await sync({ tables: ['container'] }).reconcile();
  sandbox.advance({ hours: 1 });
  sandbox.seedShipments(1);
  await sync({ tables: ['container'] }).reconcile();
  const controller = new AbortController();
  const all = sync();
  all.on('finished', () => controller.abort());
  await all.run({ signal: controller.signal });
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('a pass that was interrupted is not resumed with different tables', async () => {
  const { sandbox, store, sync } = await set();
  let writes = 0;
  store.beforeWrite = () => {
    writes += 1;
    if (writes === 4) throw new Error('The process ended.');
  };
  await expect(sync({ tables: ['container', 'party'] }).backfill()).rejects.toThrow('The process ended.');
  expect(await sync().backfill()).toMatchObject({ resumed: false });
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});
