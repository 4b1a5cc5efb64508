import type { DueRead, SyncStore } from '../store.ts';
import { expectEqual } from './expect.ts';
import { container, T } from './samples.ts';

/** Cases about the reads that are due. Each case gets a migrated store. */
export const dueCases: Readonly<Record<string, (store: SyncStore) => Promise<void>>> = {
  async 'due() returns reads in the order in which they became due'(store) {
    await store.write({ rows: [], due: [read('b', 2, 'token-b')] });
    await store.write({ rows: [], due: [read('a', 1, 'token-a')] });
    await store.write({ rows: [], due: [{ ...read('n', 3, 'token-n'), type: 'webhook_notification' }] });
    await store.write({ rows: [], due: [{ ...read('container', 4, 'token-t'), type: 'table' }] });
    expectEqual('all', await idsOf(store), ['b', 'a', 'n', 'container']);
    expectEqual('the first', await store.due({ limit: 1 }), [read('b', 2, 'token-b')]);
    expectEqual('the count', (await store.status()).due, 4);
  },

  async 'a read that is due again keeps its position, and gets the new token and the later time'(store) {
    await store.write({ rows: [], due: [read('a', 5, 'first')] });
    await store.write({ rows: [], due: [read('b', 5, 'other')] });
    await store.write({ rows: [], due: [read('a', 3, 'second')] });
    expectEqual('what is due', await store.due({ limit: 10 }), [read('a', 5, 'second'), read('b', 5, 'other')]);
  },

  async 'a read is settled only if its token is unchanged'(store) {
    await store.write({ rows: [], due: [read('a', 1, 'first')] });
    await store.write({ rows: [], due: [read('a', 1, 'second')] });
    await store.write({ rows: [container('a', 1)], settled: [read('a', 1, 'first')] });
    expectEqual('with an old token', await idsOf(store), ['a']);
    await store.write({ rows: [], settled: [read('a', 1, 'second')] });
    expectEqual('with its token', await idsOf(store), []);
  },

  async 'a batch with a tie settles nothing'(store) {
    await store.write({ rows: [container('a', 1)], due: [read('a', 1, 'token')] });
    const tie = container('a', 1, { seal_number: 'another' });
    await store.write({ rows: [tie], settled: [read('a', 1, 'token')] });
    expectEqual('what is due', await idsOf(store), ['a']);
  },

  async 'if one batch settles a read and makes it due again, the read moves to the end'(store) {
    await store.write({ rows: [], due: [read('a', 1, 'first')] });
    await store.write({ rows: [], due: [read('b', 1, 'other')] });
    await store.write({ rows: [], settled: [read('a', 1, 'first')], due: [read('a', 1, 'again')] });
    expectEqual('what is due', await idsOf(store), ['b', 'a']);
  },
};

function read(id: string, seconds: number, token: string): DueRead {
  return { type: 'container', id, since: T + seconds * 1000, token };
}

async function idsOf(store: SyncStore): Promise<string[]> {
  return (await store.due({ limit: 100 })).map(({ id }) => id);
}
