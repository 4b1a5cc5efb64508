import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Container, Feed, FeedCheckpoint, TrackingClient } from '../../src/index.ts';
import type { WireResource } from '../../src/jsonapi/document.ts';
import { clientOf, pageOf, type Received, serveScript } from '../../support/paged-server.ts';
import type { Answer } from '../../support/server.ts';

const NOT_FOUND: Answer = { status: 404, body: { errors: [{ title: 'Not Found' }] } };

async function setUp(
  count: number,
  script: (request: Received) => Answer | undefined = () => undefined,
  windowMs = 60,
) {
  const boxes: WireResource[] = Array.from({ length: count }, (_, n) => box(`b${n}`));
  const server = await serveScript(request => script(request) ?? read(boxes, request));
  return { server, boxes, client: clientOf(server, { rateLimit: { windowMs, limits: { default: 10_000 } } }) };
}

function box(id: string): WireResource {
  return { type: 'container', id, attributes: { number: `BOX${id}` } };
}

function read(boxes: readonly WireResource[], { url }: Received): Answer {
  const id = /\/containers\/([^/]+)$/.exec(url.pathname)?.[1];
  if (id === undefined) return { body: pageOf(boxes, url, { meta: 'total' }) };
  const data = boxes.find(one => one.id === id);
  return data ? { body: { data } } : NOT_FOUND;
}

function watching(client: TrackingClient, options: Parameters<TrackingClient['containers']['watch']>[0] = {}) {
  const feed = client.containers.watch({ every: 1, share: 1, ...options });
  onTestFinished(() => void feed.return());
  return feed;
}

/** The next items that are not failed readings. */
async function take(feed: Feed<Container>, count: number): Promise<string[]> {
  const items: string[] = [];
  while (items.length < count) {
    const { value, done } = await feed.next();
    if (done) break;
    if (value.kind !== 'unread') items.push(`${value.id} ${value.kind}`);
  }
  return items;
}

/** The items before a new record, which is always the last item of a reading. */
async function whatComesBefore(feed: Feed<Container>, boxes: WireResource[]): Promise<string[]> {
  const items: string[] = [];
  boxes.push(box('new'));
  while (items.at(-1) !== 'new appeared') items.push(...(await take(feed, 1)));
  return items;
}

const stored = (checkpoint: FeedCheckpoint | undefined): FeedCheckpoint => JSON.parse(JSON.stringify(checkpoint));

describe('records are not reported as gone', () => {
  test.each<[string, Answer]>([
    ['a gateway responds 404 with its own JSON', { status: 404, body: { message: 'no Route matched' } }],
    ['a gateway responds 404 with a text under error', { status: 404, body: { status: 404, error: 'Not Found' } }],
    ['a gateway responds 404 with a text under errors', { status: 404, body: { errors: 'Not Found' } }],
    ['the service finds none of them for a moment', NOT_FOUND],
  ])('while %s, for any request', async (_, answer) => {
    for (const options of [{}, { ids: Array.from({ length: 150 }, (_, n) => `b${n}`) }]) {
      let isDeploying = false;
      const { server, boxes, client } = await setUp(150, () => (isDeploying ? answer : undefined), 300);
      const feed = watching(client, { ...options, every: 20 });
      expect(await take(feed, 150)).toHaveLength(150);
      isDeploying = true;
      const before = server.requests.length;
      const next = take(feed, 1);
      await expect.poll(() => server.requests.length, { interval: 1 }).toBeGreaterThan(before);
      isDeploying = false;
      boxes[149] = { ...box('b149'), attributes: { number: 'changed' } };
      expect(await next).toEqual(['b149 changed']);
    }
  });

  test('while every response is the 404 of the service, for five windows of the rate limit', async () => {
    let isEmpty = false;
    const { server, client, boxes } = await setUp(60, () => (isEmpty ? NOT_FOUND : undefined), 3_600_000);
    const feed = watching(client);
    await take(feed, 60);
    isEmpty = true;
    const next = take(feed, 1);
    const before = server.requests.length;
    await expect.poll(() => server.requests.length).toBeGreaterThan(before + 200);
    isEmpty = false;
    boxes[59] = { ...box('b59'), attributes: { number: 'changed' } };
    expect(await next).toEqual(['b59 changed']);
  });
});

describe('records are reported as gone', () => {
  test('if many readings do not find them, even if nothing else is found', async () => {
    let isEmpty = false;
    const { client } = await setUp(30, () => (isEmpty ? NOT_FOUND : undefined));
    const feed = watching(client);
    await take(feed, 30);
    isEmpty = true;
    expect(new Set(await take(feed, 30))).toEqual(new Set(Array.from({ length: 30 }, (_, n) => `b${n} gone`)));
  });

  test.each([1, 10, 11, 60])('after one or two checks of each record: %i of 101', async count => {
    const { server, boxes, client } = await setUp(101);
    const feed = watching(client);
    await take(feed, 101);
    const removed = boxes.splice(30, count).map(({ id }) => id);
    server.requests.length = 0;
    expect((await take(feed, count)).sort()).toEqual(removed.map(id => `${id} gone`).sort());
    const looks = server.requests.filter(({ url }) => url.pathname !== '/v2/containers').length;
    expect(looks).toBe(count > 10 ? 2 * count : count);
  });

  test('except the records that a further check finds again', async () => {
    let looks = 0;
    const { boxes, client } = await setUp(40, ({ url }) => {
      if (!url.pathname.endsWith('/b0')) return undefined;
      looks += 1;
      return looks === 1 ? NOT_FOUND : { body: { data: box('b0') } };
    });
    const feed = watching(client);
    await take(feed, 40);
    boxes.splice(0, 12);
    expect((await take(feed, 11)).sort()).toEqual(Array.from({ length: 11 }, (_, n) => `b${n + 1} gone`).sort());
    expect(await whatComesBefore(feed, boxes)).toEqual(['new appeared']);
    expect(looks).toBeGreaterThan(1);
  });
});

describe('deletions are reported', () => {
  test('even if the clock of the checkpoint was years ahead', async () => {
    const { boxes, client } = await setUp(30);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2090-01-01') });
    onTestFinished(() => void vi.useRealTimers());
    const first = watching(client);
    await take(first, 30);
    const from = stored(first.checkpoint);
    await first.return();
    vi.setSystemTime(new Date('2026-03-09'));
    boxes.shift();
    expect(await take(watching(client, { from }), 1)).toEqual(['b0 gone']);
    const parts = from.records.map(record => ({ ...from, pass: null, records: [record] }));
    expect(await take(watching(client, { from: parts }), 1)).toEqual(['b0 gone']);
  });

  test('even if Date stands still', async () => {
    const { boxes, client } = await setUp(30);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-09') });
    onTestFinished(() => void vi.useRealTimers());
    const feed = watching(client);
    await take(feed, 30);
    boxes.shift();
    expect(await take(feed, 1)).toEqual(['b0 gone']);
  });

  test('even if more records were deleted than one reading checks separately', async () => {
    const { boxes, client } = await setUp(90);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-09') });
    onTestFinished(() => void vi.useRealTimers());
    const feed = watching(client);
    await take(feed, 90);
    const removed = boxes.splice(0, 50).map(({ id }) => `${id} gone`);
    expect((await take(feed, 50)).sort()).toEqual(removed.sort());
  });
});
