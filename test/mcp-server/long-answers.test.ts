import { describe, expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';
import { createSandbox, stillSandbox } from '../../support/sandbox.ts';

const ID = '5b7c9d80-0000-4000-8000-000000000001';
const idOf = (index: number) => `5b7c9d80-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** A server for a service with the responses of `answer`. */
function peerOf(answer: (url: URL) => object) {
  const fetch = async (input: unknown) => Response.json(answer(new URL(String(input))));
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  return httpPeer(createMcpHandler({ client }).fetch);
}

const container = (index: number, note: string) => ({
  type: 'container',
  id: idOf(index),
  attributes: { number: `TEST${index}${note}`, current_status: `on_ship${note}` },
  relationships: {},
});

describe.each([100, 50, 30])('if the service sends at most %i rows on a page', cap => {
  test.each([100, 60, 50, 25, 7])(
    'all pages of %i rows together contain every row, even if some rows of a page do not fit',
    async size => {
      const rows = Array.from({ length: 230 }, (_, index) => {
        const { attributes, ...row } = container(index, 'n'.repeat(100));
        return { ...row, attributes: { ...attributes, ref_numbers: [...'0123456789'].map(digit => digit.repeat(80)) } };
      });
      const peer = peerOf(({ searchParams }) => {
        const [page = 1, asked = 25] = ['number', 'size'].map(name => Number(searchParams.get(`page[${name}]`)));
        const end = page * Math.min(asked, cap);
        const next = end < rows.length ? `https://service.example/v2/containers?page[number]=${page + 1}` : null;
        return { data: rows.slice(end - Math.min(asked, cap), end), links: { next }, meta: { total: rows.length } };
      });
      const seen: string[] = [];
      let next: object | null = { page: 1, page_size: size };
      let skipped = 0;
      while (next) {
        const result = await peer.call('list_containers', next);
        expect(result.content[0]?.text.length).toBeLessThan(48_500);
        const { items, next: following, total } = plainResult(result);
        expect(JSON.stringify(items).length).toBeLessThan(48_500);
        expect(total).toBe(230);
        seen.push(...items.map(({ number }: Json) => number));
        if (following?.skip) skipped += 1;
        next = following;
      }
      expect(skipped > 0).toBe(Math.min(size, cap) >= 50);
      expect(seen).toEqual(rows.map(({ attributes }) => attributes.number));
    },
  );
});

test('a call with a limit or a page_size gets this number of rows, even if the usual result has fewer rows', async () => {
  const sandbox = stillSandbox({ shipments: 100, seed: 5 });
  const { fetch } = sandbox;
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client, now: () => sandbox.now() }).fetch);
  const rowsOf = ({ items, groups }: Json) => items ?? groups.flatMap(({ containers }: Json) => containers);
  const late = plainResult(await peer.call('worklist', { lists: ['late'], limit: 200 }));
  expect([rowsOf(late).length, late.next]).toEqual([late.total, null]);
  const first = plainResult(await peer.call('worklist', { lists: ['late'], limit: 2 }));
  expect([rowsOf(first).length, first.next]).toEqual([2, { lists: ['late'], limit: 2, skip: 2 }]);
  const changes = plainResult(await peer.call('list_changes', { since: '2d', limit: 3 }));
  expect(rowsOf(changes)).toHaveLength(3);
  expect(rowsOf(plainResult(await peer.call('list_containers', { page_size: 50 })))).toHaveLength(50);
  expect(rowsOf(plainResult(await peer.call('list_containers', { limit: 4 })))).toHaveLength(4);
});

test('the call for the next page, in the data and in the text, repeats each argument of the list', async () => {
  const sandbox = createSandbox({ rateLimit: false, shipments: 30, seed: 5 });
  const client = {
    baseUrl: 'https://service.example/v2',
    logger: false,
    rateLimit: false,
    fetch: sandbox.fetch,
  } as const;
  const peer = httpPeer(createMcpHandler({ client }).fetch);
  const calls: [string, object][] = [
    ['list_containers', { actively_tracked: true, sort: '-updated_at', include: ['shipment'], page_size: 7 }],
    ['list_shipments', { pod_arrival: '>=2000-01-01', include_containers: true, sort: 'pod_arrival', page_size: 4 }],
    ['list_tracking_requests', { status: 'created', created_after: '2000-01-01', page_size: 3 }],
  ];
  for (const [name, args] of calls) {
    const { content, structuredContent } = await peer.call(name, args);
    expect(structuredContent.next).toEqual({ ...args, page: 2 });
    const [, call = ''] = /next: (.*)/.exec(content[0]?.text ?? '') ?? [];
    expect(call).toBe(`${name} ${JSON.stringify(structuredContent.next)}`);
    const second = plainResult(await peer.call(name, structuredContent.next));
    expect(second.applied_filters).toEqual(structuredContent.applied_filters);
    const ids = [...structuredContent.items, ...second.items].map(({ id }: Json) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('the first page of a long timeline has the latest events, and all pages together have all events', async () => {
  const events = Array.from({ length: 250 }, (_, index) => ({
    type: 'transport_event',
    id: String(index),
    attributes: {
      event: 'container.transport.rail_arrived',
      timestamp: new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(),
      timezone: 'Etc/UTC',
      created_at: '2026-01-01T00:00:00Z',
    },
    relationships: {},
  }));
  const peer = peerOf(({ searchParams }) => {
    const [page, size] = ['number', 'size'].map(name => Number(searchParams.get(`page[${name}]`)));
    const start = ((page || 1) - 1) * (size || 100);
    const next = start + 100 < events.length ? 'https://service.example/v2/x?page[number]=2' : null;
    return { data: events.slice(start, start + 100), links: { next }, meta: { total: events.length } };
  });
  const pages = [];
  for (const page of [1, 2, 3])
    pages.push(plainResult(await peer.call('get_container_transport_events', { id: ID, page })));
  expect(pages.map(({ cut }) => cut)).toEqual([
    '150 earlier events left out: call again with page 2.',
    '50 earlier events left out: call again with page 3.',
    undefined,
  ]);
  const instants = pages
    .reverse()
    .flatMap(({ timeline }) => timeline.map(({ timestamp }: Json) => Date.parse(timestamp)));
  expect(instants).toEqual(events.map(({ attributes }) => Date.parse(attributes.timestamp)));
  const behind = await peer.call('get_container_transport_events', { id: ID, page: 4 });
  expect(plainResult(behind)).toMatchObject({ timeline: [], cut: 'Page 4 is behind the end: call again with page 1.' });
  expect(behind.content[0]?.text).toContain('Page 4 is behind the end');
});

test('a shipment with many containers has 100 containers on a page, and the total number of containers', async () => {
  const boxes = Array.from({ length: 130 }, (_, index) => container(index, ''));
  const peer = peerOf(() => ({
    data: {
      type: 'shipment',
      id: ID,
      attributes: { bill_of_lading_number: 'X1' },
      relationships: { containers: { data: boxes.map(({ type, id }) => ({ type, id })) } },
    },
    included: boxes,
  }));
  const first = plainResult(await peer.call('get_shipment_details', { id: ID })).containers;
  expect(first).toMatchObject({ count: 130, cut: '30 more containers: call again with page 2.' });
  const second = plainResult(await peer.call('get_shipment_details', { id: ID, page: 2 })).containers;
  const behind = plainResult(await peer.call('get_shipment_details', { id: ID, page: 3 })).containers;
  expect(behind).toMatchObject({ containers: [], cut: 'Page 3 is behind the end: call again with page 1.' });
  expect([first.containers.length, second.containers.length, second.cut]).toEqual([100, 30, undefined]);
});

test('an unusually long text is cut, and has a mark at the cut', async () => {
  const attributes = { number: 'N'.repeat(5_000), location_at_pod_terminal: 'L'.repeat(90_000) };
  const long = { ...container(1, ''), attributes };
  const peer = peerOf(({ pathname }) => ({
    data: pathname.endsWith('/containers') ? [long] : long,
    links: {},
    meta: {},
  }));
  const { content, structuredContent } = await peer.call('list_containers');
  const [row] = structuredContent.items;
  // The mark of the cut does not end the marks around the text.
  expect(content[0]?.text).toContain(`«${'N'.repeat(120)}… (cut)»`);
  expect(row.number).toBe(`${'N'.repeat(120)}… «cut»`);
  const { location } = plainResult(await peer.call('get_container', { id: ID }));
  expect(location.current_location).toBe(`${'L'.repeat(300)}… «cut»`);
});

test('three rows of containers have at most 1.5 kB as table and as data, in 60 accounts and several orders', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const sandbox = stillSandbox({ shipments: 6, seed });
    const { fetch } = sandbox;
    const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
    const peer = httpPeer(createMcpHandler({ client, now: () => sandbox.now() }).fetch);
    for (const order of [{}, { sort: 'pickup_lfd' }, { sort: '-updated_at', updated_after: '1.days.ago' }]) {
      const { content, structuredContent } = await peer.call('list_containers', { ...order, page_size: 3 });
      expect(Buffer.byteLength(content[0]?.text ?? '')).toBeLessThanOrEqual(1_500);
      expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThanOrEqual(1_500);
    }
  }
});

test('the total of a list without a filter is not reliable above 1,000', async () => {
  const peer = peerOf(() => ({ data: [container(1, '')], links: {}, meta: { total: 1_001 } }));
  const result = await peer.call('list_containers');
  expect(plainResult(result)).toMatchObject({ total: 1_001, total_is_reliable: false });
  expect(result.content[0]?.text).toContain('1 of about 1001 containers; no filter');
  expect(plainResult(await peer.call('list_containers', { port: 'USLAX' }))).not.toHaveProperty('total_is_reliable');
});
