import { describe, expect, test } from 'vitest';
import {
  type Change,
  ConfigurationError,
  type Container,
  type FeedCheckpoint,
  TrackingClient,
} from '../../src/index.ts';
import type { WireResource } from '../../src/jsonapi/document.ts';
import type { Notification } from '../../src/webhooks/index.ts';

/** A client whose `fetch` responds with the records in `boxes` in the same turn of the event loop. */
function setUp(boxes: WireResource[] = []) {
  const requests: URL[] = [];
  const client = new TrackingClient({
    baseUrl: 'https://service.example/v2',
    apiKey: 'key',
    rateLimit: false,
    logger: false,
    retry: false,
    validation: 'off',
    async fetch(input) {
      const url = new URL(input instanceof Request ? input.url : input);
      requests.push(url);
      return new Response(JSON.stringify(answer(boxes, url)), {
        headers: { 'content-type': 'application/vnd.api+json' },
      });
    },
  });
  return { client, boxes, requests };
}

function answer(boxes: readonly WireResource[], url: URL): object {
  const id = /\/containers\/(.+)$/.exec(url.pathname)?.[1];
  if (id !== undefined) return { data: boxes.find(box => box.id === id) };
  const page = Number(url.searchParams.get('page[number]') ?? 1);
  const data = boxes.slice((page - 1) * 100, page * 100);
  return { data, meta: { total: boxes.length }, links: page * 100 < boxes.length ? { next: 'next' } : {} };
}

const box = (id: string, attributes: Record<string, unknown> = {}): WireResource => ({
  type: 'container',
  id,
  attributes: { number: `BOX${id}`, ...attributes },
});
const boxes = (count: number) => Array.from({ length: count }, (_, n) => box(`b${n}`));

const about = (id: string) => ({ id: 'n', container: { type: 'container', id } }) as unknown as Notification;

async function take(feed: AsyncIterator<Change<Container>, void>, count: number): Promise<Change<Container>[]> {
  const items: Change<Container>[] = [];
  while (items.length < count) {
    const { value } = await feed.next();
    if (!value) break;
    items.push(value);
  }
  return items;
}

const OF = 'container; fields: all; include: none';

describe('fields', () => {
  test('with the names of inherited properties have no value before the first response', async () => {
    const { client, boxes: all } = setUp([box('a', { extra: {} })]);
    const feed = client.containers.watch({ every: 1 });
    await feed.next();
    all[0] = box('a', { extra: { valueOf: null }, constructor: 'x', toString: null, seal_number: 'A' });
    const changes = await take(feed, 2);
    expect(changes.map(item => item.kind === 'changed' && [item.field, item.before, item.after])).toEqual([
      ['constructor', undefined, 'x'],
      ['seal_number', undefined, 'A'],
    ]);
    await feed.return();
  });
});

describe('the event loop', () => {
  test.each([
    ['between the pages of a reading', 5, {}],
    ['between records that are read separately', 5, { ids: ['b0', 'b1'] }],
    ['between readings of nothing', 5, { ids: [] }],
  ])('runs %s, even if fetch responds within one turn of the loop', async (_, pages, options) => {
    const { client, requests } = setUp(boxes(pages * 100));
    const stopping = new AbortController();
    const feed = client.containers.watch({ every: 0.001, signal: stopping.signal, ...options });
    let turns = 0;
    const count = () => {
      turns += 1;
      if (turns === 50) stopping.abort(new Error('enough'));
      else setTimeout(count, 0);
    };
    setTimeout(count, 0);
    await expect(
      (async () => {
        for await (const _item of feed);
      })(),
    ).rejects.toThrow('enough');
    expect(turns).toBe(50);
    // Timers of equal length fire in the order of their start, so each turn has at most one request.
    expect(requests.length).toBeLessThanOrEqual(turns + 1);
  });
});

describe('a feed before its first item is requested', () => {
  test('refuses waiting notifications, and notifications after its end', async () => {
    const { client, requests } = setUp();
    const feed = client.containers.watch({ every: 1 });
    const before = feed.handler(about('a'));
    before.catch(() => {});
    await feed.return();
    await expect(before).rejects.toThrow('The feed has ended');
    await expect(feed.handler(about('a'))).rejects.toThrow('The feed has ended');
    expect(requests).toHaveLength(0);
  });
});

describe('throw()', () => {
  test('immediately ends a waiting feed with the thrown error', async () => {
    const { client } = setUp();
    const feed = client.containers.watch({ every: 3_600_000 });
    const waiting = feed.next();
    const error = new Error('mine');
    await expect(feed.throw(error)).rejects.toBe(error);
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  test('ends a feed with the thrown error after the feed has yielded an item', async () => {
    const { client } = setUp(boxes(2));
    const feed = client.containers.watch({ every: 1 });
    await feed.next();
    const error = new Error('mine');
    await expect(feed.throw(error)).rejects.toBe(error);
    expect(await feed.next()).toEqual({ done: true, value: undefined });
  });
});

describe('options', () => {
  test.each([[null], ['text'], [5], [{ include: 5 }], [{ include: 'shipment' }], [{ include: [''] }]])(
    'that the compiler would refuse are refused at run time: %j',
    async options => {
      const { client, requests } = setUp();
      await expect(client.containers.watch(options as never).next()).rejects.toThrow(ConfigurationError);
      expect(requests).toHaveLength(0);
    },
  );
});

describe('a checkpoint', () => {
  test('with a state that is not JSON is refused, and the error names the place', async () => {
    const { client } = setUp([box('a')]);
    const records = [{ id: 'a', askedAt: '2026-03-09T00:00:00Z', state: '{oops}' }];
    const from: FeedCheckpoint = { of: OF, complete: true, pass: null, records };
    await expect(client.containers.watch({ from }).next()).rejects.toThrow(
      new ConfigurationError('from holds a state of a that is not JSON. Pass a checkpoint unchanged.'),
    );
  });

  test('fits a feed that has its includes in another order', async () => {
    const { client } = setUp([box('a')]);
    const first = client.containers.watch({ include: ['shipment', 'pod_terminal'] });
    await first.next();
    const second = client.containers.watch({ include: ['pod_terminal', 'shipment'], from: first.checkpoint, every: 1 });
    await first.return();
    const next = second.next();
    await new Promise(resolve => setTimeout(resolve, 20));
    await second.return();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('of a feed with many ids does not cause a separate read of a record that is already on a page of the list', async () => {
    const { client, requests, boxes: all } = setUp(boxes(300));
    const ids = all.slice(0, 250).map(({ id }) => id);
    const first = client.containers.watch({ ids });
    await take(first, 201);
    requests.length = 0;
    const second = client.containers.watch({ ids, from: first.checkpoint });
    await first.return();
    expect(await take(second, 49)).toHaveLength(49);
    await second.return();
    expect(requests.filter(({ pathname }) => pathname !== '/v2/containers')).toEqual([]);
    expect(requests).toHaveLength(3);
  });
});
