import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasPostgres, startPostgres } from '../../support/postgres.ts';
import type { SoakSettings } from '../../support/sync-soak/settings.ts';
import { runSoak } from '../../support/sync-soak/soak.ts';

async function soak(store: SoakSettings['store'], size: { shipments: number; days: number }): Promise<void> {
  const result = await runSoak({
    ...{ store, ...size, processes: 2, kills: 2, reconcileDays: 3, windowMs: 500 },
    log: line => process.env.SOAK_LOG && console.log(line),
  });
  if (process.env.SOAK_LOG) console.log(result);
  expect(result.differences).toEqual([]);
  expect(result.limited).toBe(0);
  expect(result.kills).toEqual({ backfill: 2, follow: 2, reconcile: 2 });
  expect(result.deliveries).toBeGreaterThan(100);
  expect(result.duplicates).toBeGreaterThan(10);
  expect(result.refused).toBeGreaterThan(0);
}

/** Some days of operation with duplicates, broken responses, an outage and processes that are killed. */
test('a store in SQLite equals the service after days with all kinds of failures', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await soak({ sqlite: join(folder, 'tracking.db') }, { shipments: 20, days: 8 });
}, 180_000);

test.skipIf(!hasPostgres)(
  'a store in PostgreSQL equals the service after days with all kinds of failures',
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    await soak({ postgres: server.connection }, { shipments: 12, days: 6 });
  },
  180_000,
);
