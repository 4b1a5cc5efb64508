import { expect, test } from 'vitest';
import { type Checkpoint, ResponseFormatError } from '../../src/index.ts';
import { clientOf, containers, pageNumber, pageOf, type Received, serveScript } from '../../support/paged-server.ts';

/** A server of containers whose total depends on the number of the request, from 0. */
async function serve(count: number, total: (request: number) => number) {
  const records = containers(1, count);
  let requests = 0;
  return serveScript(({ url }) => {
    const document = pageOf(records, url);
    document.meta = { total: total(requests) };
    requests += 1;
    return { body: document };
  });
}

const pagesAsked = (requests: readonly Received[]) => requests.map(({ url }) => pageNumber(url));

test.each([1, 8])('all 5,000 records are read if two servers count differently (concurrency %i)', async concurrency => {
  const server = await serve(5000, request => 5000 - (request % 2));
  const found = await clientOf(server).containers.list({ sort: '-created_at', pageSize: 100, concurrency }).toArray();
  expect(new Set(found.map(({ id }) => id)).size).toBe(5000);
  expect(found).toHaveLength(5000);
  expect(server.requests.length).toBeLessThan(140);
});

test('a list with correct totals is read once', async () => {
  const server = await serve(500, () => 500);
  expect(await clientOf(server).containers.list({ sort: '-created_at', pageSize: 100 }).toArray()).toHaveLength(500);
  expect(pagesAsked(server.requests)).toEqual([1, 2, 3, 4, 5]);
});

test('the checkpoint of each page is accepted if the total lags behind the records', async () => {
  const server = await serve(20, () => 7);
  const client = clientOf(server);
  let from: Checkpoint | undefined;
  const found: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const page = await client.containers.list({ sort: '-created_at', pageSize: 4, ...(from && { from }) });
    found.push(...page.data.map(({ id }) => id));
    from = JSON.parse(JSON.stringify(page.checkpoint)) as Checkpoint;
  }
  expect(found).toEqual(containers(1, 20).map(({ id }) => id));
});

test.each([undefined, {}])('a total with an upper limit does not end a list whose links are %j', async links => {
  const records = containers(1, 25);
  const server = await serveScript(({ url }) => ({
    body: { ...pageOf(records, url, { links: false }), meta: { total: 7 }, ...(links && { links }) },
  }));
  expect(await clientOf(server).containers.list({ sort: '-created_at', pageSize: 5 }).toArray()).toHaveLength(25);
});

test.each([
  ['is missing', 100, undefined],
  ['is negative', 100, -1],
  ['is text', 100, 'many'],
  ['is missing, and the service chooses the size', undefined, undefined],
])('a list is read to its end if it has no links and its total %s', async (_, pageSize, total) => {
  const records = containers(1, 160);
  const server = await serveScript(({ url }) => ({
    body: { ...pageOf(records, url, { links: false }), meta: { total } },
  }));
  const list = clientOf(server).containers.list(pageSize === undefined ? {} : { pageSize });
  expect(await list.toArray()).toHaveLength(160);
});

test('a list that has the same records in another order on every page ends with an error', async () => {
  const records = containers(1, 6);
  const server = await serveScript(({ url }) => {
    const first = pageNumber(url) % 6;
    if (pageNumber(url) > 200) return { status: 500, body: { errors: [] } };
    return {
      body: { data: [...records.slice(first), ...records.slice(0, first)], links: { next: '?page[number]=0' } },
    };
  });
  const reading = clientOf(server).containers.list().toArray();
  await expect(reading).rejects.toThrow(ResponseFormatError);
  await expect(reading).rejects.toThrow('Read it again');
  expect(server.requests.length).toBeLessThan(10);
});

test('a list whose pages repeat in a cycle ends with an error', async () => {
  const records = containers(1, 30);
  const server = await serveScript(({ url }) => {
    if (pageNumber(url) > 200) return { status: 500, body: { errors: [] } };
    const first = ((pageNumber(url) - 1) % 3) * 10;
    return { body: { data: records.slice(first, first + 10), links: { next: '?page[number]=0' } } };
  });
  await expect(clientOf(server).containers.list().toArray()).rejects.toThrow(ResponseFormatError);
  expect(server.requests.length).toBeLessThan(60);
});

test('a record that is twice on one page is yielded once', async () => {
  const server = await serveScript(() => ({
    body: { data: [...containers(1, 3), ...containers(1, 3)], meta: {}, links: {} },
  }));
  expect(await clientOf(server).containers.list().toArray()).toHaveLength(3);
});

/** Reads two pages, and continues from the checkpoint after a change. */
async function inTwoParts(total: number | undefined, change: (records: unknown[]) => void) {
  const records = containers(1, 20);
  const server = await serveScript(({ url }) => {
    const document = pageOf(records, url);
    return { body: { ...document, meta: { total } } };
  });
  const list = (from?: Checkpoint) =>
    clientOf(server).containers.list({ sort: '-created_at', pageSize: 4, ...(from && { from }) });
  const found: string[] = [];
  let from: Checkpoint | undefined;
  for await (const { data, checkpoint } of list().pages()) {
    found.push(...data.map(({ id }) => id));
    if (from) {
      from = JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;
      break;
    }
    from = checkpoint;
  }
  change(records);
  for await (const { id } of list(from)) found.push(id);
  return { found, missed: records.filter(record => !found.includes((record as { id: string }).id)) };
}

test.each([undefined, 7, 100])('a removal before a checkpoint hides no record if the total is %j', async total => {
  const { missed } = await inTwoParts(total, records => records.splice(2, 3));
  expect(missed).toEqual([]);
});

test.each([undefined, 7, 100])('no record is repeated after a checkpoint if the total is %j', async total => {
  const { found } = await inTwoParts(total, () => {});
  expect(found).toEqual(containers(1, 20).map(({ id }) => id));
});

test.each([undefined, 0, 53])('a job that reads two pages per session ends if the total is %j', async total => {
  const records = containers(1, 44);
  const server = await serveScript(({ url }) => {
    if (server.requests.length === 3) records.splice(2, 1);
    const document = pageOf(records, url);
    document.meta = total === undefined ? {} : { total };
    return { body: document };
  });
  const client = clientOf(server);
  const found = new Set<string>();
  let from: Checkpoint | undefined;
  let isDone = false;
  for (let session = 0; session < 40 && !isDone; session += 1) {
    isDone = true;
    let pages = 0;
    for await (const page of client.containers
      .list({ sort: '-created_at', pageSize: 7, ...(from && { from }) })
      .pages()) {
      for (const { id } of page.data) found.add(id);
      from = JSON.parse(JSON.stringify(page.checkpoint)) as Checkpoint;
      pages += 1;
      isDone = pages < 2;
      if (!isDone) break;
    }
  }
  expect(isDone).toBe(true);
  expect([...found].filter(id => records.some(record => record.id === id))).toHaveLength(43);
});

test('a page without links is not the last page if the total is smaller than the number of its records', async () => {
  const records = containers(1, 24);
  const server = await serveScript(({ url }) => ({
    body: { ...pageOf(records, url, { links: false, defaultSize: 10 }), meta: { total: 6 } },
  }));
  expect(await clientOf(server).containers.list().toArray()).toHaveLength(24);
});
