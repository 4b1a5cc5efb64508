import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  AuthenticationError,
  type Change,
  ConfigurationError,
  type Container,
  type Feed,
  type FeedCheckpoint,
  type TrackingClient,
} from '../../src/index.ts';
import type { WireResource } from '../../src/jsonapi/document.ts';
import { clientOf, pageOf, type Received, type ScriptedServer, serveScript } from '../../support/paged-server.ts';
import type { Answer } from '../../support/server.ts';

type Item = Change<Container>;

const DAY = 86_400_000;

/** A service with containers that the test can change. */
async function setUp(
  boxes: WireResource[],
  script: (request: Received) => Answer | 'broken' | undefined = () => undefined,
) {
  const server = await serveScript(request => script(request) ?? readContainers(boxes, request));
  return { server, boxes, client: clientOf(server) };
}

function readContainers(boxes: readonly WireResource[], { url }: Received): Answer {
  const id = /\/containers\/([^/]+)$/.exec(url.pathname)?.[1];
  if (id === undefined) return { body: pageOf(boxes, url, { meta: 'total' }) };
  const data = boxes.find(box => box.id === id);
  return data ? { body: { data } } : { status: 404, body: { errors: [{ title: 'Not Found' }] } };
}

function box(id: string, attributes: Record<string, unknown> = {}): WireResource {
  return { type: 'container', id, attributes: { number: `BOX${id}`, ...attributes } };
}

const boxes = (count: number) => Array.from({ length: count }, (_, n) => box(`b${n}`));

function change(all: WireResource[], id: string, attributes: Record<string, unknown>): void {
  const index = all.findIndex(one => one.id === id);
  all[index] = { ...(all[index] as WireResource), attributes: { ...all[index]?.attributes, ...attributes } };
}

test('a field that the record does not have is logged once, with the most similar name, and is still watched', async () => {
  const { server } = await setUp([box('a', { pickup_lfd: null }), box('b', { pickup_lfd: null })]);
  const warn = vi.fn();
  const logger = { debug() {}, info() {}, warn, error() {} };
  const client = clientOf(server, { logger });
  for (const fields of [['pickup_ldf'], ['pickup_ldf', 'number', 'holds']]) {
    const feed = watching(client, { fields: fields as ['number'] });
    expect(await take(feed, 2)).toEqual(['a appeared at first', 'b appeared at first']);
  }
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    expect.stringMatching(
      /^watch\(\): container has no field pickup_ldf; did you mean pickup_lfd\? There are: .*number/,
    ),
    expect.stringMatching(/^watch\(\): container has no field holds; there are: /),
  ]);
});

/** The next items of a feed, as short texts. */
async function take(feed: Feed<Container>, count: number): Promise<string[]> {
  const items: string[] = [];
  while (items.length < count) {
    const { value, done } = await feed.next();
    if (done) break;
    items.push(shortly(value));
  }
  return items;
}

function shortly(item: Item): string {
  switch (item.kind) {
    case 'appeared':
      return `${item.id} appeared${item.initial ? ' at first' : ''}`;
    case 'changed':
      return `${item.id} ${item.field}: ${JSON.stringify(item.before)} → ${JSON.stringify(item.after)}`;
    case 'gone':
      return `${item.id} gone: ${item.reason}`;
    default:
      return `unread: ${item.ids ?? 'list'}`;
  }
}

function watching(client: TrackingClient, options: Parameters<TrackingClient['containers']['watch']>[0] = {}) {
  const feed = client.containers.watch({ every: 1, ...options });
  onTestFinished(() => void feed.return());
  return feed;
}

/** Copies the checkpoint, as if it had been stored. */
const stored = (checkpoint: FeedCheckpoint | undefined): FeedCheckpoint => JSON.parse(JSON.stringify(checkpoint));

const pagesOf = ({ requests }: ScriptedServer) => requests.filter(({ url }) => url.pathname === '/v2/containers');

describe('a feed', () => {
  test('yields every record once, and then each changed field with both values', async () => {
    const { client, boxes: all } = await setUp(boxes(2));
    const feed = watching(client);
    expect(await take(feed, 2)).toEqual(['b0 appeared at first', 'b1 appeared at first']);
    change(all, 'b1', { current_status: 'on_ship', pickup_lfd: '2026-04-02T07:00:00Z' });
    expect(await take(feed, 2)).toEqual([
      'b1 current_status: undefined → "on_ship"',
      'b1 pickup_lfd: undefined → "2026-04-02T07:00:00Z"',
    ]);
    change(all, 'b1', { current_status: 'grounded' });
    expect(await take(feed, 1)).toEqual(['b1 current_status: "on_ship" → "grounded"']);
  });

  test('yields two changes between two readings as one change, and yields nothing if the field has its first value again', async () => {
    const { client, boxes: all } = await setUp(boxes(2));
    const feed = watching(client);
    await take(feed, 2);
    change(all, 'b0', { seal_number: 'A' });
    change(all, 'b0', { seal_number: null });
    change(all, 'b1', { seal_number: 'A' });
    change(all, 'b1', { seal_number: 'B' });
    expect(await take(feed, 1)).toEqual(['b1 seal_number: undefined → "B"']);
  });

  test('ignores the order of keys and of related records, and treats null like a missing key', async () => {
    const holds = [{ name: 'customs', status: 'hold', description: null }];
    const event = (id: string) => ({ type: 'transport_event', id });
    const events = (...ids: string[]) => ({ transport_events: { data: ids.map(event) } });
    const { client, boxes: all } = await setUp([
      { ...box('b0', { holds_at_pod_terminal: holds }), relationships: events('1', '2') },
    ]);
    const feed = watching(client);
    await take(feed, 1);
    const reordered = [{ description: null, status: 'hold', name: 'customs' }];
    all[0] = {
      ...box('b0', { seal_number: null, holds_at_pod_terminal: reordered, equipment_type: 'dry' }),
      relationships: events('2', '1'),
    };
    expect(await take(feed, 1)).toEqual(['b0 equipment_type: undefined → "dry"']);
    change(all, 'b0', { holds_at_pod_terminal: [{ ...reordered[0], status: 'pending' }] });
    expect(await take(feed, 1)).toEqual([expect.stringContaining('holds_at_pod_terminal')]);
  });

  test('reports the interval in which a field changed', async () => {
    const { client, boxes: all } = await setUp(boxes(1));
    const feed = watching(client);
    const before = new Date().toISOString();
    await feed.next();
    change(all, 'b0', { seal_number: 'A' });
    const { value } = await feed.next();
    if (value?.kind !== 'changed') throw new Error('not a change');
    expect([before, value.since, value.at, new Date().toISOString()].sort()).toEqual([
      before,
      value.since,
      value.at,
      expect.any(String),
    ]);
  });

  test('yields each change with the record as it was in the previous complete reading', async () => {
    const { client, boxes: all } = await setUp([box('b0', { seal_number: 'A', pickup_lfd: null })]);
    const feed = watching(client);
    await feed.next();
    change(all, 'b0', { seal_number: 'B', pickup_lfd: '2026-04-02T07:00:00Z' });
    for (const field of ['seal_number', 'pickup_lfd']) {
      const { value } = await feed.next();
      expect(value).toMatchObject({ field, previous: { number: 'BOXb0', seal_number: 'A', pickup_lfd: null } });
    }
  });

  test('yields only changes of the named fields', async () => {
    const { client, boxes: all } = await setUp(boxes(1));
    const feed = client.containers.watch({ every: 1, fields: ['pickup_lfd'] });
    onTestFinished(() => void feed.return());
    await feed.next();
    change(all, 'b0', { seal_number: 'A', pickup_lfd: '2026-04-02T07:00:00Z' });
    const { value } = await feed.next();
    expect(value).toMatchObject({ kind: 'changed', field: 'pickup_lfd', record: { seal_number: 'A' } });
    expect(value).toHaveProperty('previous', {});
    expect(feed.checkpoint?.records[0]?.state).toBe('{"pickup_lfd":"2026-04-02T07:00:00Z"}');
  });

  test('reports new records, and records that the service no longer has', async () => {
    const { client, boxes: all } = await setUp(boxes(2));
    const feed = watching(client);
    await take(feed, 2);
    all.unshift(box('new'));
    expect(await take(feed, 1)).toEqual(['new appeared']);
    all.splice(1, 1);
    expect(await take(feed, 1)).toEqual(['b0 gone: not_found']);
  });

  test('does not report a record as gone if the record is missing in the list but can be read separately', async () => {
    let isLeftOut = false;
    const all = boxes(3);
    const { client } = await setUp(all, request =>
      isLeftOut && request.url.pathname === '/v2/containers'
        ? { body: pageOf(all.slice(1), request.url, { meta: 'total' }) }
        : undefined,
    );
    const feed = watching(client);
    await take(feed, 3);
    isLeftOut = true;
    change(all, 'b0', { seal_number: 'A' });
    expect(await take(feed, 1)).toEqual(['b0 seal_number: undefined → "A"']);
  });

  test('reports a list with fewer records than its total', async () => {
    const all = boxes(3);
    const { client } = await setUp(all, request => ({
      body: { ...pageOf(all.slice(0, 2), request.url, { links: false }), meta: { total: 3 }, links: {} },
    }));
    const feed = watching(client);
    expect(await take(feed, 3)).toEqual(['b0 appeared at first', 'b1 appeared at first', 'unread: list']);
  });

  test('with `where` reports records while they match', async () => {
    const { client, boxes: all } = await setUp([box('b0', { seal_number: 'A' }), box('b1')]);
    const feed = watching(client, { where: ({ seal_number }) => seal_number != null });
    expect(await take(feed, 1)).toEqual(['b0 appeared at first']);
    change(all, 'b1', { seal_number: 'B' });
    expect(await take(feed, 1)).toEqual(['b1 appeared']);
    change(all, 'b0', { seal_number: null });
    expect(await take(feed, 2)).toEqual(['b0 seal_number: "A" → null', 'b0 gone: filtered']);
  });

  test('with `ids` reads few records separately, and many records as pages of the list', async () => {
    const { server, client } = await setUp(boxes(150));
    const few = watching(client, { ids: ['b3', 'b140'] });
    expect((await take(few, 2)).sort()).toEqual(['b140 appeared at first', 'b3 appeared at first']);
    expect(pagesOf(server)).toHaveLength(0);
    const wanted = Array.from({ length: 50 }, (_, n) => `b${n}`);
    const many = watching(client, { ids: wanted, every: 60_000 });
    expect(await take(many, 50)).toHaveLength(50);
    expect(pagesOf(server)).toHaveLength(1);
    expect(server.requests.filter(({ url }) => url.pathname === '/v2/containers/b0')).toHaveLength(0);
  });

  test('reports only once that an id does not exist', async () => {
    const { client, boxes: all } = await setUp(boxes(1));
    const feed = watching(client, { ids: ['b0', 'wrong'] });
    expect(await take(feed, 2)).toEqual(['b0 appeared at first', 'unread: wrong']);
    change(all, 'b0', { seal_number: 'A' });
    expect(await take(feed, 1)).toEqual(['b0 seal_number: undefined → "A"']);
  });

  test('reads nothing while its consumer is busy', async () => {
    const { server, client } = await setUp(boxes(250));
    const feed = watching(client);
    await take(feed, 100);
    const before = server.requests.length;
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(server.requests).toHaveLength(before);
    expect(before).toBe(1);
  });
});

describe('a reading that fails', () => {
  test('is reported, reports no record as gone, and does not stop the next reading', async () => {
    let status = 200;
    const all = boxes(2);
    const { client } = await setUp(all, () => (status === 200 ? undefined : { status, body: {} }));
    const feed = watching(client.withOptions({ rateLimit: { windowMs: 60 } }), { share: 1 });
    await take(feed, 2);
    status = 503;
    expect(await take(feed, 2)).toEqual(['unread: list', 'unread: list']);
    status = 200;
    change(all, 'b0', { seal_number: 'A' });
    await expect.poll(async () => (await take(feed, 1))[0]).toBe('b0 seal_number: undefined → "A"');
  });

  test.each([
    ['ids that are read separately', { ids: ['b0', 'b1'] }, ['unread: b0', 'unread: b1']],
    ['a list', {}, ['unread: list', 'unread: list']],
  ])('with the 404 of a proxy reports no record as gone: %s', async (_, options, told) => {
    let isDeploying = false;
    const all = boxes(90);
    const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404 Not Found</h1>' };
    const { server, client } = await setUp(all, () => (isDeploying ? page : undefined));
    const feed = watching(client.withOptions({ rateLimit: { windowMs: 60 } }), { share: 1, ...options });
    const known = await take(feed, 'ids' in options ? 2 : 90);
    expect(new Set(known.map(item => item.replace(/^b\d+/, 'b')))).toEqual(new Set(['b appeared at first']));
    isDeploying = true;
    const before = server.requests.length;
    expect(await take(feed, told.length)).toEqual(told);
    // No further page or record is requested, because the response would be the same.
    expect(server.requests.length - before).toBe(told.length);
    isDeploying = false;
    change(all, 'b0', { seal_number: 'A' });
    const next = async () => (await take(feed, 1))[0];
    await expect.poll(next).toBe('b0 seal_number: undefined → "A"');
  });

  test('at one page leaves out only this page, whose known records are then read separately', async () => {
    let isBroken = false;
    const all = boxes(150);
    const { client } = await setUp(all, ({ url }) =>
      isBroken && url.pathname === '/v2/containers' && url.searchParams.get('page[number]') === '1'
        ? { body: 'not JSON' }
        : undefined,
    );
    const feed = watching(client);
    await take(feed, 150);
    isBroken = true;
    change(all, 'b0', { seal_number: 'A' });
    change(all, 'b140', { seal_number: 'B' });
    expect(await take(feed, 3)).toEqual([
      'unread: list',
      'b140 seal_number: undefined → "B"',
      'b0 seal_number: undefined → "A"',
    ]);
  });

  test('ends the feed if the error is permanent', async () => {
    const { client } = await setUp([], () => ({ status: 401, body: { errors: [{ title: 'Unauthorized' }] } }));
    await expect(watching(client).next()).rejects.toThrow(AuthenticationError);
  });
});

describe('a checkpoint', () => {
  test('continues in another feed with the items that the consumer has not received', async () => {
    const { client, boxes: all } = await setUp(boxes(3));
    const first = watching(client);
    expect(await take(first, 2)).toEqual(['b0 appeared at first', 'b1 appeared at first']);
    const second = watching(client, { from: stored(first.checkpoint) });
    expect(await take(second, 1)).toEqual(['b2 appeared at first']);
    change(all, 'b1', { seal_number: 'A', equipment_type: 'dry' });
    expect(await take(second, 1)).toEqual(['b1 seal_number: undefined → "A"']);
    const third = watching(client, { from: stored(second.checkpoint) });
    expect(await take(third, 1)).toEqual(['b1 equipment_type: undefined → "dry"']);
  });

  test('equals the combined checkpoints of the items', async () => {
    const { client, boxes: all } = await setUp(boxes(3));
    const first = watching(client);
    const parts: FeedCheckpoint[] = [];
    const keep = async (count: number) => {
      for (let n = 0; n < count; n += 1) parts.push(stored((await first.next()).value?.checkpoint));
    };
    await keep(3);
    change(all, 'b1', { seal_number: 'A' });
    await keep(1);
    all.splice(2, 1);
    await keep(1);
    const second = watching(client, { from: parts });
    change(all, 'b0', { seal_number: 'B' });
    expect(await take(second, 1)).toEqual(['b0 seal_number: undefined → "B"']);
    const whole = stored(second.checkpoint).records.map(({ id, state }) => [id, JSON.parse(state ?? '')]);
    expect(whole).toEqual([
      ['b0', { number: 'BOXb0', seal_number: 'B' }],
      ['b1', { number: 'BOXb1', seal_number: 'A' }],
    ]);
  });

  test('continues a long reading at its page', async () => {
    const { server, client } = await setUp(boxes(250));
    const first = watching(client);
    await take(first, 201);
    const from = stored(first.checkpoint);
    server.requests.length = 0;
    const second = watching(client, { from });
    expect(await take(second, 49)).toHaveLength(49);
    expect(pagesOf(server).map(({ url }) => url.searchParams.get('page[number]'))).toEqual(['3']);
  });

  test.each([
    ['after its last item', 'hour', 150],
    ['after its last item', 'day', 150],
    ['in the middle', 'hour', 120],
    ['in the middle', 'day', 120],
  ])('of a reading that the consumer left %s yields the changes of the next %s immediately', async (_, time, left) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-09') });
    onTestFinished(() => void vi.useRealTimers());
    const { server, client, boxes: all } = await setUp(boxes(150));
    const first = watching(client, { every: DAY });
    await take(first, left);
    const from = stored(first.checkpoint);
    await first.return();
    vi.setSystemTime(new Date(time === 'day' ? '2026-03-10' : '2026-03-09T01:00:00'));
    change(all, 'b0', { seal_number: 'A' });
    server.requests.length = 0;
    const items = await take(watching(client, { from, every: DAY }), 150 - left + 1);
    expect(items.at(-1)).toBe('b0 seal_number: undefined → "A"');
    // The rest of the old reading, and the first page of the next reading.
    expect(pagesOf(server).map(({ url }) => url.searchParams.get('page[number]'))).toEqual(['2', '1']);
  });

  test.each([
    ['of another type', 'shipment; fields: all; include: none', /belongs to a feed of shipment/],
    ['of other fields', 'container; fields: number; include: none', /belongs to a feed of container; fields: number/],
  ])('%s is refused', async (_, of, message) => {
    const { server, client } = await setUp([]);
    const from = { of, complete: true, pass: null, records: [] };
    await expect(watching(client, { from }).next()).rejects.toThrow(message);
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    [{}],
    [{ of: 'container; fields: all; include: none', complete: true, pass: null }],
    ['text'],
    [null],
    [[null]],
    [{ of: '', complete: true, pass: null, records: [{ id: 'b0', askedAt: '2026-03-09T00:00:00Z', state: 5 }] }],
  ])('that is invalid is refused: %j', async from => {
    const { client } = await setUp([]);
    await expect(watching(client, { from: from as never }).next()).rejects.toThrow(ConfigurationError);
  });
});

describe('options', () => {
  test.each([
    { every: 0 },
    { share: 0 },
    { share: 1.1 },
    { ids: 'b0' },
    { ids: [''] },
    { fields: [] },
    { where: 5 },
    { inbox: {} },
    { evry: 5 },
    { signal: {} },
  ])('that cannot work are refused, and nothing is sent: %j', async options => {
    const { server, client } = await setUp(boxes(1));
    await expect(watching(client, options as never).next()).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });
});

describe('the end of a feed', () => {
  test('comes with the reason of the signal, even while the feed waits', async () => {
    const { client } = await setUp(boxes(1));
    const stopping = new AbortController();
    const feed = watching(client, { every: 60_000, signal: stopping.signal });
    await feed.next();
    const next = feed.next();
    setTimeout(() => stopping.abort(new Error('enough')), 10);
    await expect(next).rejects.toThrow('enough');
  });

  test('comes immediately if the consumer leaves a feed that is waiting', async () => {
    const { client } = await setUp(boxes(1));
    const feed = watching(client, { every: 60_000 });
    await feed.next();
    const next = feed.next();
    await new Promise(resolve => setTimeout(resolve, 10));
    await feed.return();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
