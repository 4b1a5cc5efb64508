import type { SyncRow, SyncStore } from '../store.ts';
import { expectCounts, expectEqual, expectStored, isLive } from './expect.ts';
import { container, deletion, permutations } from './samples.ts';

/** Cases about the choice between several contents. Each case gets a migrated store. */
export const freshnessCases: Readonly<Record<string, (store: SyncStore) => Promise<void>>> = {
  async 'a newer content replaces an older one'(store) {
    expectCounts('the first', await store.write({ rows: [container('a', 1)] }), { written: 1 });
    const newer = container('a', 2, { current_status: 'picked_up' });
    expectCounts('the newer', await store.write({ rows: [newer] }), { written: 1 });
    await expectStored('the newer', store, newer);
  },

  async 'an older content never replaces a newer one'(store) {
    const newer = container('a', 2, { current_status: 'picked_up' });
    await store.write({ rows: [newer] });
    expectCounts('the older', await store.write({ rows: [container('a', 1)] }), { stale: 1 });
    await expectStored('the newer', store, newer);
  },

  async 'times are compared to the millisecond'(store) {
    const first = container('a', 1);
    await store.write({ rows: [first] });
    const next = { ...container('a', 1, { number: 'TGHU0000000' }), asOf: first.asOf + 1 };
    expectCounts('1 ms later', await store.write({ rows: [next] }), { written: 1 });
    const before = { ...container('a', 1, { number: 'CSQU3054383' }), asOf: first.asOf - 1 };
    expectCounts('1 ms earlier', await store.write({ rows: [before] }), { stale: 1 });
    await expectStored('1 ms later', store, next);
  },

  async 'the same content with a later time changes only the stored time'(store) {
    await store.write({ rows: [container('a', 1)] });
    expectCounts('later', await store.write({ rows: [container('a', 5)] }), { unchanged: 1 });
    expectEqual(
      'not seen since 5 s',
      await store.unseen('container', { before: container('a', 5).asOf, limit: 9 }),
      [],
    );
    expectCounts('in between', await store.write({ rows: [container('a', 3, { number: 'X' })] }), { stale: 1 });
  },

  async 'other content with the same time is a tie, and is not written'(store) {
    const kept = container('a', 1);
    await store.write({ rows: [kept] });
    const result = await store.write({ rows: [container('a', 1, { current_status: 'on_ship' })] });
    expectEqual('ties', result.ties, [{ type: 'container', id: 'a' }]);
    expectCounts('the tie', result, { ties: 1 });
    await expectStored('the first', store, kept);
  },

  async 'a tie is resolved by reading the record again'(store) {
    await store.write({ rows: [container('a', 1)] });
    await store.write({ rows: [container('a', 1, { current_status: 'on_ship' })] });
    const readAgain = container('a', 2, { current_status: 'on_ship' });
    expectCounts('read again', await store.write({ rows: [readAgain] }), { written: 1 });
    await expectStored('read again', store, readAgain);
  },

  async 'a deletion and a content of the same time are a tie'(store) {
    await store.write({ rows: [container('a', 1), deletion('b', 1)] });
    const result = await store.write({ rows: [deletion('a', 1), container('b', 1)] });
    expectEqual('ties', result.ties.map(({ id }) => id).sort(), ['a', 'b']);
    expectEqual('a is live', await isLive(store, container('a', 1)), true);
    expectEqual('b is live', await isLive(store, container('b', 1)), false);
  },

  async 'a deletion keeps the row, and older content does not undo it'(store) {
    await store.write({ rows: [container('a', 1)] });
    expectCounts('the deletion', await store.write({ rows: [deletion('a', 3)] }), { written: 1 });
    expectEqual('live', await isLive(store, container('a', 1)), false);
    await store.write({ rows: [container('a', 2, { current_status: 'on_ship' })] });
    expectEqual('live after older content', await isLive(store, container('a', 1)), false);
    await expectStored('the deletion', store, deletion('a', 3));
  },

  async 'missing() does not return a deleted record, and repeating a deletion changes only its time'(store) {
    await store.write({ rows: [deletion('a', 1)] });
    expectEqual('missing', await store.missing([{ type: 'container', id: 'a' }]), []);
    expectCounts('again', await store.write({ rows: [deletion('a', 2)] }), { unchanged: 1 });
    expectCounts('an older one', await store.write({ rows: [deletion('a', 1)] }), { stale: 1 });
  },

  async 'a record that comes back is live again'(store) {
    await store.write({ rows: [deletion('a', 1)] });
    const back = container('a', 2);
    expectCounts('back', await store.write({ rows: [back] }), { written: 1 });
    expectEqual('live', await isLive(store, back), true);
    await expectStored('back', store, back);
  },

  async 'an older deletion does not remove a newer content'(store) {
    await store.write({ rows: [container('a', 2)] });
    expectCounts('the deletion', await store.write({ rows: [deletion('a', 1)] }), { stale: 1 });
    expectEqual('live', await isLive(store, container('a', 2)), true);
  },

  async 'within a batch the newest row of a record is kept'(store) {
    const newest = container('a', 3, { current_status: 'picked_up' });
    const result = await store.write({ rows: [container('a', 1), newest, container('a', 2)] });
    expectCounts('the batch', result, { written: 1, stale: 2 });
    await expectStored('the newest', store, newest);
  },

  async 'two contents of the same time in one batch are a tie'(store) {
    const rows = [
      container('a', 1),
      container('a', 1, { number: 'X' }),
      container('a', 1),
      container('a', 1, { number: 'Y' }),
    ];
    const { ties } = await store.write({ rows });
    expectEqual('ties', ties, [{ type: 'container', id: 'a' }]);
  },

  async 'every order of arrival results in the same row'(store) {
    const said = (id: string) => [
      container(id, 1),
      container(id, 2, { current_status: 'on_rail' }),
      deletion(id, 3),
      container(id, 4, { current_status: 'picked_up' }),
      container(id, 4, { current_status: 'picked_up' }),
    ];
    const deletedLast = (id: string) => [
      container(id, 1),
      container(id, 2, { number: 'X' }),
      deletion(id, 3),
      deletion(id, 4),
    ];
    await inEveryOrder(store, 'live', said);
    await inEveryOrder(store, 'deleted', deletedLast);
    const live = permutations([0, 1, 2, 3, 4]).map((_, index) => `live-${index}`);
    expectEqual('live', await store.unseen('container', { before: Date.UTC(9000, 0), limit: 200 }), live.sort());
  },
};

/**
 * Writes one record for each order of the rows, and one batch for each step. Therefore the rows of each record arrive
 * in a different order, in few transactions. At the end, the store must have the newest content and the newest
 * deletion.
 */
async function inEveryOrder(store: SyncStore, name: string, said: (id: string) => SyncRow[]): Promise<void> {
  const records = permutations([...said('').keys()]).map((order, index) => ({ order, rows: said(`${name}-${index}`) }));
  for (const step of said('').keys()) {
    await store.write({ rows: records.flatMap(({ order, rows }) => rows[order[step] as number] ?? []) });
  }
  const last = records.flatMap(({ rows }) => rows.slice(-1));
  const contents = records.flatMap(({ rows }) => rows.findLast(({ record }) => record !== null) ?? []);
  expectEqual('missing', await store.missing(last), []);
  for (const kept of [last, contents]) {
    expectCounts(`what is kept of ${name}`, await store.write({ rows: kept }), { unchanged: kept.length });
  }
}
