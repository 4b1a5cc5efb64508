import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  APIError,
  type Checkpoint,
  ConfigurationError,
  type Container,
  type List,
  type Page,
  type Priority,
  type RateLimiter,
  TrackingClient,
} from '../../src/index.ts';
import type { WireDocument, WireResource } from '../../src/jsonapi/document.ts';
import { withRequest } from '../../support/client.ts';
import { gate } from '../../support/gate.ts';
import {
  clientOf,
  container,
  containers,
  type PageStyle,
  pageAddress,
  pageNumber,
  pageOf,
  type Received,
  serveScript,
} from '../../support/paged-server.ts';

interface ListServerOptions extends PageStyle {
  /** Called before a page is taken from the list, with the number of the request, from 1. */
  before?: (request: number, received: Received) => unknown;
  /** Changes a page before it is sent. */
  change?: (document: WireDocument, received: Received) => unknown;
}

/** A server of these containers, which the test can change. */
async function serve(records: WireResource[], { before, change, ...style }: ListServerOptions = {}) {
  let count = 0;
  const server = await serveScript(async received => {
    count += 1;
    await before?.(count, received);
    const document = pageOf(records, received.url, style);
    return { body: (await change?.(document, received)) ?? document };
  });
  return { server, client: clientOf(server) };
}

const ids = (records: Iterable<{ id: string }>) => Array.from(records, ({ id }) => id);
const pagesAsked = (requests: readonly Received[]) => requests.map(({ url }) => pageNumber(url));

describe('a list', () => {
  test('sends nothing until it is awaited or iterated', async () => {
    const { server, client } = await serve(containers(1, 5));
    const list = client.containers.list();
    list.pages();
    list[Symbol.asyncIterator]();
    await sleep(20);
    expect(server.requests).toHaveLength(0);
    await list;
    expect(server.requests).toHaveLength(1);
  });

  test('requests its first page once, even if it is awaited and iterated repeatedly', async () => {
    const { server, client } = await serve(containers(1, 5));
    const list = client.containers.list({ pageSize: 2 });
    const [page, again] = await Promise.all([list, list.then(value => value)]);
    expect(page).toBe(again);
    expect(await list.toArray()).toHaveLength(5);
    expect(await list.finally(() => {})).toBe(page);
    expect((await list.withResponse()).data).toBe(page);
    expect(pagesAsked(server.requests)).toEqual([1, 2, 3]);
  });

  test('returns its first page if it is awaited', async () => {
    const { client } = await serve(containers(1, 5));
    const page = await client.containers.list({ pageSize: 2 });
    expect(ids(page.data)).toEqual(['c1', 'c2']);
    expect(page.meta).toEqual({ size: 2, total: 5 });
    expect(page.links.next).toContain('page[number]=2');
    expect(page.hasNextPage()).toBe(true);
  });

  test('returns the response of its first page, either after its body is read or before', async () => {
    const { client } = await serve(containers(1, 2));
    const { data, response, attempts, document } = await client.containers.list().withResponse();
    expect(data.data).toHaveLength(2);
    expect(response.status).toBe(200);
    expect(attempts).toBe(1);
    expect((document as WireDocument).data).toHaveLength(2);

    const untouched = await client.containers.list().asResponse();
    expect(untouched.bodyUsed).toBe(false);
    expect(((await untouched.json()) as WireDocument).data).toHaveLength(2);
  });

  test('cannot be awaited together with its unread response', async () => {
    const { server, client } = await serve(containers(1, 2));
    const list = client.containers.list();
    const response = list.asResponse();
    await expect(list).rejects.toThrow(ConfigurationError);
    await (await response).body?.cancel();
    expect(server.requests).toHaveLength(1);
  });

  test('rejects with the error of its first page, also during iteration', async () => {
    const server = await serveScript(() => ({ status: 404, body: { errors: [{ title: 'Not Found' }] } }));
    const list = clientOf(server).containers.list();
    await expect(list.toArray()).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(await list.catch((error: unknown) => error)).toBeInstanceOf(APIError);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    { pageSize: 0 },
    { pageSize: -1 },
    { pageSize: 2.5 },
    { pageSize: Number.NaN },
    { pageSize: '10' },
    { pageSize: null },
    { pageNumber: 0 },
    { pageNumber: Number.POSITIVE_INFINITY },
    { concurrency: 0 },
    { concurrency: 1.5 },
  ])('rejects %j, and nothing is sent', async options => {
    const { server, client } = await serve(containers(1, 5));
    const list = client.containers.list(options as object);
    await expect(list).rejects.toThrow(ConfigurationError);
    await expect(list.toArray()).rejects.toThrow(Object.keys(options)[0]);
    expect(server.requests).toHaveLength(0);
  });

  test('begins with the page `pageNumber`', async () => {
    const { server, client } = await serve(containers(1, 5));
    expect(ids(await client.containers.list({ pageNumber: 2, pageSize: 2 }).toArray())).toEqual(['c3', 'c4', 'c5']);
    expect(pagesAsked(server.requests)).toEqual([2, 3]);
  });
});

describe('iteration', () => {
  test('yields every record of every page in order', async () => {
    const { server, client } = await serve(containers(1, 7));
    const found: string[] = [];
    for await (const box of client.containers.list({ pageSize: 3 })) found.push(box.id);
    expect(found).toEqual(ids(containers(1, 7)));
    expect(pagesAsked(server.requests)).toEqual([1, 2, 3]);
  });

  test('sends the parameters of the list with every page', async () => {
    const { server, client } = await serve(containers(1, 3));
    await client.containers
      .list({ pageSize: 2, filter: { number: 'X' }, include: ['shipment'], headers: { 'x-test': 'a' } })
      .toArray();
    expect(server.requests.map(({ url }) => url.search)).toEqual([
      '?include=shipment&sort=created_at&filter[number]=X&page[number]=1&page[size]=2',
      '?include=shipment&sort=created_at&filter[number]=X&page[number]=2&page[size]=2',
    ]);
    expect(server.requests.map(({ headers }) => headers['x-test'])).toEqual(['a', 'a']);
  });

  test('sends no more requests after the consumer stops', async () => {
    const { server, client } = await serve(containers(1, 20));
    let count = 0;
    for await (const _ of client.containers.list({ pageSize: 2 })) {
      count += 1;
      if (count === 3) break;
    }
    await sleep(20);
    expect(pagesAsked(server.requests)).toEqual([1, 2]);
  });

  test('requests no more pages than toArray needs for its limit', async () => {
    const { server, client } = await serve(containers(1, 20));
    const list = (options = {}) => client.containers.list({ pageSize: 2, ...options });
    expect(await list().toArray({ limit: 4 })).toHaveLength(4);
    expect(pagesAsked(server.requests)).toEqual([1, 2]);
    expect(await list().toArray({ limit: 0 })).toEqual([]);
    expect(server.requests).toHaveLength(2);
    expect(await list({ pageSize: 10 }).toArray({ limit: 500 })).toHaveLength(20);
    expect(await list({ pageSize: 10 }).toArray({ limit: undefined })).toHaveLength(20);
  });

  test('can yield pages', async () => {
    const { client } = await serve(containers(1, 5));
    const sizes: number[] = [];
    for await (const page of client.containers.list({ pageSize: 2 }).pages()) sizes.push(page.data.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  test('can use nextPage, which returns undefined at the end', async () => {
    const { server, client } = await serve(containers(1, 5));
    const found: string[] = [];
    let page: Page<Container> | undefined = await client.containers.list({ pageSize: 2 });
    while (page) {
      found.push(...ids(page.data));
      expect(page.hasNextPage()).toBe(!found.includes('c5'));
      page = await page.nextPage();
    }
    expect(found).toEqual(ids(containers(1, 5)));
    expect(pagesAsked(server.requests)).toEqual([1, 2, 3]);
  });

  test('of a page continues to the end of the list, because an async function can only return the first page', async () => {
    const { client } = await serve(containers(1, 5));
    const find = async (): Promise<Page<Container>> => client.containers.list({ pageSize: 2 });
    const found: string[] = [];
    for await (const box of await find()) found.push(box.id);
    expect(found).toEqual(ids(containers(1, 5)));

    const second = await (await find()).nextPage();
    const rest: string[] = [];
    for await (const box of second ?? []) rest.push(box.id);
    expect(rest).toEqual(['c3', 'c4', 'c5']);
  });

  test('of an empty list yields nothing', async () => {
    const { server, client } = await serve([]);
    expect(await client.containers.list().toArray()).toEqual([]);
    const page = await client.containers.list();
    expect(page.hasNextPage()).toBe(false);
    expect(await page.nextPage()).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  });

  test('throws the reason of the signal, and sends nothing more', async () => {
    const { server, client } = await serve(containers(1, 20));
    const stopping = new AbortController();
    const reason = new Error('enough');
    let count = 0;
    const iterate = async () => {
      for await (const _ of client.containers.list({ pageSize: 2, concurrency: 2, signal: stopping.signal })) {
        count += 1;
        if (count === 4) stopping.abort(reason);
      }
    };
    await expect(iterate()).rejects.toBe(reason);
    await sleep(20);
    // Page 3 may have been requested already.
    expect(server.requests.length).toBeLessThanOrEqual(3);
    expect(count).toBe(4);
  });

  test.each<[string, (list: List<Container>) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>]>([
    ['records', list => list],
    ['records from a page on', async list => await list],
    ['pages', list => list.pages()],
    ['pages from a page on', async list => (await list).pages()],
  ])('of %s ends immediately after an abort, and yields nothing more', async (_, iterate) => {
    const { server, client } = await serve(containers(1, 300));
    const stopping = new AbortController();
    const reason = new Error('enough');
    let given = 0;
    const reading = (async () => {
      const list = client.containers.list({ pageSize: 100, signal: stopping.signal });
      for await (const _ of await iterate(list)) {
        given += 1;
        stopping.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(given).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  test('into an array rejects after an abort, even if the last page has arrived', async () => {
    const { client } = await serve(containers(1, 3));
    const stopping = new AbortController();
    const list = client.containers.list({ signal: stopping.signal });
    await list;
    stopping.abort('enough');
    await expect(list.toArray()).rejects.toBe('enough');
  });

  test('with an aborted signal sends nothing', async () => {
    const { server, client } = await serve(containers(1, 2));
    const list = client.containers.list({ signal: AbortSignal.abort('no') });
    await expect(list.toArray()).rejects.toBe('no');
    expect(server.requests).toHaveLength(0);
  });

  test('rejects at the failed page', async () => {
    const server = await serveScript(({ url }) =>
      pageNumber(url) === 3 ? { status: 422, body: { errors: [] } } : { body: pageOf(containers(1, 20), url) },
    );
    const found: string[] = [];
    const iterate = async () => {
      for await (const box of clientOf(server).containers.list({ pageSize: 2, concurrency: 4 })) found.push(box.id);
    };
    await expect(iterate()).rejects.toMatchObject({ name: 'ValidationError' });
    expect(found).toEqual(['c1', 'c2', 'c3', 'c4']);
  });
});

describe('pages requested ahead', () => {
  test('are limited by `concurrency`, and keep their order', async () => {
    const four = gate();
    const { server, client } = await serve(containers(1, 90), {
      async before(_, { url }) {
        if (server.peak === 4) four.open();
        // The first page has the number of all records.
        if (pageNumber(url) > 1) await four.opened;
        await sleep([9, 1, 5, 2][pageNumber(url) % 4]);
      },
    });
    const found = await client.containers.list({ pageSize: 5, concurrency: 4 }).toArray();
    expect(ids(found)).toEqual(ids(containers(1, 90)));
    expect(server.peak).toBe(4);
    expect(server.requests).toHaveLength(18);
  });

  test('are not used by default', async () => {
    const { server, client } = await serve(containers(1, 20), { before: () => sleep(2) });
    expect(await client.containers.list({ pageSize: 2 }).toArray()).toHaveLength(20);
    expect(server.peak).toBe(1);
  });

  test('stop at the last known page', async () => {
    const { server, client } = await serve(containers(1, 5));
    expect(await client.containers.list({ pageSize: 2, concurrency: 10 }).toArray()).toHaveLength(5);
    expect(pagesAsked(server.requests).sort()).toEqual([1, 2, 3]);
  });

  test('are not used if the service does not send the total', async () => {
    const { server, client } = await serve(containers(1, 20), { meta: 'none', before: () => sleep(2) });
    expect(await client.containers.list({ pageSize: 2, concurrency: 4 }).toArray()).toHaveLength(20);
    expect(server.peak).toBe(1);
  });

  test('are aborted when the consumer stops, and their failures are ignored', async () => {
    let closed = 0;
    const [ahead, stopped] = [gate(), gate()];
    const server = await serveScript(async ({ url }) => {
      if (server.requests.length === 5) ahead.open();
      // The consumer stops at the second page, after the pages ahead have arrived.
      if (pageNumber(url) === 2) await ahead.opened;
      if (pageNumber(url) > 2) await stopped.opened;
      return pageNumber(url) === 3 ? 'broken' : { body: pageOf(containers(1, 20), url) };
    });
    const client = clientOf(server, {
      fetch: withRequest(request => {
        request.signal.addEventListener('abort', () => {
          closed += 1;
        });
        return fetch(request);
      }),
    });
    for await (const box of client.containers.list({ pageSize: 2, concurrency: 4 })) if (box.id === 'c3') break;
    stopped.open();
    await sleep(30);
    expect(pagesAsked(server.requests).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(closed).toBe(3);
  });

  test.each([
    ['nextPage()', (first: Page<Container>) => first.nextPage()],
    [
      'the first page after a checkpoint',
      ({ checkpoint }: Page<Container>, client: TrackingClient) =>
        client.containers.list({ pageSize: 5, concurrency: 8, from: checkpoint }),
    ],
  ])('are not used for %s, even if records disappear', async (_, read) => {
    const records = containers(1, 100);
    const { server, client } = await serve(records);
    const first = await client.containers.list({ pageSize: 5, concurrency: 8 });
    records.splice(0, 2);
    const second = await read(first, client);
    expect(ids(second?.data ?? [])).toEqual(['c6', 'c7']);
    // A simultaneous request would arrive before the response to this request.
    await client.containers.list({ pageNumber: 99 });
    expect(pagesAsked(server.requests)).toEqual([1, 2, 1, 99]);
  });

  test('never exceed `concurrency`, even if earlier pages are dropped because records disappear', async () => {
    const records = containers(1, 60);
    const underWay = new Set<Request>();
    let peak = 0;
    const { server } = await serve(records, {
      before: async (request, { url }) => {
        if (request % 3 === 0) records.splice(0, 2);
        await sleep(pageNumber(url) % 2 === 0 ? 1 : 6);
      },
    });
    const client = clientOf(server, {
      fetch: withRequest(async request => {
        underWay.add(request);
        request.signal.addEventListener('abort', () => underWay.delete(request));
        peak = Math.max(peak, underWay.size);
        const response = await fetch(request);
        underWay.delete(request);
        return response;
      }),
    });
    await client.containers.list({ pageSize: 5, concurrency: 4 }).toArray();
    expect(peak).toBe(4);
  });
});

describe('a list that changes while it is read', () => {
  test.each([1, 4])(
    'yields each of 1,000 containers once if 50 are added at the front (concurrency %i)',
    async concurrency => {
      const records = containers(1, 1000);
      let added = 0;
      const { server, client } = await serve(records, {
        before: request => {
          for (let n = 0; request > 1 && n < 7 && added < 50; n += 1) {
            added += 1;
            records.unshift(...newContainers(1));
          }
        },
      });
      const found = ids(await client.containers.list({ pageSize: 100, concurrency }).toArray());
      expect(added).toBe(50);
      expect(found.filter(id => !isNew(id))).toEqual(ids(containers(1, 1000)));
      expect(new Set(found).size).toBe(found.length);
      expect(server.requests.length).toBeLessThan(concurrency === 1 ? 20 : 40);
    },
  );

  test('yields each record once if more than a page of records is added at the same time', async () => {
    const records = containers(1, 12);
    const { client } = await serve(records, {
      before: request => {
        if (request === 2) records.unshift(...newContainers(11));
      },
    });
    const found = ids(await client.containers.list({ pageSize: 3 }).toArray());
    expect(found.filter(id => !isNew(id))).toEqual(ids(containers(1, 12)));
    expect(new Set(found).size).toBe(found.length);
  });

  test.each([
    ['in front of the reader', (records: WireResource[]) => records.splice(0, 5)],
    ['behind the reader', (records: WireResource[]) => records.splice(15, 5)],
    ['all that was read', (records: WireResource[]) => records.splice(0, 8)],
    ['all at the end', (records: WireResource[]) => records.splice(8)],
  ])('yields each remaining record exactly once if records disappear: %s', async (_, remove) => {
    const records = containers(1, 20);
    const { client } = await serve(records, {
      before: request => {
        if (request === 3) remove(records);
      },
    });
    const found = ids(await client.containers.list({ pageSize: 4 }).toArray());
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(ids(records)));
  });

  test('yields each remaining record if additions and removals leave the total unchanged', async () => {
    const at = fc.array(fc.nat({ max: 29 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(at, async places => {
        const records = containers(1, 30);
        const { client } = await serve(records, {
          before: request => {
            if (request === 1) return;
            for (const place of places) {
              records.splice(place, 1);
              records.unshift(...newContainers(1));
            }
          },
        });
        const found = ids(await client.containers.list({ pageSize: 5 }).toArray());
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(expect.arrayContaining(ids(records).filter(id => !isNew(id))));
      }),
      { numRuns: 30 },
    );
  });

  test('yields each remaining record if records disappear between calls of nextPage', async () => {
    const records = containers(1, 8);
    const { client } = await serve(records);
    const first = await client.containers.list({ pageSize: 4 });
    records.splice(1, 2);
    const second = await first.nextPage();
    expect(ids([...first.data, ...(second?.data ?? [])])).toEqual(expect.arrayContaining(ids(records.slice(0, 4))));
    const found = [...ids(first.data)];
    for await (const box of second ?? []) found.push(box.id);
    expect(found).toEqual(ids(containers(1, 8)));
  });

  test('skips none of the remaining records if records disappear and the pages have no links', async () => {
    const records = containers(1, 9);
    const { client } = await serve(records, {
      links: false,
      before: request => {
        if (request === 2) records.splice(0, 3);
      },
    });
    expect(ids(await client.containers.list({ pageSize: 3 }).toArray())).toEqual(ids(containers(1, 9)));
  });

  type Change = { kind: 'nothing' | 'insert' | 'remove'; count: number; at: number };
  const change: fc.Arbitrary<Change> = fc.oneof(
    { weight: 3, arbitrary: fc.constant<Change>({ kind: 'nothing', count: 0, at: 0 }) },
    fc.record({ kind: fc.constant<'insert'>('insert'), count: fc.integer({ min: 1, max: 9 }), at: fc.constant(0) }),
    fc.record({ kind: fc.constant<'remove'>('remove'), count: fc.integer({ min: 1, max: 9 }), at: fc.nat(40) }),
  );
  const apply = ({ kind, count, at }: Change, records: WireResource[]) => {
    if (kind === 'insert') records.unshift(...newContainers(count));
    if (kind === 'remove') records.splice(at, count);
  };
  const history = fc.record({
    length: fc.integer({ min: 0, max: 40 }),
    pageSize: fc.integer({ min: 1, max: 9 }),
    concurrency: fc.integer({ min: 1, max: 4 }),
    changes: fc.array(fc.array(change, { maxLength: 2 }), { maxLength: 15 }),
    delays: fc.array(fc.nat(3), { minLength: 1, maxLength: 7 }),
    links: fc.boolean(),
  });

  const any = () => true;
  test.each<[string, boolean, (change: Change) => boolean]>([
    ['added at the front and removed anywhere', false, any],
    ['added, by requests that overtake each other', true, ({ kind }) => kind === 'insert'],
    ['removed, by requests that overtake each other', true, ({ kind }) => kind === 'remove'],
  ])('yields each remaining record exactly once if records are %s', async (_, overtaking, wanted) => {
    await fc.assert(
      fc.asyncProperty(history, async ({ length, pageSize, concurrency, changes, delays, links }) => {
        const records = containers(1, length);
        let requests = 0;
        const client = inProcess(async url => {
          const number = requests;
          requests += 1;
          const delay = delays[number % delays.length];
          if (overtaking) await ticks(delay);
          for (const step of (changes[number] ?? []).filter(wanted)) apply(step, records);
          const page = pageOf(records, url, { links });
          if (!overtaking) await ticks(delay);
          return page;
        });
        const found = ids(await client.containers.list({ pageSize, concurrency }).toArray());
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(expect.arrayContaining(ids(records).filter(id => !isNew(id))));
        // The limit allows several readings of the longest list, and some pages that are read again.
        expect(requests).toBeLessThan(6 * (records.length / pageSize + 10));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a checkpoint', () => {
  const throughJson = (checkpoint: Checkpoint) => JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;

  async function firstPages(list: List<Container>, count: number) {
    const found: string[] = [];
    for await (const page of list.pages()) {
      found.push(...ids(page.data));
      count -= 1;
      if (count === 0) return { found, checkpoint: throughJson(page.checkpoint) };
    }
    throw new Error('The list ended before.');
  }

  test('can be continued by another client, with the page size of the first client', async () => {
    const { server, client } = await serve(containers(1, 10));
    const { found, checkpoint } = await firstPages(client.containers.list({ pageSize: 3 }), 2);
    const rest = await clientOf(server).containers.list({ from: checkpoint }).toArray();
    expect([...found, ...ids(rest)]).toEqual(ids(containers(1, 10)));
    expect(pagesAsked(server.requests)).toEqual([1, 2, 3, 4]);
    expect(server.requests.every(({ url }) => url.searchParams.get('page[size]') === '3')).toBe(true);
  });

  test('of the last page is followed by no further record', async () => {
    const { client } = await serve(containers(1, 6));
    const { checkpoint } = await firstPages(client.containers.list({ pageSize: 3 }), 2);
    expect(await client.containers.list({ from: checkpoint }).toArray()).toEqual([]);
  });

  test.each([
    ['records added at the front', (records: WireResource[]) => records.unshift(...newContainers(2))],
    ['a page of records added at the front', (records: WireResource[]) => records.unshift(...newContainers(3))],
    ['records removed before the checkpoint', (records: WireResource[]) => records.splice(1, 2)],
    ['records removed after the checkpoint', (records: WireResource[]) => records.splice(8, 1)],
    ['a page of records removed before the checkpoint', (records: WireResource[]) => records.splice(0, 3)],
  ])('continues after %s, and skips and repeats nothing', async (_, change) => {
    const records = containers(1, 12);
    const { client } = await serve(records);
    const { found, checkpoint } = await firstPages(client.containers.list({ sort: '-created_at', pageSize: 3 }), 2);
    change(records);
    found.push(...ids(await client.containers.list({ sort: '-created_at', from: checkpoint }).toArray()));
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(ids(records).filter(id => !isNew(id))));
  });

  test('continues after the addition or removal of more than a page of records, and skips nothing', async () => {
    for (const change of [
      (records: WireResource[]) => records.unshift(...newContainers(8)),
      (records: WireResource[]) => records.splice(2, 8),
      (records: WireResource[]) => records.splice(12),
    ]) {
      const records = containers(1, 30);
      const { client } = await serve(records);
      const { found, checkpoint } = await firstPages(client.containers.list({ sort: '-created_at', pageSize: 3 }), 4);
      change(records);
      found.push(...ids(await client.containers.list({ sort: '-created_at', from: checkpoint }).toArray()));
      expect(found).toEqual(expect.arrayContaining(ids(records).filter(id => !isNew(id))));
    }
  });

  test('of another list is refused, and nothing is sent', async () => {
    const { server, client } = await serve(containers(1, 4));
    const { checkpoint } = await client.containers.list({ sort: '-created_at', pageSize: 3 });
    await expect(client.shipments.list({ from: checkpoint })).rejects.toThrow('/containers');
    await expect(client.containers.transportEvents('c1', { from: checkpoint })).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['null', null],
    ['text', 'page 2'],
    ['a list', []],
    ['an empty object', {}],
    ['page 0', { path: '/containers', page: 0, pageSize: 3, size: 3, total: 3, ids: [] }],
    ['without ids', { path: '/containers', page: 1, pageSize: 3, size: 3, total: 3 }],
  ])('that is %s is refused', async (_, from) => {
    const { server, client } = await serve(containers(1, 4));
    await expect(client.containers.list({ from: from as unknown as Checkpoint })).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });

  test.each<[string, Partial<Record<keyof Checkpoint, unknown>>]>([
    ['a page beyond the total', { page: 1e9 }],
    ['a page just beyond the total', { page: 5 }],
    ['a negative page', { page: -1 }],
    ['a page that is a fraction', { page: 1.5 }],
    ['a page that is not a safe integer', { page: 2 ** 60 }],
    ['a page that is text', { page: '2' }],
    ['a negative size', { size: -3 }],
    ['a size that is a fraction', { size: 2.5 }],
    ['a size that is infinite', { size: Number.POSITIVE_INFINITY }],
    ['fewer records in a page than ids', { size: 1 }],
    ['a page size of 0', { pageSize: 0 }],
    ['a negative page size', { pageSize: -3 }],
    ['a negative total', { total: -1 }],
    ['a total that is a fraction', { total: 9.5 }],
    ['a total smaller than the number of its ids', { total: 2 }],
    ['no ids for a full page', { ids: [] }],
    ['no ids and a page beyond the total', { ids: [], page: 1e9 }],
    ['ids that are not texts', { ids: [1, 2, 3] }],
    ['no name of its list', { list: undefined }],
  ])('with %s is refused, and nothing is sent', async (_, change) => {
    const { client } = await serve(containers(1, 10));
    const { checkpoint } = await firstPages(client.containers.list({ pageSize: 3 }), 2);
    const { server, client: other } = await serve(containers(1, 10));
    const list = other.containers.list({ from: { ...checkpoint, ...change } as Checkpoint });
    await expect(list.toArray()).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });

  test('of every possible page is accepted', async () => {
    const count = fc.nat({ max: 12 });
    await fc.assert(
      fc.asyncProperty(
        count,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 8 }),
        async (total, size, at) => {
          const client = inProcess(async url => pageOf(containers(1, total), url));
          const page = await client.containers.list({ pageSize: size, pageNumber: at });
          const again = await client.containers.list({ from: throughJson(page.checkpoint) });
          const rest = ids(await client.containers.list({ from: throughJson(again.checkpoint) }).toArray());
          const from = (at - 1) * size;
          expect([...ids(page.data), ...ids(again.data), ...rest]).toEqual(ids(containers(1, total)).slice(from));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('of an empty page points to the end of the previous page, so that a later reading skips nothing', async () => {
    const records = containers(1, 6);
    const { client } = await serve(records);
    let { checkpoint } = await firstPages(client.containers.list({ pageSize: 3 }), 2);
    for (let round = 0; round < 3; round += 1) ({ checkpoint } = await client.containers.list({ from: checkpoint }));
    records.push(...newContainers(4));
    expect(await client.containers.list({ from: throughJson(checkpoint) }).toArray()).toHaveLength(4);
  });
});

describe('a service with its own form of pages', () => {
  test.each<[string, PageStyle]>([
    ['links and no meta', { meta: 'none' }],
    ['a total and no links', { links: false, meta: 'total' }],
    ['links and a total', { meta: 'total' }],
  ])('with %s is read completely', async (_, style) => {
    const { client } = await serve(containers(1, 7), style);
    expect(ids(await client.containers.list({ pageSize: 3 }).toArray())).toEqual(ids(containers(1, 7)));
  });

  test('without links and meta has one page', async () => {
    const { server, client } = await serve(containers(1, 3), { links: false, meta: 'none' });
    expect(await client.webhooks.list().toArray()).toHaveLength(3);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['relative to the origin', (url: URL) => `${url.pathname}?page[number]=${pageNumber(url) + 1}`],
    ['relative to the page', (url: URL) => `?page[number]=${pageNumber(url) + 1}`],
    ['encoded in its brackets', (url: URL) => pageAddress(url, pageNumber(url) + 1).replaceAll('[', '%5B')],
    ['an object with href', (url: URL) => ({ href: pageAddress(url, pageNumber(url) + 1) })],
    ['a cursor', (url: URL) => `${url.origin}${url.pathname}?page[after]=xyz`],
  ])('is read completely if the address of the next page is %s', async (_, next) => {
    const { client } = await serve(containers(1, 7), {
      change: ({ links = {} }, { url }) => {
        if (links.next) Object.assign(links, { next: next(url) });
      },
    });
    expect(ids(await client.containers.list({ pageSize: 3 }).toArray())).toEqual(ids(containers(1, 7)));
  });

  test('with `next: null` at the end is read to that page', async () => {
    const { server, client } = await serve(containers(1, 3), {
      change: ({ links }) => void Object.assign(links ?? {}, { next: null }),
    });
    expect(await client.containers.list().toArray()).toHaveLength(3);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['to another origin', (own: string, other: string) => `${other}/containers?page[number]=2&from=${own}`],
    ['to another port of the host', (_: string, other: string) => `${other}/containers?page[number]=2`],
    ['without a scheme', (_: string, other: string) => `${other.replace('http:', '')}/containers?page[number]=2`],
    ['out of the base path', (own: string) => `${own.replace('/v2', '/v1')}/containers?page[number]=2`],
    ['out of the base path with dots', (own: string) => `${own}/../admin/containers?page[number]=2`],
    [
      'with a user name',
      (own: string, other: string) => `${own.replace('//', '//a@')}`.replace('127.0.0.1', 'evil.example') + other,
    ],
    ['that is not an address', () => 'http://'],
  ])(
    'with a next address %s receives every request at the base URL, and the next address receives nothing',
    async (_, address) => {
      const other = await serveScript(() => ({ body: { data: [] } }));
      const { server, client } = await serve(containers(1, 7), {
        change: ({ links = {} }, { url }) => {
          if (links.next) links.next = address(server.baseUrl, other.baseUrl).replace('=2', `=${pageNumber(url) + 1}`);
        },
      });
      expect(ids(await client.containers.list({ pageSize: 3 }).toArray())).toEqual(ids(containers(1, 7)));
      expect(pagesAsked(server.requests)).toEqual([1, 2, 3]);
      expect(server.requests.every(({ url }) => url.pathname === '/v2/containers')).toBe(true);
      expect(other.requests).toHaveLength(0);
    },
  );

  test('behind a gateway that does not rewrite links is read to the end, and the logger reports it once', async () => {
    const warn = vi.fn();
    const { server } = await serve(containers(1, 7), {
      change: ({ links = {} }, { url }) => {
        if (links.next)
          links.next = `https://user:secret@inside.example/v2/containers?page[number]=${pageNumber(url) + 1}`;
      },
    });
    const logger = { debug: () => {}, info: () => {}, warn, error: () => {} };
    const client = clientOf(server, { logger });
    expect(await client.containers.list({ pageSize: 2 }).toArray()).toHaveLength(7);
    const [first] = [await client.shipments.list({ pageSize: 2 })];
    expect(first.hasNextPage()).toBe(true);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toContain('https://inside.example');
    expect(warn.mock.calls[0]?.[0]).not.toContain('secret');
  });

  test('with links to itself is not logged', async () => {
    const warn = vi.fn();
    const { server } = await serve(containers(1, 7));
    const client = clientOf(server, { logger: { debug: () => {}, info: () => {}, warn, error: () => {} } });
    expect(await client.containers.list({ pageSize: 2 }).toArray()).toHaveLength(7);
    expect(warn).not.toHaveBeenCalled();
  });

  test.each(['many', {}, -1, null, 0.5])('with the total %j is read by its links', async total => {
    const { server, client } = await serve(containers(1, 6), {
      change: document => ({ ...document, meta: { total: pagesAsked(server.requests).length > 1 ? total : 6 } }),
    });
    expect(ids(await client.containers.list({ pageSize: 2 }).toArray())).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
    // A second reading verifies the first.
    expect(pagesAsked(server.requests)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test('that sends the same records for every page does not cause a loop', async () => {
    const page = { data: containers(1, 3) };
    const { server, client } = await serve([], {
      change: (_, { url }) => ({ ...page, links: { next: pageAddress(url, 2), last: pageAddress(url, 2) } }),
    });
    expect(ids(await client.shippingLines.list().toArray())).toEqual(['c1', 'c2', 'c3']);
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });

  test('that sends the same records for every page, with a total, does not cause a loop', async () => {
    const { server, client } = await serve([], {
      change: (_, { url }) => ({
        data: containers(1, 9),
        links: { next: pageAddress(url, pageNumber(url) + 1) },
        meta: { total: 9 },
      }),
    });
    expect(await client.customFieldDefinitions.list({ pageSize: 2 }).toArray()).toHaveLength(9);
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });

  test.each([undefined, { total: 9 }])(
    'that links an empty page to a next page does not cause a loop (meta: %j)',
    async meta => {
      const { server, client } = await serve([], {
        change: (_, { url }) => ({
          data: pageNumber(url) === 1 ? containers(1, 3) : [],
          links: { next: pageAddress(url, pageNumber(url) + 1) },
          meta,
        }),
      });
      expect(await client.containers.list({ concurrency: 2 }).toArray()).toHaveLength(3);
      expect(server.requests.length).toBeLessThanOrEqual(6);
    },
  );

  test('that sends one record instead of a list causes an error', async () => {
    const server = await serveScript(() => ({ body: { data: container(1) } }));
    expect(ids(await clientOf(server).containers.list().toArray())).toEqual(['c1']);
  });

  test('that reduces the page size is read to the end', async () => {
    const { server, client } = await serve(containers(1, 250));
    const found = await client.containers.list({ pageSize: 100, concurrency: 3 }).toArray();
    expect(found).toHaveLength(250);
    expect(server.requests).toHaveLength(3);
  });
});

describe('the priority', () => {
  async function recorded() {
    const priorities: Priority[] = [];
    const limiter: RateLimiter = {
      acquire: async ({ priority }) => {
        priorities.push(priority);
        return { release: () => {} };
      },
    };
    const { server } = await serve(containers(1, 5));
    return { priorities, client: clientOf(server, { rateLimit: { limiter } }) };
  }

  test('of an iteration is bulk', async () => {
    const { priorities, client } = await recorded();
    await client.containers.list({ pageSize: 2 }).toArray();
    expect(priorities).toEqual(['bulk', 'bulk', 'bulk']);
  });

  test('of a single page is interactive', async () => {
    const { priorities, client } = await recorded();
    const page = await client.containers.list({ pageSize: 2 });
    await page.nextPage();
    expect(priorities).toEqual(['interactive', 'interactive']);
  });

  test('of the pages after an iterated page is bulk', async () => {
    const { priorities, client } = await recorded();
    const page = await client.containers.list({ pageSize: 2 });
    for await (const _ of page) {
      // Only the requests matter here.
    }
    expect(priorities).toEqual(['interactive', 'bulk', 'bulk']);
  });

  test('can be set by the caller', async () => {
    const { priorities, client } = await recorded();
    await client.containers.list({ pageSize: 2, priority: 'interactive' }).toArray();
    await client.containers.list({ pageSize: 2, priority: 'bulk' });
    expect(priorities).toEqual(['interactive', 'interactive', 'interactive', 'bulk']);
  });
});

let made = 0;

/** Containers that are in no list yet. */
function newContainers(count: number): WireResource[] {
  made += count;
  return Array.from({ length: count }, (_, index) => container(`new${made - index}`));
}

function isNew(id: string): boolean {
  return id.includes('new');
}

/** A client whose responses come without a socket, for many runs in a short time. */
function inProcess(answer: (url: URL) => Promise<WireDocument>): TrackingClient {
  return new TrackingClient({
    baseUrl: 'https://host.example/v2',
    apiKey: 'key',
    logger: false,
    validation: 'off',
    rateLimit: false,
    retry: false,
    fetch: withRequest(async ({ url, signal }) => {
      const body = await answer(new URL(url));
      signal.throwIfAborted();
      return Response.json(body);
    }),
  });
}

async function ticks(count = 0): Promise<void> {
  for (let n = 0; n < count * 20; n += 1) await undefined;
}
