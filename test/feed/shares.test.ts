import { describe, expect, onTestFinished, test } from 'vitest';
import type { Container, Feed, FeedCheckpoint } from '../../src/index.ts';
import { clientOf, containers, pageOf, serveScript } from '../../support/paged-server.ts';

type Count = (given: { requests: number; length: number }) => number;

/** A list of containers whose service sends arbitrary totals, and may remove records at each request. */
async function setUp(length: number, removed: number, total: Count) {
  const boxes = containers(1, length);
  const server = await serveScript(({ url }) => {
    const body = pageOf(boxes, url, { meta: 'total' });
    body.meta = { total: total({ requests: server.requests.length, length: boxes.length }) };
    boxes.splice(50, removed);
    return { body };
  });
  return { boxes, server };
}

async function ids(feed: Feed<Container>, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const { value } = await feed.next();
    found.push(value?.kind === 'appeared' ? value.id : `${value?.kind}`);
  }
  return found;
}

const asCounted: Count = ({ length }) => length;
const alternating: Count = ({ requests, length }) => length - (requests % 2);
const oneOfThreeIsBehind: Count = ({ requests, length }) => (requests % 3 === 0 ? length - 7 : length);

describe('a feed uses at most its share of the budget', () => {
  test.each([
    ['a list shrinks', 2, asCounted],
    ['a list shrinks by pages', 150, asCounted],
    ['the total of a list alternates', 0, alternating],
    ['the total of a list alternates while the list shrinks', 3, alternating],
    ['one of three servers is behind', 0, oneOfThreeIsBehind],
  ])('while %s', async (_, removed, total) => {
    const { server } = await setUp(6000, removed, total);
    // One window, longer than the test.
    const rateLimit = { windowMs: 3_600_000, limits: { default: 100 } };
    const feed = clientOf(server, { rateLimit }).containers.watch({ every: 1, share: 0.2 });
    onTestFinished(() => void feed.return());
    const reading = ids(feed, 100_000);
    reading.catch(() => {});
    await expect.poll(() => server.requests.length, { timeout: 5000 }).toBeGreaterThanOrEqual(20);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(server.requests).toHaveLength(20);
  });
});

test('several feeds use at most one share together if each feed continues from the checkpoint of the previous feed', async () => {
  const { server } = await setUp(6000, 0, asCounted);
  const client = clientOf(server, { rateLimit: { windowMs: 3_600_000, limits: { default: 100 } } });
  let from: FeedCheckpoint | undefined;
  for (let session = 0; session < 6; session += 1) {
    const feed = client.containers.watch({ every: 1, share: 0.1, ...(from && { from }) });
    onTestFinished(() => void feed.return());
    const left = ids(feed, 150);
    left.catch(() => {});
    await Promise.race([left, new Promise(resolve => setTimeout(resolve, 200))]);
    from = feed.checkpoint;
    await feed.return();
  }
  expect(server.requests).toHaveLength(10);
});

describe('one reading of a feed yields all records', () => {
  test.each([
    ['the total alternates', 0, alternating],
    ['one of three servers is behind', 0, oneOfThreeIsBehind],
    ['the total lags behind the records', 0, (({ length }) => length - 300) as Count],
    ['the total is always 0', 0, (() => 0) as Count],
    ['records are removed with each request', 2, asCounted],
  ])('even if %s', async (_, removed, total) => {
    const { boxes, server } = await setUp(1000, removed, total);
    const client = clientOf(server, { rateLimit: { windowMs: 60, limits: { default: 10_000 } } });
    const feed = client.containers.watch({ every: 3_600_000, share: 1 });
    onTestFinished(() => void feed.return());
    const found = new Set<string>();
    const expected = () => boxes.filter(({ id }) => !found.has(id));
    while (expected().length > 0) {
      const { value } = await feed.next();
      expect(value?.kind).toBe('appeared');
      if (value?.kind === 'appeared') found.add(value.id);
    }
    expect(server.requests.length).toBeLessThanOrEqual(30);
  });

  test.each([100, 30])(
    'if the service sends no links, limits the total to 120 and sends %i records on a page',
    async size => {
      const boxes = containers(1, 427);
      const server = await serveScript(({ url }) => {
        url.searchParams.set('page[size]', String(size));
        return { body: { ...pageOf(boxes, url, { links: false }), meta: { total: 120 } } };
      });
      const feed = clientOf(server, { rateLimit: { windowMs: 60 } }).containers.watch({ every: 3_600_000, share: 1 });
      onTestFinished(() => void feed.return());
      expect(new Set(await ids(feed, 427)).size).toBe(427);
    },
  );

  test('if the service sends 50 per page and one page cannot be read', async () => {
    const boxes = containers(1, 300);
    const server = await serveScript(({ url }) => {
      url.searchParams.set('page[size]', '50');
      return url.searchParams.get('page[number]') === '2' ? { body: 'no JSON' } : { body: pageOf(boxes, url) };
    });
    const feed = clientOf(server, { rateLimit: { windowMs: 60 } }).containers.watch({ every: 3_600_000, share: 1 });
    onTestFinished(() => void feed.return());
    const found = await ids(feed, 251);
    expect(found.filter(id => id !== 'unread')).toHaveLength(250);
  });

  test('even if it is interrupted at each page', async () => {
    const { boxes, server } = await setUp(1000, 2, alternating);
    const client = clientOf(server, { rateLimit: { windowMs: 60, limits: { default: 10_000 } } });
    const found = new Set<string>();
    let from: FeedCheckpoint | undefined;
    while (boxes.some(({ id }) => !found.has(id))) {
      const feed = client.containers.watch({ every: 3_600_000, share: 1, from });
      for (let taken = 0; taken < 101 && boxes.some(({ id }) => !found.has(id)); taken += 1) {
        const { value } = await feed.next();
        if (value?.kind === 'appeared') found.add(value.id);
      }
      from = JSON.parse(JSON.stringify(feed.checkpoint));
      await feed.return();
    }
    expect(server.requests.length).toBeLessThanOrEqual(60);
  });
});
