import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SyncRow, SyncStore } from '../../src/sync/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../../support/sync-stores.ts';

let postgres: PostgresServer | undefined;

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});

afterAll(() => postgres?.stop());

const START = Date.UTC(2026, 2, 9);

/** A state of one record. There are few times and contents, so that ties and repetitions are frequent. */
const fact = fc.record({
  second: fc.integer({ min: 0, max: 5 }),
  status: fc.option(fc.constantFrom('on_ship', 'available', 'picked_up'), { freq: 4 }),
});
type Fact = { second: number; status: string | null };

/**
 * The facts are delivered in any order, some of them more than once. They are delivered in batches of any size, to one
 * of two processes.
 */
const delivery = (facts: readonly Fact[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...facts.keys()], { minLength: facts.length }),
      fc.array(fc.nat({ max: facts.length - 1 }), { maxLength: 6 }),
    )
    .chain(([order, duplicates]) =>
      fc.shuffledSubarray([...order.map(String), ...duplicates.map(at => `${at} again`)], {
        minLength: order.length + duplicates.length,
      }),
    )
    .map(order => order.map(at => Number.parseInt(at, 10)));

const scenario = fc.array(fact, { minLength: 1, maxLength: 7 }).chain(facts =>
  fc.record({
    facts: fc.constant(facts),
    orders: fc.tuple(delivery(facts), delivery(facts)),
    batch: fc.integer({ min: 1, max: 4 }),
  }),
);

function rowOf(id: string, { second, status }: Fact): SyncRow {
  const record = { id, type: 'container', number: 'MSCU1234565', current_status: status, weight_in_lbs: second };
  return { type: 'container', id, asOf: START + second * 1000, record: status === null ? null : record };
}

/** The row without the time in its content, so that the same content can occur at two times. */
function sameAt(id: string, { second, status }: Fact): SyncRow {
  const row = rowOf(id, { second, status });
  return row.record === null ? row : { ...row, record: Object.assign({}, row.record, { weight_in_lbs: 0 }) };
}

const kinds: Record<string, (id: string, fact: Fact) => SyncRow> = {
  'contents that differ': rowOf,
  'contents that recur': sameAt,
};

describe.each(Object.keys(kinds))(
  '%s lead to the same row if they are delivered in any order, twice or in batches',
  kind => {
    const make = kinds[kind] as (typeof kinds)[string];
    test('in SQLite', () => check(sqlitePlace(), make, 100), 120_000);
    test.skipIf(!hasPostgres)(
      'in PostgreSQL',
      () => check(postgresPlace(postgres as PostgresServer), make, 40),
      120_000,
    );
  },
);

async function check(place: StorePlace, make: (id: string, fact: Fact) => SyncRow, numRuns: number): Promise<void> {
  const stores = [place.open(), place.open()];
  await stores[0]?.migrate();
  let run = 0;
  try {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ facts, orders, batch }) => {
        run += 1;
        const ids = [`${run}-a`, `${run}-b`];
        const truth = truthOf(facts, make);
        for (const [index, order] of orders.entries()) {
          const id = ids[index] as string;
          const rows = order.map(at => make(id, facts[at] as Fact));
          await deliver(stores, rows, batch, id => ({ ...make(id, truth), asOf: START + 9000 }));
        }
        // `as_of` becomes the time by which the store decides. The table has the time at which the content was written.
        const rows = await Promise.all(
          ids.map(id =>
            place.sql(
              `SELECT rows.*, seen.as_of AS as_of, seen.deleted_at AS deleted_then FROM $.containers AS rows JOIN $.sync_seen AS seen ON seen.type = 'container' AND seen.id = rows.id WHERE rows.id = '${id}'`,
            ),
          ),
        );
        const [one = {}, other = {}] = rows.map(([row]) => comparable(row ?? {}));
        for (const row of [one, other]) {
          expect(row.deleted_at === null).toBe(truth.status !== null);
          expect(row.deleted_then).toEqual(row.deleted_at);
          if (truth.status !== null) expect(row.current_status).toBe(truth.status);
        }
        // A record that is read again gets a later time, which depends on the order.
        if (!hasTies(facts, make)) expect(one).toEqual(other);
      }),
      { numRuns },
    );
  } finally {
    await Promise.all(stores.map(store => store.close()));
    await place.remove();
  }
}

/**
 * Delivers facts as sync does: a record whose two versions have the same time is read again, with the state of the
 * service at that time.
 */
async function deliver(
  stores: readonly SyncStore[],
  rows: readonly SyncRow[],
  batch: number,
  read: (id: string) => SyncRow,
): Promise<void> {
  const ties = new Set<string>();
  for (let at = 0; at < rows.length; at += batch) {
    const store = stores[(at / batch) % stores.length] as SyncStore;
    for (const { id } of (await store.write({ rows: rows.slice(at, at + batch) })).ties) ties.add(id);
  }
  for (const id of ties) await stores[0]?.write({ rows: [read(id)] });
}

function comparable({ id, record, ...row }: Record<string, unknown>): Record<string, unknown> {
  const { id: _, ...content } = (typeof record === 'string' ? JSON.parse(record) : record) ?? { id };
  return { ...row, content };
}

type Make = (id: string, fact: Fact) => SyncRow;

/** The final state of the service: the newest fact. If the newest facts contradict each other, a fact that was read later. */
function truthOf(facts: readonly Fact[], make: Make): Fact {
  const newest = Math.max(...facts.map(({ second }) => second));
  const last = facts.filter(({ second }) => second === newest);
  return hasTies(last, make) ? { second: 9, status: 'read_again' } : (last[0] as Fact);
}

function hasTies(facts: readonly Fact[], make: Make): boolean {
  const contents = new Map<number, Set<string>>();
  for (const each of facts) {
    const said = contents.get(each.second) ?? new Set();
    contents.set(each.second, said.add(JSON.stringify(make('', each).record)));
  }
  return [...contents.values()].some(said => said.size > 1);
}
