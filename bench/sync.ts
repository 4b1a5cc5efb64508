/**
 * What sync costs: rows written a second and memory of a back-fill, beside a hand-written loop of list and INSERT; how much of
 * its share of the rate limit it uses; and how long a delivery takes to its committed row.
 *
 * node --expose-gc bench/sync.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TrackingClient } from '../src/index.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { createSync } from '../src/sync/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';

const [, , task, ...args] = process.argv;
if (task === undefined) await main();
else await work(task, args);

async function main(): Promise<void> {
  const small = await run('backfill', '500');
  const large = await run('backfill', '50000');
  const loop = await run('loop', '50000');
  console.log(`back-fill, 50,000 containers with 8 events each: ${large.rows} rows, ${large.rate} rows/s`);
  console.log(`list and INSERT by hand, one table of JSON: ${loop.rows} rows, ${loop.rate} rows/s`);
  console.log(`memory in use: ${small.live} MiB for 500 containers, ${large.live} MiB for 50,000`);
  console.log(`memory of the process at its peak: ${small.peak} and ${large.peak} MiB; of the loop ${loop.peak} MiB`);
  for (const share of ['1', '0.5']) console.log(`share ${share}:`, await run('share', share));
  console.log('from delivery to committed row, in ms:', await run('lag', '1200'));
}

/** Runs a task in a process of its own, against a service in this one. */
async function run(name: string, argument: string): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'));
  const service = await serve(Number(argument));
  const child = fork(import.meta.filename, [name, service.baseUrl, join(folder, 'tracking.db'), argument], {
    execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
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
    loop: () => loop(baseUrl, file),
    share: () => share(baseUrl, file, Number(argument)),
    lag: () => lag(file, Number(argument)),
  };
  const result = await tasks[name]?.();
  process.send?.(result, () => process.exit(0));
}

async function backfill(baseUrl: string, file: string): Promise<object> {
  const store = sqliteStore(file);
  const client = new TrackingClient({ baseUrl, apiKey: 'bench', rateLimit: false });
  const sync = createSync({ client, store, tables: ['container', 'transport_event'] });
  await sync.migrate();
  let pages = 0;
  let live = 0;
  sync.on('progress', () => {
    pages += 1;
    if (pages % 5 > 0) return;
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    live = Math.max(live, heapUsed + external);
  });
  const began = performance.now();
  await sync.backfill();
  const seconds = (performance.now() - began) / 1000;
  const { tables } = await store.status();
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return { ...figures(rows, seconds), live: Math.round(live / 104_857.6) / 10 };
}

/** What one writes in an afternoon. */
async function loop(baseUrl: string, file: string): Promise<object> {
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE records (type TEXT, id TEXT, record TEXT, PRIMARY KEY (type, id))',
  );
  const insert = database.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?)');
  const client = new TrackingClient({ baseUrl, apiKey: 'bench', rateLimit: false });
  const began = performance.now();
  let rows = 0;
  for await (const { data } of client.containers.list({ include: ['transport_events'], pageSize: 100 }).pages()) {
    database.exec('BEGIN');
    for (const { transport_events = [], ...container } of data) {
      for (const record of [container, ...transport_events]) {
        insert.run(record.type, record.id, JSON.stringify(record));
        rows += 1;
      }
    }
    database.exec('COMMIT');
  }
  return figures(rows, (performance.now() - began) / 1000);
}

function figures(rows: number, seconds: number): object {
  return { rows, rate: Math.round(rows / seconds), peak: Math.round(process.resourceUsage().maxRSS / 102.4) / 10 };
}

/** Two windows by the time that as many requests took as the share allows in two windows. */
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

/** Deliveries as the sandbox makes them, one after the other and eight at a time. */
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

/** A service that has nothing but containers, each with its events. With a small `count` it answers after 100 ms. */
async function serve(count: number): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const isSlow = count <= 1;
  const containers = isSlow ? 24_000 * count : count;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://service.example');
    const [number, size] = ['page[number]', 'page[size]'].map(name => Number(searchParams.get(name))) as [
      number,
      number,
    ];
    const first = (number - 1) * size;
    const ids = Array.from({ length: Math.max(0, Math.min(size, containers - first)) }, (_, index) => first + index);
    const hasEvents = searchParams.get('include')?.includes('transport_events') === true;
    const next =
      first + size < containers ? { next: `http://service.example/v2/containers?page[number]=${number + 1}` } : {};
    const body = JSON.stringify({
      data: ids.map(containerOf),
      ...(hasEvents && { included: ids.flatMap(id => eventIds(id).map(event => eventOf(event, id))) }),
      meta: { total: containers },
      links: next,
    });
    setTimeout(() => response.end(body), isSlow ? 100 : 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v2`,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function eventIds(id: number): string[] {
  return Array.from({ length: 8 }, (_, index) => `event-${id}-${index}`);
}

function containerOf(id: number): object {
  const attributes = {
    ...{
      number: 'MSCU1234565',
      seal_number: 'c36df1b7d3',
      created_at: '2026-03-01T10:00:00Z',
      ref_numbers: ['A', 'B'],
    },
    ...{ pod_arrived_at: '2026-03-05T10:00:00Z', available_for_pickup: true, availability_known: true },
    ...{ current_status: 'available', equipment_type: 'dry', equipment_length: 40, equipment_height: 'high_cube' },
    ...{ weight_in_lbs: 41_000, pickup_lfd: '2026-03-12T04:00:00Z', pod_timezone: 'America/New_York' },
    ...{ holds_at_pod_terminal: [], fees_at_pod_terminal: [], terminal_checked_at: '2026-03-09T01:00:00Z' },
  };
  const events = eventIds(id).map(event => ({ type: 'transport_event', id: event }));
  return {
    type: 'container',
    id: `container-${id}`,
    attributes,
    relationships: { transport_events: { data: events } },
  };
}

function eventOf(id: string, container: number): object {
  const attributes = {
    ...{ event: 'container.transport.vessel_discharged', created_at: '2026-03-05T10:00:00Z', voyage_number: '048W' },
    ...{
      timestamp: '2026-03-05T10:00:00Z',
      data_source: 'terminal',
      location_locode: 'USNYC',
      timezone: 'America/New_York',
    },
  };
  const to = { data: { type: 'container', id: `container-${container}` } };
  return { type: 'transport_event', id, attributes, relationships: { container: to, vessel: { data: null } } };
}
