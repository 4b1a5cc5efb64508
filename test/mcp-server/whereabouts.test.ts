import { describe, expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, plainResult } from '../../support/mcp-peer.ts';

const SHIPMENT = {
  port_of_lading_name: 'Busan',
  port_of_lading_locode: 'KRPUS',
  port_of_discharge_name: 'Los Angeles',
  port_of_discharge_locode: 'USLAX',
  pol_timezone: 'Asia/Seoul',
  pod_timezone: 'America/Los_Angeles',
  pod_vessel_name: 'MERIDIAN TRADER',
  pod_voyage_number: '045W',
  pod_original_eta_at: '2026-03-20T08:00:00Z',
  pod_eta_at: '2026-03-21T15:12:00Z',
};

const EVENTS = [
  ['vessel_departed', '2026-03-01T00:00:00Z', 'KRPUS'],
  ['transshipment_discharged', '2026-03-05T00:00:00Z', 'JPYOK'],
  ['estimated.vessel_arrived', '2026-03-21T15:12:00Z', 'USLAX'],
] as const;

/** A container at sea, and the paths of the requests for it. */
function atSea(withEvents: boolean) {
  const urls: string[] = [];
  const events = EVENTS.map(([name, timestamp, location_locode], index) => ({
    type: 'transport_event',
    id: `e${index}`,
    attributes: { event: `container.transport.${name}`, timestamp, timezone: 'UTC', location_locode },
    relationships: { location: { data: { type: 'port', id: location_locode } } },
  }));
  const body = {
    data: {
      type: 'container',
      id: 'c1',
      attributes: { number: 'MSCU1234565', current_status: 'on_ship', pol_vessel_departed_at: '2026-03-01T00:00:00Z' },
      relationships: {
        shipment: { data: { type: 'shipment', id: 's' } },
        transport_events: { data: events.map(({ type, id }) => ({ type, id })) },
      },
    },
    included: [
      { type: 'shipment', id: 's', attributes: SHIPMENT },
      { type: 'port', id: 'JPYOK', attributes: { name: 'Yokohama', code: 'JPYOK' } },
      ...(withEvents ? events : []),
    ],
  };
  const fetch = async (input: unknown) => {
    if (String(input).includes('/containers/')) urls.push(String(input));
    return Response.json(body);
  };
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  return { peer: httpPeer(createMcpHandler({ client }).fetch), urls };
}

const ID = '5b7c9d80-0000-4000-8000-000000000001';

describe('get_container', () => {
  test('says the vessel, the last event with its place, and the first estimate, with one request', async () => {
    const { peer, urls } = atSea(false);
    const result = await peer.call('get_container', { id: ID });
    expect(plainResult(result)).toMatchObject({
      shipment: { pod_vessel: 'MERIDIAN TRADER', voyage_number: '045W', days_late: 1.3 },
      last_event: { event: 'Vessel departed', place: 'Busan' },
    });
    const { text } = result.content[0] ?? {};
    expect(text).toContain('- Last event: Vessel departed, 2026-03-01 09:00 +09:00, Busan\n');
    expect(text).toContain('- Vessel: «MERIDIAN TRADER», voyage 045W\n');
    expect(text).toContain(
      '- Expected: 2026-03-21 08:12 -07:00 at «Los Angeles», first 2026-03-20 01:00 -07:00, 1.3 days late\n',
    );
    expect(urls).toHaveLength(1);
  });

  test('counts the events of the timeline, and says the last in words with its place', async () => {
    const { peer, urls } = atSea(true);
    const result = await peer.call('get_container', { id: ID, include: ['transport_events'] });
    expect(plainResult(result).events).toMatchObject({
      count: EVENTS.length,
      latest_event: { event: 'container.transport.transshipment_discharged', location: 'JPYOK' },
    });
    const { text } = result.content[0] ?? {};
    expect(text).toContain(
      '- Last event: Discharged at transshipment port, 2026-03-05 00:00 +00:00, «Yokohama JPYOK»\n',
    );
    expect(text).toContain(`- Events: ${EVENTS.length}\n`);
    expect(urls).toHaveLength(1);
  });
});
