import type { SyncStore } from '../store.ts';
import { expectEqual, expectStored } from './expect.ts';
import { container } from './samples.ts';

/**
 * Cases about several processes with one store. Each case gets two open stores for the same data, before the tables
 * exist.
 */
export const processCases: Readonly<Record<string, (store: SyncStore, other: SyncStore) => Promise<void>>> = {
  async 'migrating again changes nothing'(store, other) {
    const first = await store.migrate();
    await store.write({ rows: [container('a', 1)], checkpoint: { name: 'a', value: 1 } });
    const version = first.to;
    expectEqual('the second time', await other.migrate(), { from: version, to: version });
    expectEqual('the version', (await other.status()).version, version);
    await expectStored('the row', other, container('a', 1));
    expectEqual('the checkpoint', await other.checkpoint('a'), 1);
  },

  async 'several processes may migrate at the same time'(store, other) {
    await Promise.all([store.migrate(), other.migrate(), store.migrate(), other.migrate()]);
    await Promise.all([store.write({ rows: [container('a', 1)] }), other.write({ rows: [container('b', 1)] })]);
    await expectStored('the rows', store, container('a', 1), container('b', 1));
  },

  async 'an abort ends a migration before it begins'(store) {
    const reason = new Error('stop');
    const error: unknown = await store.migrate({ signal: AbortSignal.abort(reason) }).catch(error => error);
    expectEqual('it rejects with the reason of the signal', error === reason, true);
    expectEqual('the version', (await store.status()).version, 0);
  },

  async 'each process has the rows that the other process has written'(store, other) {
    await store.migrate();
    await store.write({ rows: [container('a', 1)], checkpoint: { name: 'a', value: [1] } });
    await expectStored('the row', other, container('a', 1));
    expectEqual('the checkpoint', await other.checkpoint('a'), [1]);
  },

  async 'two processes that write the same records in opposite orders both succeed, and the newest rows stay'(
    store,
    other,
  ) {
    await store.migrate();
    const ids = Array.from({ length: 40 }, (_, index) => `a${index}`);
    const rounds = [1, 2, 3, 4, 5, 6];
    const rows = (seconds: number) => ids.map(id => container(id, seconds, { seal_number: `${seconds}` }));
    await Promise.all([
      ...rounds.map(round => store.write({ rows: rows(round) })),
      ...rounds.toReversed().map(round => other.write({ rows: rows(round).reverse() })),
    ]);
    await expectStored('the newest', store, ...rows(6));
  },

  async 'only one process at a time holds a lock'(store, other) {
    await store.migrate();
    const lock = await store.lock('reader');
    expectEqual('the first has it', lock !== undefined, true);
    expectEqual('the other has it', (await other.lock('reader')) !== undefined, false);
    expectEqual('the same store holds the lock twice', (await store.lock('reader')) !== undefined, false);
    const another = await other.lock('another');
    expectEqual('a lock with another name is free', another !== undefined, true);
    await another?.release();
    await lock?.release();
    await lock?.release();
    const next = await other.lock('reader');
    expectEqual('the released lock is free', next !== undefined, true);
    expectEqual('the new lock is lost', next?.signal.aborted, false);
    await next?.release();
  },

  async 'closing a store releases its locks'(store, other) {
    await store.migrate();
    await store.lock('reader');
    await store.close();
    const lock = await other.lock('reader');
    expectEqual('the lock is free', lock !== undefined, true);
    await lock?.release();
  },
};
