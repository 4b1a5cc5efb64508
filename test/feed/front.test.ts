import { expect, onTestFinished, test } from 'vitest';
import { type Change, type Container, type FeedCheckpoint, TrackingClient } from '../../src/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const DAY = 86_400_000;

/** A feed over a socket, in an account whose clock stands still. */
async function setUp(options: Parameters<typeof stillSandbox>[0] = {}) {
  const sandbox = stillSandbox({ shipments: 200, ...options });
  const server = await sandbox.listen();
  onTestFinished(() => server.close());
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    logger: false,
    rateLimit: { limits: { default: 100_000 } },
  });
  const boxes = (await client.containers.list({ include: ['shipment'] }).toArray()).map(({ id, shipment }) => ({
    id,
    shipmentId: shipment?.id ?? '',
  }));
  const pages = () => sandbox.requests.filter(({ path }) => path === '/containers').map(({ query }) => query);
  const open = (
    more: { from?: FeedCheckpoint | undefined; reconcile?: number; where?: (box: Container) => boolean } = {},
  ) => {
    const feed = client.containers.watch({ every: 1, reconcile: DAY, share: 1, ...more });
    onTestFinished(async () => void (await feed.return()));
    return feed;
  };
  return { sandbox, boxes, client, pages, open };
}

type Feed = ReturnType<Awaited<ReturnType<typeof setUp>>['open']>;

/** The items up to the first item that meets a condition, without the items of the first reading. */
async function until(feed: Feed, isLast: (item: Change<Container>) => boolean): Promise<Change<Container>[]> {
  const items: Change<Container>[] = [];
  for (;;) {
    const { value, done } = await feed.next();
    if (done) throw new Error('The feed has ended.');
    items.push(value);
    if (isLast(value)) return items;
  }
}

const edit = async (client: TrackingClient, id: string, reference: string) =>
  client.containers.update(id, { ref_numbers: [reference] });
const isEdited = (reference: string) => (item: Change<Container>) =>
  item.kind === 'changed' && item.field === 'ref_numbers' && item.record.ref_numbers?.[0] === reference;

/**
 * Waits until a feed has read everything twice. Before that, the feed does not know where the front (the changed
 * records) ends.
 */
async function settled(feed: Feed, { sandbox, client, boxes }: Awaited<ReturnType<typeof setUp>>) {
  let appeared = 0;
  await until(feed, ({ kind }) => {
    appeared += kind === 'appeared' ? 1 : 0;
    return appeared === boxes.length;
  });
  for (const reference of ['FIRST', 'SECOND', 'THIRD']) {
    sandbox.advance({ seconds: 1 });
    await edit(client, boxes[7]?.id ?? '', reference);
    await until(feed, isEdited(reference));
  }
}

test('a feed reads at most two pages of 50 for a change, at any place of the list', async () => {
  const account = await setUp();
  const { sandbox, client, boxes, pages, open } = account;
  const feed = open();
  await settled(feed, account);
  for (const [index, box] of [boxes[0], boxes[200], boxes[399]].entries()) {
    sandbox.advance({ seconds: 1 });
    await edit(client, box?.id ?? '', `CHANGE-${index}`);
    const before = pages().length;
    await until(feed, isEdited(`CHANGE-${index}`));
    const read = pages().slice(before);
    expect(read.every(({ sort }) => sort === '-updated_at')).toBe(true);
    expect(read.filter(query => Number(query['page[number]']) > 2)).toEqual([]);
  }
});

test('a feed reads only the front of the list after a checkpoint, and misses no change since the checkpoint', async () => {
  const account = await setUp();
  const { sandbox, client, boxes, pages, open } = account;
  const first = open();
  await settled(first, account);
  const from = JSON.parse(JSON.stringify(first.checkpoint)) as FeedCheckpoint;
  await first.return();
  expect(from.front?.readAt).toEqual(expect.any(String));
  sandbox.advance({ seconds: 1 });
  const changed = boxes.slice(100, 260).map(({ id }) => id);
  for (const id of changed) await edit(client, id, 'LATER');
  const before = pages().length;
  const found = new Set<string>();
  await until(open({ from }), item => {
    if (item.kind === 'changed' && item.field === 'ref_numbers') found.add(item.id);
    return found.size === changed.length;
  });
  expect([...found].sort()).toEqual(changed.sort());
  const isProbe = (query: Record<string, string>) => query['page[size]'] === '25';
  expect(
    pages()
      .slice(before)
      .filter(query => !isProbe(query))
      .map(({ sort }) => sort),
  ).toEqual(Array(4).fill('-updated_at'));
});

test('a feed reads all records again after a removal, and reports the removed records', async () => {
  const account = await setUp();
  const { sandbox, boxes, open } = account;
  const feed = open();
  await settled(feed, account);
  const box = boxes[50];
  sandbox.removeShipment(box?.shipmentId ?? '');
  const items = await until(feed, item => item.kind === 'gone');
  expect(items.at(-1)).toMatchObject({ kind: 'gone', id: box?.id, reason: 'not_found' });
});

test.each([
  ['from a service that ignores sort', { lists: 'older' } as const, {}],
  ['if every reading is a reconciliation', {}, { reconcile: 1 }],
])('a feed reads all records each time %s', async (_, options, more) => {
  const account = await setUp(options);
  const { pages, open } = account;
  const feed = open(more);
  await settled(feed, account);
  expect(pages().filter(({ sort, ...query }) => sort === '-updated_at' && query['page[size]'] !== '25')).toEqual([]);
});

test('a feed does not read all records because of new containers outside `where`', async () => {
  const account = await setUp();
  const { sandbox, client, boxes, pages, open } = account;
  const wanted = new Set(boxes.map(({ id }) => id));
  const feed = open({ where: ({ id }) => wanted.has(id) });
  await settled(feed, account);
  sandbox.seedContainers(5);
  sandbox.advance({ seconds: 1 });
  const before = pages().length;
  await edit(client, boxes[3]?.id ?? '', 'AFTER');
  await until(feed, isEdited('AFTER'));
  sandbox.advance({ seconds: 1 });
  await edit(client, boxes[4]?.id ?? '', 'AGAIN');
  await until(feed, isEdited('AGAIN'));
  expect(
    pages()
      .slice(before)
      .filter(({ sort }) => sort !== '-updated_at'),
  ).toEqual([]);
});

test('a feed continues a reading that version 0.1.0 began, in the order of that version', async () => {
  const { pages, open } = await setUp();
  const first = open();
  for (let items = 0; items < 120; items += 1) await first.next();
  const from = JSON.parse(JSON.stringify(first.checkpoint)) as FeedCheckpoint;
  await first.return();
  const after = from.pass?.after;
  if (!after) throw new Error('The reading was not interrupted.');
  expect(after.list).toBe('/containers?sort=created_at');
  after.list = '/containers';
  const before = pages().length;
  await open({ from }).next();
  expect(pages()[before]).toEqual({ 'page[number]': String(after.page + 1), 'page[size]': '100' });
});
