import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, type Json, plainResult, type ToolResult } from '../../support/mcp-peer.ts';

const ID = '5b7c9d80-0000-4000-8000-000000000001';

/** A container at Los Angeles. Times of the service are in UTC. */
const CONTAINER = {
  number: 'MSCU1234565',
  current_status: 'available',
  pod_timezone: 'America/Los_Angeles',
  pod_arrived_at: '2026-03-05T10:00:00Z',
  pod_discharged_at: '2026-03-06T10:00:00Z',
  available_for_pickup: true,
  availability_known: true,
  terminal_checked_at: '2026-03-10T00:00:00Z',
  // The beginning of 12 March in Los Angeles.
  pickup_lfd: '2026-03-12T07:00:00Z',
  import_deadlines: { pickup_lfd_line: null, pickup_lfd_terminal: '2026-03-12T07:00:00Z', pickup_lfd_rail: null },
  fees_at_pod_terminal: [
    { type: 'exam', amount: 100, currency_code: 'USD' },
    { type: 'demurrage', amount: 50, currency_code: 'USD' },
    { type: 'total', amount: 150, currency_code: 'USD' },
  ],
  holds_at_pod_terminal: [],
};

async function resultAt(now: string, changes: object = {}, shipment: object = {}): Promise<ToolResult> {
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
  return peer.call('get_container', { id: ID });
}

const viewAt = async (...args: Parameters<typeof resultAt>): Promise<Json> => plainResult(await resultAt(...args));

const STOPPED = { line_tracking_stopped_at: '2026-03-01T00:00:00Z' };
const BOTH = { pickup_lfd_line: '2026-03-14T07:00:00Z', pickup_lfd_terminal: '2026-03-12T07:00:00Z' };

test.each<[string, string, object, object, string]>([
  ['is near', '2026-03-11T12:00:00Z', {}, {}, '1 day left, imminent; reported by terminal'],
  ['is over', '2026-03-13T12:00:00Z', {}, {}, '1 day too late, overdue; reported by terminal'],
  [
    'is stale',
    '2026-03-10T12:00:00Z',
    {},
    STOPPED,
    '2 days left; not certain: Tracking with the shipping line has stopped; reported by terminal',
  ],
  [
    'has two sources',
    '2026-03-10T12:00:00Z',
    { import_deadlines: BOTH },
    {},
    '2 days left, imminent; reported by terminal 2026-03-12, line 2026-03-14',
  ],
  [
    'has ended',
    '2026-03-11T12:00:00Z',
    { pod_full_out_at: '2026-03-10T12:00:00Z' },
    {},
    'The container has been collected; reported by terminal',
  ],
])(
  'the page of a container whose last free day %s says the days left and the source',
  async (_, now, changes, shipment, words) => {
    const { content } = await resultAt(now, changes, shipment);
    expect(content[0]?.text).not.toContain('total 150');
    expect(content[0]?.text).toContain(`- Last free day: 2026-03-12 (America/Los_Angeles); ${words}\n`);
  },
);

test.each([
  ['2026-03-08T12:00:00Z', 4, 'none'],
  ['2026-03-09T12:00:00Z', 3, 'imminent'],
  // At the terminal, it is still the day before.
  ['2026-03-12T06:59:00Z', 1, 'imminent'],
  ['2026-03-13T06:59:00Z', 0, 'imminent'],
  ['2026-03-13T07:01:00Z', -1, 'overdue'],
])('at %s there are %i days left on the calendar of the terminal: %s', async (now, days, urgency) => {
  const { demurrage } = await viewAt(now);
  expect(demurrage).toMatchObject({
    pickup_lfd_local: '2026-03-12 (America/Los_Angeles)',
    last_free_days: { terminal: '2026-03-12' },
    days_until_lfd: days,
    urgency,
    urgency_suppressed: false,
  });
});

test.each<[string, object, object, string]>([
  [
    'the line is no longer tracked',
    {},
    { line_tracking_stopped_at: '2026-03-01T00:00:00Z' },
    'Tracking with the shipping line has stopped',
  ],
  ['the terminal has sent nothing yet', { terminal_checked_at: null }, {}, 'no data of the terminal yet'],
  [
    'the terminal has sent nothing for long',
    { terminal_checked_at: '2026-03-01T00:00:00Z' },
    {},
    'data of the terminal is 10 days old',
  ],
])('the urgency is unknown, and the result has the reason, if %s', async (_, changes, shipment, reason) => {
  const { demurrage } = await viewAt('2026-03-11T12:00:00Z', changes, shipment);
  expect(demurrage).toMatchObject({
    urgency: 'unknown',
    urgency_suppressed: true,
    urgency_reason: expect.stringContaining(reason),
  });
});

test('the earlier day of the terminal decides the urgency if the day of the line is later', async () => {
  const line = '2026-03-14T07:00:00Z';
  const changes = { pickup_lfd: line, import_deadlines: { ...CONTAINER.import_deadlines, pickup_lfd_line: line } };
  const { demurrage } = await viewAt('2026-03-13T12:00:00Z', changes);
  expect(demurrage).toMatchObject({
    pickup_lfd_local: '2026-03-12 (America/Los_Angeles)',
    last_free_days: { terminal: '2026-03-12', line: '2026-03-14' },
    days_until_lfd: -1,
    urgency: 'overdue',
  });
});

test('a container that was collected is not urgent', async () => {
  const { demurrage } = await viewAt('2026-03-20T12:00:00Z', { pod_full_out_at: '2026-03-11T00:00:00Z' });
  expect(demurrage).toMatchObject({ urgency: 'none', urgency_reason: 'The container has been collected.' });
});

test('fees are added up without the fee `total`; the currency is in the result only if all fees have the same currency', async () => {
  const same = await viewAt('2026-03-11T12:00:00Z');
  expect(same.demurrage).toMatchObject({ fees_total_amount: 150, fees_currency_code: 'USD' });
  const fees = [
    { type: 'exam', amount: 1, currency_code: 'USD' },
    { type: 'other', amount: 2 },
  ];
  const mixed = await viewAt('2026-03-11T12:00:00Z', { fees_at_pod_terminal: fees });
  expect(mixed.demurrage.fees_total_amount).toBe(3);
  expect(mixed.demurrage).not.toHaveProperty('fees_currency_code');
  const none = await viewAt('2026-03-11T12:00:00Z', { fees_at_pod_terminal: null, holds_at_pod_terminal: null });
  for (const name of ['fees_total_amount', 'fees_at_pod_terminal', 'holds_at_pod_terminal'])
    expect(none.demurrage).not.toHaveProperty(name);
});

test('the result names the sources whose data is old', async () => {
  const fresh = await viewAt('2026-03-10T12:00:00Z', {}, { line_tracking_last_succeeded_at: '2026-03-10T00:00:00Z' });
  expect(fresh._metadata.stale).toEqual([]);
  const old = await viewAt('2026-03-20T12:00:00Z', {}, { line_tracking_last_succeeded_at: '2026-03-10T00:00:00Z' });
  expect(old._metadata.stale).toEqual([
    'The data of the terminal is 10 days old.',
    'The data of the shipping line is 10 days old.',
  ]);
});

const AT_SEA = { current_status: null, pod_arrived_at: null, pod_discharged_at: null, available_for_pickup: false };

test.each<[string, object]>([
  ['in_transit', { ...AT_SEA, pol_vessel_departed_at: '2026-02-20T00:00:00Z' }],
  ['arrived', { ...AT_SEA, pod_arrived_at: '2026-03-05T10:00:00Z' }],
  ['unknown', AT_SEA],
  ['available_for_pickup', { current_status: null }],
  ['discharged', { current_status: null, available_for_pickup: false }],
  ['at_terminal', { current_status: null, available_for_pickup: null }],
  ['on_rail', { current_status: null, pod_rail_loaded_at: '2026-03-07T00:00:00Z' }],
  ['picked_up', { current_status: null, pod_full_out_at: '2026-03-07T00:00:00Z' }],
  ['delivered', { current_status: null, delivered_at: '2026-03-20T00:00:00Z' }],
  ['empty_returned', { current_status: null, empty_terminated_at: '2026-03-20T00:00:00Z' }],
])(
  'a container without a status gets the status %s from its times, and the result says that the status is derived',
  async (status, changes) => {
    const view = await viewAt('2026-03-11T12:00:00Z', changes);
    expect(view).toMatchObject({ status, status_source: 'derived' });
  },
);

const customs = { name: 'customs', status: 'hold', description: 'CBP' };
const BY_RAIL = {
  pod_rail_loaded_at: '2026-03-07T00:00:00Z',
  pod_rail_departed_at: '2026-03-07T06:00:00Z',
  ind_ata_at: '2026-03-09T00:00:00Z',
  ind_rail_unloaded_at: '2026-03-09T06:00:00Z',
  final_destination_timezone: 'America/Chicago',
  // The beginning of 12 March in Chicago.
  pickup_lfd: '2026-03-12T05:00:00Z',
  import_deadlines: { pickup_lfd_line: null, pickup_lfd_terminal: null, pickup_lfd_rail: '2026-03-12T05:00:00Z' },
};

test.each<[string, object, object, RegExp]>([
  ['available inland', BY_RAIL, { possible: 'yes', reasons: [] }, /can be picked up/],
  [
    'available, and held',
    { holds_at_pod_terminal: [customs] },
    { possible: 'no', reasons: ['It is held by customs.'] },
    /cannot be picked up/,
  ],
  [
    'at a terminal that tells nothing',
    { current_status: 'grounded', availability_known: false, available_for_pickup: false },
    { possible: 'unknown', reasons: ['The terminal does not say whether it is available.'] },
    /not known/,
  ],
  [
    'picked up',
    { current_status: 'picked_up', available_for_pickup: false },
    { possible: 'no', reasons: ['It has been picked up already.'] },
    /has left the terminal/,
  ],
  [
    'returned empty',
    { current_status: 'empty_returned', available_for_pickup: false },
    { possible: 'no', reasons: ['It has been picked up already.'] },
    /empty container is back/,
  ],
])(
  'the result for a container that is %s says if it can be picked up, and why',
  async (_, changes, pickup, guidance) => {
    const view = await viewAt('2026-03-11T12:00:00Z', changes);
    expect(view.pickup).toEqual(pickup);
    expect(view._metadata.presentation_guidance).toMatch(guidance);
    expect(view.demurrage.urgency).toBe(/left|back/.test(guidance.source) ? 'none' : 'imminent');
  },
);

test('if the terminal does not report the availability, the availability is left out, and is not false', async () => {
  const { location } = await viewAt('2026-03-11T12:00:00Z', { availability_known: false, available_for_pickup: false });
  expect(location.availability_known).toBe(false);
  expect(location).not.toHaveProperty('available_for_pickup');
});

test('gate-out, delivery and empty return are distinguished, and are in local time', async () => {
  const { journey } = await viewAt('2026-03-30T12:00:00Z', {
    ...BY_RAIL,
    final_destination_full_out_at: '2026-03-12T12:00:00Z',
    delivered_at: '2026-03-13T12:00:00Z',
    empty_terminated_at: '2026-03-20T12:00:00Z',
    empty_terminated_timezone: 'America/Denver',
  });
  expect(journey).toEqual({
    stage: 'empty_returned',
    gate_out_at: '2026-03-12T07:00:00-05:00',
    gate_out_from: 'inland',
    delivered_at: '2026-03-13T07:00:00-05:00',
    empty_returned_at: '2026-03-20T06:00:00-06:00',
  });
});

test('rows of lists, containers of a shipment and events have local days and times too', async () => {
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
  expect(row).toMatchObject({ last_free_day: '2026-03-12', pod_ata: '2026-03-05' });
  const shipment = plainResult(await peer.call('get_shipment_details', { id: ID }));
  expect(shipment.containers.containers[0].pickup_lfd_local).toBe('2026-03-12 (America/Los_Angeles)');
  expect(shipment.routing.port_of_discharge).toMatchObject({ eta: '2026-03-05T02:00:00-08:00' });
  expect(shipment.routing.port_of_discharge).not.toHaveProperty('ata');
  const { timeline } = plainResult(await peer.call('get_container_transport_events', { id: ID }));
  expect(timeline[0].timestamp).toBe('2026-03-05T02:00:00-08:00');
});

test('a timeline begins with the oldest event, also across time zones; an event without a time is last, and hides no milestone', async () => {
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
    '2026-03-05T01:00:00',
    '2026-03-07T00:00:00',
    undefined,
    undefined,
    undefined,
  ]);
  expect(milestones).toEqual({
    vessel_loaded_at: '2026-03-05T02:30:00+02:00',
    vessel_departed_at: '2026-03-05T01:00:00',
    discharged_at: '2026-03-07T00:00:00',
  });
});

test('the milestones distinguish the gate-out from the delivery and from the empty return', async () => {
  const events = {
    full_out: '2026-03-07T17:00:00-07:00',
    delivered: '2026-03-10T18:00:00-06:00',
    empty_in: '2026-03-15T18:00:00-06:00',
  };
  const milestonesOf = async (names: (keyof typeof events)[]) => {
    const data = names.map((name, index) => ({
      type: 'transport_event',
      id: String(index),
      attributes: { event: `container.transport.${name}`, timestamp: events[name], timezone: 'America/Denver' },
      relationships: {},
    }));
    const fetch = async () => Response.json({ data });
    const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
    const peer = httpPeer(createMcpHandler({ client }).fetch);
    return plainResult(await peer.call('get_container_transport_events', { id: ID })).milestones;
  };
  expect(await milestonesOf(['full_out'])).toEqual({ gate_out_at: events.full_out });
  expect(await milestonesOf(['full_out', 'delivered', 'empty_in'])).toEqual({
    gate_out_at: events.full_out,
    delivered_at: events.delivered,
    empty_returned_at: events.empty_in,
  });
});

test('a row of list_containers has the earliest last free day if the day of the line is later, and the number of days left', async () => {
  const line = '2026-03-14T07:00:00Z';
  const attributes: Json = {
    ...CONTAINER,
    pickup_lfd: line,
    import_deadlines: { ...CONTAINER.import_deadlines, pickup_lfd_line: line },
  };
  const body = { data: [{ type: 'container', id: ID, attributes, relationships: {} }] };
  const fetch = async () => Response.json(body);
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const rowAt = async (now: string) => {
    const peer = httpPeer(createMcpHandler({ client, now: () => new Date(now) }).fetch);
    return plainResult(await peer.call('list_containers')).items[0];
  };
  expect(await rowAt('2026-03-10T12:00:00Z')).toMatchObject({ last_free_day: '2026-03-12', days_left: 2 });
  attributes.pod_full_out_at = '2026-03-09T00:00:00Z';
  expect(await rowAt('2026-03-10T12:00:00Z')).not.toHaveProperty('days_left');
});

test('holds and fees that were not reported are left out, and reported empty lists stay empty', async () => {
  const attributes = [
    { ...CONTAINER, fees_at_pod_terminal: [], holds_at_pod_terminal: [customs] },
    { ...CONTAINER, available_for_pickup: false },
    CONTAINER,
    { ...CONTAINER, fees_at_pod_terminal: null, holds_at_pod_terminal: null },
    { ...AT_SEA, fees_at_pod_terminal: [], holds_at_pod_terminal: [] },
  ];
  const data = attributes.map((attributes, index) => ({ type: 'container', id: String(index), attributes }));
  const fetch = async () => Response.json({ data });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const { items } = plainResult(await httpPeer(createMcpHandler({ client }).fetch).call('list_containers'));
  expect(items.map(({ held_by, fees_due }: Json) => [held_by, fees_due])).toEqual([
    [['customs'], '0'],
    [[], 'exam:100USD+demurrage:50USD'],
    [undefined, 'exam:100USD+demurrage:50USD'],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('a list that is filtered or sorted by pickup_lfd has both pickup_lfd and the earliest last free day', async () => {
  const terminal = CONTAINER.import_deadlines.pickup_lfd_terminal;
  const line = '2026-03-14T07:00:00Z';
  const attributes = {
    ...CONTAINER,
    pickup_lfd: line,
    import_deadlines: { pickup_lfd_terminal: terminal, pickup_lfd_line: line },
  };
  const fetch = async () => Response.json({ data: [{ type: 'container', id: ID, attributes, relationships: {} }] });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client, now: () => new Date('2026-03-10T12:00:00Z') }).fetch);
  for (const args of [{ pickup_lfd: '>=2026-03-13' }, { sort: '-pickup_lfd' }]) {
    const { content, structuredContent } = await peer.call('list_containers', args);
    expect(structuredContent.items[0]).toMatchObject({ pickup_lfd: '2026-03-14', last_free_day: '2026-03-12' });
    expect(structuredContent.hint).toContain('worklist');
    expect(content[0]?.text.split('\n')[1]).toBe(structuredContent.hint);
  }
  expect(plainResult(await peer.call('list_containers')).items[0]).not.toHaveProperty('pickup_lfd');
});

test('a row has the appointment, the age of old data of the terminal, and the place of the deadline if the container goes inland', async () => {
  const appointment = { pickup_appointment_at: '2026-03-11T16:00:00Z', terminal_checked_at: '2026-03-05T00:00:00Z' };
  const data = [
    { ...CONTAINER, ...appointment },
    { ...CONTAINER, ...appointment, pod_full_out_at: '2026-03-09T00:00:00Z' },
    { ...CONTAINER, current_status: 'awaiting_inland_transfer', final_destination_timezone: 'America/Chicago' },
  ].map((attributes, index) => ({ type: 'container', id: String(index), attributes, relationships: {} }));
  const fetch = async () => Response.json({ data });
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client, now: () => new Date('2026-03-10T12:00:00Z') }).fetch);
  const [ready, gone, inland] = plainResult(await peer.call('list_containers')).items;
  expect(ready).toMatchObject({ appointment: '2026-03-11 09:00 -07:00', stale: 'terminal 5 days' });
  expect(gone).not.toHaveProperty('appointment');
  expect(gone).not.toHaveProperty('stale');
  expect(ready).not.toHaveProperty('last_free_day_at');
  expect(inland).toMatchObject({ last_free_day: '2026-03-12', last_free_day_at: 'port' });
});
