/**
 * Measures the cost of the history: the time of a delivery with the history, as a multiple of the time without it. Both
 * variants take turns in one process. Each variant has its own store, and gets the same deliveries from the sandbox.
 *
 * npm run bench:history [-- 4000]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { TrackingClient } from '../src/index.ts';
import { postgresStore } from '../src/postgres.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { createSync, type SyncStore } from '../src/sync/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import { median, spreadOf } from '../support/benchmarks/measure.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';

const count = Number(process.argv[2] ?? 3000);
/** Number of deliveries in a turn. */
const TURN = 50;

const folder = mkdtempSync(join(tmpdir(), 'sync-history-'));
await measure('SQLite', name => sqliteStore(join(folder, `${name}.db`)));
rmSync(folder, { recursive: true });
if (hasPostgres) {
  const server = await startPostgres({ fsync: true });
  for (const preparedStatements of [false, true]) {
    const pools: Pool[] = [];
    await measure(`PostgreSQL${preparedStatements ? ', prepared statements' : ''}`, name => {
      const pool = new Pool({ ...server.connection, max: 4 });
      pool.on('error', () => {});
      pools.push(pool);
      return postgresStore({ pool, schema: `${name}_${preparedStatements}`, preparedStatements });
    });
    await Promise.all(pools.map(pool => pool.end()));
  }
  await server.stop();
}

async function measure(kind: string, open: (name: string) => SyncStore): Promise<void> {
  const bodies: Uint8Array<ArrayBuffer>[] = [];
  const sandbox = createSandbox({
    shipments: 150,
    speed: 0,
    rateLimit: false,
    fetch: async request => {
      bodies.push(new Uint8Array(await request.arrayBuffer()));
      return new Response(null, { status: 200 });
    },
  });
  const client = new TrackingClient({
    ...{ baseUrl: 'https://service.example/v2', apiKey: 'sandbox', rateLimit: false, logger: false },
    fetch: (input, init) => sandbox.fetch(input as string, init),
  });
  const stores = [open('without'), open('again'), open('with')];
  const open3 = () => stores.map((store, index) => createSync({ client, store, logger: false, history: index === 2 }));
  for (const sync of open3()) {
    await sync.migrate();
    await sync.backfill();
  }
  const events = (await client.webhooks.events()).flatMap(category => category.events.map(({ name }) => name));
  await client.webhooks.create({ url: 'https://receiver.example/', active: true, events: events as never });
  while (bodies.length < count) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
  }
  // These are new instances, as in other processes. The first instances have seen the time of the service in a
  // response, so they would consider the days of the deliveries as future days.
  const syncs = open3();
  const written = [0, 0, 0];
  for (const [index, sync] of syncs.entries()) {
    sync.on('handled', event => {
      written[index] = (written[index] ?? 0) + event.written;
    });
  }
  const rounds = Math.floor(count / TURN);
  const times: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const taken = [0, 0, 0];
    for (const [at, body] of bodies.slice(round * TURN, (round + 1) * TURN).entries()) {
      const entry = { id: `${round}-${at}`, event: '', group: '', order: '', receivedAt: 0, body };
      for (const index of [0, 1, 2].map(place => (place + at) % 3)) {
        const began = performance.now();
        await syncs[index]?.inbox.put(entry);
        taken[index] = (taken[index] ?? 0) + (performance.now() - began) / TURN;
      }
    }
    times.push(taken);
  }
  const ratios = (index: number) => times.slice(5).map(turn => (turn[index] as number) / (turn[0] as number));
  const shown = (index: number) => {
    const [low, high] = spreadOf(ratios(index)).map(value => value.toFixed(3));
    return `${median(ratios(index)).toFixed(3)} (${low} to ${high})`;
  };
  const ms = median(times.map(turn => turn[0] as number)).toFixed(2);
  const { records } = await (syncs[2] as (typeof syncs)[number]).statusAt(new Date());
  console.log(
    `${kind}: ${written} rows written, ${records.length} records with a history; ${ms} ms a delivery; again without ${shown(1)}, with the history ${shown(2)}`,
  );
  await Promise.all(stores.map(store => store.close()));
}
