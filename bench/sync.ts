/**
 * The costs of sync: rows per second of a back-fill, compared with two hand-written loops of list and INSERT; the part
 * of the rate limit that sync uses, compared with its share; and the time from a delivery to its committed row. The
 * memory is measured by sync-memory.ts.
 *
 * node bench/sync.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TrackingClient } from '../src/index.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { createSync } from '../src/sync/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import { serve } from './sync-service.ts';

const [, , task, ...args] = process.argv;
if (task === undefined) await main();
else await work(task, args);

async function main(): Promise<void> {
  const large = await run('backfill', '50000');
  const columns = await run('columns', '50000');
  const loop = await run('loop', '50000');
  console.log(`back-fill, 50,000 containers with 8 events each: ${large.rows} rows, ${large.rate} rows/s`);
  console.log(`list and INSERT by hand, the same tables: ${columns.rows} rows, ${columns.rate} rows/s`);
  console.log(`list and INSERT by hand, one table of JSON: ${loop.rows} rows, ${loop.rate} rows/s`);
  for (const share of ['1', '0.5']) console.log(`share ${share}:`, await run('share', share));
  console.log('from delivery to committed row, in ms:', await run('lag', '1200'));
}

/** Runs a task in its own process, against a service in this process. */
async function run(name: string, argument: string): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'));
  const service = await serve(Number(argument));
  const child = fork(import.meta.filename, [name, service.baseUrl, join(folder, 'tracking.db'), argument], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`The task ${name} has failed.`)));
  const [result] = (await Promise.race([once(child, 'message'), failed])) as [Record<string, unknown>];
  failed.catch(() => {});
  await service.close();
  rmSync(folder, { recursive: true });
  return result;
}

async function work(name: string, [baseUrl = '', file = '', argument = '']: string[]): Promise<void> {
  const tasks: Record<string, () => Promise<object>> = {
    backfill: () => backfill(baseUrl, file),
    columns: () => columns(baseUrl, file),
    loop: () => loop(baseUrl, file),
    share: () => share(baseUrl, file, Number(argument)),
    lag: () => lag(file, Number(argument)),
  };
  const result = await tasks[name]?.();
  process.send?.(result, () => process.exit(0));
}

async function backfill(baseUrl: string, file: string): Promise<object> {
  const { store, sync } = await migrated(baseUrl, file);
  const began = performance.now();
  await sync.backfill();
  const seconds = (performance.now() - began) / 1000;
  const { tables } = await store.status();
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return figures(rows, seconds);
}

async function migrated(baseUrl: string, file: string) {
  const store = sqliteStore(file);
  const client = new TrackingClient({ baseUrl, apiKey: 'bench', rateLimit: false });
  const sync = createSync({ client, store, tables: ['container', 'transport_event'] });
  await sync.migrate();
  return { store, sync };
}

type Insert = (record: { id: string; type: string }) => void;

/** A loop that fills the tables of sync, with their columns and indexes. It does not check what it writes. */
async function columns(baseUrl: string, file: string): Promise<object> {
  const { store } = await migrated(baseUrl, file);
  await store.close();
  const database = new DatabaseSync(file);
  const into = (table: string): Insert => {
    const names = database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => String(name));
    const list = (text: (name: string) => string) => names.map(text).join(', ');
    const statement = database.prepare(
      `INSERT INTO ${table} (${list(name => name)}) VALUES (${list(() => '?')})
       ON CONFLICT (id) DO UPDATE SET ${list(name => `${name} = excluded.${name}`)}`,
    );
    return record => statement.run(...names.map(name => columnOf(record, name)));
  };
  const inserts: Record<string, Insert> = { container: into('containers'), transport_event: into('transport_events') };
  return copy(baseUrl, database, record => inserts[record.type]?.(record));
}

function columnOf(record: object, name: string): string | number | null {
  if (name === 'record') return JSON.stringify(record);
  const fields: Readonly<Record<string, unknown>> = { ...record };
  const linked = fields[name.replace(/_id$/, '')] as { id?: string } | null | undefined;
  const value = fields[name] ?? linked?.id ?? null;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | number | null);
}

/** A loop that a user can write in an hour. */
async function loop(baseUrl: string, file: string): Promise<object> {
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE records (type TEXT, id TEXT, record TEXT, PRIMARY KEY (type, id))',
  );
  const insert = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?)');
  return copy(baseUrl, database, record => insert.run(record.type, record.id, JSON.stringify(record)));
}

async function copy(baseUrl: string, database: DatabaseSync, insert: Insert): Promise<object> {
  const client = new TrackingClient({ baseUrl, apiKey: 'bench', rateLimit: false });
  const began = performance.now();
  let rows = 0;
  for await (const { data } of client.containers.list({ include: ['transport_events'], pageSize: 100 }).pages()) {
    database.exec('BEGIN');
    for (const { transport_events = [], ...container } of data) {
      for (const record of [container, ...transport_events]) {
        insert(record);
        rows += 1;
      }
    }
    database.exec('COMMIT');
  }
  return figures(rows, (performance.now() - began) / 1000);
}

function figures(rows: number, seconds: number): object {
  return { rows, rate: Math.round(rows / seconds) };
}

/**
 * The used part of a share. It is the length of two windows, divided by the measured time of the requests that the
 * share allows in two windows.
 */
async function share(baseUrl: string, file: string, part: number): Promise<object> {
  const [windowMs, limit] = [12_000, 100];
  const limits = { default: limit, createTrackingRequest: limit, inferNumber: limit, refreshContainer: limit };
  const times: number[] = [];
  const client = new TrackingClient({
    ...{ baseUrl, apiKey: 'bench', rateLimit: { windowMs, limits } },
    fetch: (input, init) => {
      times.push(performance.now());
      return fetch(input, init);
    },
  });
  const sync = createSync({ client, store: sqliteStore(file), tables: ['container'], share: part, windowMs });
  await sync.migrate();
  await sync.backfill();
  const elapsed = (times[2 * limit * part] ?? Number.NaN) - (times[0] ?? 0);
  return { requests: times.length, used: Number(((2 * windowMs) / elapsed).toFixed(3)) };
}

/** Deliveries as the sandbox sends them, one after the other and eight at a time. */
async function lag(file: string, count: number): Promise<object> {
  const bodies: string[] = [];
  const sandbox = createSandbox({
    shipments: 150,
    speed: 0,
    rateLimit: false,
    fetch: async request => {
      bodies.push(await request.text());
      return new Response(null, { status: 200 });
    },
  });
  const options = {
    baseUrl: 'https://service.example/v2',
    apiKey: 'sandbox',
    rateLimit: false,
    logger: false,
  } as const;
  const client = new TrackingClient({ ...options, fetch: (input, init) => sandbox.fetch(input as string, init) });
  const sync = createSync({ client, store: sqliteStore(file), logger: false });
  await sync.migrate();
  await sync.backfill();
  const events = (await client.webhooks.events()).flatMap(category => category.events.map(({ name }) => name));
  await client.webhooks.create({ url: 'https://receiver.example/', active: true, events: events as never });
  while (bodies.length < count) {
    sandbox.advance({ days: 1 });
    await sandbox.flush();
  }
  const entries = bodies.slice(0, count).map((body, index) => ({
    ...{ id: String(index), event: '', group: '', order: '', receivedAt: 0 },
    body: new TextEncoder().encode(body),
  }));
  const result: Record<string, object> = {};
  for (const [name, concurrency, part] of [
    ['one at a time', 1, entries.slice(0, count / 2)],
    ['eight at a time', 8, entries.slice(count / 2)],
  ] as const) {
    const times: number[] = [];
    const rest = part.values();
    const began = performance.now();
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const entry of rest) {
          const at = performance.now();
          await sync.inbox.put(entry);
          times.push(performance.now() - at);
        }
      }),
    );
    times.sort((a, b) => a - b);
    const at = (share: number) => Number((times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2));
    const perSecond = Math.round((times.length / (performance.now() - began)) * 1000);
    result[name] = { p50: at(0.5), p99: at(0.99), perSecond };
  }
  return result;
}
