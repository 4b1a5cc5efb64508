import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that has only containers, each with its events. With a small `count` it responds after 100 ms. */
export async function serve(count: number): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const isSlow = count <= 1;
  const containers = isSlow ? 24_000 * count : count;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://service.example');
    const [number, size] = ['page[number]', 'page[size]'].map(name => Number(searchParams.get(name))) as [
      number,
      number,
    ];
    const first = (number - 1) * size;
    const ids = Array.from({ length: Math.max(0, Math.min(size, containers - first)) }, (_, index) => first + index);
    const hasEvents = searchParams.get('include')?.includes('transport_events') === true;
    const next =
      first + size < containers ? { next: `http://service.example/v2/containers?page[number]=${number + 1}` } : {};
    const body = JSON.stringify({
      data: ids.map(containerOf),
      ...(hasEvents && { included: ids.flatMap(id => eventIds(id).map(event => eventOf(event, id))) }),
      meta: { total: containers },
      links: next,
    });
    setTimeout(() => response.end(body), isSlow ? 100 : 0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v2`,
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function eventIds(id: number): string[] {
  return Array.from({ length: 8 }, (_, index) => `event-${id}-${index}`);
}

function containerOf(id: number): object {
  const attributes = {
    ...{
      number: 'MSCU1234565',
      seal_number: 'c36df1b7d3',
      created_at: '2026-03-01T10:00:00Z',
      ref_numbers: ['A', 'B'],
    },
    ...{ pod_arrived_at: '2026-03-05T10:00:00Z', available_for_pickup: true, availability_known: true },
    ...{ current_status: 'available', equipment_type: 'dry', equipment_length: 40, equipment_height: 'high_cube' },
    ...{ weight_in_lbs: 41_000, pickup_lfd: '2026-03-12T04:00:00Z', pod_timezone: 'America/New_York' },
    ...{ holds_at_pod_terminal: [], fees_at_pod_terminal: [], terminal_checked_at: '2026-03-09T01:00:00Z' },
  };
  const events = eventIds(id).map(event => ({ type: 'transport_event', id: event }));
  return {
    type: 'container',
    id: `container-${id}`,
    attributes,
    relationships: { transport_events: { data: events } },
  };
}

function eventOf(id: string, container: number): object {
  const attributes = {
    ...{ event: 'container.transport.vessel_discharged', created_at: '2026-03-05T10:00:00Z', voyage_number: '048W' },
    ...{
      timestamp: '2026-03-05T10:00:00Z',
      data_source: 'terminal',
      location_locode: 'USNYC',
      timezone: 'America/New_York',
    },
  };
  const to = { data: { type: 'container', id: `container-${container}` } };
  return { type: 'transport_event', id, attributes, relationships: { container: to, vessel: { data: null } } };
}
