import { describe, expect, test } from 'vitest';
import type { WireResource } from '../../src/jsonapi/document.ts';
import { createSandbox, get, type Sandbox, stillSandbox } from '../../support/sandbox.ts';

type Row = WireResource & { attributes: Record<string, unknown> };

async function all(sandbox: Sandbox, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { body } = await get(sandbox, `${path}${path.includes('?') ? '&' : '?'}page[size]=100&page[number]=${page}`);
    rows.push(...body.data);
    if (body.links.next === undefined) return rows;
  }
}

describe('a sandbox that starts with 20 shipments', () => {
  const sandbox = stillSandbox({ shipments: 20 });

  test('has containers in every phase of a voyage', async () => {
    const containers = await all(sandbox, '/containers');
    expect(containers.length).toBeGreaterThan(20);
    expect(new Set(containers.map(({ attributes }) => attributes.current_status))).toEqual(
      new Set(['new', 'on_ship', 'not_available', 'available', 'on_rail', 'picked_up', 'empty_returned']),
    );
    const have = (name: string, is: (value: never) => boolean) =>
      containers.some(({ attributes }) => is(attributes[name] as never));
    expect(have('holds_at_pod_terminal', (holds: unknown[]) => holds.length > 0)).toBe(true);
    expect(have('fees_at_pod_terminal', (fees: unknown[]) => fees.length > 0)).toBe(true);
    expect(have('pickup_lfd', (day: unknown) => day !== null)).toBe(true);
  });

  test('has a tracking request for each shipment, and tracking requests that have failed or await a manifest', async () => {
    const shipments = await all(sandbox, '/shipments');
    expect(shipments).toHaveLength(20);
    const requests = await all(sandbox, '/tracking_requests');
    const numbers = new Set(requests.map(({ attributes }) => attributes.request_number));
    for (const { attributes } of shipments) expect(numbers).toContain(attributes.bill_of_lading_number);
    const statuses = requests.map(({ attributes }) => attributes.status);
    expect(statuses.filter(status => status === 'failed')).toHaveLength(2);
    expect(statuses.filter(status => status === 'awaiting_manifest')).toHaveLength(2);
    expect(statuses).toContain('tracking_stopped');
  });

  test('lists its records in the order of their creation, the newest first', async () => {
    for (const path of ['/tracking_requests', '/shipments', '/containers?sort=-created_at', '/documents']) {
      const times = (await all(sandbox, path)).map(({ attributes }) => String(attributes.created_at));
      expect(times).toEqual(times.toSorted().reverse());
    }
  });

  test('has customers, and documents that have been read and linked', async () => {
    expect((await all(sandbox, '/parties')).length).toBeGreaterThan(3);
    const documents = await all(sandbox, '/documents');
    expect(documents).toHaveLength(5);
    for (const { attributes, relationships } of documents) {
      expect(attributes.document_type).not.toBe('other');
      expect(relationships?.last_document_representation?.data).not.toBeNull();
      expect(relationships?.shipments?.data).toHaveLength(1);
    }
  });

  test('has no record from the future in any list, and the newest shipment is first', async () => {
    for (const path of ['/shipments', '/containers', '/tracking_requests', '/documents']) {
      const times = (await all(sandbox, path)).map(({ attributes }) => Date.parse(String(attributes.created_at)));
      expect(Math.max(...times)).toBeLessThan(sandbox.now().getTime());
    }
    const times = (await all(sandbox, '/shipments')).map(({ attributes }) => attributes.created_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('has tracking requests that await a manifest only during the first seven days', async () => {
    const other = stillSandbox({ shipments: 20 });
    const waiting = async () =>
      (await get(other, '/tracking_requests?filter[status]=awaiting_manifest&page[size]=100')).body.data.length;
    expect(await waiting()).toBe(2);
    other.advance({ days: 7 });
    expect(await waiting()).toBe(0);
  });
});

test('the records at the start depend only on the seed, byte for byte', async () => {
  const text = async (seed: number) => {
    const sandbox = stillSandbox({ seed, shipments: 12 });
    const pages = ['/shipments?include=containers', '/containers?include=transport_events', '/documents'];
    return JSON.stringify(await Promise.all(pages.map(async path => (await get(sandbox, path)).body)));
  };
  expect(await text(5)).toBe(await text(5));
  expect(await text(5)).not.toBe(await text(6));
});

test('a sandbox with thousands of shipments plans only the voyages that are read', async () => {
  const sandbox = stillSandbox({ shipments: 2000 });
  const { body } = await get(sandbox, '/containers?page[size]=100&include=shipment');
  expect(body.meta.total).toBeGreaterThan(4000);
  sandbox.advance({ days: 1 });
});

test.each([-1, 1.5, '20', 1_000_000])('%j is refused as the number of shipments', shipments => {
  expect(() => createSandbox({ shipments: shipments as number })).toThrow(/shipments/);
});
