import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSoak } from '../../support/sync-soak/soak.ts';

test('is in step after days with duplicates, broken answers, an outage and processes that are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const result = await runSoak({
    store: { sqlite: join(folder, 'tracking.db') },
    shipments: 20,
    days: 8,
    processes: 2,
    kills: 2,
    reconcileDays: 3,
    windowMs: 500,
    log: line => process.env.SOAK_LOG && console.log(line),
  });
  expect(result.differences).toEqual([]);
  expect(result.limited).toBe(0);
  expect(result.kills).toEqual({ backfill: 2, follow: 2, reconcile: 2 });
  expect(result.deliveries).toBeGreaterThan(100);
  expect(result.duplicates).toBeGreaterThan(10);
  expect(result.refused).toBeGreaterThan(0);
  if (process.env.SOAK_LOG) console.log(result);
}, 60_000);
