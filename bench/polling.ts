import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackingClient } from '../src/index.ts';
import { createSync } from '../src/sync/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import type { Requests } from '../support/benchmarks/measure.ts';

const ROUNDS = 12;
const HOURS_A_DAY = 24;
const PAGE = 50;
/** Lists that sync reads beside that of containers. */
const OTHER_LISTS = 8;
const [SIZES, RATES] = [
  [100, 1000, 10_000, 50_000],
  [0, 0.01, 0.1],
];

/** A service whose containers change whenever the front of their list is read. */
class Service {
  readonly #boxes: { id: string; version: number; changedAt: number }[];
  readonly #perRound: number;
  #order: number[];
  #changes = 0;
  #clock = Date.parse('2026-03-01T00:00:00Z');
  /** How often the front was read, and all requests. */
  rounds = 0;
  requests = 0;
  isChanging = false;

  constructor(size: number, rate: number) {
    this.#boxes = Array.from({ length: size }, (_, n) => ({ id: `container-${n}`, version: 0, changedAt: 0 }));
    this.#order = this.#boxes.map((_, n) => n);
    this.#perRound = (size * rate) / ROUNDS;
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
    if (isFront && this.isChanging) this.#change();
    const most = pathname.endsWith('/containers') ? Math.min(size, PAGE) : size;
    const data = list.slice((number - 1) * most, number * most).map(record => record());
    const next = number * most < list.length ? { next: `https://service.example/v2?page[number]=${number + 1}` } : {};
    return this.#answer({ data, links: next, meta: { total: list.length } });
  };

  /** Five minutes later. */
  pass(): void {
    this.#clock += 300_000;
  }

  #answer(body: object): Response {
    const headers = { 'content-type': 'application/json', date: new Date(this.#clock).toUTCString() };
    return new Response(JSON.stringify(body), { headers });
  }

  #change(): void {
    const until = Math.round((this.rounds + 1) * this.#perRound);
    const changed: number[] = [];
    for (; this.#changes < until; this.#changes += 1) {
      // Every 7,919th: prime to all sizes, so that no container comes twice.
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

async function ofSync(size: number, rate: number): Promise<Counted> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-polling-'));
  const service = new Service(size, rate);
  const store = sqliteStore(join(folder, 'tracking.db'));
  const sync = createSync({ client: clientOf(service), store, share: 1, every: { poll: 1 }, logger: false });
  let whole = 0;
  let refreshed = 0;
  let readings = 0;
  const controller = new AbortController();
  const next = () => {
    service.pass();
    // The first refresh does not know how far to read, so that everything is read once more.
    if (readings === 2) service.isChanging = true;
    if (readings >= 2 + ROUNDS) controller.abort();
    readings += 1;
  };
  sync.on('finished', ({ requests }) => {
    whole = Math.max(whole, requests);
    if (readings > 2) refreshed += requests;
    next();
  });
  sync.on('refreshed', ({ requests }) => {
    refreshed += requests;
    next();
  });
  await sync.run({ signal: controller.signal });
  await store.close();
  rmSync(folder, { recursive: true });
  return { before: whole * ROUNDS, now: refreshed + whole / HOURS_A_DAY };
}

async function ofWatch(size: number, rate: number): Promise<Counted> {
  const service = new Service(size, rate);
  const whole = Math.ceil(size / PAGE);
  let appeared = 0;
  let before = 0;
  const feed = clientOf(service).containers.watch({ every: 1, share: 1 });
  const pull = (async () => {
    for await (const { kind } of feed) {
      if (kind === 'appeared') appeared += 1;
    }
  })();
  if (size <= 100) {
    await feed.return();
    await pull;
    return { before: whole * ROUNDS, now: whole * ROUNDS };
  }
  // Two readings of everything, and one of the front between them.
  while (appeared < size || service.requests < 2 * whole + 6) await new Promise(resolve => setTimeout(resolve, 5));
  service.isChanging = true;
  while (service.rounds < 1) await new Promise(resolve => setTimeout(resolve, 1));
  before = service.requests;
  while (service.rounds < ROUNDS + 1) await new Promise(resolve => setImmediate(resolve));
  const after = service.requests - before;
  await feed.return();
  await pull;
  return { before: whole * ROUNDS, now: after + whole / HOURS_A_DAY };
}

/** Requests an hour of sync without webhooks, and of `watch`, when they read every five minutes. */
export async function polling(): Promise<Requests[]> {
  const figures: Requests[] = [];
  for (const size of SIZES) {
    for (const rate of RATES) {
      const pages = Math.max(1, Math.ceil((size * rate) / ROUNDS / PAGE));
      const name = `${size.toLocaleString('en-US')} containers, ${rate * 100} % changed`;
      const limit = size === 10_000 && rate === 0.01 ? { limit: 0.2 } : {};
      const counted = { sync: await ofSync(size, rate), watch: await ofWatch(size, rate) };
      for (const [program, requests] of Object.entries(counted)) {
        const least = ROUNDS * (pages + (program === 'sync' ? OTHER_LISTS : 0));
        figures.push({ group: `${program}, requests an hour`, name, against: '0.1.0', least, ...requests, ...limit });
      }
    }
  }
  return figures.toSorted((one, other) => one.group.localeCompare(other.group));
}
