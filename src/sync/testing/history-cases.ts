import type { HistoryFields, HistoryRow, SyncRow, SyncStore } from '../store.ts';
import { expectEqual, expectRejection } from './expect.ts';
import { container, deletion, permutations, T } from './samples.ts';

const FIELDS: HistoryFields = { container: ['current_status', 'pickup_lfd', 'holds_at_pod_terminal'] };

/** Cases about the history. Each case gets a store that was migrated with `history: true`. */
export const historyCases: Readonly<Record<string, (store: SyncStore) => Promise<void>>> = {
  async 'each value of a field has its first and last time'(store) {
    await record(store, status('a', 1, 'on_ship'), status('a', 2, 'on_ship'), status('a', 5, 'available'));
    expectEqual('the history', await periods(store, 'current_status'), ['a on_ship 1-5', 'a available 5-']);
  },

  async 'older content is inserted before newer content'(store) {
    await record(store, status('a', 1, 'on_ship'), status('a', 5, 'on_ship'));
    await record(store, status('a', 3, 'grounded'));
    const expected = ['a on_ship 1-3', 'a grounded 3-5', 'a on_ship 5-'];
    expectEqual('after the older one', await periods(store, 'current_status'), expected);
    await record(store, status('a', 4, 'grounded'), status('a', 2, 'on_ship'));
    expectEqual('after two without a change', await periods(store, 'current_status'), expected);
  },

  async 'content that arrives twice changes nothing'(store) {
    const rows = [status('a', 1, 'on_ship'), status('a', 3, 'grounded'), status('a', 5, 'available')];
    await record(store, ...rows);
    await record(store, ...rows.toReversed(), ...rows);
    for (const row of rows) await record(store, row);
    const expected = ['a on_ship 1-3', 'a grounded 3-5', 'a available 5-'];
    expectEqual('the history', await periods(store, 'current_status'), expected);
  },

  async 'every order of arrival results in the same history'(store) {
    const said = (id: string) => [
      status(id, 1, 'on_ship'),
      status(id, 2, 'on_ship'),
      status(id, 3, 'grounded'),
      deletion(id, 4),
      status(id, 5, 'on_ship'),
      status(id, 6, 'on_ship'),
    ];
    const orders = permutations([0, 1, 2, 3, 4, 5]).filter((_, index) => index % 5 === 0);
    const records = orders.map((order, index) => ({ order, rows: said(`a${index}`) }));
    for (const step of said('').keys()) {
      await record(store, ...records.flatMap(({ order, rows }) => rows[order[step] as number] ?? []));
    }
    const found = await periods(store, 'current_status');
    const perRecord = ['on_ship 1-3', 'grounded 3-4', 'on_ship 5-'];
    const expected = records.flatMap((_, index) => perRecord.map(period => `a${index} ${period}`));
    expectEqual('the history', found.sort(), expected.sort());
  },

  async 'each hold has a separate history, and a deletion ends it'(store) {
    const holds = (seconds: number, ...names: string[]) =>
      container('a', seconds, {
        holds_at_pod_terminal: names.map(name => ({ name, status: 'hold', description: '' })),
      });
    await record(store, holds(1, 'customs'), holds(2, 'freight', 'customs'), holds(3, 'freight'), deletion('a', 5));
    const found = await periods(store, 'holds_at_pod_terminal');
    expectEqual('the history', found, ['a customs hold 1-3', 'a freight hold 2-5']);
  },

  async 'a record that exists again after a deletion has a gap in its history'(store) {
    await record(store, status('a', 1, 'on_ship'), deletion('a', 3), status('a', 5, 'on_ship'));
    expectEqual('the history', await periods(store, 'current_status'), ['a on_ship 1-3', 'a on_ship 5-']);
  },

  async 'a refused batch adds no history'(store) {
    const wrong = { type: 'nothing', id: 'x', asOf: T, record: null } as unknown as SyncRow;
    await expectRejection('a row of an unknown type', () => record(store, status('a', 1, 'on_ship'), wrong));
    expectEqual('the history', await periods(store, 'current_status'), []);
  },

  async 'rows without chosen fields leave no history'(store) {
    await store.write({ rows: [status('a', 1, 'on_ship')] });
    await store.write({ rows: [status('b', 1, 'on_ship')], history: { shipment: ['pod_eta_at'] } });
    expectEqual('the history', await store.historyAt?.(T + 9000), []);
  },

  async 'values that ended long ago are removed, and current values stay'(store) {
    await record(store, status('a', 1, 'on_ship'), status('a', 3, 'grounded'), status('a', 5, 'available'));
    const trimmed = () => store.trimHistory?.({ endedBefore: T + 4000, seenBefore: T + 4000, limit: 1 });
    const counts = [await trimmed(), await trimmed(), await trimmed(), await trimmed(), await trimmed()];
    expectEqual('nothing is left to remove', counts.at(-1), 0);
    expectEqual('the history', await periods(store, 'current_status'), ['a grounded 3-5', 'a available 5-']);
    await record(store, status('a', 4, 'on_ship'));
    const expected = ['a grounded 3-4', 'a on_ship 4-5', 'a available 5-'];
    expectEqual('a late one', await periods(store, 'current_status'), expected);
  },
};

function status(id: string, seconds: number, current_status: string): SyncRow {
  return container(id, seconds, { current_status });
}

async function record(store: SyncStore, ...rows: SyncRow[]): Promise<void> {
  await store.write({ rows, history: FIELDS });
}

/** The periods of a field. They are found by the values at each second. */
async function periods(store: SyncStore, field: string): Promise<string[]> {
  const found = new Map<string, HistoryRow>();
  for (let second = 0; second < 10; second += 1) {
    for (const row of (await store.historyAt?.(T + second * 1000)) ?? []) {
      if (row.field === field) found.set(JSON.stringify(row), row);
    }
  }
  const seconds = (time: number | undefined) => (time === undefined ? '' : (time - T) / 1000);
  return [...found.values()].map(({ id, item, value, from, until }) =>
    [id, item, value, `${seconds(from)}-${seconds(until)}`].filter(part => part !== '').join(' '),
  );
}
