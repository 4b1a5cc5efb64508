import { afterEach, expect, test, vi } from 'vitest';
import type { ClientOptions, TrackingClient } from '../../src/index.ts';
import type { Context } from '../../src/sync/context.ts';
import { closeGap, hasGap } from '../../src/sync/gap.ts';
import { createSync } from '../../src/sync/index.ts';
import { listsFor } from '../../src/sync/lists.ts';
import { beginRecovery, recoverMissed } from '../../src/sync/recovery.ts';
import { ServiceClock } from '../../src/sync/service-clock.ts';
import { ServiceReader } from '../../src/sync/service-reader.ts';
import { SYNCED_TYPES } from '../../src/sync/tables/names.ts';
import { memoryInbox } from '../../src/webhooks/index.ts';
import { clientOn } from '../../support/client.ts';
import { stillSandbox } from '../../support/sandbox.ts';
import { memoryStore } from './memory-store.ts';

afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const [LIVE, STAGING, OLD] = ['live', 'staging', 'old'].map(name => `https://${name}.example/`) as [
  string,
  string,
  string,
];

/** A service whose list of notifications the test can replace. */
function set(notifications?: object[], share = 1) {
  const sandbox = stillSandbox({ shipments: 2 });
  const requests: string[] = [];
  const limited: Partial<ClientOptions> = share < 1 ? { rateLimit: undefined } : {};
  const client = clientOn(async (input, init) => {
    const { pathname, searchParams } = new URL(input);
    requests.push(`${init?.method} ${pathname.replace('/v2', '')}`);
    if (!notifications || !pathname.endsWith('/webhook_notifications')) return sandbox.fetch(input, init);
    const [page, size] = ['page[number]', 'page[size]'].map(name => Number(searchParams.get(name) ?? 1)) as [
      number,
      number,
    ];
    const links =
      page * size < notifications.length ? { next: input.replace(/(number%5D=|number\]=)\d+/, `$1${page + 1}`) } : {};
    const data = notifications.slice((page - 1) * size, page * size);
    return Response.json({ data, included: updates(data), links, meta: { total: notifications.length } });
  }, limited);
  const store = memoryStore();
  const types = new Set(SYNCED_TYPES);
  const reader = new ServiceReader(client, new ServiceClock(() => 0), { share, windowMs: 60_000 });
  const context: Context = {
    reader,
    store,
    types,
    lists: listsFor(types),
    acceptOtherAccount: false,
    history: undefined,
    checkHistory: async () => {},
    emit: () => {},
  };
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  /** Searches for missed notifications. Resolves to true if all lists must be read. */
  const recover = async (given: { webhook?: { url: string } } = {}) => {
    const sources = { client, inbox: undefined, webhook: given.webhook, warn };
    const { wasInactive } = await recoverMissed(context, sources, signal);
    const isNeeded = wasInactive || (await hasGap(context));
    await closeGap(context);
    return isNeeded;
  };
  return { sandbox, client, store, context, requests, warnings, recover };
}

async function webhook({ webhooks }: TrackingClient, url: string, active = true): Promise<string> {
  return (await webhooks.create({ url, active, events: ['container.updated'] })).id;
}

function failed(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `notification-${index}`,
    type: 'webhook_notification',
    attributes: { event: 'container.updated', created_at: '2026-03-09T04:00:00Z', delivery_status: 'failed' },
    relationships: { reference_object: { data: { type: 'container_updated_event', id: `update-${index}` } } },
  }));
}

/** The records that the notifications are about. */
function updates(notifications: readonly object[]): object[] {
  const ids = notifications.map(notification => (notification as { id: string }).id.replace('notification-', ''));
  return ids.map(id => ({
    id: `update-${id}`,
    type: 'container_updated_event',
    attributes: {},
    relationships: { container: { data: { type: 'container', id: `container-${id}` } } },
  }));
}

const START = Date.parse('2026-03-09T03:00:00Z');

test('an inactive webhook of another program makes run() read all lists at most once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { client, store, requests } = set();
  await webhook(client, LIVE);
  await webhook(client, OLD, false);
  const inbox = memoryInbox({ ephemeral: true });
  const sync = createSync({ client, store, inbox, logger: false, every: { recover: 50 } });
  const passes: string[] = [];
  sync.on('started', ({ phase }) => void passes.push(phase));
  const controller = new AbortController();
  const run = sync.run({ signal: controller.signal });
  const recoveries = () => requests.filter(request => request === 'GET /webhooks').length;
  while (recoveries() < 8) await vi.advanceTimersByTimeAsync(1000);
  controller.abort();
  await vi.advanceTimersByTimeAsync(1000);
  await run;
  expect(passes).toEqual(['backfill', 'reconcile']);
});

test('all lists are read when a webhook becomes inactive, and again when the webhook becomes active', async () => {
  const { client, context, warnings, recover } = set();
  await beginRecovery(context, START);
  const [, staging] = [await webhook(client, LIVE), await webhook(client, STAGING)];
  await webhook(client, OLD, false);
  const needed: boolean[] = [];
  const recoverTwice = async () => needed.push(await recover(), await recover());
  await recoverTwice();
  await client.webhooks.update(staging, { active: false });
  await recoverTwice();
  await client.webhooks.update(staging, { active: true });
  await recoverTwice();
  expect(needed).toEqual([true, false, true, false, true, false]);
  // There is one warning for each webhook that was found inactive.
  expect(warnings).toHaveLength(2);
  expect(warnings[1]).toContain(`Webhook ${staging} is inactive`);
});

test('all lists are read at each recovery while no webhook is active', async () => {
  const { client, context, recover } = set();
  await beginRecovery(context, START);
  const live = await webhook(client, LIVE, false);
  await webhook(client, OLD, false);
  expect([await recover(), await recover(), await recover()]).toEqual([true, true, true]);
  await client.webhooks.update(live, { active: true });
  expect([await recover(), await recover()]).toEqual([true, false]);
});

test('an inactive webhook still causes a reading of all lists if the process ended before that reading', async () => {
  const { client, context, store } = set();
  await beginRecovery(context, START);
  await webhook(client, LIVE);
  await webhook(client, OLD, false);
  const sources = { client, inbox: undefined, webhook: undefined, warn: () => {} };
  let left = 0;
  store.beforeWrite = () => {
    left -= 1;
    if (left < 0) throw new Error('The process ended.');
  };
  // The process ends after each possible number of writes, until the recovery completes.
  for (let writes = 0; ; writes += 1) {
    left = writes;
    const outcome = await recoverMissed(context, sources, signal).catch(() => undefined);
    if (outcome) break;
    expect(writes).toBeLessThan(10);
  }
  expect(await hasGap(context)).toBe(true);
});

test('the search for missed notifications stays within the share of the rate limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { context, requests, recover } = set(failed(450), 0.02);
  await beginRecovery(context, START);
  const work = recover();
  const seen = () => requests.filter(request => request === 'GET /webhook_notifications').length;
  for (const pages of [2, 4, 5]) {
    while (seen() < pages) await vi.advanceTimersByTimeAsync(10);
    for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve));
    expect(seen()).toBe(pages);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  await work;
});

test('missed records are written in a few batches, with a checkpoint that does not repeat them', async () => {
  const costOf = async (count: number) => {
    const { store, context, recover } = set(failed(count));
    await beginRecovery(context, START);
    const { write } = store;
    const sizes: number[] = [];
    let writes = 0;
    store.write = batch => {
      writes += 1;
      if (batch.checkpoint?.name === 'recovery') sizes.push(JSON.stringify(batch.checkpoint.value).length);
      return write(batch);
    };
    await recover();
    expect([...store.dueReads.keys()].sort()).toEqual(
      failed(count)
        .map((_, n) => `container container-${n}`)
        .sort(),
    );
    return { writes, checkpoints: sizes.length, length: sizes.reduce((sum, size) => sum + size, 0) };
  };
  const [some, many] = [await costOf(250), await costOf(1000)];
  expect(many.checkpoints).toBe(1);
  expect(many.writes).toBeLessThan(5);
  // The checkpoint has the ids of the last second.
  expect(many.length).toBeLessThan(5 * some.length);
  expect(many.length).toBeLessThan(40 * 1000);
});

test('a notification with a date in the future does not end the search for missed notifications', async () => {
  const [ahead] = failed(1) as { attributes: object }[];
  const notifications: object[] = [
    { ...ahead, id: 'ahead', attributes: { ...ahead?.attributes, created_at: '2099-01-01T00:00:00Z' } },
  ];
  const { context, store, recover } = set(notifications);
  await beginRecovery(context, START);
  await recover();
  store.dueReads.clear();
  const later = new Date(context.reader.clock.now() + 60_000).toISOString();
  notifications.push(
    ...(failed(1) as { attributes: object }[]).map(one => ({
      ...one,
      attributes: { ...one.attributes, created_at: later },
    })),
  );
  await recover();
  expect([...store.dueReads.keys()]).toEqual(['container container-0']);
});

test('missed records are found again after an interruption at any write', async () => {
  const { context, store, recover } = set(failed(1200));
  await beginRecovery(context, START);
  let left = 0;
  store.beforeWrite = () => {
    left -= 1;
    if (left < 0) throw new Error('The process ended.');
  };
  for (let writes = 0; writes < 3; writes += 1) {
    left = writes;
    await expect(recover()).rejects.toThrow('The process ended.');
  }
  left = Number.POSITIVE_INFINITY;
  await recover();
  expect(store.dueReads.size).toBe(1200);
  store.dueReads.clear();
  await recover();
  expect(store.dueReads.size).toBe(0);
});

test('an inactive webhook is activated only when the gap and the missed records are stored', async () => {
  const { client, context, store, requests, recover } = set(failed(3));
  await beginRecovery(context, START);
  const id = await webhook(client, LIVE, false);
  const { write } = store;
  const order: string[] = requests;
  store.write = batch => {
    order.push(batch.checkpoint?.name ?? 'batch');
    return write(batch);
  };
  requests.length = 0;
  expect(await recover({ webhook: { url: LIVE } })).toBe(true);
  const activated = order.indexOf(`PATCH /webhooks/${id}`);
  expect(activated).toBeGreaterThan(order.indexOf('gap'));
  expect(activated).toBeGreaterThan(order.indexOf('recovery'));
  expect((await client.webhooks.get(id)).active).toBe(true);
  expect(await recover({ webhook: { url: LIVE } })).toBe(false);
});

test('a notification that does not name its record is read with the due reads, and not during the recovery', async () => {
  const [unnamed] = failed(1) as [Record<string, unknown>];
  const { context, store, requests, recover } = set([{ ...unnamed, relationships: {} }]);
  await beginRecovery(context, START);
  await recover();
  expect([...store.dueReads.keys()]).toEqual(['webhook_notification notification-0']);
  expect(requests.filter(request => request.includes('/webhook_notifications/'))).toEqual([]);
});
