import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HistoryFields, SyncRow, SyncStore } from '../../src/sync/store.ts';
import { storePlaces } from '../../support/sync-places.ts';
import type { StorePlace } from '../../support/sync-stores.ts';

const places = storePlaces();

const T = Date.UTC(2026, 2, 9);
const FIELDS: HistoryFields = { container: ['current_status', 'pickup_lfd', 'holds_at_pod_terminal'] };

/** The content of one container at a given second. `undefined` means that the service did not have the container. */
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

/** The history in its shortest form: the values at each known moment, in order. Equal neighbours are merged. */
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

describe.each(places)('in %s', (_, makePlace) => {
  let place: StorePlace;
  let store: SyncStore;
  beforeEach(async () => {
    place = makePlace();
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

  test('deliveries in any order, with duplicates and in any batches, lead to the history of the ordered deliveries', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        knownOf.chain(known =>
          fc.tuple(
            fc.constant(known),
            // Each record is delivered once or twice, in a random order and in random batches.
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

  test('the views show moved estimates, holds, statuses and punctuality for each carrier and terminal', async () => {
    const at = (day: number) => new Date(T + day * 86_400_000).toISOString();
    const record = (type: 'container' | 'shipment' | 'terminal', id: string, day: number, fields: object): SyncRow => ({
      ...{ type, id, asOf: T + day * 86_400_000 },
      record: { id, type, ...fields } as SyncRow['record'],
    });
    const shipment = (day: number, fields: object) =>
      record('shipment', 's', day, {
        ...{ bill_of_lading_number: 'MAEU123456789', shipping_line_name: 'Maersk' },
        ...{ pod_terminal: { type: 'terminal', id: 't' }, ...fields },
      });
    const box = (day: number, current_status: string, ...holds: string[]) =>
      record('container', 'c', day, {
        ...{ number: 'MSCU1234565', current_status, shipment: { type: 'shipment', id: 's' } },
        pod_terminal: { type: 'terminal', id: 't' },
        holds_at_pod_terminal: holds.map(name => ({ name, status: 'hold', description: '' })),
      });
    await store.write({
      rows: [
        record('terminal', 't', 0, { name: 'Pier 400' }),
        ...[shipment(0, { pod_eta_at: at(10) }), shipment(2, { pod_eta_at: at(13) })],
        ...[shipment(4, { pod_eta_at: at(12.5) }), shipment(13, { pod_eta_at: at(12.5), pod_ata_at: at(12.5) })],
        ...[box(1, 'on_ship'), box(13, 'grounded', 'customs'), box(15, 'grounded', 'customs', 'freight')],
        box(17.5, 'available'),
      ],
      history: { shipment: ['pod_eta_at'], container: ['current_status', 'holds_at_pod_terminal'] },
    });
    const read = async (sql: string) =>
      (await place.sql(sql)).map(row =>
        Object.values(row)
          .map(value => (value instanceof Date ? value.toISOString() : value))
          .map(value => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value)),
      );
    const names = 'shipping_line_name, terminal';
    expect(
      await read(
        `SELECT ${names}, bill_of_lading_number, moved_at, before_at, after_at, days_moved FROM $.eta_slips ORDER BY moved_at`,
      ),
    ).toEqual([
      ['Maersk', 'Pier 400', 'MAEU123456789', at(2), at(10), at(13), 3],
      ['Maersk', 'Pier 400', 'MAEU123456789', at(4), at(13), at(12.5), -0.5],
    ]);
    expect(await read(`SELECT ${names}, number, hold, status, days FROM $.holds_over_time ORDER BY hold`)).toEqual([
      ['Maersk', 'Pier 400', 'MSCU1234565', 'customs', 'hold', 4.5],
      ['Maersk', 'Pier 400', 'MSCU1234565', 'freight', 'hold', 2.5],
    ]);
    const dwell = await read(`SELECT ${names}, status, valid_from, valid_until, days FROM $.dwell ORDER BY valid_from`);
    expect(dwell.slice(0, 2)).toEqual([
      ['Maersk', 'Pier 400', 'on_ship', at(1), at(13), 12],
      ['Maersk', 'Pier 400', 'grounded', at(13), at(17.5), 4.5],
    ]);
    const [, , last, since, until, days] = dwell[2] ?? [];
    expect([last, since, until]).toEqual(['available', at(17.5), null]);
    // The last status has not ended yet.
    expect(Number(days)).toBeCloseTo((Date.now() - T) / 86_400_000 - 17.5, 0);
    const onTime = `SELECT ${names}, first_estimate_at, last_estimate_at, estimates, days_late FROM $.on_time`;
    expect(await read(onTime)).toEqual([['Maersk', 'Pier 400', at(10), at(12.5), 3, 2.5]]);
    expect(await read('SELECT count(*) FROM $.on_time WHERE is_on_time')).toEqual([[0]]);
  });

  test('two processes can write the history of the same container at the same time', async () => {
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
