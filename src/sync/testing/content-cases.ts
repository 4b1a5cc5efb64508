import type { SyncRow, SyncStore } from '../store.ts';
import { expectCounts, expectEqual, expectRejection, expectStored } from './expect.ts';
import { container, deletion, T } from './samples.ts';

/** Cases about the stored content, and about the other methods of a store. Each case gets a migrated store. */
export const contentCases: Readonly<Record<string, (store: SyncStore) => Promise<void>>> = {
  async 'an unknown field is kept'(store) {
    await store.write({ rows: [container('a', 1, { field_of_next_year: { deep: [1, null, 'x'] } })] });
    await expectStored('with the field', store, container('a', 1, { field_of_next_year: { deep: [1, null, 'x'] } }));
    expectCounts('without it', await store.write({ rows: [container('a', 1)] }), { ties: 1 });
  },

  async 'values that do not fit their columns are kept in the record and reported'(store) {
    const odd = {
      weight_in_lbs: 'heavy',
      pickup_lfd: 'soon',
      availability_known: 1,
      shipment: 7,
      holds_at_pod_terminal: 'x',
    };
    const rows = [container('a', 1, odd), container('b', 1, { weight_in_lbs: [] })];
    const result = await store.write({ rows });
    expectCounts('the batch', result, { written: 2 });
    const weight = result.misfits.find(({ column }) => column === 'weight_in_lbs');
    expectEqual('misfits of weight_in_lbs', weight?.count, 2);
    await expectStored('the records', store, ...rows);
  },

  async 'texts of every kind are stored'(store) {
    const texts = ['', "'; --", '"', '\\', '\n', '\0', '\u{1F6A2}', '\uD83D', 'ü', '$1', '{}', 'NULL', '\u2028'];
    const rows = texts.map((number, index) => container(`a${index}`, 1, { number, nested: { [number]: [number] } }));
    expectCounts('the batch', await store.write({ rows }), { written: texts.length });
    await expectStored('the texts', store, ...rows);
  },

  async 'numbers of every size are stored'(store) {
    const numbers = [0, -1, 0.1, 1e21, 5e-324, 1.7976931348623157e308, 2 ** 53];
    const rows = numbers.map((weight_in_lbs, index) => container(`a${index}`, 1, { weight_in_lbs }));
    expectCounts('the batch', await store.write({ rows }), { written: numbers.length });
    await expectStored('the numbers', store, ...rows);
  },

  async 'differing() returns the rows whose content is not stored, and writes nothing'(store) {
    // A store does not have to support dry runs.
    if (!store.differing) return;
    await store.write({ rows: [container('a', 1), container('b', 1), container('gone', 1)] });
    await store.write({ rows: [deletion('gone', 2)] });
    const given = [
      ...[container('a', 5), container('b', 5, { seal_number: 'another' }), container('new', 5)],
      ...[deletion('gone', 5), container('back', 5)],
    ];
    const ids = async (rows: SyncRow[]) => ((await store.differing?.(rows)) ?? []).map(({ id }) => id).sort();
    expectEqual('contents', await ids(given), ['b', 'back', 'new']);
    expectEqual('a deletion', await ids([deletion('a', 5)]), ['a']);
    expectEqual('a record that is there again', await ids([container('gone', 5)]), ['gone']);
    expectEqual('no rows', await ids([]), []);
    await expectStored('the rows', store, container('a', 1), container('b', 1));
  },

  async 'a record that was included is kept as a reference'(store) {
    const shipment = { type: 'shipment', id: 'shipment-1', bill_of_lading_number: 'MAEU123456789' };
    await store.write({ rows: [container('a', 1, { shipment })] });
    expectCounts('the reference', await store.write({ rows: [container('a', 1)] }), { unchanged: 1 });
  },

  async 'the order of keys does not matter'(store) {
    const row = container('a', 1, { nested: { x: 1, y: 2 } });
    await store.write({ rows: [row] });
    const reversed = Object.fromEntries(Object.entries({ ...row.record, nested: { y: 2, x: 1 } }).reverse());
    const result = await store.write({ rows: [{ ...row, record: reversed as unknown as SyncRow['record'] }] });
    expectCounts('the other order', result, { unchanged: 1 });
  },

  async 'a checkpoint is saved, replaced and removed by its name'(store) {
    expectEqual('before', await store.checkpoint('a'), undefined);
    for (const value of [{ page: 1, of: ['x', null] }, 0, '', false, { page: 2 }]) {
      await store.write({ rows: [], checkpoint: { name: 'a', value } });
      expectEqual('the checkpoint', await store.checkpoint('a'), value);
    }
    expectEqual('of another name', await store.checkpoint('b'), undefined);
    await store.write({ rows: [], checkpoint: { name: 'a', value: null } });
    expectEqual('after null', await store.checkpoint('a'), undefined);
  },

  async 'a refused batch changes nothing'(store) {
    const wrong = { type: 'nothing', id: 'x', asOf: T, record: null } as unknown as SyncRow;
    const batch = { rows: [container('a', 1), wrong], checkpoint: { name: 'a', value: 1 } };
    await expectRejection('a row of an unknown type', () => store.write(batch));
    expectEqual('the checkpoint', await store.checkpoint('a'), undefined);
    expectEqual('missing', await store.missing([{ type: 'container', id: 'a' }]), [{ type: 'container', id: 'a' }]);
  },

  async 'an asOf that is not a time is refused'(store) {
    for (const asOf of [Number.NaN, Infinity, -1e15]) {
      await expectRejection(`asOf ${asOf}`, () => store.write({ rows: [{ ...container('a', 1), asOf }] }));
    }
  },

  async 'a large batch of several types is written'(store) {
    const rows = Array.from({ length: 1500 }, (_, index) => container(`a${index}`, 1));
    const events: SyncRow[] = rows.map(({ id, asOf }) => ({
      type: 'transport_event',
      id,
      asOf,
      record: { id, type: 'transport_event', event: 'container.transport.vessel_arrived' } as SyncRow['record'],
    }));
    expectCounts('the batch', await store.write({ rows: [...rows, ...events] }), { written: 3000 });
    expectCounts('again', await store.write({ rows: [...events, ...rows] }), { unchanged: 3000 });
  },

  async 'missing() returns the type and id of each record without a row'(store) {
    await store.write({ rows: [container('a', 1)] });
    const refs = [
      { type: 'container', id: 'b' },
      { type: 'container', id: 'a' },
      { type: 'shipment', id: 'a' },
    ] as const;
    expectEqual('missing', await store.missing(refs), [refs[0], refs[2]]);
    expectEqual('missing of none', await store.missing([]), []);
  },

  async 'unseen() returns ids page by page'(store) {
    const ids = ['B', 'a', 'a-', 'a0', 'b', 'z'];
    await store.write({ rows: ids.toReversed().map(id => container(id, 1)) });
    await store.write({ rows: [container('a0', 9), { ...container('z', 9), record: null }] });
    const before = container('', 5).asOf;
    const first = await store.unseen('container', { before, limit: 2 });
    expectEqual('the first page', first, ['B', 'a']);
    expectEqual('the rest', await store.unseen('container', { before, after: first[1], limit: 9 }), ['a-', 'b']);
    expectEqual('of that very time', await store.unseen('container', { before: container('', 1).asOf, limit: 9 }), []);
    expectEqual('of another type', await store.unseen('shipment', { before, limit: 9 }), []);
  },

  async 'the status counts rows and deletions, and has the checkpoints'(store) {
    await store.write({ rows: [container('a', 1), container('b', 4), { ...container('c', 2), record: null }] });
    await store.write({ rows: [], checkpoint: { name: 'n', value: { page: 1 } } });
    const { tables, checkpoints } = await store.status();
    const status = tables.find(({ type }) => type === 'container');
    expectEqual('rows', [status?.rows, status?.deleted, status?.newest], [2, 1, container('', 4).asOf]);
    expectEqual('checkpoints', checkpoints, [{ name: 'n', value: { page: 1 } }]);
  },
};
