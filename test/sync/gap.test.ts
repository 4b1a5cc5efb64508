import { afterEach, expect, test, vi } from 'vitest';
import type { TrackingClient } from '../../src/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { createSync, type Sync, type SyncOptions } from '../../src/sync/index.ts';
import { memoryInbox, type Notification } from '../../src/webhooks/index.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { differences } from '../../support/sync-truth.ts';
import { type MemoryStore, memoryStore, recordsOf } from './memory-store.ts';

const webhook = { url: 'https://receiver.example/' };
/** The interval at which run() checks for new work, in ms. */
const LOOK_MS = 1000;

let stop: () => Promise<void> = async () => {};
afterEach(async () => {
  await stop();
  vi.restoreAllMocks();
});

/** The receiver loses all deliveries, so that changes are found only by reading the service. */
function losing(shipments = 6): Sandbox {
  return stillSandbox({ shipments, fetch: async () => new Response(null, { status: 200 }) });
}

function clientOf(sandbox: Sandbox): TrackingClient {
  return clientOn(sandbox.fetch, { retry: { minDelay: 0 } });
}

function syncOf(sandbox: Sandbox, store: MemoryStore, options: Partial<SyncOptions> = {}): Sync {
  return createSync({ client: clientOf(sandbox), store, logger: false, ...options });
}

/** Runs the sync until it waits for work, and ends it. Returns for each pass whether it resumed an interrupted pass. */
async function oneRound(sync: Sync, method: 'run' | 'follow' = 'run'): Promise<boolean[]> {
  const controller = new AbortController();
  const passes: boolean[] = [];
  sync.on('finished', ({ resumed }) => passes.push(resumed));
  const original = globalThis.setTimeout;
  const isWaiting = new Promise<void>(resolve => {
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms?: number) => {
      if (ms === LOOK_MS) resolve();
      return original(callback, ms);
    }) as typeof setTimeout);
  });
  const work = sync[method]({ signal: controller.signal });
  stop = async () => {
    controller.abort();
    await work;
  };
  await Promise.race([isWaiting, work]);
  await stop();
  vi.restoreAllMocks();
  return passes;
}

/** Simulates a process that ends when a pass has read its first list. */
async function interrupted(sync: Sync, store: MemoryStore, method: 'backfill' | 'reconcile'): Promise<void> {
  const end = new Error('The process ended.');
  store.beforeWrite = () => {
    const { id } = (store.checkpoints.get('pass') ?? {}) as { id?: string };
    const list = store.checkpoints.get('list containers') as { pass: string; done: boolean } | undefined;
    if (list?.done && list.pass === id) throw end;
  };
  // An earlier pass has completed this list too. The earlier pass gets another id, so that only the new pass matches.
  const list = store.checkpoints.get('list containers');
  if (list) store.checkpoints.set('list containers', { ...(list as object), pass: 'an earlier one' });
  await expect(sync[method]()).rejects.toBe(end);
  store.beforeWrite = () => {};
}

/** Changes all containers, without a notification. */
async function change(sandbox: Sandbox): Promise<void> {
  const client = clientOf(sandbox);
  for (const { id } of await client.containers.list({ pageSize: 100 }).toArray()) {
    await client.containers.update(id, { ref_numbers: [crypto.randomUUID()] });
  }
}

async function switchOff(sandbox: Sandbox): Promise<void> {
  const client = clientOf(sandbox);
  for (const { id } of await client.webhooks.list().toArray()) await client.webhooks.update(id, { active: false });
}

async function expectInStep(sandbox: Sandbox, store: MemoryStore): Promise<void> {
  expect(store.dueReads.size).toBe(0);
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
}

test.each(['backfill', 'reconcile'] as const)(
  'run() reads again the lists that an interrupted %s had read before the webhook was switched off',
  async method => {
    const sandbox = losing();
    const store = memoryStore();
    if (method === 'reconcile') {
      await oneRound(syncOf(sandbox, store, { webhook }));
      sandbox.advance({ hours: 24 });
    } else {
      await clientOf(sandbox).webhooks.create({ ...webhook, active: true, events: ['container.updated'] });
    }
    await interrupted(syncOf(sandbox, store, { webhook }), store, method);
    await switchOff(sandbox);
    sandbox.advance({ hours: 8 });
    await change(sandbox);
    sandbox.advance({ seconds: 5 });
    expect(await oneRound(syncOf(sandbox, store, { webhook }))).toEqual([true, false]);
    await expectInStep(sandbox, store);
    // The store has all changes again, so no list is read.
    expect(await oneRound(syncOf(sandbox, store, { webhook }))).toEqual([]);
  },
);

test('run() reads all lists after a gap even if the pass that would close the gap is also interrupted', async () => {
  const sandbox = losing();
  const store = memoryStore();
  await oneRound(syncOf(sandbox, store, { webhook }));
  sandbox.advance({ hours: 24 });
  await interrupted(syncOf(sandbox, store), store, 'reconcile');
  await switchOff(sandbox);
  sandbox.advance({ hours: 8 });
  await change(sandbox);
  sandbox.advance({ seconds: 5 });
  // The process ends as soon as the resumed pass is complete.
  const sync = syncOf(sandbox, store, { webhook });
  const controller = new AbortController();
  sync.on('finished', () => controller.abort());
  await sync.run({ signal: controller.signal });
  expect(await oneRound(syncOf(sandbox, store, { webhook }))).not.toEqual([]);
  await expectInStep(sandbox, store);
});

const notified: [string, () => Partial<SyncOptions>][] = [
  ['a webhook', () => ({ webhook })],
  ['an inbox', () => ({ inbox: memoryInbox({ ephemeral: true }) })],
];

test.each(notified)('run() reads all lists once when %s is added to a store that was polled', async (_, options) => {
  const sandbox = losing();
  const store = memoryStore();
  expect(await oneRound(syncOf(sandbox, store))).toEqual([false]);
  sandbox.advance({ hours: 10 });
  await change(sandbox);
  sandbox.advance({ seconds: 5 });
  expect(await oneRound(syncOf(sandbox, store, options()))).toEqual([false]);
  await expectInStep(sandbox, store);
  expect(await oneRound(syncOf(sandbox, store, options()))).toEqual([]);
});

test.each(notified)(
  'run() completes an interrupted back-fill and reads all lists again when %s is added',
  async (_, options) => {
    const sandbox = losing();
    const store = memoryStore();
    await interrupted(syncOf(sandbox, store), store, 'backfill');
    sandbox.advance({ hours: 10 });
    await change(sandbox);
    sandbox.advance({ seconds: 5 });
    expect(await oneRound(syncOf(sandbox, store, options()))).toEqual([true, false]);
    await expectInStep(sandbox, store);
  },
);

test('run() reads all lists if the webhook was deleted', async () => {
  const sandbox = losing();
  const store = memoryStore();
  await oneRound(syncOf(sandbox, store, { webhook }));
  const { webhooks } = clientOf(sandbox);
  for (const { id } of await webhooks.list().toArray()) await webhooks.delete(id);
  sandbox.advance({ hours: 10 });
  await change(sandbox);
  sandbox.advance({ seconds: 5 });
  expect(await oneRound(syncOf(sandbox, store, { webhook }))).toEqual([false]);
  await expectInStep(sandbox, store);
});

test.each(notified)(
  'run() fills an empty store in one pass if there is %s, and follow() reads no list',
  async (_, options) => {
    const sandbox = losing();
    const store = memoryStore();
    expect(await oneRound(syncOf(sandbox, store, options()))).toEqual([false]);
    expect(await oneRound(syncOf(sandbox, store, options()))).toEqual([]);
    await expectInStep(sandbox, store);
    expect(await oneRound(syncOf(losing(), memoryStore(), options()), 'follow')).toEqual([]);
  },
);

test('run() reads all lists once more after the webhook of the inbox was reactivated by hand', async () => {
  const sandbox = losing();
  const store = memoryStore();
  const inbox = memoryInbox({ ephemeral: true });
  const { webhooks } = clientOf(sandbox);
  const { id } = await webhooks.create({ ...webhook, active: true, events: ['container.updated'] });
  await oneRound(syncOf(sandbox, store, { inbox }));
  await switchOff(sandbox);
  sandbox.advance({ hours: 1 });
  expect(await oneRound(syncOf(sandbox, store, { inbox }))).toEqual([false]);
  sandbox.advance({ minutes: 5 });
  await change(sandbox);
  await webhooks.update(id, { active: true });
  sandbox.advance({ seconds: 5 });
  expect(await oneRound(syncOf(sandbox, store, { inbox }))).toEqual([false]);
  await expectInStep(sandbox, store);
  expect(await oneRound(syncOf(sandbox, store, { inbox }))).toEqual([]);
});

test.each([
  ['cannot be read', false],
  ['names none when it is read', true],
])('a notification that names no record, and %s, leads to a reading of all lists', async (_, isThere) => {
  const sandbox = losing();
  const store = memoryStore();
  const attributes = { event: 'container.updated', created_at: sandbox.now().toISOString() };
  const read = { data: { type: 'webhook_notification', id: 'unknown', attributes } };
  const client = clientOn(async (input, init) =>
    isThere && input.includes('/webhook_notifications/unknown') ? Response.json(read) : sandbox.fetch(input, init),
  );
  const sync = syncOf(sandbox, store, { webhook, client });
  await oneRound(sync);
  expect(await oneRound(sync)).toEqual([]);
  await change(sandbox);
  const notification = { id: 'unknown', type: 'webhook_notification', event: 'container.updated' };
  await sync.handler({
    ...notification,
    created_at: sandbox.now().toISOString(),
    included: [],
  } as unknown as Notification);
  sandbox.advance({ seconds: 5 });
  expect(await oneRound(sync)).toEqual([false]);
  await expectInStep(sandbox, store);
  expect(await oneRound(sync)).toEqual([]);
});
