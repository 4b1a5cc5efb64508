import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';

const ID = '5b7c9d80-0000-4000-8000-000000000001';

/** Of a container at Los Angeles. Times of the service are UTC. */
const CONTAINER = {
  number: 'MSCU1234565',
  current_status: 'available',
  pod_timezone: 'America/Los_Angeles',
  pod_arrived_at: '2026-03-05T10:00:00Z',
  pod_discharged_at: '2026-03-06T10:00:00Z',
  available_for_pickup: true,
  availability_known: true,
  terminal_checked_at: '2026-03-10T00:00:00Z',
  // Midnight of 12 March at Los Angeles.
  pickup_lfd: '2026-03-12T07:00:00Z',
  import_deadlines: { pickup_lfd_line: null, pickup_lfd_terminal: '2026-03-12T07:00:00Z', pickup_lfd_rail: null },
  fees_at_pod_terminal: [
    { type: 'exam', amount: 100, currency_code: 'USD' },
    { type: 'demurrage', amount: 50, currency_code: 'USD' },
    { type: 'total', amount: 150, currency_code: 'USD' },
  ],
  holds_at_pod_terminal: [],
};

async function viewAt(now: string, changes: object = {}, shipment: object = {}): Promise<Json> {
  const body = {
    data: {
      type: 'container',
      id: ID,
      attributes: { ...CONTAINER, ...changes },
      relationships: { shipment: { data: { type: 'shipment', id: 's' } }, pod_terminal: { data: null } },
    },
    included: [{ type: 'shipment', id: 's', attributes: { bill_of_lading_number: 'X1', ...shipment } }],
  };
  const client = {
    baseUrl: 'https://service.example/v2',
    logger: false,
    rateLimit: false,
    fetch: async () => Response.json(body),
  } as const;
  const peer = httpPeer(createMcpHandler({ client, now: () => new Date(now) }).fetch);
  return plainResult(await peer.call('get_container', { id: ID }));
}

test.each([
  ['2026-03-08T12:00:00Z', 4, 'none'],
  ['2026-03-09T12:00:00Z', 3, 'imminent'],
  // Still the day before at the terminal.
  ['2026-03-12T06:59:00Z', 1, 'imminent'],
  ['2026-03-13T06:59:00Z', 0, 'imminent'],
  ['2026-03-13T07:01:00Z', -1, 'overdue'],
])('at %s there are %i days left on the calendar of the terminal: %s', async (now, days, urgency) => {
  const { demurrage } = await viewAt(now);
  expect(demurrage).toMatchObject({
    pickup_lfd_local: '2026-03-12 (America/Los_Angeles)',
    last_free_days: { terminal: '2026-03-12', rail: null, line: null },
    days_until_lfd: days,
    urgency,
    urgency_suppressed: false,
  });
});

test.each<[string, object, object, string]>([
  ['the line is no longer asked', {}, { line_tracking_stopped_at: '2026-03-01T00:00:00Z' }, 'no longer asked'],
  ['the terminal was never asked', { terminal_checked_at: null }, {}, 'has not been asked yet'],
  ['the terminal was asked long ago', { terminal_checked_at: '2026-03-01T00:00:00Z' }, {}, 'last asked 10 days ago'],
])('no urgency is told where %s', async (_, changes, shipment, reason) => {
  const { demurrage } = await viewAt('2026-03-11T12:00:00Z', changes, shipment);
  expect(demurrage).toMatchObject({
    urgency: 'unknown',
    urgency_suppressed: true,
    urgency_reason: expect.stringContaining(reason),
  });
});

test('what was collected is not urgent', async () => {
  const { demurrage } = await viewAt('2026-03-20T12:00:00Z', { pod_full_out_at: '2026-03-11T00:00:00Z' });
  expect(demurrage).toMatchObject({ urgency: 'none', urgency_reason: 'The container has been collected.' });
});

test('fees are added up without the line that is their sum, and the currency is told only if all agree', async () => {
  const same = await viewAt('2026-03-11T12:00:00Z');
  expect(same.demurrage).toMatchObject({ fees_total_amount: 150, fees_currency_code: 'USD' });
  const fees = [
    { type: 'exam', amount: 1, currency_code: 'USD' },
    { type: 'other', amount: 2 },
  ];
  const mixed = await viewAt('2026-03-11T12:00:00Z', { fees_at_pod_terminal: fees });
  expect(mixed.demurrage).toMatchObject({ fees_total_amount: 3, fees_currency_code: null });
  const none = await viewAt('2026-03-11T12:00:00Z', { fees_at_pod_terminal: null, holds_at_pod_terminal: null });
  expect(none.demurrage).toMatchObject({
    fees_total_amount: null,
    fees_at_pod_terminal: null,
    holds_at_pod_terminal: null,
  });
});

test('what is old is named', async () => {
  const fresh = await viewAt('2026-03-10T12:00:00Z', {}, { line_tracking_last_succeeded_at: '2026-03-10T00:00:00Z' });
  expect(fresh._metadata.stale).toEqual([]);
  const old = await viewAt('2026-03-20T12:00:00Z', {}, { line_tracking_last_succeeded_at: '2026-03-10T00:00:00Z' });
  expect(old._metadata.stale).toEqual([
    'The terminal was last asked 10 days ago.',
    'The shipping line last answered 10 days ago.',
  ]);
});

test.each<[string, object]>([
  ['in_transit', { current_status: null, pod_arrived_at: null }],
  ['arrived', { current_status: null, pod_discharged_at: null }],
  ['available_for_pickup', { current_status: null }],
  ['discharged', { current_status: null, available_for_pickup: false }],
  ['at_terminal', { current_status: null, available_for_pickup: null }],
  ['on_rail', { current_status: null, pod_rail_loaded_at: '2026-03-07T00:00:00Z' }],
  ['delivered', { current_status: null, delivered_at: '2026-03-20T00:00:00Z' }],
])('a container without a status is %s by its times, and that is said', async (status, changes) => {
  const view = await viewAt('2026-03-11T12:00:00Z', changes);
  expect(view).toMatchObject({ status, status_source: 'derived', _metadata: { status_is_authoritative: false } });
});

test('rows of lists, boxes of a shipment and events have local days and times too', async () => {
  const attributes = CONTAINER;
  const container = { type: 'container', id: ID, attributes, relationships: {} };
  const event = {
    event: 'container.transport.vessel_arrived',
    timestamp: '2026-03-05T10:00:00Z',
    timezone: 'America/Los_Angeles',
  };
  const bodies: Record<string, object> = {
    '/v2/containers': { data: [container] },
    [`/v2/shipments/${ID}`]: {
      data: {
        type: 'shipment',
        id: ID,
        attributes: { pod_eta_at: '2026-03-05T10:00:00Z', pod_timezone: 'America/Los_Angeles' },
        relationships: { containers: { data: [{ type: 'container', id: ID }] } },
      },
      included: [container],
    },
    [`/v2/containers/${ID}/transport_events`]: {
      data: [{ type: 'transport_event', id: '1', attributes: event, relationships: {} }],
    },
  };
  const fetch = async (input: unknown) => Response.json(bodies[new URL(String(input)).pathname] ?? { data: [] });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client }).fetch);
  const [row] = plainResult(await peer.call('list_containers')).items;
  expect(row.demurrage.pickupLfdLocal).toBe('2026-03-12 (America/Los_Angeles)');
  const shipment = plainResult(await peer.call('get_shipment_details', { id: ID }));
  expect(shipment.containers.containers[0].pickup_lfd_local).toBe('2026-03-12 (America/Los_Angeles)');
  expect(shipment.routing.port_of_discharge).toMatchObject({ eta_local: '2026-03-05 02:00 PST', ata_local: 'N/A' });
  const { timeline } = plainResult(await peer.call('get_container_transport_events', { id: ID }));
  expect(timeline[0].local).toBe('2026-03-05 02:00 PST');
});

test('a timeline is oldest first across time zones, with what has no time last, which hides no milestone', async () => {
  const named = { vessel_departed: null, vessel_loaded: '2026-03-05T02:30:00+02:00', vessel_arrived: null };
  const events = [
    ...Object.entries(named),
    ['vessel_discharged', '2026-03-07T00:00:00Z'],
    ['vessel_departed', '2026-03-05T01:00:00Z'],
    ['vessel_discharged', null],
  ];
  const data = events.map(([name, timestamp], index) => ({
    type: 'transport_event',
    id: String(index),
    attributes: { event: `container.transport.${name}`, timestamp },
    relationships: {},
  }));
  const fetch = async () => Response.json({ data });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client }).fetch);
  const { timeline, milestones } = plainResult(await peer.call('get_container_transport_events', { id: ID }));
  expect(timeline.map(({ timestamp }: Json) => timestamp)).toEqual([
    '2026-03-05T02:30:00+02:00',
    '2026-03-05T01:00:00Z',
    '2026-03-07T00:00:00Z',
    null,
    null,
    null,
  ]);
  expect(milestones).toEqual({
    vessel_loaded_at: '2026-03-05T02:30:00+02:00',
    vessel_departed_at: '2026-03-05T01:00:00Z',
    vessel_arrived_at: null,
    discharged_at: '2026-03-07T00:00:00Z',
  });
});
