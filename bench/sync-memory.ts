/**
 * The memory of a back-fill of 50,000 containers, compared with a back-fill of 500, with SQLite and PostgreSQL.
 *
 * By default the peak depends more on V8 than on the program. On a machine with much memory, V8 collects old garbage
 * late, and allows the space for new objects to grow to 128 MiB in any program that runs long enough. So the memory is
 * also measured with the options of `container-tracking sync`, with which V8 keeps the heap small.
 *
 * node --disable-warning=ExperimentalWarning bench/sync-memory.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { TrackingClient } from '../src/index.ts';
import { postgresStore } from '../src/postgres.ts';
import { createSync } from '../src/sync/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import type { SyncStore } from '../src/sync/store.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { serve } from './sync-service.ts';

const SIZES = [500, 50_000];
const HEAPS: Readonly<Record<string, readonly string[]>> = {
  'a small heap': ['--optimize-for-size'],
  'the default': [],
};

const [, , baseUrl, place] = process.argv;
if (baseUrl === undefined || place === undefined) await main();
else await backfill(baseUrl, JSON.parse(place));

interface Place {
  sqlite?: string;
  postgres?: object;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-memory-'));
  const postgres = hasPostgres ? await startPostgres() : undefined;
  try {
    for (const [heap, flags] of Object.entries(HEAPS)) {
      await compare(`SQLite, ${heap}`, flags, size => ({ sqlite: join(folder, `${flags.join()}-${size}.db`) }));
      if (postgres) await compare(`PostgreSQL, ${heap}`, flags, () => ({ postgres: postgres.connection }));
    }
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  }
}

async function compare(name: string, flags: readonly string[], placeOf: (size: number) => Place): Promise<void> {
  const results = [];
  for (const size of SIZES) results.push(await run(size, flags, placeOf(size)));
  const [small, large] = results;
  console.log(
    `${name}: ${small?.peak} MiB for 500 containers, ${large?.peak} for 50,000 (${large?.rows} rows in ${large?.seconds} s): ${(Number(large?.peak) - Number(small?.peak)).toFixed(0)} more`,
  );
}

/** Runs a back-fill in its own process, against a service in this process. */
async function run(size: number, flags: readonly string[], where: Place): Promise<Record<string, unknown>> {
  const service = await serve(size);
  const child = fork(import.meta.filename, [service.baseUrl, JSON.stringify(where)], {
    execArgv: [...flags, '--disable-warning=ExperimentalWarning'],
  });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`No room with ${flags}.`)));
  const [result] = (await Promise.race([once(child, 'message'), failed])) as [Record<string, unknown>];
  failed.catch(() => {});
  await service.close();
  return result;
}

async function backfill(address: string, { sqlite, postgres }: Place): Promise<void> {
  let store: SyncStore;
  if (sqlite === undefined) {
    const pool = new Pool(postgres);
    await pool.query('DROP SCHEMA IF EXISTS tracking CASCADE');
    store = postgresStore({ pool });
  } else store = sqliteStore(sqlite);
  const client = new TrackingClient({ baseUrl: address, apiKey: 'bench', rateLimit: false });
  const sync = createSync({ client, store, tables: ['container', 'transport_event'] });
  await sync.migrate();
  const began = performance.now();
  await sync.backfill();
  const seconds = Math.round((performance.now() - began) / 1000);
  // The code does not use maxRSS, because in a new process maxRSS begins with the value of the parent process.
  const peak = Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024);
  const rows = (await store.status()).tables.reduce((sum, table) => sum + table.rows, 0);
  process.send?.({ peak, seconds, rows }, () => process.exit(0));
}
