import { describe, expect, test } from 'vitest';
import { parseContainerNumber } from '../../src/domain/container-number.ts';
import { lastFreeDays } from '../../src/domain/last-free-days.ts';
import type { WireResource } from '../../src/jsonapi/document.ts';
import type { Phase, Sandbox } from '../../src/sandbox/index.ts';
import { get, stillSandbox, track } from '../../support/sandbox.ts';

type Attributes = Record<string, string | null> & {
  current_status: string;
  holds_at_pod_terminal: { name: string; status: string; description: string }[];
  import_deadlines?: Record<'pickup_lfd_line' | 'pickup_lfd_terminal' | 'pickup_lfd_rail', string | null>;
  fees_at_pod_terminal: { type: string; amount: number }[];
};

interface Box {
  id: string;
  attributes: Attributes;
  relationships: Record<string, { data: unknown }>;
}

async function boxes(sandbox: Sandbox): Promise<Box[]> {
  const { body } = await get(sandbox, '/containers?page[size]=100');
  return body.data;
}

describe('a voyage begins in the phase', () => {
  test.each<[Phase, string[]]>([
    ['booked', ['new']],
    ['at_origin', ['new', 'on_ship']],
    ['at_sea', ['on_ship']],
    ['held', ['not_available']],
    ['available', ['available']],
    ['on_rail', ['on_rail']],
    ['picked_up', ['picked_up']],
    ['returned', ['empty_returned']],
  ])('%s, if seedShipments has this phase as an option', async (phase, statuses) => {
    const sandbox = stillSandbox();
    sandbox.seedShipments(40, { phase, containers: 1 });
    for (const { attributes } of await boxes(sandbox)) expect(statuses).toContain(attributes.current_status);
  });

  test('that is named by a word in its tracking number', async () => {
    const sandbox = stillSandbox();
    await track(sandbox, 'MAEUONHOLD1');
    sandbox.advance({ minutes: 1 });
    const [box] = (await boxes(sandbox)).filter(({ attributes }) => attributes.current_status === 'not_available');
    expect(box?.attributes.holds_at_pod_terminal).toContainEqual({
      name: 'customs',
      status: 'hold',
      description: 'CBP HOLD',
    });
  });

  test('that the seed selects, if neither an option nor the number names a phase', async () => {
    const sandbox = stillSandbox();
    sandbox.seedShipments(100, { containers: 1 });
    const statuses = new Set((await boxes(sandbox)).map(({ attributes }) => attributes.current_status));
    expect([...statuses]).toEqual(
      expect.arrayContaining(['new', 'on_ship', 'not_available', 'available', 'on_rail', 'picked_up']),
    );
  });
});

/** The order of the milestones. The value of an unknown milestone is `null`. */
const ORDER = [
  'empty_out_at',
  'pol_full_in_at',
  'pol_vessel_loaded_at',
  'pol_vessel_departed_at',
  'pod_arrived_at',
  'pod_discharged_at',
  'pod_rail_loaded_at',
  'pod_rail_departed_at',
  'ind_ata_at',
  'ind_rail_unloaded_at',
  'pod_full_out_at',
  'final_destination_full_out_at',
  'empty_terminated_at',
];

const localHour = (instant: string, timeZone: string) =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(new Date(instant)));

test('voyages have a possible course until the empty containers are returned and tracking stops', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(25, { containers: 2 });
  const statuses = new Set<string>();
  for (let day = 0; day < 100; day += 2) {
    const now = sandbox.now().toISOString();
    for (const { attributes: box } of await boxes(sandbox)) {
      statuses.add(box.current_status);
      const times = ORDER.map(name => box[name]).filter(time => time != null);
      expect(times).toEqual(times.toSorted());
      expect(times.every(time => time <= now)).toBe(true);
      expect(parseContainerNumber(box.number ?? '').valid).toBe(true);
      if (box.pickup_lfd) expect(localHour(box.pickup_lfd, box.pod_timezone ?? '')).toBe(0);
      const ofRailway = box.import_deadlines?.pickup_lfd_rail;
      if (ofRailway) expect(localHour(ofRailway, box.final_destination_timezone ?? '')).toBe(0);
      if (box.pod_full_out_at && box.pod_timezone) {
        const hour = localHour(box.pod_full_out_at, box.pod_timezone);
        expect(hour >= 7 && hour <= 18).toBe(true);
      }
      if (box.available_for_pickup) {
        expect(box.holds_at_pod_terminal).toEqual([]);
        expect(box.pickup_lfd ?? ofRailway).toEqual(expect.any(String));
      }
    }
    sandbox.advance({ days: 2 });
  }
  expect([...statuses].sort()).toEqual([
    'available',
    'awaiting_inland_transfer',
    'empty_returned',
    'grounded',
    'new',
    'not_available',
    'on_rail',
    'on_ship',
    'picked_up',
  ]);
  for (const { attributes } of (await get(sandbox, '/shipments?page[size]=100')).body.data) {
    expect(attributes).toMatchObject({
      line_tracking_stopped_reason: 'all_containers_terminated',
      pod_eta_at: null,
      pol_etd_at: null,
    });
  }
});

test('the attributes of a container and its shipment agree with the transport events of the container', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(20, { phase: 'on_rail', containers: 1 });
  sandbox.advance({ days: 30 });
  for (const box of await boxes(sandbox)) {
    const { body } = await get(sandbox, `/containers/${box.id}?include=transport_events,shipment`);
    const events = body.included.filter(({ type }: WireResource) => type === 'transport_event');
    const shipment = body.included.find(({ type }: WireResource) => type === 'shipment').attributes;
    const last = (name: string) =>
      events.find((event: Box) => event.attributes.event === `container.${name}`)?.attributes ?? { timestamp: null };
    expect(box.attributes).toMatchObject({
      pol_full_in_at: last('transport.full_in').timestamp,
      pol_vessel_departed_at: last('transport.vessel_departed').timestamp,
      pod_arrived_at: last('transport.vessel_arrived').timestamp,
      pod_discharged_at: last('transport.vessel_discharged').timestamp,
      pod_rail_loaded_at: last('transport.rail_loaded').timestamp,
      ind_ata_at: last('transport.arrived_at_inland_destination').timestamp,
      ind_rail_unloaded_at: last('transport.rail_unloaded').timestamp,
      final_destination_full_out_at: last('transport.full_out').timestamp,
      empty_terminated_at: last('transport.empty_in').timestamp,
      pickup_lfd: null,
      import_deadlines: { pickup_lfd_rail: last('pickup_lfd_rail.changed').value },
    });
    expect(shipment).toMatchObject({
      pol_atd_at: last('transport.vessel_departed').timestamp,
      pod_ata_at: last('transport.vessel_arrived').timestamp,
    });
    expect(events.map((event: Box) => event.attributes.event)).not.toContain(
      'container.transport.estimated.vessel_arrived',
    );
  }
});

test('pickup_lfd is null after the container has left the port, but the last free days of the line and of the terminal stay', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(20, { phase: 'available', containers: 1 });
  const days = new Map<string, unknown>();
  const left = new Set<string>();
  for (let hour = 0; hour < 24 * 12; hour += 6) {
    for (const { id, attributes: box } of await boxes(sandbox)) {
      const { pickup_lfd_line: line, pickup_lfd_terminal: terminal } = box.import_deadlines ?? {};
      expect(box.pickup_lfd).toBe(box.pod_full_out_at ? null : (line ?? terminal ?? null));
      if (!box.pod_full_out_at && box.pickup_lfd) days.set(id, box.pickup_lfd);
      if (!box.pod_full_out_at || !days.has(id)) continue;
      left.add(id);
      expect(line ?? terminal).toBe(days.get(id));
      expect(lastFreeDays(box, { now: sandbox.now() }).earliest).toMatchObject({ hasEnded: true });
    }
    sandbox.advance({ hours: 6 });
  }
  expect(left.size).toBeGreaterThan(5);
});

test('without the feature `rail`, the last free day of a railway is missing', async () => {
  const sandbox = stillSandbox({ features: { rail: false } });
  sandbox.seedShipments(5, { phase: 'on_rail', containers: 1 });
  sandbox.advance({ days: 12 });
  for (const { id, attributes } of await boxes(sandbox)) {
    expect(attributes).toMatchObject({ pickup_lfd: null, import_deadlines: { pickup_lfd_rail: null } });
    const { data } = (await get(sandbox, `/containers/${id}/transport_events`)).body;
    expect(JSON.stringify(data)).not.toContain('pickup_lfd');
  }
});

test('demurrage grows from the last free day until the container leaves', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(60, { phase: 'held', containers: 1 });
  sandbox.advance({ days: 7 });
  const overdue = (await boxes(sandbox)).filter(({ attributes: { pickup_lfd: day } }) => {
    return day !== null && Date.parse(day ?? '') < sandbox.now().getTime() - 48 * 3_600_000;
  });
  const demurrage = ({ attributes }: Box) => attributes.fees_at_pod_terminal.find(({ type }) => type === 'demurrage');
  expect(overdue.some(demurrage)).toBe(true);
});

test('raw events are the carrier’s events: milestones in their order, and the expected arrival while the vessel is at sea', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(1, { phase: 'at_sea', containers: 1 });
  const [box] = await boxes(sandbox);
  const { data } = (await get(sandbox, `/containers/${box?.id}/raw_events`)).body;
  const events = data.map((event: WireResource) => event.attributes);
  expect(events.map(({ index }: { index: number }) => index)).toEqual(events.map((_: unknown, index: number) => index));
  expect(events.at(-1)).toMatchObject({ event: expect.stringContaining('arrived'), estimated: true, actual_at: null });
  expect(events[0]).toMatchObject({ event: 'empty_out', estimated: false, estimated_at: null });
  const named = box?.relationships.raw_events?.data as { id: string }[];
  expect(named.map(({ id }) => id)).toEqual(data.map(({ id }: WireResource) => id));
});

test('a vessel is found by its id and by its IMO number, and its position follows its voyage', async () => {
  const sandbox = stillSandbox();
  sandbox.seedShipments(20, { phase: 'at_sea', containers: 1 });
  const shipments: Box[] = (await get(sandbox, '/shipments?include=port_of_lading,port_of_discharge')).body.data;
  const vessels = await Promise.all(
    shipments.map(async ({ attributes }) => (await get(sandbox, `/vessels/${attributes.pod_vessel_imo}`)).body.data),
  );
  const index = vessels.findIndex(({ attributes }) => attributes.nautical_speed_knots > 0);
  const before = vessels[index];
  const { imo } = before.attributes;
  expect((await get(sandbox, `/vessels/${before.id}`)).body.data).toEqual(before);
  sandbox.advance({ hours: 5 });
  const after = (await get(sandbox, `/vessels/${imo}`)).body.data.attributes;
  expect([after.latitude, after.longitude]).not.toEqual([before.attributes.latitude, before.attributes.longitude]);
  expect(after.nautical_speed_knots).toBeGreaterThan(10);

  const positions = (await get(sandbox, `/vessels/${imo}?show_positions[from_timestamp]=2026-03-08T00:00:00Z`)).body;
  expect(positions.data.attributes.positions).toHaveLength(33);
  const { port_of_discharge: pod, port_of_lading: pol } = shipments[index]?.relationships ?? {};
  const idOf = (relationship: typeof pod) => (relationship?.data as { id: string } | undefined)?.id;
  const query = `port_id=${idOf(pod)}&previous_port_id=${idOf(pol)}`;
  const future = (await get(sandbox, `/vessels/${imo}/future_positions?${query}`)).body.data.attributes.positions;
  expect(future.length).toBeGreaterThan(60);
  expect(Date.parse(future[1].timestamp) - Date.parse(future[0].timestamp)).toBe(60_000);
});

describe('show_positions', () => {
  const HOUR_MS = 3_600_000;
  const positionsOf = async (query: string) => {
    const sandbox = stillSandbox({ now: '2026-03-09T03:30:00Z' });
    sandbox.seedShipments(1, { phase: 'at_sea', containers: 1 });
    const [shipment] = (await get(sandbox, '/shipments')).body.data;
    const { body } = await get(sandbox, `/vessels/${shipment.attributes.pod_vessel_imo}?${query}`);
    return body.data.attributes.positions.map(
      ({ timestamp }: { timestamp: string }) => Date.parse(timestamp) / HOUR_MS,
    );
  };
  const NOW = Math.floor(Date.parse('2026-03-09T03:30:00Z') / HOUR_MS);

  test.each(['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '2020-05-05T00:00:00Z'])(
    'from %s returns one position per hour for the latest 90 days',
    async from => {
      const hours = await positionsOf(`show_positions[from_timestamp]=${from}`);
      expect(hours).toEqual(Array.from({ length: 90 * 24 }, (_, n) => NOW - 90 * 24 + 1 + n));
    },
  );

  test('with an end at the epoch (1970) returns no later positions', async () => {
    const query =
      'show_positions[from_timestamp]=1969-12-31T22:00:00Z&show_positions[to_timestamp]=1970-01-01T00:00:00Z';
    expect(await positionsOf(query)).toEqual([-2, -1, 0]);
  });

  test.each(['', 'yesterday'])('from %j, which is not a time, returns the last seven days', async from => {
    const hours = await positionsOf(`show_positions[from_timestamp]=${from}`);
    expect(hours).toEqual(Array.from({ length: 7 * 24 }, (_, n) => NOW - 7 * 24 + 1 + n));
  });
});

describe('the same seed, calls and clock', () => {
  async function transcript(seed: number): Promise<string> {
    const sandbox = stillSandbox({ seed });
    sandbox.seedShipments(10);
    const answers = [await track(sandbox, 'MAEU123456789')];
    sandbox.advance({ days: 9 });
    answers.push(await get(sandbox, '/shipments?include=containers.transport_events.vessel,pod_terminal'));
    answers.push(await get(sandbox, '/tracking_requests'));
    return JSON.stringify(answers.map(({ headers, body }) => [headers.get('x-request-id'), body]));
  }

  test('give the same bytes, but another seed gives different bytes', async () => {
    expect(await transcript(7)).toBe(await transcript(7));
    expect(await transcript(7)).not.toBe(await transcript(8));
  });

  test('give the same bytes after a reset', async () => {
    const sandbox = stillSandbox();
    const run = async () => {
      await track(sandbox, 'MAEU123456789');
      sandbox.advance({ minutes: 1 });
      return (await get(sandbox, '/shipments?include=containers')).body;
    };
    const first = await run();
    sandbox.reset();
    expect(sandbox.requests).toEqual([]);
    expect(await run()).toEqual(first);
  });

  test('give the same bytes after any other requests, in any order', async () => {
    const [a, b] = [stillSandbox(), stillSandbox()];
    for (const sandbox of [a, b]) sandbox.seedShipments(5);
    await get(a, '/containers?include=raw_events.vessel');
    await get(a, '/search?query=U');
    expect((await get(a, '/shipments?include=containers')).body).toEqual(
      (await get(b, '/shipments?include=containers')).body,
    );
  });
});

test('the clock uses `now` and `speed` of the options, and advance() moves it', () => {
  let real = 1000;
  const sandbox = stillSandbox({ now: '2030-01-01T00:00:00Z', speed: 60, monotonic: () => real });
  real += 2000;
  expect(sandbox.now().toISOString()).toBe('2030-01-01T00:02:00.000Z');
  sandbox.advance({ days: 1, hours: 2, minutes: 3, seconds: 4, ms: 5 });
  expect(sandbox.now().toISOString()).toBe('2030-01-02T02:05:04.005Z');
  expect(stillSandbox().now().toISOString()).toBe('2026-03-09T03:00:00.000Z');
});
