import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';

test('a SQLite store fails if its file was deleted while it was open, and does not write rows to a file that no longer exists', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'store-'));
  const path = join(directory, 'tracking.db');
  const store = sqliteStore(path);
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  await store.migrate();
  await store.write({ rows: [], checkpoint: { name: 'a', value: 1 } });
  rmSync(path);
  await expect(store.write({ rows: [], checkpoint: { name: 'a', value: 2 } })).rejects.toMatchObject({
    name: 'StoreError',
    code: 'store_failed',
    message: expect.stringContaining(`${path} was deleted or moved`),
  });
});
