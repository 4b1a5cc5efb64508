import { expect, test } from 'vitest';
import { createSync, type Sync, type SyncEvent, type SyncOptions } from '../../src/sync/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { type Front, frontOf, type Instead } from '../../support/sync-front.ts';
import { differences } from '../../support/sync-truth.ts';
import { type MemoryStore, memoryStore, recordsOf } from './memory-store.ts';

const live = ({ rows }: MemoryStore, type: string) =>
  [...rows.values()].filter(row => row.type === type && row.record).length;

async function set(shipments = 6) {
  const sandbox = stillSandbox({ shipments });
  const front = await frontOf(sandbox);
  const store = memoryStore();
  const sync = (options: Partial<SyncOptions> = {}) =>
    createSync({ client: front.client(), store, logger: false, share: 0.5, ...options });
  return { sandbox, front, store, sync };
}

/** Makes the service send this response for one list, and for single records of this list. */
function list(front: Front, wanted: string, instead: Instead): void {
  front.instead = path => (path.startsWith(wanted) ? instead : undefined);
}

/** Runs the sync until a condition holds, and then ends it. */
async function runUntil(sync: Sync, condition: () => unknown): Promise<void> {
  const controller = new AbortController();
  const run = sync.run({ signal: controller.signal });
  const poll = setInterval(() => condition() && controller.abort(), 5);
  await run.finally(() => clearInterval(poll));
}

test.each<[string, Instead]>([
  ['500', { status: 500 }],
  ['503 in HTML', { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>Down</h1>' }],
  ['200 in HTML', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' }],
  ['nothing at all', 'hang'],
])(
  'a list whose response is %s does not delay other lists, and is read when the service responds again',
  async (_, instead) => {
    const { sandbox, front, store, sync } = await set();
    list(front, '/containers', instead);
    await expect(sync().backfill()).rejects.toThrow();
    expect(live(store, 'shipment')).toBe(6);
    expect(live(store, 'tracking_request')).toBeGreaterThan(0);
    expect(store.checkpoints.has('filled')).toBe(false);
    front.instead = () => undefined;
    expect(await sync().backfill()).toMatchObject({ resumed: true });
    expect(await differences(sandbox, recordsOf(store))).toEqual([]);
  },
);

test('run() continues while one list fails, reports the failure, and completes when the list can be read again', async () => {
  const { sandbox, front, store, sync } = await set();
  list(front, '/containers', { status: 500 });
  const running = sync();
  const events: SyncEvent['type'][] = [];
  running.on('error', ({ error }) => {
    events.push('error');
    expect(error).toMatchObject({ name: 'ServerError' });
    front.instead = () => undefined;
  });
  running.on('finished', () => events.push('finished'));
  await runUntil(running, () => events.includes('finished'));
  expect(events).toEqual(['error', 'finished']);
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test.each([403, 404])(
  'a first list with the response %s is left out, and run() still begins to follow changes',
  async status => {
    const { front, store, sync } = await set();
    list(front, '/containers', { status });
    const running = sync({ tables: ['container', 'party'] });
    const skipped: unknown[] = [];
    running.on('skipped', event => skipped.push(event.list));
    await runUntil(running, () => store.checkpoints.has('filled'));
    expect(skipped).toEqual(['containers']);
    expect(live(store, 'party')).toBeGreaterThan(0);
  },
);

test('an interruption after a list was left out deletes no records of this list', async () => {
  const { sandbox, front, store, sync } = await set();
  await sync().backfill();
  const [containers, events] = [live(store, 'container'), live(store, 'transport_event')];
  expect(events).toBeGreaterThan(0);
  sandbox.advance({ minutes: 5 });
  list(front, '/containers', { status: 404 });
  const reading = sync();
  let isSkipped = false;
  reading.on('skipped', () => {
    isSkipped = true;
  });
  store.beforeWrite = () => {
    // The writes are: the state, the end of the list, and then the first page of the next list.
    if (isSkipped && front.paths.at(-1) !== '/containers') throw new Error('The process ended.');
  };
  await expect(reading.reconcile()).rejects.toThrow('The process ended.');
  store.beforeWrite = () => {};
  const resumed = sync();
  await resumed.backfill();
  const controller = new AbortController();
  resumed.on('finished', () => controller.abort());
  await resumed.reconcile({ signal: controller.signal }).catch(() => {});
  expect([live(store, 'container'), live(store, 'transport_event')]).toEqual([containers, events]);
});

test('after a key was refused in the middle of a pass, the next start continues from there', async () => {
  const { sandbox, front, store, sync } = await set();
  front.instead = (path, query) =>
    path === '/shipments' && query.get('page[size]') === '100' ? { status: 401 } : undefined;
  await expect(sync().once()).rejects.toMatchObject({ name: 'AuthenticationError' });
  front.instead = () => undefined;
  expect(await sync().backfill()).toMatchObject({ resumed: true });
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('a list is read again after a response with 429, and no row is lost', async () => {
  const { sandbox, front, store, sync } = await set();
  let refused = 0;
  front.instead = path => {
    if (path !== '/shipments' || refused >= 1) return undefined;
    refused += 1;
    return { status: 429, headers: { 'retry-after': '0' } };
  };
  await sync().backfill();
  expect(refused).toBe(1);
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('a service that no longer responds is reported, and run() still ends immediately after an abort', async () => {
  const { front, store, sync } = await set();
  front.instead = path => (front.paths.length > 4 && path !== '' ? 'hang' : undefined);
  const running = sync();
  const errors: unknown[] = [];
  running.on('error', ({ error }) => errors.push(error));
  await runUntil(running, () => errors.length > 0);
  expect(errors[0]).toMatchObject({ name: 'TimeoutError' });
  await expect.poll(() => front.open.size).toBe(0);
  expect(await store.lock('reader')).toBeDefined();
});
