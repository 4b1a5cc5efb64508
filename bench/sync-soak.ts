/**
 * Sixty days of a whole account with SQLite and PostgreSQL: with duplicate or shuffled deliveries, interrupted
 * responses, an hour without a receiver, and killed processes. Afterwards each row is compared with the service's
 * record.
 *
 * npm run bench:sync [-- --shipments 2000 --days 60 --kills 10 --store postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { runSoak, type SoakOptions, type SoakResult } from '../support/sync-soak/soak.ts';

const { values } = parseArgs({
  options: {
    shipments: { type: 'string', default: '2000' },
    days: { type: 'string', default: '60' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: '7' },
    store: { type: 'string' },
  },
});
const common: Omit<SoakOptions, 'store' | 'processes'> = {
  shipments: Number(values.shipments),
  days: Number(values.days),
  kills: Number(values.kills),
  seed: Number(values.seed),
  reconcileDays: 5,
  log: line => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
};

let hasFailed = false;
if (values.store !== 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  try {
    report('SQLite', await runSoak({ ...common, processes: 2, store: { sqlite: join(folder, 'tracking.db') } }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (values.store !== 'sqlite' && hasPostgres) {
  const server = await startPostgres();
  try {
    report('PostgreSQL', await runSoak({ ...common, processes: 3, store: { postgres: server.connection } }));
  } finally {
    await server.stop();
  }
}
process.exit(hasFailed ? 1 : 0);

function report(store: string, { differences, ...figures }: SoakResult): void {
  console.log(store, figures);
  console.log(`${differences.length} differences`, differences.slice(0, 20));
  if (differences.length > 0 || figures.limited > 0) hasFailed = true;
}
