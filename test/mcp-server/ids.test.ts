import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, type Json, type McpPeer, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const idOf = (index: number) => `5b7c9d80-0000-4000-8000-00000000000${index}`;

function sandboxPeer(): McpPeer {
  const sandbox = stillSandbox({ shipments: 30, seed: 5 });
  const client = {
    baseUrl: 'https://service.example/v2',
    logger: false,
    rateLimit: false,
    fetch: sandbox.fetch,
  } as const;
  return httpPeer(createMcpHandler({ client, now: () => sandbox.now() }).fetch);
}

test.each<[string, object]>([
  ['worklist', { lists: ['last_free_day', 'held', 'ready', 'late'] }],
  ['list_changes', { since: '7d' }],
  ['list_containers', {}],
  ['list_shipments', { include_containers: true }],
  ['list_tracking_requests', {}],
  ['list_parties', {}],
  ['search_container', { query: 'PO-' }],
  ['summarize_containers', { group_by: 'pod_terminal' }],
])('the text of %s has no id for a record that it identifies by a number or a name', async (tool, args) => {
  const { content } = await sandboxPeer().call(tool, args);
  expect(content[0]?.text.split('\n').length).toBeGreaterThan(3);
  expect(content[0]?.text).not.toMatch(UUID);
});

test('the tools that take an id also accept the number of a record in a table', async () => {
  const peer = sandboxPeer();
  const [{ number, id, bill_of_lading }] = plainResult(await peer.call('list_containers', { page_size: 1 })).items;
  expect(plainResult(await peer.call('get_container', { id: number })).id).toBe(id);
  const shipment = await peer.call('get_shipment_details', { id: bill_of_lading });
  const lines = shipment.content[0]?.text.split('\n') ?? [];
  expect(lines.filter(line => UUID.test(line) && !line.startsWith('- Id:'))).toEqual([]);
  const { groups } = plainResult(await peer.call('worklist'));
  for (const container of groups.flatMap((group: Json) => group.containers)) expect(container).not.toHaveProperty('id');
});

test('a record keeps its id in the table if it has no number, or if another record has the same number', async () => {
  const numbers = [null, 'TEST0000001', 'TEST0000002', 'TEST0000002', `TEST${'9'.repeat(200)}`];
  const attributes = (number: string | null) => ({
    number,
    current_status: 'available',
    available_for_pickup: true,
    pod_discharged_at: '2026-03-05T00:00:00Z',
  });
  const data = numbers.map((number, index) => ({
    type: 'container',
    id: idOf(index),
    attributes: attributes(number),
    relationships: {},
  }));
  const fetch = async () => Response.json({ data, links: {}, meta: { total: data.length } });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client, now: () => new Date('2026-03-06T00:00:00Z') }).fetch);
  for (const [tool, args] of [
    ['list_containers', {}],
    ['worklist', { lists: ['ready'] }],
  ] as const) {
    const { content } = await peer.call(tool, args);
    const shown = numbers.map((_, index) => content[0]?.text.includes(idOf(index)));
    expect(shown).toEqual([true, false, true, true, true]);
  }
  const { groups } = plainResult(await peer.call('worklist', { lists: ['ready'] }));
  const ids = groups.flatMap((group: Json) => group.containers).flatMap(({ id }: Json) => id ?? []);
  expect(ids).toEqual([0, 2, 3, 4].map(idOf));
});

test('the page of a container has the id of its shipment if the bill of lading is blank, and no delay of 0 days', async () => {
  const container = {
    type: 'container',
    id: idOf(1),
    attributes: { number: '', pod_timezone: 'UTC' },
    relationships: { shipment: { data: { type: 'shipment', id: idOf(2) } } },
  };
  const times = { pod_original_eta_at: '2026-03-27T13:00:00Z', pod_eta_at: '2026-03-27T13:20:00Z' };
  const shipment = { type: 'shipment', id: idOf(2), attributes: { bill_of_lading_number: '', ...times } };
  const fetch = async () => Response.json({ data: container, included: [shipment] });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client, now: () => new Date('2026-03-06T00:00:00Z') }).fetch);
  const [page] = (await peer.call('get_container', { id: idOf(1) })).content;
  expect(page?.text).toContain(`# Container ${idOf(1)}\n`);
  expect(page?.text).toContain(`- Shipment: ${idOf(2)}\n`);
  expect(page?.text).toMatch(/- Expected: .*, first 2026-03-27 13:00\n/);
});
