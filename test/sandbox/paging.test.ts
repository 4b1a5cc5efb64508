import { expect, test } from 'vitest';
import { get, stillSandbox } from '../../support/sandbox.ts';

const BASE = 'https://service.example/v2';

interface Listed {
  id: string;
}

test('a page has 30 records by default, and its size is limited to 100 records, or to 50 containers', async () => {
  const sandbox = stillSandbox();
  sandbox.seedContainers(120);
  const size = async (path: string) => (await get(sandbox, path)).body.data.length;
  expect(await size('/containers')).toBe(30);
  expect(await size('/containers?page[size]=7')).toBe(7);
  expect(await size('/containers?page[size]=1000')).toBe(50);
  expect(await size('/shipments?page[size]=1000')).toBe(100);
  expect(await size('/containers?page[size]=0')).toBe(1);
  expect(await size('/containers?page[size]=-5')).toBe(1);
  expect(await size('/containers?page[size]=many')).toBe(30);
  expect(await size('/containers?page[number]=3&page[size]=50')).toBe(20);
});

test('links are absolute, their brackets are not encoded, and links that do not apply are absent', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(5);
  const linksOf = async (query: string) => (await get(sandbox, `/shipments?${query}`)).body.links;

  expect(await linksOf('page[size]=2')).toEqual({
    self: `${BASE}/shipments?page[size]=2`,
    current: `${BASE}/shipments?page[number]=1&page[size]=2`,
    next: `${BASE}/shipments?page[number]=2&page[size]=2`,
    last: `${BASE}/shipments?page[number]=3&page[size]=2`,
  });
  expect(await linksOf('page%5Bsize%5D=2&page%5Bnumber%5D=2&include=containers,pod_terminal')).toEqual({
    self: `${BASE}/shipments?page[size]=2&page[number]=2&include=containers,pod_terminal`,
    current: `${BASE}/shipments?include=containers,pod_terminal&page[number]=2&page[size]=2`,
    first: `${BASE}/shipments?include=containers,pod_terminal&page[number]=1&page[size]=2`,
    prev: `${BASE}/shipments?include=containers,pod_terminal&page[number]=1&page[size]=2`,
    next: `${BASE}/shipments?include=containers,pod_terminal&page[number]=3&page[size]=2`,
    last: `${BASE}/shipments?include=containers,pod_terminal&page[number]=3&page[size]=2`,
  });
  expect(Object.keys(await linksOf('page[size]=2&page[number]=3'))).toEqual(['self', 'current', 'first', 'prev']);
  expect(Object.keys(await linksOf(''))).toEqual(['self', 'current']);
});

test('links keep the values of other parameters', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(3, { refNumbers: ['A & B'] });
  const { links } = (await get(sandbox, `/shipments?q=${encodeURIComponent('a & b')}&page[size]=1`)).body;
  const next = new URL(links.next);
  expect(next.searchParams.get('q')).toBe('a & b');
  expect((await get(sandbox, `/shipments${next.search}`)).body.data).toHaveLength(1);
});

test('a page past the end is empty', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(3);
  const { data, meta } = (await get(sandbox, '/shipments?page[number]=9')).body;
  expect({ data, meta }).toEqual({ data: [], meta: { total: 3, size: 0 } });
});

test('the meta of each list has the counts that the service sends', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(3, { containers: 1 });
  const meta = async (path: string) => (await get(sandbox, path)).body.meta;
  expect(await meta('/shipments?page[size]=2')).toEqual({ total: 3, size: 2 });
  expect(await meta('/containers?page[size]=2')).toEqual({ total: 3 });
  expect(await meta('/tracking_requests')).toEqual({ size: 0, total: 0, pagination: { current: 1, records: 0 } });
  expect(await meta('/webhook_notifications')).toEqual({ size: 0, total: 0, pagination: { current: 1, records: 0 } });
  expect(await meta('/webhooks')).toBeUndefined();
  expect(await meta('/shipping_lines')).toBeUndefined();
  expect(await meta('/custom_field_definitions')).toBeUndefined();
});

test('new records come first and shift the pages, and removed records leave no gap', async () => {
  const sandbox = stillSandbox();
  const old = sandbox.seedContainers(1000);
  expect(new Set(old.map(({ number }) => number)).size).toBe(1000);
  const page = async (number: number): Promise<Listed[]> =>
    (await get(sandbox, `/containers?page[size]=50&page[number]=${number}`)).body.data;

  const [first] = await page(1);
  expect(first?.id).toBe(old.at(-1)?.id);
  const added = sandbox.seedContainers(50);
  expect((await page(1))[0]?.id).toBe(added.at(-1)?.id);
  expect((await page(2))[0]?.id).toBe(first?.id);

  for (const { shipmentId } of added) sandbox.removeShipment(shipmentId);
  expect((await page(1))[0]?.id).toBe(first?.id);
  expect((await get(sandbox, `/containers/${added[0]?.id}`)).status).toBe(404);
});
