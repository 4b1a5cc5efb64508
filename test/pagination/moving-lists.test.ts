import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { type Checkpoint, type IncompleteList, ResponseFormatError, type TrackingClient } from '../../src/index.ts';
import type { Context } from '../../src/sync/context.ts';
import { type ListProgress, readList } from '../../src/sync/list-reading.ts';
import { listsFor } from '../../src/sync/lists.ts';
import { MovingList, type MovingListOptions } from '../../support/moving-list.ts';
import { clientOf, containers, pageOf, type ScriptedServer, serveScript } from '../../support/paged-server.ts';
import { memoryStore } from '../sync/memory-store.ts';

/** A service whose containers are refreshed during the reading, and its client. */
async function moving(options: MovingListOptions) {
  const list = new MovingList(options);
  const server: ScriptedServer = await serveScript(({ url }) => ({ body: list.answer(url) }));
  return { list, server, client: clientOf(server) };
}

interface Told {
  ids: string[];
  incomplete: IncompleteList | undefined;
}

type Mode = (client: TrackingClient, pageSize: number) => Promise<Told>;
/** A feed requests 100 records per page, and receives as many as the service allows. */
const capOf = (mode: string, pageSize: number) => (mode === 'watch' ? { cap: pageSize } : {});

async function read(client: TrackingClient, options: object): Promise<Told> {
  let incomplete: IncompleteList | undefined;
  const onIncomplete = (told: IncompleteList) => {
    expect(incomplete).toBeUndefined();
    incomplete = told;
  };
  const records = await client.containers.list({ ...options, onIncomplete }).toArray();
  return { ids: records.map(({ id }) => id), incomplete };
}

/** Continues from a checkpoint after every few pages. */
async function inSessions(client: TrackingClient, pageSize: number, pagesOfSession: number): Promise<Told> {
  const ids: string[] = [];
  let incomplete: IncompleteList | undefined;
  let from: Checkpoint | undefined;
  const onIncomplete = (told: IncompleteList) => {
    expect(incomplete).toBeUndefined();
    incomplete = told;
  };
  for (let isDone = false; !isDone; ) {
    isDone = true;
    let pages = 0;
    for await (const page of client.containers.list({ pageSize, onIncomplete, from }).pages()) {
      ids.push(...page.data.map(({ id }) => id));
      from = JSON.parse(JSON.stringify(page.checkpoint));
      pages += 1;
      if (pages === pagesOfSession && page.hasNextPage()) {
        isDone = false;
        break;
      }
    }
  }
  return { ids, incomplete };
}

const MODES: Record<string, Mode> = {
  iteration: (client, pageSize) => read(client, { pageSize }),
  concurrency: (client, pageSize) => read(client, { pageSize, concurrency: 4 }),
  checkpoints: (client, pageSize) => inSessions(client, pageSize, 3),
  sync: (client, pageSize) => inPasses(client, pageSize, Number.POSITIVE_INFINITY),
  watch: client => watched(client),
};

/** Runs a feed until it has all records, or has reported missing records in two readings. */
async function watched(client: TrackingClient): Promise<Told> {
  const ids: string[] = [];
  let unread = 0;
  for await (const change of client.containers.watch({ every: 1, share: 1 })) {
    if (change.kind === 'appeared') ids.push(change.id);
    if (change.kind === 'unread') unread += 1;
    if (ids.length === LENGTH || unread === 2) break;
  }
  const missing = LENGTH - ids.length;
  return { ids, incomplete: missing > 0 ? { missing, total: LENGTH } : undefined };
}

/** Reads in the way of sync, stops after every few pages, and continues from its progress. */
async function inPasses(client: TrackingClient, pageSize: number, pagesOfPass: number): Promise<Told> {
  const [source] = listsFor(new Set(['container'] as const));
  const ids: string[] = [];
  let incomplete: IncompleteList | undefined;
  const reader = {
    page: async ({ path, query }: { path: string; query: object }, number: number, signal: AbortSignal) => {
      const { data } = await client
        .request<object>({ path, query: { ...query, page: { number, size: pageSize } }, signal })
        .withResponse();
      return { document: data, asOf: Date.now() };
    },
  };
  const emit = (event: { type: string } & IncompleteList) => {
    expect(incomplete).toBeUndefined();
    if (event.type === 'incomplete') incomplete = { missing: event.missing, total: event.total };
  };
  const context = { reader, store: memoryStore(), types: new Set(['container']), emit } as unknown as Context;
  let progress: ListProgress = { pass: 'one', page: 0, total: null, size: 0, done: false, doubted: false, ids: [] };
  while (!progress.done) {
    let left = pagesOfPass;
    for await (const page of readList(context, source as never, progress, new AbortController().signal)) {
      for (const { id } of page.rows) if (!ids.includes(id)) ids.push(id);
      progress = JSON.parse(JSON.stringify(page.progress));
      left -= 1;
      if (left === 0 && !progress.done) break;
    }
  }
  return { ids, incomplete };
}

const LENGTH = 312;
/**
 * Requests in addition to the pages: a session that begins after the end, and separate requests for records that a feed
 * no longer finds.
 */
const FURTHER: Record<string, number> = { checkpoints: 1, watch: 21 };

/**
 * For each kind of reading: the yielded records, the repeated records, the records reported as missing, and the requests.
 */
const results = new Map<string, string[]>();

function note(key: readonly unknown[], { ids, incomplete }: Told, { requests }: MovingList): void {
  const { size } = new Set(ids);
  results.set(key.join(), [size, ids.length - size, incomplete?.missing ?? 0, requests].map(String));
}

/** `LIST_TABLE=1 npx vitest run test/pagination/moving-lists.test.ts` prints the whole table. */
afterAll(() => {
  if (!process.env.LIST_TABLE) return;
  const rows = [...results].map(([key, counts]) => `| ${[...key.split(','), ...counts].join(' | ')} |`);
  const head = '| mode | a page | refreshes a page | sort | records | repeats | missing, as said | requests |';
  console.log([head, '|---|---:|---:|---|---:|---:|---:|---:|', ...rows].join('\n'));
});

describe.each(Object.entries(MODES))('%s', (mode, reading) => {
  describe.each([10, 50, 100])('%i records per page', pageSize => {
    const pages = Math.ceil(LENGTH / pageSize);

    test.each([0, 1, 5, 20])(
      'with %i refreshes per page yields each container once if the service obeys `sort`',
      async refreshes => {
        const { client, list } = await moving({ length: LENGTH, refreshes, obeys: true, ...capOf(mode, pageSize) });
        const told = await reading(client, pageSize);
        note([mode, pageSize, refreshes, 'obeyed'], told, list);
        const { ids, incomplete } = told;
        expect(incomplete).toBeUndefined();
        expect(ids).toHaveLength(LENGTH);
        expect(new Set(ids).size).toBe(LENGTH);
        // The last session checks for more records.
        expect(list.requests).toBeLessThanOrEqual(mode === 'checkpoints' ? pages + 1 : pages);
      },
    );

    test.each([0, 1, 5, 20])(
      'with %i refreshes per page yields all containers, or reports the missing containers',
      async refreshes => {
        const { client, list } = await moving({ length: LENGTH, refreshes, obeys: false, ...capOf(mode, pageSize) });
        const told = await reading(client, pageSize);
        note([mode, pageSize, refreshes, 'ignored'], told, list);
        const { ids, incomplete } = told;
        const missing = LENGTH - new Set(ids).size;
        expect(incomplete).toEqual(missing > 0 ? { missing, total: LENGTH } : undefined);
        expect(ids).toHaveLength(LENGTH - missing);
        expect(list.requests).toBeLessThanOrEqual(2 * pages + (FURTHER[mode] ?? 0));
        if (refreshes === 0) expect(missing).toBe(0);
      },
    );
  });
});

test('the guide has the measured records and requests of an iteration with 50 records per page', () => {
  const of = (refreshes: number, sort: string) => results.get(['iteration', 50, refreshes, sort].join()) ?? [];
  const rows = [0, 1, 5, 20].map(refreshes => {
    const [all, , , once] = of(refreshes, 'obeyed');
    const [came, , missing, twice] = of(refreshes, 'ignored');
    return `| ${[refreshes, `${all} in ${once}`, `${came} in ${twice}`, missing].join(' | ')} |`;
  });
  expect(readFileSync('docs/guides/lists.md', 'utf8')).toContain(rows.join('\n'));
});

describe('a list whose containers move', () => {
  test.each([1, 2, 3, 4, 6, 12])('is read once or twice in sessions of %i of its 12 pages', async pages => {
    const { client, list } = await moving({ length: LENGTH, refreshes: 5, obeys: false });
    const { ids, incomplete } = await inSessions(client, 26, pages);
    const missing = LENGTH - new Set(ids).size;
    expect(incomplete).toEqual(missing > 0 ? { missing, total: LENGTH } : undefined);
    expect(ids).toHaveLength(LENGTH - missing);
    // A session that begins at the end of the list requests one page after the end.
    expect(list.requests).toBeLessThanOrEqual(26);
  });

  test.each([2, 3, 4, 6, 12])('is read once or twice by a sync that is ended after %i of its 12 pages', async pages => {
    const { client, list } = await moving({ length: LENGTH, refreshes: 5, obeys: false });
    const { ids, incomplete } = await inPasses(client, 26, pages);
    const missing = LENGTH - ids.length;
    expect(incomplete).toEqual(missing > 0 ? { missing, total: LENGTH } : undefined);
    // The page where the sync stopped is read again. The first reading also requests three pages ahead.
    expect(list.requests).toBeLessThanOrEqual(24 + (24 + 3 * 12) / (pages - 1));
  });

  test('rejects without onIncomplete, and the error has the number of missing records', async () => {
    const { client } = await moving({ length: LENGTH, refreshes: 20, obeys: false });
    const given: string[] = [];
    const error = await (async () => {
      for await (const { id } of client.containers.list({ pageSize: 10 })) given.push(id);
      return undefined;
    })().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect((error as Error).message).toContain(
      `${LENGTH - new Set(given).size} of ${LENGTH} records of the list /containers`,
    );
    await expect(client.containers.list({ pageSize: 10 }).toArray()).rejects.toThrow(
      /records of the list .* were not received/,
    );
  });

  test('is read without a sort parameter if `sort` is null', async () => {
    const { client, server } = await moving({ length: 30, refreshes: 0, obeys: true });
    await client.containers.list({ sort: null, pageSize: 10 }).toArray();
    expect(server.requests.map(({ url }) => url.searchParams.get('sort'))).toEqual([null, null, null]);
  });

  test('is read to its end if the service reduces the page size', async () => {
    for (const concurrency of [1, 4]) {
      const { client, list } = await moving({ length: 250, refreshes: 3, obeys: true, cap: 50 });
      const found = await client.containers.list({ pageSize: 100, concurrency }).toArray();
      expect(new Set(found.map(({ id }) => id)).size).toBe(250);
      expect(list.requests).toBe(5);
    }
  });

  test('continues from a checkpoint of version 0.1.0 in the sort order of that version', async () => {
    const { client, server } = await moving({ length: 30, refreshes: 0, obeys: true });
    const first = await client.containers.list({ sort: null, pageSize: 10 });
    const { list, pageSize, size, total, page, ids } = first.checkpoint;
    expect(list).toBe('/containers');
    const from = { list, pageSize, size, total, page, ids };
    const rest = await client.containers.list({ from }).toArray();
    expect(server.requests.every(({ url }) => !url.searchParams.has('sort'))).toBe(true);
    expect(new Set([...ids, ...rest.map(({ id }) => id)]).size).toBe(30);
  });

  test('continues from the progress of a sync of version 0.1.0 in the old sort order, and then in the new sort order', async () => {
    const [source] = listsFor(new Set(['container'] as const));
    const sorts: unknown[] = [];
    const records = containers(1, 30);
    const reader = {
      async page({ path, query }: { path: string; query: { sort?: string } }, number: number) {
        sorts.push(query.sort);
        const url = new URL(`https://host.example${path}?page[size]=10&page[number]=${number}`);
        return { document: pageOf(records, url), asOf: Date.now() };
      },
    };
    const context = { reader, store: memoryStore(), types: new Set(['container']), emit() {} } as unknown as Context;
    const ids = records.slice(0, 10).map(({ id }) => id);
    const begun = { pass: 'one', page: 1, total: 30, size: 10, done: false, doubted: false, ids };
    const { signal } = new AbortController();
    for await (const _ of readList(context, source as never, begun, signal)) void _;
    expect(new Set(sorts)).toEqual(new Set([undefined]));
    sorts.length = 0;
    for await (const _ of readList(context, source as never, { ...begun, page: 0, ids: [] }, signal)) void _;
    expect(new Set(sorts)).toEqual(new Set(['created_at']));
  });

  test('is refused with more than 100 records per page, and no request is sent', async () => {
    const { client, list } = await moving({ length: 1, refreshes: 0, obeys: true });
    await expect(client.containers.list({ pageSize: 101 })).rejects.toThrow('pageSize is 101; it must be at most 100.');
    expect(list.requests).toBe(0);
  });

  test.each([1, 4])('is read once while containers are added at its end (concurrency %i)', async concurrency => {
    const { client, server, records } = await appended(200, 2);
    const found = await client.containers.list({ pageSize: 20, concurrency }).toArray();
    expect(found.slice(0, 200).map(({ id }) => id)).toEqual(containers(1, 200).map(({ id }) => id));
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    // If a page that was requested ahead is older than the previous page, it is read again.
    expect(server.requests.length).toBeLessThanOrEqual(Math.ceil(records.length / 20) * (concurrency === 1 ? 1 : 3));
  });

  test('misses no record if records are added at its end and then a record is removed at its front', async () => {
    for (const removedAt of [2, 5, 9]) {
      const { client, records } = await appended(200, 2, number => {
        // Two records are added at the end, and one record at the front is removed.
        if (number === removedAt) records.splice(-2);
        if (number === removedAt) records.splice(3, 1);
      });
      const found = new Set((await client.containers.list({ pageSize: 20 }).toArray()).map(({ id }) => id));
      expect(records.slice(0, 190).filter(({ id }) => !found.has(id))).toEqual([]);
    }
  });

  test('that grows at its end is verified by a second reading if its totals are not reliable', async () => {
    const { client, server } = await appended(60, 1, undefined, number => (number % 2 === 0 ? 1 : 0));
    const found = await client.containers.list({ pageSize: 20 }).toArray();
    expect(new Set(found.map(({ id }) => id)).size).toBeGreaterThanOrEqual(60);
    expect(server.requests.length).toBeLessThanOrEqual(20);
  });
});

/** Containers in the order of their creation, some of which are added before each response. */
async function appended(
  length: number,
  added: number,
  change: (request: number) => void = () => {},
  error: (request: number) => number = () => 0,
) {
  const records = containers(1, length);
  let answers = 0;
  const server = await serveScript(({ url }) => {
    answers += 1;
    if (answers > 1) records.push(...containers(records.length + 1000, records.length + 999 + added));
    change(answers);
    const document = pageOf(records, url);
    document.meta = { total: records.length - error(answers) };
    return { body: document };
  });
  return { client: clientOf(server), server, records };
}
