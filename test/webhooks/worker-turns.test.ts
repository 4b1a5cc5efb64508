import { describe, expect, test, vi } from 'vitest';
import { sqliteInbox } from '../../src/webhooks/inbox/sqlite/sqlite-inbox.ts';
import { createRouter, createWorker, fakeDelivery, type Inbox, memoryInbox } from '../../src/webhooks/index.ts';

const CONCURRENCY = 8;
const ENTRIES = 400;
const BODY = new TextEncoder().encode(JSON.stringify(fakeDelivery('container.updated')));

const stores: Record<string, () => Inbox> = {
  memory: () => memoryInbox({ ephemeral: true }),
  sqlite: () => sqliteInbox(':memory:', { ephemeral: true }),
};

/**
 * A worker whose handlers need no I/O, and a backlog of this number of containers in a store that needs no I/O.
 */
async function backlog(store: string, groups: number, handle: () => unknown) {
  const inbox = stores[store]?.() as Inbox;
  for (let n = 0; n < ENTRIES; n++) {
    const entry = { id: `n${n}`, event: 'container.updated', order: '', body: BODY, receivedAt: 0 };
    await inbox.put({ ...entry, group: `g${n % groups}` });
  }
  const router = createRouter().otherwise(handle);
  return createWorker({ inbox, router, concurrency: CONCURRENCY, pollMs: 1, logger: false });
}

const kinds = Object.keys(stores).flatMap(store => [
  [store, 1],
  [store, ENTRIES],
]) as [string, number][];

describe.each(kinds)('while a worker handles a backlog in %s of %d containers', (store, groups) => {
  test('timers and sockets can run after each round of claims', async () => {
    let [handled, turns] = [0, 0];
    // The largest number of entries that were handled between two turns of the event loop.
    let [last, most] = [0, 0];
    const worker = await backlog(store, groups, () => {
      handled += 1;
    });
    const done = new Promise<void>(resolve => {
      const turn = () => {
        turns += 1;
        most = Math.max(most, handled - last);
        last = handled;
        if (handled < ENTRIES) setImmediate(turn);
        else resolve();
      };
      setImmediate(turn);
    });
    worker.start();
    await done;
    await worker.stop();
    expect(handled).toBe(ENTRIES);
    expect(most).toBeLessThanOrEqual(2 * CONCURRENCY);
    expect(turns).toBeGreaterThanOrEqual(ENTRIES / (2 * CONCURRENCY));
  });

  test('a program can call stop() before the backlog is empty', async () => {
    let handled = 0;
    const worker = await backlog(store, groups, () => {
      handled += 1;
    });
    worker.start();
    await new Promise(resolve => setImmediate(resolve));
    await worker.stop();
    expect(handled).toBeLessThan(ENTRIES / 2);
  });
});

describe('a worker without setImmediate', () => {
  /** Number of open channels. An open channel keeps a process alive. */
  let open = 0;
  class Channel extends MessageChannel {
    constructor() {
      super();
      open += 1;
      this.port1.addEventListener('close', () => {
        open -= 1;
      });
    }
  }

  test.each<[string, object]>([
    ['messages of a channel', { setImmediate: undefined, MessageChannel: Channel }],
    ['timers', { setImmediate: undefined, MessageChannel: undefined }],
  ])('yields to the event loop with %s, and leaves nothing open', async (_, globals) => {
    const { setImmediate } = globalThis;
    let handled = 0;
    let [last, most] = [0, 0];
    const worker = await backlog('memory', ENTRIES, () => {
      handled += 1;
    });
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    try {
      worker.start();
      while (handled < ENTRIES) {
        await new Promise(resolve => setImmediate(resolve));
        most = Math.max(most, handled - last);
        last = handled;
      }
      await worker.stop();
      while (open > 0) await new Promise(resolve => setImmediate(resolve));
    } finally {
      vi.unstubAllGlobals();
    }
    // Node may deliver several messages between two turns of its loop.
    expect(most).toBeLessThan(ENTRIES / 2);
  });
});
