import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HistoryFields, SyncRow, SyncStore } from '../../src/sync/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../../support/sync-stores.ts';

let postgres: PostgresServer | undefined;

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});

afterAll(() => postgres?.stop());

const places: Record<string, () => StorePlace> = { SQLite: sqlitePlace };
if (hasPostgres) places.PostgreSQL = () => postgresPlace(postgres as PostgresServer);

const T = Date.UTC(2026, 2, 9);
const FIELDS: HistoryFields = { container: ['current_status', 'pickup_lfd', 'holds_at_pod_terminal'] };

/** What the service knew of one container at a second: `undefined` if it did not have it. */
interface Known {
  second: number;
  content: { status: string | null; lfd: number; holds: string[] } | undefined;
}

function row(id: string, { second, content }: Known): SyncRow {
  const record = content && {
    ...{ id, type: 'container', number: 'MSCU1234565', current_status: content.status },
    pickup_lfd: new Date(T + content.lfd * 86_400_000).toISOString(),
    holds_at_pod_terminal: content.holds.map(name => ({ name, status: 'hold', description: '' })),
  };
  return { type: 'container', id, asOf: T + second * 1000, record: record ?? null };
}

/** The history in its shortest form: the values at each known moment in order, and equal neighbours merged. */
function oracle(known: readonly Known[]): string[] {
  const slots = new Map<string, [value: string | undefined, second: number][]>();
  const inOrder = known.toSorted((a, b) => a.second - b.second);
  const valuesOf = ({ content }: Known) =>
    new Map([
      ...(content?.status ? [['current_status ', content.status] as const] : []),
      ...(content ? [['pickup_lfd ', new Date(T + content.lfd * 86_400_000).toISOString()] as const] : []),
      ...(content?.holds ?? []).map(name => [`holds_at_pod_terminal ${name}`, 'hold'] as const),
    ]);
  for (const name of new Set(inOrder.flatMap(each => [...valuesOf(each).keys()]))) {
    const changes: [string | undefined, number][] = [];
    for (const each of inOrder) {
      const value = valuesOf(each).get(name);
      if (changes.at(-1)?.[0] !== value) changes.push([value, each.second]);
    }
    slots.set(name, changes);
  }
  return [...slots]
    .flatMap(([name, changes]) =>
      changes.flatMap(([value, second], index) =>
        value === undefined ? [] : [`${name} ${value} ${second}-${changes[index + 1]?.[1] ?? ''}`],
      ),
    )
    .sort();
}

const content = fc.record({
  status: fc.constantFrom('on_ship', 'grounded', null),
  lfd: fc.integer({ min: 1, max: 2 }),
  holds: fc.uniqueArray(fc.constantFrom('customs', 'freight')),
});
const knownOf = fc.uniqueArray(
  fc.record({ second: fc.integer({ min: 1, max: 12 }), content: fc.option(content, { nil: undefined, freq: 6 }) }),
  { selector: ({ second }) => second, minLength: 1, maxLength: 9 },
);

describe.each(Object.keys(places))('in %s', kind => {
  let place: StorePlace;
  let store: SyncStore;
  beforeEach(async () => {
    place = (places[kind] as () => StorePlace)();
    store = place.open();
    await store.migrate({ history: true });
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  async function stored(id: string): Promise<string[]> {
    const rows = await place.sql(
      `SELECT field, item, value, valid_from, valid_until FROM $.history WHERE record_id = '${id}'`,
    );
    const second = (time: unknown) => (time === null ? '' : (new Date(time as string).getTime() - T) / 1000);
    return rows
      .map(
        ({ field, item, value, valid_from, valid_until }) =>
          `${field} ${item} ${value} ${second(valid_from)}-${second(valid_until)}`,
      )
      .sort();
  }

  test('deliveries in any order, doubled and in any batches, give the history of those in order', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        knownOf.chain(known =>
          fc.tuple(
            fc.constant(known),
            // Each once at least, some twice, in a random order and in random batches.
            fc
              .tuple(fc.subarray(known), fc.array(fc.nat(), { minLength: 18, maxLength: 18 }))
              .map(([again, order]) => [...known, ...again].map((each, index) => ({ each, key: order[index] ?? 0 })))
              .map(items => items.sort((a, b) => a.key - b.key).map(({ each }) => each)),
            fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 18, maxLength: 18 }),
          ),
        ),
        async ([known, arrivals, sizes]) => {
          count += 1;
          const id = `container-${count}`;
          for (let index = 0, batch = 0; index < arrivals.length; batch += 1) {
            const size = sizes[batch] ?? 1;
            const rows = arrivals.slice(index, index + size).map(each => row(id, each));
            await store.write({ rows, history: FIELDS });
            index += size;
          }
          expect(await stored(id)).toEqual(oracle(known));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('the processes of one store write the history of the same container at the same time', async () => {
    const other = place.open();
    const known = Array.from({ length: 30 }, (_, second): Known => {
      const status = second % 3 === 0 ? 'grounded' : 'on_ship';
      return { second, content: { status, lfd: second % 2, holds: second % 5 === 0 ? ['customs'] : [] } };
    });
    const write = (by: SyncStore, each: Known) => by.write({ rows: [row('a', each)], history: FIELDS });
    await Promise.all([
      ...known.map(each => write(store, each)),
      ...known.toReversed().map(each => write(other, each)),
    ]);
    expect(await stored('a')).toEqual(oracle(known));
    await other.close();
  });
});
