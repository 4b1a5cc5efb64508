import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackingClient } from '../src/index.ts';
import { createSync } from '../src/sync/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import type { Requests } from '../support/benchmarks/measure.ts';
import { notified } from './notified.ts';

const ROUNDS = 12;
const HOURS_A_DAY = 24;
const PAGE = 50;
/** Number of lists that sync reads in addition to the list of containers. */
const OTHER_LISTS = 8;
const [SIZES, RATES] = [
  [100, 1000, 10_000, 50_000],
  [0, 0.01, 0.1],
];

/** A service whose containers change whenever the first page of their list is read. */
class Service {
  readonly #boxes: { id: string; version: number; changedAt: number }[];
  #order: number[];
  #changes = 0;
  #due = 0;
  #waiting: { holds: () => boolean; resolve: () => void } | undefined;
  #clock = Date.parse('2026-03-01T00:00:00Z');
  /** Number of readings of the first page, of complete readings, and of all requests. */
  rounds = 0;
  whole = 0;
  requests = 0;
  /** The share of the containers that changes in an hour. */
  rate = 0;

  constructor(size: number) {
    this.#boxes = Array.from({ length: size }, (_, n) => ({ id: `container-${n}`, version: 0, changedAt: 0 }));
    this.#order = this.#boxes.map((_, n) => n);
  }

  readonly fetch = async (input: unknown): Promise<Response> => {
    this.requests += 1;
    const { pathname, searchParams } = new URL(String(input));
    const [number, size] = ['number', 'size'].map(name => Number(searchParams.get(`page[${name}]`) ?? 1)) as [
      number,
      number,
    ];
    const list = this.#list(pathname, searchParams);
    const one = /\/containers\/container-(\d+)$/.exec(pathname)?.[1];
    if (one !== undefined) return this.#answer({ data: this.#container(Number(one)) });
    const isFront = searchParams.get('sort') === '-updated_at' && number === 1 && size > 25;
    if (isFront) this.#change();
    const most = pathname.endsWith('/containers') ? Math.min(size, PAGE) : size;
    const data = list.slice((number - 1) * most, number * most).map(record => record());
    const next = number * most < list.length ? { next: `https://service.example/v2?page[number]=${number + 1}` } : {};
    if (pathname.endsWith('/containers') && !searchParams.get('sort')?.endsWith('updated_at') && !next.next)
      this.whole += 1;
    if (this.#waiting?.holds()) this.#waiting.resolve();
    return this.#answer({ data, links: next, meta: { total: list.length } });
  };

  /** Resolves at the first request after which the condition is true. */
  until(holds: () => boolean): Promise<void> {
    return new Promise(resolve => {
      this.#waiting = { holds, resolve };
    });
  }

  /** Moves the time forward by five minutes. */
  pass(): void {
    this.#clock += 300_000;
  }

  #answer(body: object): Response {
    const headers = { 'content-type': 'application/json', date: new Date(this.#clock).toUTCString() };
    return new Response(JSON.stringify(body), { headers });
  }

  #change(): void {
    this.#due += (this.#boxes.length * this.rate) / ROUNDS;
    const changed: number[] = [];
    for (; this.#due >= 1; this.#due -= 1, this.#changes += 1) {
      // Changes every 7,919th container. This number has no common divisor with any size, so no container changes
      // twice.
      const index = (this.#changes * 7919) % this.#boxes.length;
      const box = this.#boxes[index];
      if (box) box.version += 1;
      changed.unshift(index);
    }
    const set = new Set(changed);
    this.#order = [...changed, ...this.#order.filter(index => !set.has(index))];
    this.rounds += 1;
  }

  #list(path: string, query: URLSearchParams): (() => object)[] {
    if (path.endsWith('/containers')) {
      if (query.has('filter[updated_at]')) return [];
      const sort = query.get('sort');
      const order = sort?.endsWith('updated_at') ? this.#order : this.#boxes.map((_, n) => n);
      return (sort === 'updated_at' ? order.toReversed() : order).map(n => () => this.#container(n));
    }
    const isChange = query.has('filter[pod_eta_changed_at]') || query.has('filter[updated_at][start]');
    const type = path.endsWith('/shipments') ? 'shipment' : path.endsWith('/tracking_requests') && 'tracking_request';
    if (isChange || !type) return [];
    return Array.from({ length: this.#boxes.length / 2 }, (_, n) => () => ({
      type,
      id: `${type}-${n}`,
      attributes: {},
    }));
  }

  #container(n: number): object {
    const { id, version } = this.#boxes[n] as { id: string; version: number };
    return { type: 'container', id, attributes: { number: 'MSCU1234565', ref_numbers: [String(version)] } };
  }
}

const clientOf = ({ fetch }: Service) =>
  new TrackingClient({
    ...{ baseUrl: 'https://service.example/v2', apiKey: 'bench', rateLimit: false, logger: false, validation: 'off' },
    fetch: fetch as typeof globalThis.fetch,
  });

type Counted = Pick<Requests, 'before' | 'now'>;

/**
 * Makes sync follow the service for an hour at each rate. Before this, sync reads everything twice: the first reading
 * of changes needs the marks that complete readings store.
 */
async function ofSync(size: number): Promise<Counted[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-polling-'));
  const service = new Service(size);
  const store = sqliteStore(join(folder, 'tracking.db'));
  const sync = createSync({ client: clientOf(service), store, share: 1, every: { poll: 1 }, logger: false });
  const controller = new AbortController();
  const hours = RATES.map(() => 0);
  await sync.migrate();
  await sync.backfill();
  service.pass();
  const { requests: whole } = await sync.reconcile();
  service.pass();
  let readings = -1;
  const count = ({ requests }: { requests: number }) => {
    service.pass();
    if (readings >= 0) hours[Math.floor(readings / ROUNDS)] = (hours[Math.floor(readings / ROUNDS)] ?? 0) + requests;
    readings += 1;
    service.rate = readings < 0 ? 0 : (RATES[Math.floor(readings / ROUNDS)] ?? 0);
    if (readings === ROUNDS * RATES.length) controller.abort();
  };
  sync.on('finished', count);
  sync.on('refreshed', count);
  await sync.run({ signal: controller.signal });
  await store.close();
  rmSync(folder, { recursive: true });
  return hours.map(requests => ({ before: whole * ROUNDS, now: requests + whole / HOURS_A_DAY }));
}

async function ofWatch(size: number): Promise<Counted[]> {
  const whole = Math.ceil(size / PAGE);
  const before = whole * ROUNDS;
  // A list with so few containers is read completely each time.
  if (size <= 100) return RATES.map(() => ({ before, now: before }));
  const service = new Service(size);
  const feed = clientOf(service).containers.watch({ every: 1, share: 1 });
  const pull = (async () => {
    for await (const { kind } of feed) if (kind === 'unread') throw new Error('A reading failed.');
  })();
  // The feed reads everything, then the latest changes, then everything again. From then on it reads only the latest changes.
  await service.until(() => service.whole > 1 && service.rounds > 1);
  const counted: Counted[] = [];
  for (const rate of RATES) {
    service.rate = rate;
    const [requests, rounds] = [service.requests, service.rounds];
    await service.until(() => service.rounds === rounds + ROUNDS + 1);
    // The first request of the next round has already been made, so the count includes it.
    counted.push({ before, now: service.requests - requests + whole / HOURS_A_DAY });
  }
  await feed.return();
  await pull;
  return counted;
}

/**
 * Counts the requests in an hour: the requests of sync and of `watch` with a reading every five minutes, and the
 * requests of sync with webhooks.
 */
export async function polling(): Promise<Requests[]> {
  const figures: Requests[] = [];
  for (const size of SIZES) {
    for (const [program, counted] of Object.entries({ sync: await ofSync(size), watch: await ofWatch(size) })) {
      for (const [index, rate] of RATES.entries()) {
        const pages = Math.max(1, Math.ceil((size * rate) / ROUNDS / PAGE));
        const name = `${size.toLocaleString('en-US')} containers, ${rate * 100} % changed`;
        const least = ROUNDS * (pages + (program === 'sync' ? OTHER_LISTS : 0));
        const limit = size === 10_000 && rate === 0.01 ? { limit: 0.2 } : {};
        const requests = counted[index] as Counted;
        figures.push({ group: `${program}, requests an hour`, name, against: '0.1.0', least, ...requests, ...limit });
      }
    }
  }
  figures.push(await notified());
  return figures.toSorted((one, other) => one.group.localeCompare(other.group));
}
