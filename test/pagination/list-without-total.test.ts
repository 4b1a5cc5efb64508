import { expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';

test('a list without a total does not end if a full page of records is added between two requests', async () => {
  let ids = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  let requests = 0;
  const client = new TrackingClient({
    baseUrl: 'https://host.example/v2',
    apiKey: 'key-for-tests',
    rateLimit: false,
    fetch: async address => {
      const page = Number(new URL(String(address)).searchParams.get('page[number]'));
      requests += 1;
      if (requests === 2) ids = ['n0', 'n1', ...ids];
      const data = ids
        .slice((page - 1) * 2, page * 2)
        .map(id => ({ id, type: 'container', attributes: { number: id } }));
      const next = `https://host.example/v2/containers?page[number]=${page + 1}`;
      return Response.json({ data, links: page * 2 < ids.length ? { next } : {} });
    },
  });
  const seen = (await client.containers.list({ pageSize: 2 }).toArray()).map(container => container.id);
  expect(seen).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);
});
