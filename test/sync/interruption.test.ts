import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSync, type Sync, type SyncOptions } from '../../src/sync/index.ts';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';
import type { SyncStore } from '../../src/sync/store.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { frontOf } from '../../support/sync-front.ts';
import { openSoakStore } from '../../support/sync-soak/settings.ts';
import { differences } from '../../support/sync-truth.ts';

const DAY = 86_400_000;

async function set(shipments = 4) {
  const folder = mkdtempSync(join(tmpdir(), 'interruption-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'tracking.db');
  const sandbox = stillSandbox({ shipments });
  const front = await frontOf(sandbox);
  const open = () => {
    const store = sqliteStore(path);
    onTestFinished(() => store.close());
    return store;
  };
  const sync = (store: SyncStore, options: Partial<SyncOptions> = {}): Sync =>
    createSync({ client: front.client(), store, logger: false, ...options });
  /** The differences between the file and the service after another reconciliation. */
  const mended = async () => {
    const store = open();
    await sync(store).migrate();
    await sync(store).reconcile();
    const { records, close } = await openSoakStore({ store: { sqlite: path } });
    const found = await differences(sandbox, await records());
    await close();
    return found;
  };
  return { path, sandbox, front, open, sync, mended };
}

type Phase = 'backfill' | 'reconcile' | 'follow' | 'run';

/** The phase, the method, and the path of the request during which the abort happens. */
const places: [string, Phase, string][] = [
  ['the plan of a back-fill', 'backfill', '/containers'],
  ['a list of a back-fill', 'backfill', '/parties'],
  ['a reconciliation', 'reconcile', '/documents'],
  ['the start of follow()', 'follow', '/containers'],
  ['run()', 'run', '/tracking_requests'],
];

test.each(places)(
  'an abort during %s ends the call immediately, and leaves no request, no lock and no timer',
  async (_, phase, at) => {
    const { front, open, sync, mended } = await set();
    const store = open();
    const own = sync(store);
    await own.migrate();
    const controller = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const before = timers();
    front.instead = path => {
      if (path !== at) return undefined;
      // The abort happens later, so that the request has been sent.
      setTimeout(() => controller.abort(), 5);
      return 'hang';
    };
    const work = own[phase]({ signal: controller.signal });
    const isEndless = phase === 'run' || phase === 'follow';
    if (isEndless) await expect(work).resolves.toBeUndefined();
    else expect(await work.catch(error => error)).toBe(controller.signal.reason);
    while (front.open.size > 0) await new Promise(resolve => setTimeout(resolve, 1));
    const lock = await store.lock('reader');
    expect(lock).toBeDefined();
    await lock?.release();
    expect(timers()).toBeLessThanOrEqual(before);
    front.instead = () => undefined;
    expect(await mended()).toEqual([]);
  },
);

test('an abort ends the wait for another process that reads', async () => {
  const { open, sync } = await set(1);
  const lock = await open().lock('reader');
  const own = sync(open());
  const controller = new AbortController();
  own.on('reader', () => controller.abort());
  const end = await own.reconcile({ signal: controller.signal }).catch(error => error);
  expect(end).toBe(controller.signal.reason);
  await lock?.release();
});

test('an abort ends follow() immediately while it waits for work', async () => {
  const { open, sync } = await set(1);
  const own = sync(open());
  await own.migrate();
  await own.backfill();
  const controller = new AbortController();
  // The wait of a second between two checks for work never ends by itself here.
  const { setTimeout: start } = globalThis;
  const idle = new Promise<void>(resolve => {
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      if (ms === 1000) resolve();
      return start(run, ms === 1000 ? DAY : ms);
    }) as typeof setTimeout);
    onTestFinished(() => timers.mockRestore());
  });
  const following = own.follow({ signal: controller.signal });
  await idle;
  controller.abort();
  await following;
});

test.each(['backfill', 'run'] as const)(
  'a store that is closed during %s() ends the call with an error that reports the closed store',
  async phase => {
    const { front, open, sync, mended } = await set();
    const store = open();
    const own = sync(store);
    await own.migrate();
    own.on('progress', () => void store.close());
    await expect(own[phase]()).rejects.toMatchObject({ name: 'StoreError', code: 'store_closed' });
    await expect(own.status()).rejects.toMatchObject({ code: 'store_closed' });
    await expect(store.lock('reader')).rejects.toMatchObject({ code: 'store_closed' });
    await expect.poll(() => front.open.size).toBe(0);
    expect(await mended()).toEqual([]);
  },
);

test('a back-fill waits for a file that another process has locked, without blocking the event loop', async () => {
  const { path, open, sync, mended } = await set();
  const store = open();
  const own = sync(store);
  await own.migrate();
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
    if (ticks === 5) other.exec('COMMIT');
  }, 10);
  await own.backfill();
  clearInterval(ticking);
  expect(ticks).toBeGreaterThanOrEqual(5);
  expect(await mended()).toEqual([]);
});

test('a full disk causes an error and loses no committed row, and a later call completes the store', async () => {
  const { path, open, sync, mended } = await set();
  const store = open();
  const own = sync(store);
  await own.migrate();
  // A full disk cannot be simulated for one process. A trigger fails with the same message instead.
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec(
    `CREATE TRIGGER full BEFORE INSERT ON shipments BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
  );
  await expect(own.backfill()).rejects.toMatchObject({ name: 'StoreError', message: expect.stringContaining('full') });
  expect(Number(other.prepare('SELECT count(*) AS rows FROM containers').get()?.rows)).toBeGreaterThan(0);
  expect(other.prepare('SELECT count(*) AS rows FROM shipments').get()?.rows).toBe(0);
  other.exec('DROP TRIGGER full');
  expect(await own.backfill()).toMatchObject({ resumed: true });
  expect(await mended()).toEqual([]);
});
