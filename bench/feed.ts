import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';
import { type Ratio, spreadOf, steadily } from '../support/benchmarks/measure.ts';
import { pagedAfter, serveAsChild, startChild } from './child-server.ts';
import { containersPage } from './fixtures.ts';
import { ours } from './packages.ts';

const CONTAINERS = 500;
const LIMIT = 100;
const WINDOW_MS = 1000;
const ANSWER_MS = 100;
/** The share of the limit that the interactive calls use. */
const LOAD = 0.8;
/** Length of one turn, in windows. */
const TURN_WINDOWS = 4;
/**
 * Number of windows that have only calls, before the feed begins. The feed can consider only calls that were already
 * made.
 */
const WARM_UP_WINDOWS = 1;
const ROUNDS = 3;
const ATTEMPTS = 3;
/**
 * Bounds of the ratio of two turns without a feed. If the ratio is outside these bounds, the machine was busy with
 * something else.
 */
const SAME = { atLeast: 0.97, limit: 1.03 };
/**
 * Lower bound of the number of reads: a feed reads at least once in each window, even if calls use most of the limit.
 */
const LEAST_READS = ROUNDS * (TURN_WINDOWS - 1);

type Turn = 'without' | 'with' | 'control';

/**
 * Measures the cost that a feed over 500 containers has for interactive calls. These calls use 80 % of the rate limit.
 * The cost is the 95th percentile of the durations of the calls in turns with the feed, compared with turns without the
 * feed. The calls are made at random times, so some calls wait in the queue. The times are the same in each turn of a
 * round.
 */
export async function feed(): Promise<Ratio[]> {
  const server = await startChild(import.meta.filename);
  try {
    let attempt = 0;
    return await steadily(ATTEMPTS, async () => {
      const { durations, reads } = await rounds(`${server.origin}/v2`, attempt++);
      if (reads < LEAST_READS) throw new Error(`The feed made ${reads} requests only.`);
      const group = `p95 of calls at ${LOAD * 100} % load`;
      return [
        { group, name: 'no feed, again', against: 'no feed', ...against(durations, 'control'), ...SAME },
        { group, name: 'a feed', against: 'no feed', ...against(durations, 'with'), limit: 1.05 },
      ];
    });
  } finally {
    await server.close();
  }
}

/** The durations of each round, by turn. */
async function rounds(baseUrl: string, attempt: number) {
  const durations: Record<Turn, number[][]> = { without: [], with: [], control: [] };
  let reads = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const turn of ['without', 'with', 'control'] as const) {
      // Each turn has its own key, and therefore its own budget.
      const done = await load(baseUrl, `${attempt}-${round}-${turn}`, turn === 'with', round);
      durations[turn].push(done.durations);
      reads += done.reads;
    }
  }
  return { durations, reads };
}

function against(durations: Record<Turn, number[][]>, turn: Turn): Pick<Ratio, 'ratio' | 'ms' | 'spread'> {
  const ms = p95(durations[turn].flat());
  const ratios = durations[turn].map((own, round) => p95(own) / p95(durations.without[round] ?? []));
  return { ratio: ms / p95(durations.without.flat()), ms, spread: spreadOf(ratios) };
}

/** Makes interactive calls at the random times of a Poisson process. */
async function load(baseUrl: string, apiKey: string, isWatching: boolean, seed: number) {
  const { TrackingClient } = await ours<typeof import('container-tracking-sdk')>();
  let reads = 0;
  const client = new TrackingClient({
    baseUrl,
    apiKey,
    rateLimit: { windowMs: WINDOW_MS, limits: { default: LIMIT } },
    hooks: {
      onSettled({ operation }) {
        if (operation === 'containers.list') reads += 1;
      },
    },
  });
  const feed = client.containers.watch({ every: 1 });
  let watching: Promise<void> | undefined;
  const durations: number[] = [];
  const calls: Promise<void>[] = [];
  const random = createRandom(seed + 1);
  const warm = performance.now() + WARM_UP_WINDOWS * WINDOW_MS;
  const end = warm + TURN_WINDOWS * WINDOW_MS;
  for (let next = performance.now(); next < end; next += between(random())) {
    const wait = next - performance.now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    const isCounted = next >= warm;
    if (isCounted && isWatching) watching ??= consume(feed);
    calls.push(timed(() => client.parties.list({ pageSize: 1 })).then(ms => void (isCounted && durations.push(ms))));
  }
  await Promise.all(calls);
  const made = reads;
  await feed.return();
  await watching;
  return { durations, reads: made };
}

/** Time to the next call, in ms. A slot is free again one window after its response. */
function between(random: number): number {
  return (-Math.log(1 - random) * (WINDOW_MS + ANSWER_MS)) / (LIMIT * LOAD);
}

async function consume(feed: AsyncIterable<{ kind: string }>): Promise<void> {
  for await (const { kind } of feed) if (kind === 'unread') throw new Error('A reading failed.');
}

async function timed(call: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}

/** A generator of numbers from 0 to 1. The same seed gives the same numbers. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Pages of 100 containers as the service sends them, without included records. */
function pages(): string[] {
  const { data } = JSON.parse(containersPage(100)) as WireDocument<WireResource[]>;
  const last = CONTAINERS / 100;
  return Array.from({ length: last }, (_, page) => {
    const records = data.map((record, n) => ({ ...record, id: `${page}-${n}` }));
    const links = page + 1 < last ? { next: `/v2/containers?page[number]=${page + 2}` } : {};
    return JSON.stringify({ data: records, meta: { total: CONTAINERS }, links });
  });
}

const NO_PARTIES = JSON.stringify({ data: [], meta: { total: 0 }, links: {} });

// The server has no rate limit: the client limits itself.
serveAsChild(import.meta.filename, () => pagedAfter(ANSWER_MS, pages(), NO_PARTIES));
