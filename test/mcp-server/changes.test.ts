import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const NOW = '2026-03-10T12:00:00Z';
const ZONE = 'America/Los_Angeles';

const event = (id: string, name: string, created_at: string, attributes: object = {}) => ({
  type: 'transport_event',
  id,
  attributes: { event: `container.${name}`, created_at, timezone: ZONE, location_locode: 'USLAX', ...attributes },
});

/** Makes a service with these containers and their events, and returns a list of the addresses that are requested from it. */
function peerOf(
  containers: { attributes: object; shipment?: object; events: ReturnType<typeof event>[] }[],
  options: { timeZone?: string } = {},
) {
  const urls: URL[] = [];
  const data = containers.map(({ attributes, shipment, events }, index) => ({
    type: 'container',
    id: String(index),
    attributes: { number: `TEST000000${index}`, created_at: '2026-01-01T00:00:00Z', ...attributes },
    relationships: {
      transport_events: { data: events.map(({ type, id }) => ({ type, id })) },
      ...(shipment && { shipment: { data: { type: 'shipment', id: `s${index}` } } }),
    },
  }));
  const shipments = containers.flatMap(({ shipment }, index) =>
    shipment ? { type: 'shipment', id: `s${index}`, attributes: shipment } : [],
  );
  const body = { data, included: [...shipments, ...containers.flatMap(({ events }) => events)] };
  const fetch = async (input: unknown) => {
    const url = new URL(String(input));
    if (url.searchParams.has('filter[updated_at]')) urls.push(url);
    return Response.json(body);
  };
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  return { peer: httpPeer(createMcpHandler({ client, now: () => new Date(NOW), ...options }).fetch), urls };
}

/** The changes of all containers, each with the facts about its container. */
const changesOf = ({ groups }: Json): Json[] =>
  groups.flatMap(({ containers }: Json) =>
    containers.flatMap(({ changes, ...facts }: Json) => changes.map((change: Json) => ({ ...facts, ...change }))),
  );

const days = (id: string, created_at: string, day: string) =>
  event(id, 'pickup_lfd_terminal.changed', created_at, { value: day, value_timestamp: `${day}T08:00:00Z` });

test('list_changes has the old value, the new value, the place and the time of each change, and the most important change of a container comes first', async () => {
  const { peer, urls } = peerOf([
    {
      attributes: {},
      events: [
        days('1', '2026-03-08T00:00:00Z', '2026-03-06'),
        days('2', '2026-03-10T09:00:00Z', '2026-03-07'),
        event('3', 'pickup_lfd.changed', '2026-03-10T09:00:01Z', { value_timestamp: '2026-03-07T08:00:00Z' }),
        event('4', 'transport.vessel_discharged', '2026-03-10T10:00:00Z', { timestamp: '2026-03-10T08:00:00Z' }),
        event('5', 'transport.vessel_arrived', '2026-03-09T11:59:00Z', { timestamp: '2026-03-09T08:00:00Z' }),
      ],
    },
  ]);
  const { content, structuredContent } = await peer.call('list_changes', { since: '1.days.ago' });
  expect(structuredContent).toMatchObject({
    since: '2026-03-09T12:00Z',
    total: 2,
    counts: { 'Discharged from vessel': 1, 'Last free day of the terminal': 1 },
    containers: 1,
    groups: [
      {
        group: 'last_free_days',
        total: 1,
        containers: [
          {
            number: 'TEST0000000',
            changes: [
              { what: 'Last free day of the terminal', from: '2026-03-06', to: '2026-03-07', place: 'USLAX' },
              { what: 'Discharged from vessel', to: '2026-03-10 01:00 -07:00', at: '2026-03-10T10:00Z' },
            ],
          },
        ],
      },
    ],
    next: null,
  });
  expect(structuredContent).not.toHaveProperty('follow');
  expect(content[0]?.text).toContain(
    'TEST0000000|Last free day of the terminal 2026-03-06 → 2026-03-07; Discharged from vessel 2026-03-10 01:00 -07:00 at USLAX',
  );
  expect(urls).toHaveLength(1);
  expect(urls[0]?.searchParams.get('filter[updated_at]')).toBe('>=2026-03-09');
});

test('an estimate that is reported again with the same time is not a change, but a withdrawn event is a change', async () => {
  const estimate = { timestamp: '2026-03-20T08:00:00Z' };
  const { peer } = peerOf([
    {
      attributes: {},
      events: [
        event('1', 'transport.estimated.vessel_arrived', '2026-03-01T00:00:00Z', estimate),
        event('2', 'transport.estimated.vessel_arrived', '2026-03-10T00:00:00Z', estimate),
        event('3', 'transport.vessel_loaded', '2026-03-01T00:00:00Z', { invalidated_at: '2026-03-10T01:00:00Z' }),
      ],
    },
  ]);
  const changes = changesOf(plainResult(await peer.call('list_changes')));
  expect(changes).toMatchObject([{ what: 'Loaded on vessel: withdrawn', at: '2026-03-10T01:00Z' }]);
});

test('the first report of an estimate is compared with the first estimate of the shipment, and the first day of a source has no earlier value', async () => {
  const day = (id: string, created_at: string, day: string) =>
    event(id, 'pickup_lfd.changed', created_at, { value_timestamp: `${day}T08:00:00Z` });
  const { peer } = peerOf([
    {
      attributes: { pickup_lfd: '2026-03-12T08:00:00Z', pod_timezone: ZONE },
      shipment: { pod_original_eta_at: '2026-03-18T08:00:00Z', destination_original_eta_at: '2026-03-22T08:00:00Z' },
      events: [
        day('1', '2026-03-08T00:00:00Z', '2026-03-12'),
        event('2', 'transport.estimated.vessel_arrived', '2026-03-10T10:00:00Z', { timestamp: '2026-03-20T08:00:00Z' }),
        event('3', 'transport.estimated.arrived_at_inland_destination', '2026-03-10T09:00:00Z', {
          timestamp: '2026-03-22T08:00:00Z',
        }),
        event('4', 'pickup_lfd_line.changed', '2026-03-10T08:00:00Z', { value_timestamp: '2026-03-14T08:00:00Z' }),
        day('5', '2026-03-10T08:00:05Z', '2026-03-14'),
      ],
    },
  ]);
  const { content, structuredContent } = await peer.call('list_changes');
  const changes = changesOf(structuredContent);
  expect(changes).toMatchObject([
    { what: 'Last free day of the line', to: '2026-03-14', first_reported: true, last_free_day: '2026-03-12' },
    {
      what: 'Arrival at port of discharge expected',
      from: '2026-03-18 01:00 -07:00 (first estimate)',
      to: '2026-03-20 01:00 -07:00',
      days_later: 2,
    },
  ]);
  expect(changes[0]).not.toHaveProperty('from');
  expect(content[0]?.text).toContain('expected 2026-03-20 01:00 -07:00, 2 days later than the first estimate');
});

test('the earlier timeline of a new container is not a change, and containers without a recorded change are counted', async () => {
  const hold = { name: 'customs', status: 'hold', description: null };
  const atPort = {
    current_status: 'not_available',
    pod_discharged_at: '2026-03-05T00:00:00Z',
    availability_known: true,
    available_for_pickup: false,
  };
  const { peer } = peerOf([
    { attributes: { ...atPort, holds_at_pod_terminal: [hold] }, events: [] },
    {
      attributes: { created_at: '2026-03-10T02:00:00Z', current_status: 'on_ship' },
      events: [event('1', 'transport.vessel_loaded', '2026-03-10T02:00:05Z', { timestamp: '2026-02-01T00:00:00Z' })],
    },
    { attributes: atPort, events: [] },
    // The update is on the day that the service compares, but before the time `since`.
    {
      attributes: atPort,
      events: [
        event('2', 'transport.vessel_discharged', '2026-03-09T03:00:00Z', { timestamp: '2026-03-09T02:00:00Z' }),
      ],
    },
  ]);
  const { content, structuredContent } = await peer.call('list_changes');
  expect(structuredContent).toMatchObject({
    total: 1,
    counts: { 'tracked now': 1 },
    groups: [
      {
        group: 'new_containers',
        containers: [
          { number: 'TEST0000001', changes: [{ what: 'tracked now', to: 'on_ship', at: '2026-03-10T02:00Z' }] },
        ],
      },
    ],
    not_recorded: { containers: 2, held_or_with_fees: 1, numbers: ['TEST0000000'] },
  });
  expect(content[0]?.text).toMatch(/Updated since 2026-03-09 00:00 \+00:00 .*: 2 containers\..*: TEST0000000\.$/m);
});

test('the containers with the most important changes come first, each of them once, and only the latest estimate counts', async () => {
  const eta = (id: string, created_at: string, timestamp: string) =>
    event(id, 'transport.estimated.vessel_arrived', created_at, { timestamp });
  const at = (hour: number) => `2026-03-10T0${hour}:00:00Z`;
  const { peer } = peerOf([
    { attributes: { created_at: at(9) }, events: [] },
    { attributes: {}, events: [event('1', 'transport.vessel_loaded', at(9), { timestamp: at(8) })] },
    {
      attributes: {},
      events: [
        eta('2', '2026-03-01T00:00:00Z', '2026-03-20T08:00:00Z'),
        eta('3', at(7), '2026-03-21T08:00:00Z'),
        eta('4', at(9), '2026-03-20T14:00:00Z'),
      ],
    },
    {
      attributes: {},
      events: [
        eta('5', '2026-03-01T00:00:00Z', '2026-03-20T08:00:00Z'),
        eta('6', at(7), '2026-03-21T08:00:00Z'),
        eta('7', at(8), '2026-03-22T20:00:00Z'),
      ],
    },
    { attributes: {}, events: [event('8', 'transport.available', at(5), { timestamp: at(4) })] },
    {
      attributes: { pickup_lfd: '2026-03-20T08:00:00Z', pod_timezone: ZONE },
      events: [days('9', at(9), '2026-03-20')],
    },
    {
      attributes: { pickup_lfd: '2026-03-12T08:00:00Z', pod_timezone: ZONE },
      events: [days('a', at(1), '2026-03-12')],
    },
  ]);
  const { content, structuredContent } = await peer.call('list_changes');
  const order = structuredContent.groups.map(({ group, containers }: Json) => [
    group,
    ...containers.map(({ number }: Json) => number.slice(-1)),
  ]);
  expect(order).toEqual([
    ['last_free_days', '6', '5'],
    ['availability', '4'],
    ['delays', '3'],
    ['events', '1'],
    ['estimates', '2'],
    ['new_containers', '0'],
  ]);
  expect(changesOf(structuredContent)).toContainEqual({
    number: 'TEST0000003',
    what: 'Arrival at port of discharge expected',
    from: '2026-03-20 01:00 -07:00',
    to: '2026-03-22 13:00 -07:00',
    days_later: 2.5,
    place: 'USLAX',
    at: '2026-03-10T08:00Z',
  });
  expect(content[0]?.text).toContain('expected 2026-03-20 01:00 -07:00 → 2026-03-22 13:00 -07:00, 2.5 days later');
  for (const [what, numbers] of Object.entries({ delays: '3', estimates: '32', availability: '4', events: '41' })) {
    const found = changesOf(plainResult(await peer.call('list_changes', { what })));
    expect([what, found.map(({ number }) => number.slice(-1)).join('')]).toEqual([what, numbers]);
  }
});

test.each([
  ['yesterday', '2026-03-09T00:00Z'],
  ['today', '2026-03-10T00:00Z'],
  ['3 hours ago', '2026-03-10T09:00Z'],
  ['2d', '2026-03-08T12:00Z'],
  ['last 24 hours', '2026-03-09T12:00Z'],
  ['1.days.ago', '2026-03-09T12:00Z'],
  ['1 week ago', '2026-03-03T12:00Z'],
  ['2026-03-09', '2026-03-09T00:00Z'],
  ['2026-03-09T10:00', '2026-03-09T10:00Z'],
  ['2026-03-09 10:00:00-05:00', '2026-03-09T15:00Z'],
])('a `since` of %s means the time %s', async (since, expected) => {
  const { peer } = peerOf([]);
  expect(plainResult(await peer.call('list_changes', { since })).since).toBe(expected);
});

test.each([
  ['yesterday', undefined, '2026-03-09T00:00-07:00', '2026-03-09 00:00 -07:00'],
  ['2026-03-08', undefined, '2026-03-08T00:00-08:00', '2026-03-08 00:00 -08:00'],
  ['2026-03-09T10:00', undefined, '2026-03-09T10:00-07:00', '2026-03-09 10:00 -07:00'],
  ['today', 'Asia/Tokyo', '2026-03-10T00:00+09:00', '2026-03-10 00:00 +09:00'],
])('in Los Angeles, a `since` of %s with the time zone %s means %s', async (since, time_zone, data, text) => {
  const { peer } = peerOf([], { timeZone: 'America/Los_Angeles' });
  const result = await peer.call('list_changes', { since, ...(time_zone && { time_zone }) });
  expect(plainResult(result).since).toBe(data);
  expect(result.content[0]?.text.split('\n')[0]).toContain(`since ${text}`);
});

test('an unknown time zone is refused with an example', async () => {
  const { peer } = peerOf([]);
  const { message } = failureIn(await peer.call('list_changes', { time_zone: 'Mars' }));
  expect(message).toBe('time_zone must be an IANA name, such as America/New_York, not Mars.');
});

test.each(['last week', '2027-01-01', '2026-02-30', '2026-03-10T12:00:01Z', '3.days.from_now'])(
  'a `since` of %s is refused with the allowed forms, and no request is sent',
  async since => {
    const { peer, urls } = peerOf([]);
    expect(failureIn(await peer.call('list_changes', { since }))).toMatchObject({
      error: 'invalid_request',
      message: expect.stringContaining('such as yesterday, "3 hours ago", 2d'),
    });
    expect(urls).toEqual([]);
  },
);

test('list_changes says what to do if nothing has changed', async () => {
  const { peer } = peerOf([{ attributes: { created_at: '2026-03-09T00:00:00Z' }, events: [] }]);
  expect(plainResult(await peer.call('list_changes', { since: '2026-03-10' }))).toMatchObject({
    since: '2026-03-10T00:00Z',
    groups: [],
    hint: expect.stringContaining('earlier since'),
  });
});

test('list_changes says that an account has no containers', async () => {
  const { peer } = peerOf([]);
  const { hint } = plainResult(await peer.call('list_changes'));
  expect(hint).toMatch(/^The account has no containers yet: track_container/);
});

test('an instant in updated_after is sent as its day, because the service compares days', async () => {
  const { peer, urls } = peerOf([]);
  await peer.call('list_containers', { updated_after: '2026-03-10T23:30:00-05:00' });
  expect(urls.map(url => url.searchParams.get('filter[updated_at]'))).toEqual(['>=2026-03-11']);
});

test('list_changes returns all changes of 300 containers in short pages, and reads the containers only once', async () => {
  const sandbox = stillSandbox({ shipments: 145, seed: 5 });
  let requests = 0;
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => {
    requests += 1;
    return sandbox.fetch(input as Request, init);
  };
  const client = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  const peer = httpPeer(createMcpHandler({ client: client as never, now: () => sandbox.now() }).fetch);
  let [args, changes, total]: [object | null, Json[], number] = [{ since: '1.days.ago' }, [], 0];
  let first = 0;
  let left = Number.POSITIVE_INFINITY;
  while (args) {
    const { content, structuredContent } = await peer.call('list_changes', args);
    expect(content[0]?.text.length).toBeLessThan(10_500);
    expect(JSON.stringify(structuredContent).length).toBeLessThan(13_800);
    changes = [...changes, ...changesOf(structuredContent)];
    ({ next: args, total } = structuredContent);
    const follow = Object.values<number>(structuredContent.follow ?? {}).reduce((sum, count) => sum + count, 0);
    const here = structuredContent.groups.flatMap(({ containers }: Json) => containers).length;
    if (Number.isFinite(left)) expect(follow).toBe(left - here);
    left = follow;
    first ||= requests;
  }
  expect(left).toBe(0);
  expect(changes).toHaveLength(total);
  expect(total).toBeGreaterThan(100);
  expect(requests).toBe(first);
});

test('a last free day that is reported for the first time is distinguished from a last free day that has moved', async () => {
  const day = (id: string, created_at: string, day: string) =>
    event(id, 'pickup_lfd.changed', created_at, { value_timestamp: `${day}T08:00:00Z` });
  const { peer } = peerOf([
    { attributes: { pod_timezone: ZONE }, events: [day('1', '2026-03-10T08:00:00Z', '2026-03-14')] },
    {
      attributes: { pod_timezone: ZONE },
      events: [day('2', '2026-03-01T00:00:00Z', '2026-03-12'), day('3', '2026-03-10T08:00:00Z', '2026-03-14')],
    },
  ]);
  const { content, structuredContent } = await peer.call('list_changes');
  expect(structuredContent.counts).toEqual({ 'Last free day (first reported)': 1, 'Last free day': 1 });
  expect(changesOf(structuredContent)).toEqual([
    expect.objectContaining({ to: '2026-03-14', first_reported: true }),
    expect.objectContaining({ from: '2026-03-12', to: '2026-03-14' }),
  ]);
  expect(content[0]?.text).toMatch(/Changes of each kind: Last free day \(first reported\): 1, Last free day: 1\./);
  expect(content[0]?.text).toContain('|Last free day 2026-03-14 (first reported)');
  expect(content[0]?.text).toContain('|Last free day 2026-03-12 → 2026-03-14');
});
