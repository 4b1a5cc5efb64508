import { createSync, type Sync } from '../src/sync/index.ts';
import type { SyncStore } from '../src/sync/store.ts';
import { parseNotification } from '../src/webhooks/index.ts';
import { stillSandbox } from './sandbox.ts';
import { frontOf, type Instead } from './sync-front.ts';
import { historyDifferences, type Sample, valuesOf } from './sync-oracle/history.ts';
import { type ReadTable, rowsOf, tableDifferences } from './sync-oracle/tables.ts';
import { readOver, truthOf } from './sync-oracle/truth.ts';
import type { StorePlace } from './sync-stores.ts';

/** The result of a random history. */
export interface RandomHistory {
  /** The differences between the tables and the service, and the faults of the history table. */
  differences: string[];
  /** The number of comparisons with the service. */
  samples: number;
  /** The rows of the history table. */
  periods: number;
  /** The number of each kind of step and failure. */
  counts: Record<string, number>;
}

const STEPS = 24;
const SAMPLE_EVERY = 6;

/** A deterministic generator of random numbers. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/**
 * Runs sync, which keeps a store up to date during random events: time passes; shipments are added and removed;
 * deliveries are late, duplicated, shuffled and dropped; responses fail or break off; passes are interrupted; and
 * processes end. From time to time sync reads all lists without failures, and the oracle compares every table. At the
 * end, the oracle compares the history table with the records of the service at all of these times.
 *
 * @param damage changes the tables before the last comparison, for a test of the oracle.
 */
export async function randomHistory<T>(
  place: StorePlace,
  seed: number,
  damage?: () => Promise<T>,
): Promise<RandomHistory & { damaged: T | undefined }> {
  const chance = chanceOf(seed);
  const below = (count: number) => Math.floor(chance() * count);
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };

  const pending: string[] = [];
  const sent = new Set<string>();
  const remember = (text: string) => {
    if (!text.startsWith('{')) return;
    const { data, included } = JSON.parse(text);
    for (const resource of [data, included].flat()) {
      if (!resource?.attributes) continue;
      const { attributes, id, type } = resource;
      for (const [slot, value] of valuesOf({ ...attributes, id, type })) sent.add(`${slot}=${value}`);
    }
  };
  const sandbox = stillSandbox({
    seed,
    shipments: 3 + below(6),
    webhooks: { duplicateRate: 0.2 },
    async fetch(request) {
      const text = await request.text();
      remember(text);
      pending.push(text);
      return new Response();
    },
  });
  const front = await frontOf({
    async fetch(input, init) {
      const response = await sandbox.fetch(input, init);
      remember(await response.clone().text());
      return response;
    },
  });
  const admin = front.client().webhooks;
  const events = (await admin.events()).flatMap(category => category.events.map(({ name }) => name));
  await admin.ensure({ url: 'https://receiver.example/', events });

  let isRough = false;
  let [requestsLeft, interrupt] = [Number.POSITIVE_INFINITY, () => {}];
  front.instead = (): Instead => {
    requestsLeft -= 1;
    if (requestsLeft < 0) interrupt();
    const luck = isRough ? chance() : 1;
    if (luck < 0.06) return { status: 500 };
    if (luck < 0.1) return { status: 502, body: '<html>' };
    if (luck < 0.12) return { status: 200, body: '{"data":' };
    return undefined;
  };

  let store: SyncStore | undefined;
  let sync: Sync | undefined;
  const endProcess = async () => {
    await store?.close();
    [store, sync] = [undefined, undefined];
  };
  const running = (): Sync => {
    store ??= place.open();
    sync ??= createSync({ client: front.client(), store, share: 0.5, history: true, logger: false });
    return sync;
  };
  /** Lets time pass. Sync knows the clock of the service from its responses, and a real clock does not jump. */
  const advance = (duration: { hours: number } | { seconds: number }) => {
    sandbox.advance(duration);
    sync = undefined;
  };

  /** A reading with failures. It may be interrupted after some requests, and its process may end then. */
  const readRoughly = async (read: (sync: Sync, signal: AbortSignal) => Promise<unknown>) => {
    // A change in the same second as an earlier reading would have the same time as this reading until the clock moves.
    advance({ seconds: 2 });
    const stopping = new AbortController();
    isRough = chance() < 0.6;
    requestsLeft = chance() < 0.5 ? below(25) : Number.POSITIVE_INFINITY;
    interrupt = () => stopping.abort(new Error('interrupted'));
    try {
      await read(running(), stopping.signal);
      count('readings');
    } catch {
      count(stopping.signal.aborted ? 'interruptions' : 'failures');
      if (chance() < 0.5) await endProcess();
    }
    [isRough, requestsLeft, interrupt] = [false, Number.POSITIVE_INFINITY, () => {}];
  };
  const deliver = async (bodies: readonly string[]) => {
    for (const body of bodies) {
      await running().handler(parseNotification(body));
      count('deliveries');
    }
  };

  const read = readOver(front.baseUrl);
  const readTable: ReadTable = table => rowsIn(place, table);
  const samples: Sample[] = [];
  const differences: string[] = [];
  /** Compares every table. Sync first reads all lists, unless `isRead` is true. */
  const compare = async (isRead = false) => {
    if (!isRead) {
      advance({ seconds: 5 });
      await sandbox.flush();
      await running().once();
    }
    const truth = await truthOf(read);
    const found = await tableDifferences(read, truth, await rowsOf(readTable));
    // A late delivery may have an estimate that the service has withdrawn. This estimate stays until the next reading.
    const isKnown = (difference: string) => isRead && /^transport_event \S+ is extra$/.test(difference);
    differences.push(
      ...found
        .filter(difference => !isKnown(difference))
        .map(difference => `sample ${samples.length + 1}: ${difference}`),
    );
    if (isRead) return;
    samples.push({ at: sandbox.now().getTime(), truth });
  };

  await compare();
  for (let step = 1; step <= STEPS; step += 1) {
    // Changes after a comparison belong to a later second.
    if (step % SAMPLE_EVERY === 1) advance({ seconds: 5 });
    const kind = chance();
    if (kind < 0.3) advance({ hours: 1 + below(30) });
    else if (kind < 0.5) {
      const due = shuffled(pending.splice(0), chance).filter(body => {
        const luck = chance();
        if (luck < 0.2) pending.push(body);
        else if (luck < 0.35) count('drops');
        return luck >= 0.35;
      });
      await deliver(due.flatMap(body => (chance() < 0.2 ? [body, body] : [body])));
    } else if (kind < 0.6) sandbox.seedShipments(1);
    else if (kind < 0.68) {
      const { body } = await read('/shipments?page[size]=50');
      const shipment = body.data[below(body.data.length)];
      if (shipment && body.data.length > 2) sandbox.removeShipment(shipment.id);
    } else if (kind < 0.9) await readRoughly((each, signal) => each.once({ signal }));
    else if (kind < 0.95)
      await readRoughly((each, signal) => each.resync({ tables: ['container', 'shipment'], signal }));
    else await endProcess();
    await sandbox.flush();
    if (step % SAMPLE_EVERY === 0) await compare();
  }
  // Deliveries that are older than the last reading change nothing.
  await deliver(shuffled(pending.splice(0), chance));
  const damaged = await damage?.();
  await compare(true);
  const faults = await historyDifferences(readTable, samples, sent);
  const periods = (await readTable('history')).length;
  await endProcess();
  return { differences: [...differences, ...faults], samples: samples.length, periods, counts, damaged };
}

async function rowsIn(place: StorePlace, table: string) {
  if (place.kind === 'sqlite') return place.sql(`SELECT * FROM ${table}`);
  // PostgreSQL prints times, numbers and nested values as JSON.
  return (await place.sql(`SELECT to_jsonb(kept) AS kept FROM $.${table} AS kept`)).map(
    ({ kept }) => kept as object,
  ) as Record<string, unknown>[];
}

function shuffled<T>(items: readonly T[], chance: () => number): T[] {
  return items
    .map(item => ({ item, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
