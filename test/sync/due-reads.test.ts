import { afterEach, expect, test, vi } from 'vitest';
import { DueReads } from '../../src/sync/due-reads.ts';
import { createSync } from '../../src/sync/index.ts';
import { listsFor } from '../../src/sync/lists.ts';
import { ServiceClock } from '../../src/sync/service-clock.ts';
import { ServiceReader } from '../../src/sync/service-reader.ts';
import type { DueRead } from '../../src/sync/store.ts';
import { SYNCED_TYPES } from '../../src/sync/tables/names.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { memoryStore } from './memory-store.ts';

afterEach(() => void vi.useRealTimers());

/** A service that always refuses some paths. */
function set(refused: (path: string) => boolean, onRequest: () => void = () => {}) {
  const sandbox = stillSandbox({ shipments: 2 });
  const paths: string[] = [];
  const client = clientOn(async (input, init) => {
    const path = new URL(input).pathname.replace('/v2', '');
    paths.push(path);
    onRequest();
    if (!refused(path)) return sandbox.fetch(input, init);
    return Response.json({ errors: [{ status: '403', title: 'Forbidden' }] }, { status: 403 });
  });
  return { client, paths, store: memoryStore() };
}

/** The queue of records that must be read, with a clock that only the test moves. */
function dueReadsOf({ client, store }: Pick<ReturnType<typeof set>, 'client' | 'store'>) {
  const clock = { ms: 0 };
  const reader = new ServiceReader(client, new ServiceClock(() => clock.ms), { share: 1, windowMs: 60_000 });
  const types = new Set(SYNCED_TYPES);
  const context = {
    reader,
    store,
    types,
    lists: listsFor(types),
    acceptOtherAccount: false,
    history: undefined,
    checkHistory: async () => {},
    emit: () => {},
  };
  return { due: new DueReads(context), clock };
}

function read(type: DueRead['type'], id: string): DueRead {
  return { type, id, since: 0, token: crypto.randomUUID() };
}

const vessels = (count: number) => Array.from({ length: count }, (_, index) => read('vessel', `refused-${index}`));
const isVessel = (path: string) => path.startsWith('/vessels/');
const { signal } = new AbortController();

test('a new read is made even if any number of failed reads wait for their next attempt', async () => {
  const service = set(isVessel);
  const { due } = dueReadsOf(service);
  await service.store.write({ rows: [], due: vessels(1100) });
  await due.drain(signal);
  await service.store.write({ rows: [], due: [read('container', 'late')] });
  await due.drain(signal);
  expect(service.paths.at(-1)).toBe('/containers/late');
  expect([...service.store.dueReads.values()].every(({ type }) => type === 'vessel')).toBe(true);
});

test('new reads are made before failed reads are tried again', async () => {
  const service = set(isVessel);
  const { due, clock } = dueReadsOf(service);
  await service.store.write({ rows: [], due: vessels(600) });
  await due.drain(signal);
  clock.ms += 3_600_000;
  await service.store.write({ rows: [], due: [read('container', 'late')] });
  const before = service.paths.length;
  await due.drain(signal, 1);
  expect(service.paths[before]).toBe('/containers/late');
  // The failed reads get the rest of the batch of 500.
  expect(service.paths.length - before).toBe(500);
});

test('a pass over failed reads attempts each of them once, even if the pass takes longer than the wait before the next attempt', async () => {
  const controller = new AbortController();
  const service = set(isVessel, () => {
    clock.ms += 60_000;
    if (service.paths.length > 100) controller.abort();
  });
  const { due, clock } = dueReadsOf(service);
  await service.store.write({ rows: [], due: vessels(20) });
  await due.drain(controller.signal);
  expect(service.paths.length).toBe(20);
  await due.drain(controller.signal);
  expect(service.paths.length).toBe(40);
});

test.each([
  ['party', 'does not prevent', true],
  ['container', 'but is in a list does not prevent', true],
  ['container', 'and is in no list prevents', false],
] as const)('a %s that cannot be read %s the deletion of removed events', async (type, how, isMarked) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const service = set(path => path === `/${type === 'party' ? 'parties' : 'containers'}/${id}`);
  let id = 'refused';
  const { client, store } = service;
  const sync = createSync({ client, store, logger: false });
  await sync.backfill();
  const event = { type: 'transport_event' as const, id: 'taken-back' };
  store.rows.set('transport_event taken-back', { ...event, asOf: 0, record: event });
  if (how.startsWith('but is in a list')) id = [...store.rows.values()].find(row => row.type === type)?.id ?? '';
  else if (type === 'container') store.rows.set(`${type} ${id}`, { type, id, asOf: 0, record: { type, id } });
  await store.write({ rows: [], due: [read(type, id)] });
  let isOver = false;
  const reconciled = sync.reconcile().finally(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(1000);
  await reconciled;
  expect(store.dueReads.has(`${type} ${id}`)).toBe(true);
  expect(store.rows.get('transport_event taken-back')?.record === null).toBe(isMarked);
});
