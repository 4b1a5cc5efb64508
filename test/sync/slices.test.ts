import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';
import type { SyncRow } from '../../src/sync/store.ts';

const rows = (count: number): SyncRow[] =>
  Array.from({ length: count }, (_, index) => {
    const id = `id-${index}`;
    return { type: 'vessel', id, asOf: Date.UTC(2026, 2, 9), record: { id, type: 'vessel' } };
  });

async function opened() {
  const directory = mkdtempSync(join(tmpdir(), 'store-'));
  const store = sqliteStore(join(directory, 'tracking.db'));
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  await store.migrate();
  return store;
}

/** Each read of the clock takes a millisecond. */
function tickingClock(): void {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
}

test('the event loop runs while a page of many rows is written to SQLite', async () => {
  const store = await opened();
  tickingClock();
  let [turns, isDone] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const written = await store.write({ rows: rows(200) });
  isDone = true;
  expect(written).toMatchObject({ written: 200 });
  // 200 rows are checked and then written, and a slice takes 5 ms.
  expect(turns).toBeGreaterThan(60);
});

test('calls during a long write wait until the write has ended, and never return only a part of its rows', async () => {
  const store = await opened();
  tickingClock();
  const refs = rows(50).map(({ type, id }) => ({ type, id }));
  const writing = store.write({ rows: rows(50) });
  await new Promise(resolve => setImmediate(resolve));
  const missing = store.missing(refs);
  const other = store.write({ rows: [], checkpoint: { name: 'a', value: 1 } });
  await Promise.all([writing, other]);
  expect([0, 50]).toContain((await missing).length);
  expect(await store.missing(refs)).toEqual([]);
  expect(await store.checkpoint('a')).toBe(1);
});

test('if a store is closed during a long write, the write rejects, and the file has no part of the page', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'store-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'tracking.db');
  const store = sqliteStore(path);
  await store.migrate();
  tickingClock();
  const writing = store.write({ rows: rows(200) });
  const refusal = expect(writing).rejects.toMatchObject({ name: 'StoreError', code: 'store_closed' });
  for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve));
  await store.close();
  await refusal;
  const again = sqliteStore(path);
  const refs = rows(200).map(({ type, id }) => ({ type, id }));
  expect(await again.missing(refs)).toHaveLength(200);
  await again.close();
});
