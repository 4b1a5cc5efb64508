import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Change, type Container, type EventName, TrackingClient } from '../../src/index.ts';
import {
  createReceiver,
  createRouter,
  createWorker,
  fakeNotification,
  memoryInbox,
  type Notification,
} from '../../src/webhooks/index.ts';
import { createSandbox, type Sandbox } from '../../support/sandbox.ts';

const HOUR = 3_600_000;

/** A sandbox that sends notifications to a receiver. The test empties its inbox. */
async function setUp(options: Parameters<typeof createSandbox>[0] = {}) {
  const inbox = memoryInbox({ ephemeral: true });
  const secrets: string[] = [];
  const receiver = createReceiver({ secrets: () => secrets, inbox, logger: false });
  const sandbox = createSandbox({
    speed: 0,
    monotonic: () => 0,
    rateLimit: false,
    fetch: request => receiver.fetch(request),
    ...options,
  });
  const client = new TrackingClient({
    baseUrl: 'https://service.example/v2',
    apiKey: 'sandbox',
    fetch: sandbox.fetch,
    rateLimit: false,
    logger: false,
  });
  const subscribe = async (...events: EventName[]) => {
    const webhook = await client.webhooks.create({ url: 'https://receiver.example/', active: true, events });
    secrets.push(webhook.secret ?? '');
  };
  return { sandbox, client, inbox, subscribe };
}

function watching(client: TrackingClient, options: Parameters<TrackingClient['containers']['watch']>[0]) {
  const feed = client.containers.watch(options);
  onTestFinished(() => void feed.return());
  return feed;
}

const container = (id: string) => ({ reference_object: { container: { id } }, container: { id } });
const about = (id: string) => fakeNotification('container.updated', container(id) as never);

const pagesRead = ({ requests }: Sandbox) => requests.filter(({ path }) => path === '/containers').length;
const recordsRead = ({ requests }: Sandbox) => requests.filter(({ path }) => path.startsWith('/containers/')).length;

async function collect<T>(items: AsyncIterator<T>, until: (item: T) => boolean): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const { value, done } = await items.next();
    if (done) return found;
    found.push(value);
    if (until(value)) return found;
  }
}

describe('a feed with a handler', () => {
  test('reads a record after a notification about it, and reads no list', async () => {
    const { sandbox, client } = await setUp();
    const boxes = sandbox.seedContainers(120);
    const feed = watching(client, { every: HOUR });
    for (let n = 0; n < 120; n += 1) await feed.next();
    const lists = pagesRead(sandbox);
    const [box] = boxes;
    sandbox.advance({ days: 30 });
    const handled = feed.handler(about(box?.id ?? ''));
    const { value } = await feed.next();
    expect(value).toMatchObject({ kind: 'changed', id: box?.id });
    expect(pagesRead(sandbox)).toBe(lists);
    feed.return();
    await expect(handled).rejects.toThrow('The feed has ended');
  });

  test('counts a notification as handled only after the consumer has received its changes', async () => {
    const { sandbox, client } = await setUp();
    const [box] = sandbox.seedContainers(1, { phase: 'at_sea' });
    const feed = watching(client, { every: HOUR, fields: ['current_status', 'pod_arrived_at'] as never });
    await feed.next();
    sandbox.advance({ days: 40 });
    let isHandled = false;
    const handled = feed.handler(about(box?.id ?? '')).then(() => {
      isHandled = true;
    });
    await feed.next();
    await feed.next();
    expect(isHandled).toBe(false);
    const waiting = feed.next();
    await handled;
    feed.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('ignores a late notification whose record is older than the state', async () => {
    const { sandbox, client } = await setUp();
    const [box] = sandbox.seedContainers(1, { phase: 'at_sea' });
    const feed = watching(client, { every: HOUR });
    const late = fakeNotification('container.updated', {
      container: { id: box?.id, current_status: 'new' },
      reference_object: { container: { id: box?.id } },
    } as never);
    sandbox.advance({ days: 40 });
    await feed.next();
    const handled = feed.handler(late);
    const waiting = feed.next();
    await handled;
    feed.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('finds the record of a notification that includes no container', async () => {
    const { sandbox, client, inbox, subscribe } = await setUp();
    await subscribe('container.transport.available');
    sandbox.seedContainers(3, { phase: 'at_sea' });
    const feed = watching(client, { every: HOUR });
    for (let n = 0; n < 3; n += 1) await feed.next();
    for (let day = 0; day < 50; day += 1) sandbox.advance({ days: 1 });
    await sandbox.flush();
    const seen: Notification[] = [];
    const router = createRouter().on('container.*', (notification, context) => {
      seen.push(notification);
      return feed.handler(notification, context);
    });
    const worker = createWorker({ inbox, router, logger: false, pollMs: 1 }).start();
    onTestFinished(() => worker.stop());
    const items = await collect(feed, item => item.kind === 'changed' && item.field === 'availability_known');
    expect(items.at(-1)).toMatchObject({ kind: 'changed' });
    expect(seen.some(notification => !notification.container)).toBe(true);
    feed.return();
  });

  test('ignores notifications about other records', async () => {
    const { sandbox, client } = await setUp();
    const [box, other] = sandbox.seedContainers(2);
    const feed = watching(client, { ids: [box?.id ?? ''], every: HOUR });
    await feed.next();
    const before = sandbox.requests.length;
    await feed.handler(about(other?.id ?? ''));
    await feed.handler(fakeNotification('document.extracted') as Notification);
    expect(sandbox.requests).toHaveLength(before);
  });

  test('reads the list if that takes fewer requests than separate reads of the notified records', async () => {
    const { sandbox, client } = await setUp();
    const boxes = sandbox.seedContainers(150);
    const feed = watching(client, { every: HOUR });
    for (let n = 0; n < 150; n += 1) await feed.next();
    const [lists, singles] = [pagesRead(sandbox), recordsRead(sandbox)];
    const handled = Promise.all(boxes.slice(0, 20).map(({ id }) => feed.handler(about(id))));
    const waiting = feed.next();
    await handled;
    expect(pagesRead(sandbox) - lists).toBe(1);
    expect(recordsRead(sandbox) - singles).toBe(0);
    feed.return();
    await waiting;
  });

  test('drops a notification after the abort of its handler, and leaves no listener', async () => {
    const { sandbox, client } = await setUp();
    const [box] = sandbox.seedContainers(1);
    const feed = watching(client, { every: HOUR });
    await feed.next();
    const stopping = new AbortController();
    const handled = feed.handler(about(box?.id ?? ''), { signal: stopping.signal });
    await new Promise(resolve => setImmediate(resolve));
    stopping.abort(new Error('too late'));
    await expect(handled).rejects.toThrow('too late');
    const before = recordsRead(sandbox);
    const waiting = feed.next();
    await new Promise(resolve => setTimeout(resolve, 20));
    expect(recordsRead(sandbox)).toBe(before);
    expect(getEventListeners(stopping.signal, 'abort')).toHaveLength(0);
    feed.return();
    await waiting;
  });

  test('refuses a notification whose record cannot be read, so that the worker tries the notification again', async () => {
    const { sandbox, client } = await setUp();
    const [box] = sandbox.seedContainers(1);
    const feed = watching(client.withOptions({ rateLimit: { windowMs: 60 } }), { every: HOUR, share: 1 });
    await feed.next();
    sandbox.fail({ match: { path: /^\/containers\/./ }, status: 503, times: 3 });
    const handled = feed.handler(about(box?.id ?? ''));
    handled.catch(() => {});
    expect((await feed.next()).value).toMatchObject({ kind: 'unread', ids: [box?.id] });
    const waiting = feed.next();
    await expect(handled).rejects.toMatchObject({ status: 503 });
    feed.return();
    await waiting;
  });

  test('receives a notification about a related record, and then reads the records that include this related record', async () => {
    const { sandbox, client } = await setUp();
    const [shipment] = sandbox.seedShipments(1, { containers: 2, phase: 'at_sea' });
    const feed = client.containers.watch({ every: HOUR, include: ['shipment'] });
    onTestFinished(() => void feed.return());
    await feed.next();
    await feed.next();
    sandbox.advance({ days: 40 });
    const event = fakeNotification('shipment.estimated.arrival', {
      shipment: { id: shipment?.id },
      reference_object: { shipment: { id: shipment?.id } },
    } as never);
    feed.handler(event as Notification).catch(() => {});
    const changed = new Set<string>();
    await collect(feed, item => {
      if (item.kind === 'changed' && item.field === 'shipment') changed.add(item.id);
      return changed.size === 2;
    });
    expect([...changed].sort()).toEqual(shipment?.containers.map(({ id }) => id).sort());
  });
});

test('a feed with an inbox handles the notifications of the inbox itself, until the iteration ends', async () => {
  const { sandbox, client, inbox, subscribe } = await setUp();
  await subscribe('container.updated', 'container.transport.vessel_arrived');
  sandbox.seedContainers(1, { phase: 'at_sea' });
  const found: Change<Container>[] = [];
  let lists = 0;
  for await (const item of client.containers.watch({ inbox, signal: AbortSignal.timeout(15_000) })) {
    found.push(item);
    if (found.length === 1) {
      lists = pagesRead(sandbox);
      for (let day = 0; day < 40; day += 1) sandbox.advance({ days: 1 });
      await sandbox.flush();
    }
    if (item.kind === 'changed' && item.field === 'pod_arrived_at') break;
  }
  expect(pagesRead(sandbox)).toBe(lists);
  expect(found.map(({ kind }) => kind).slice(0, 2)).toEqual(['appeared', 'changed']);
  // Unhandled entries remain for the next feed.
  await expect.poll(async () => (await inbox.claim({ limit: 100, leaseMs: 1 })).length).toBeGreaterThan(0);
});
