import { expect, test, vi } from 'vitest';
import type { ClientOptions, TrackingClient } from '../../src/index.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { createSync, type SyncOptions } from '../../src/sync/index.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { differences } from '../../support/sync-truth.ts';
import { type MemoryStore, memoryStore, recordsOf } from './memory-store.ts';

function clientOf(sandbox: Pick<Sandbox, 'fetch'>, options: ClientOptions = {}): TrackingClient {
  return clientOn(sandbox.fetch, { retry: { minDelay: 0 }, ...options });
}

function syncOf(sandbox: Pick<Sandbox, 'fetch'>, store: MemoryStore, options: Partial<SyncOptions> = {}) {
  return createSync({ client: clientOf(sandbox), store, logger: false, ...options });
}

test('a back-fill stores every record of the service with all fields, and a second call reads nothing', async () => {
  const sandbox = stillSandbox({ shipments: 230 });
  const store = memoryStore();
  const sync = syncOf(sandbox, store);
  const result = await sync.backfill();
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
  expect(store.dueReads.size).toBe(0);
  expect(result).toMatchObject({ deleted: 0 });
  // 12 pages of containers, 3 of shipments, 3 of tracking requests, 1 of each other list, 4 requests for the plan, and
  // a few places.
  expect(result?.requests).toBeLessThan(40);
  expect(await sync.backfill()).toBeUndefined();
});

test('a back-fill fills only the tables in its options, and requests nothing else', async () => {
  const sandbox = stillSandbox({ shipments: 12 });
  const store = memoryStore();
  await syncOf(sandbox, store, { tables: ['container', 'party'] }).backfill();
  expect(new Set([...store.rows.values()].map(({ type }) => type))).toEqual(new Set(['container', 'party']));
  expect(new Set(sandbox.requests.map(({ path }) => path))).toEqual(new Set(['/containers', '/parties']));
  expect(sandbox.requests.every(({ query }) => query.include === undefined)).toBe(true);
});

test('a back-fill that was interrupted at any write ends with the same rows, and reads no page more than twice', async () => {
  const sandbox = stillSandbox({ shipments: 110 });
  const options = { tables: ['container', 'shipment', 'tracking_request', 'party', 'port'] as const };
  const whole = memoryStore();
  let writes = 0;
  whole.beforeWrite = () => {
    writes += 1;
  };
  await syncOf(sandbox, whole, options).backfill();
  expect(writes).toBeGreaterThan(9);
  // The last write only records that this process no longer reads.
  for (let at = 1; at < writes; at += 1) {
    const store = memoryStore();
    let count = 0;
    store.beforeWrite = () => {
      count += 1;
      if (count === at) throw new Error('The process ended.');
    };
    const before = sandbox.requests.length;
    await expect(syncOf(sandbox, store, options).backfill()).rejects.toThrow('The process ended.');
    await syncOf(sandbox, store, options).backfill();
    expect(new Map([...recordsOf(store)].sort()), `write ${at}`).toEqual(new Map([...recordsOf(whole)].sort()));
    expect(store.dueReads.size).toBe(0);
    const pages = new Map<string, number>();
    for (const { path, query } of sandbox.requests.slice(before)) {
      if (query['page[size]'] !== '100') continue;
      const page = `${path} ${query['page[number]']} ${query['filter[entity_type]']}`;
      pages.set(page, (pages.get(page) ?? 0) + 1);
    }
    expect(Math.max(...pages.values()), `write ${at}`).toBeLessThanOrEqual(2);
  }
});

test('a back-fill loses no record when other records are added and removed between its pages', async () => {
  const sandbox = stillSandbox();
  const stayed = sandbox.seedShipments(260);
  const shipments = sandbox.seedShipments(6);
  let victims = 0;
  let pages = 0;
  const shifting: Pick<Sandbox, 'fetch'> = {
    async fetch(input, init) {
      const answer = await sandbox.fetch(input, init);
      const isPage = String(input instanceof Request ? input.url : input).includes('page[size]=100');
      pages += isPage ? 1 : 0;
      // A record is removed after the first pages of containers and of shipments, so that later records move up.
      const victim = isPage && pages % 3 === 2 ? shipments.pop() : undefined;
      if (victim) {
        sandbox.removeShipment(victim.id);
        victims += 1;
      }
      if (isPage && pages % 4 === 3) sandbox.seedShipments(1);
      sandbox.advance({ seconds: 2 });
      return answer;
    },
  };
  const store = memoryStore();
  await syncOf(shifting, store).backfill();
  expect(victims).toBeGreaterThan(3);
  // The next reconciliation finds records that were added or removed after their page was read. No record that stayed
  // may be missing.
  for (const { id, containers } of stayed) {
    expect(store.rows.has(`shipment ${id}`)).toBe(true);
    for (const box of containers) expect(store.rows.has(`container ${box.id}`)).toBe(true);
  }
  sandbox.advance({ seconds: 2 });
  await syncOf(sandbox, store).reconcile();
  expect(await differences(sandbox, recordsOf(store))).toEqual([]);
});

test('if removals move records to pages that were read before, a back-fill reads these pages again', async () => {
  const sandbox = stillSandbox();
  const stayed = sandbox.seedShipments(420, { containers: 1 });
  const newest = sandbox.seedShipments(8, { containers: 1 });
  const shrinking: Pick<Sandbox, 'fetch'> = {
    async fetch(input, init) {
      const answer = await sandbox.fetch(input, init);
      const victim = String(input).includes('page[size]=100') ? newest.pop() : undefined;
      if (victim) sandbox.removeShipment(victim.id);
      return answer;
    },
  };
  const store = memoryStore();
  // Other tables are left out, because their records would refer to the missing shipments.
  await syncOf(shrinking, store, { tables: ['shipment'] }).backfill();
  expect(newest.length).toBeLessThan(4);
  expect(stayed.filter(({ id }) => !store.rows.has(`shipment ${id}`))).toEqual([]);
});

test('a back-fill reads all remaining records when a record is removed from a page that was not read yet', async () => {
  const sandbox = stillSandbox();
  const [oldest] = sandbox.seedShipments(1, { containers: 1 });
  const stayed = sandbox.seedShipments(419, { containers: 1 });
  let pages = 0;
  const shrinking: Pick<Sandbox, 'fetch'> = {
    async fetch(input, init) {
      const answer = await sandbox.fetch(input, init);
      if (String(input).includes('page[size]=100')) pages += 1;
      if (pages === 2) sandbox.removeShipment(oldest?.id ?? '');
      return answer;
    },
  };
  const store = memoryStore();
  await syncOf(shrinking, store, { tables: ['shipment'] }).backfill();
  expect(stayed.filter(({ id }) => !store.rows.has(`shipment ${id}`))).toEqual([]);
});

test('the estimate of a back-fill includes the wait for requests that were made before the back-fill', async () => {
  const sandbox = stillSandbox({ shipments: 12 });
  const limits = { default: 20, createTrackingRequest: 20, inferNumber: 20, refreshContainer: 20 };
  const client = clientOf(sandbox, { rateLimit: { limits, windowMs: 60_000 } });
  for (let call = 0; call < 19; call += 1) await client.shipments.list();
  const controller = new AbortController();
  const tables = ['party'] as const;
  const sync = createSync({ client, store: memoryStore(), logger: false, share: 1, tables });
  const started: object[] = [];
  sync.on('started', ({ requests, estimatedMs }) => {
    started.push({ requests, estimatedMs });
    controller.abort();
  });
  await sync.backfill({ signal: controller.signal }).catch(() => {});
  expect(started).toEqual([{ requests: 1, estimatedMs: 60_000 }]);
});

test('the first estimate of a back-fill counts 50 containers on a page', async () => {
  const sandbox = stillSandbox({ shipments: 600 });
  const sync = syncOf(sandbox, memoryStore());
  let estimated = 0;
  sync.on('started', ({ requests }) => {
    estimated = sandbox.requests.length + requests;
  });
  await sync.backfill();
  expect(estimated / sandbox.requests.length).toBeGreaterThan(0.85);
  expect(estimated / sandbox.requests.length).toBeLessThan(1.15);
});

test('a back-fill reports its plan, each page, and its end', async () => {
  const sandbox = stillSandbox({ shipments: 120 });
  const sync = syncOf(sandbox, memoryStore());
  const events: string[] = [];
  sync.on('started', event => {
    expect(event).toMatchObject({ phase: 'backfill', resumed: false, estimatedMs: 0 });
    expect(event.records).toBeGreaterThan(400);
    events.push('started');
  });
  let last = 0;
  sync.on('progress', ({ records, total }) => {
    expect(records).toBeGreaterThanOrEqual(last);
    expect(records).toBeLessThanOrEqual(total);
    last = records;
    events.push('progress');
  });
  sync.on('finished', ({ records }) => {
    expect(records).toBe(last);
    events.push('finished');
  });
  sync.on('progress', () => {
    throw new Error('A listener that fails changes nothing.');
  });
  await sync.backfill();
  expect(events[0]).toBe('started');
  expect(events.at(-1)).toBe('finished');
  expect(events.length).toBeGreaterThan(10);
});

test('the estimate of a back-fill that continues after an interruption includes the lists that were not begun', async () => {
  const sandbox = stillSandbox({ shipments: 330 });
  const store = memoryStore();
  const controller = new AbortController();
  const first = syncOf(sandbox, store);
  let total = 0;
  first.on('started', ({ records }) => {
    total = records;
  });
  first.on('progress', () => controller.abort());
  await expect(first.backfill({ signal: controller.signal })).rejects.toThrow('aborted');
  const second = syncOf(sandbox, store);
  const started: object[] = [];
  let before = 0;
  second.on('started', event => {
    started.push(event);
    before = sandbox.requests.length;
  });
  await second.backfill();
  const pages = sandbox.requests.slice(before).filter(({ query }) => query['page[size]'] === '100').length;
  // The page of the checkpoint is read a second time.
  expect(started).toEqual([expect.objectContaining({ resumed: true, records: total, requests: pages - 1 })]);
});

test('a back-fill stays within its share of the rate limit, so that other calls have the rest', async () => {
  const limits = { default: 20, createTrackingRequest: 20, inferNumber: 20, refreshContainer: 20 };
  const windowMs = 300;
  const sandbox = stillSandbox({ shipments: 300, monotonic: () => performance.now(), rateLimit: { windowMs, limits } });
  const times: number[] = [];
  const counted = clientOf(sandbox, {
    rateLimit: { windowMs, limits },
    fetch: (input, init) => {
      times.push(performance.now());
      return sandbox.fetch(input as string, init);
    },
  });
  await createSync({ client: counted, store: memoryStore(), logger: false, share: 0.25 }).backfill();
  for (const [index, time] of times.entries()) {
    const inWindow = times.slice(index).filter(other => other - time < windowMs);
    expect(inWindow.length).toBeLessThanOrEqual(5);
  }
  expect(times.length).toBeGreaterThan(20);
  expect(sandbox.requests.some(({ status }) => status === 429)).toBe(false);
});

test('read requests that wait long for their share are logged once, with the length of the wait', async () => {
  const sandbox = stillSandbox({ shipments: 2 });
  const client = clientOf(sandbox, { rateLimit: { windowMs: 3_600_000, limits: { default: 8 } } });
  const warn = vi.fn();
  const logger = { warn, error: vi.fn() };
  const sync = createSync({ client, store: memoryStore(), logger, share: 0.25 });
  const controller = new AbortController();
  const waits: number[] = [];
  sync.on('waiting', ({ estimatedWaitMs }) => {
    if (waits.push(estimatedWaitMs) === 1) controller.abort(new Error('enough'));
  });
  await expect(sync.backfill({ signal: controller.signal })).rejects.toThrow('enough');
  expect(waits[0]).toBeGreaterThan(3_000_000);
  expect(warn.mock.calls).toEqual([['sync: reads wait for their share of the rate limit (`share`), now for 3600 s.']]);
});

test('a reconciliation leaves out a list that the account may not read, and deletes no records of this list', async () => {
  const sandbox = stillSandbox({ shipments: 30 });
  const store = memoryStore();
  await syncOf(sandbox, store).backfill();
  const documents = [...store.rows.values()].filter(({ type }) => type === 'document').length;
  expect(documents).toBeGreaterThan(0);
  sandbox.advance({ minutes: 5 });
  sandbox.fail({ match: { path: '/documents' }, times: 2, status: 403 });
  const sync = syncOf(sandbox, store);
  const skipped: unknown[] = [];
  sync.on('skipped', ({ list }) => skipped.push(list));
  await sync.reconcile();
  expect(skipped).toEqual(['documents']);
  const left = [...store.rows.values()].filter(({ type, record }) => type === 'document' && record).length;
  expect(left).toBe(documents);
});

test('a sync refuses options that cannot work', () => {
  const sandbox = stillSandbox();
  const store = memoryStore();
  const make = (options: object) => () => syncOf(sandbox, store, options);
  expect(make({ share: 0 })).toThrow('share is 0; it must be above 0 and at most 1.');
  expect(make({ tables: ['boat'] })).toThrow('A type in tables is "boat"');
  expect(make({ tabels: [] })).toThrow('createSync has no tabels');
  expect(make({ every: { poll: -1 } })).toThrow('poll is -1');
  expect(make({ inbox: {} })).toThrow('inbox has no method claim');
  expect(make({ webhook: {} })).toThrow('webhook.url is missing');
});

test('a sync refuses the key of another account before it writes', async () => {
  const store = memoryStore();
  await syncOf(stillSandbox({ shipments: 12, seed: 1 }), store).backfill();
  const before = recordsOf(store);
  const other = stillSandbox({ shipments: 12, seed: 99 });
  other.advance({ minutes: 1 });
  await expect(syncOf(other, store).reconcile()).rejects.toThrow('set acceptOtherAccount');
  expect(recordsOf(store)).toEqual(before);
});

test('run() ends if the key belongs to another account', async () => {
  const store = memoryStore();
  await syncOf(stillSandbox({ shipments: 12, seed: 1 }), store).backfill();
  const other = stillSandbox({ shipments: 12, seed: 99 });
  other.advance({ minutes: 1 });
  await expect(syncOf(other, store).run()).rejects.toThrow('set acceptOtherAccount');
});

test('with acceptOtherAccount, the records that the service does not have are marked as deleted', async () => {
  const store = memoryStore();
  await syncOf(stillSandbox({ shipments: 12, seed: 1 }), store, { tables: ['shipment'] }).backfill();
  const other = stillSandbox({ shipments: 12, seed: 99 });
  other.advance({ minutes: 1 });
  const sync = syncOf(other, store, { tables: ['shipment'], acceptOtherAccount: true });
  expect((await sync.reconcile()).deleted).toBe(12);
  expect([...recordsOf(store).values()].filter(Boolean)).toHaveLength(12);
});

test('one request is enough to recognise the account, even if records were added or removed', async () => {
  const sandbox = stillSandbox({ shipments: 12 });
  const store = memoryStore();
  const sync = syncOf(sandbox, store, { tables: ['shipment'] });
  const first = await sync.backfill();
  expect((await sync.reconcile()).requests).toBe(Number(first?.requests) + 1);
  const known = [...store.rows.values()].map(({ id }) => id).sort();
  for (const id of known.slice(0, 11)) sandbox.removeShipment(id);
  sandbox.advance({ minutes: 1 });
  expect((await sync.reconcile()).deleted).toBe(11);
  expect([...recordsOf(store).values()].filter(Boolean)).toHaveLength(1);
});
