import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ResponseFormatError } from '../../src/index.ts';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';

test('a store refuses a record that is nested too deeply, with an error that names the record', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'store-'));
  const store = sqliteStore(join(directory, 'tracking.db'));
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  await store.migrate();
  const extra: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const record = { type: 'container', id: 'c1', number: 'BOX1', extra };
  const writing = store.write({ rows: [{ type: 'container', id: 'c1', asOf: 1, record }] });
  await expect(writing).rejects.toThrow(ResponseFormatError);
  await expect(writing).rejects.toThrow(/^The container c1 has a value that is nested too deeply/);
});
