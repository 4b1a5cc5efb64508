import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelledMilestones, milestones } from '../../src/domain/index.ts';
import { ConfigurationError } from '../../src/errors.ts';
import oneContainer from '../../support/samples/containers.get.include.json' with { type: 'json' };
import list from '../../support/samples/containers.list.json' with { type: 'json' };
import eventList from '../../support/samples/containers.transport_events.json' with { type: 'json' };

const recordedEvents = eventList.data.map(({ id, attributes }) => ({
  id,
  type: 'transport_event' as const,
  ...attributes,
}));
const [atPort, onRail, fresh] = list.data.map(({ attributes }) => attributes);

function event(name: string, timestamp: string | null, more: object = {}) {
  return {
    event: `container.transport.${name}`,
    timestamp,
    timezone: 'UTC',
    created_at: '2026-01-01T00:00:00Z',
    ...more,
  };
}

const names = (found: { name: string }[]) => found.map(({ name }) => name);

describe('recorded events', () => {
  const timeline = milestones(recordedEvents);

  test('are in order of time, and do not include changes of deadlines', () => {
    expect(timeline.map(({ name, estimated, local, locode }) => [local.text, locode, name, estimated])).toEqual([
      ['2026-01-31 05:10 GMT+8', 'CNNGB', 'vessel_loaded', false],
      ['2026-01-31 14:01 GMT+8', 'CNNGB', 'vessel_departed', false],
      ['2026-02-20 09:45 PST', 'USLAX', 'vessel_arrived', false],
      ['2026-02-20 21:33 PST', 'USLAX', 'vessel_discharged', false],
      ['2026-02-27 17:33 PST', 'USLAX', 'rail_loaded', false],
      ['2026-02-28 01:10 PST', 'USLAX', 'rail_departed', false],
      ['2026-03-10 09:20 CDT', 'USCHI', 'arrived_at_inland_destination', true],
    ]);
  });

  test('keep the wire values, and the event from which each milestone was read', () => {
    expect(timeline.at(-1)).toMatchObject({
      event: 'container.transport.estimated.arrived_at_inland_destination',
      at: '2026-03-10T14:20:00Z',
      timezone: 'America/Chicago',
      source: recordedEvents[0],
    });
  });

  test('give the same milestones as the attributes of their container', () => {
    const brief = (found: ReturnType<typeof milestones>) =>
      found.map(({ event, at, estimated }) => ({ event, at, estimated }));
    expect(brief(milestones(onRail ?? {}))).toEqual(brief(timeline));
  });
});

describe('a container', () => {
  const departed = event('vessel_departed', '2026-02-01T00:00:00Z');

  test('with included events has the milestones of these events, and references are skipped', () => {
    const transport_events = [{ type: 'transport_event' as const, id: '1' }, departed];
    const found = milestones({ ...onRail, transport_events });
    expect(found).toHaveLength(1);
    expect(found[0]?.source).toBe(departed);
  });

  test('with only references has the milestones of its attributes', () => {
    const transport_events = oneContainer.data.relationships.transport_events.data.map(({ id }) => ({
      type: 'transport_event' as const,
      id,
    }));
    const found = milestones({ ...atPort, transport_events });
    expect(found.map(({ name, local, source }) => [local.text, name, source])).toEqual([
      ['2026-01-18 23:00 UTC', 'empty_out', null],
      ['2026-01-22 03:23 UTC', 'full_in', null],
      ['2026-01-28 13:57 UTC', 'vessel_loaded', null],
      ['2026-01-28 15:26 UTC', 'vessel_departed', null],
      ['2026-03-05 04:28 EST', 'vessel_arrived', null],
      ['2026-03-05 09:24 EST', 'vessel_discharged', null],
    ]);
  });

  test('with its shipment included shows times at the port of lading in the time zone of that port', () => {
    const shipment = { id: '1', type: 'shipment', pol_timezone: 'Asia/Kolkata' };
    expect(milestones({ ...atPort, shipment }).find(({ name }) => name === 'vessel_loaded')).toMatchObject({
      timezone: 'Asia/Kolkata',
      local: { text: '2026-01-28 19:27 GMT+5:30' },
    });
  });

  test('whose shipment has no time zone shows the unchanged time at the port of lading', () => {
    const found = milestones({ ...atPort, shipment: { id: '1', pol_timezone: null } });
    expect(found.find(({ name }) => name === 'vessel_loaded')?.local.text).toBe('2026-01-28 13:57');
  });

  test('uses the time zone of each attribute', () => {
    const at = '2026-07-01T12:00:00Z';
    const found = milestones({
      pod_arrived_at: at,
      pod_discharged_at: at,
      pod_rail_loaded_at: at,
      pod_rail_departed_at: at,
      pod_full_out_at: at,
      ind_ata_at: at,
      ind_rail_unloaded_at: at,
      final_destination_full_out_at: at,
      empty_terminated_at: at,
      pod_timezone: 'America/Los_Angeles',
      final_destination_timezone: 'America/Chicago',
      empty_terminated_timezone: 'America/New_York',
    });
    expect(found.map(({ name, timezone }) => [name, timezone])).toEqual([
      ['vessel_arrived', 'America/Los_Angeles'],
      ['vessel_discharged', 'America/Los_Angeles'],
      ['rail_loaded', 'America/Los_Angeles'],
      ['rail_departed', 'America/Los_Angeles'],
      ['full_out', 'America/Los_Angeles'],
      ['arrived_at_inland_destination', 'America/Chicago'],
      ['rail_unloaded', 'America/Chicago'],
      ['full_out', 'America/Chicago'],
      ['empty_in', 'America/New_York'],
    ]);
  });

  test('that has arrived inland has no estimate of the inland arrival', () => {
    const found = milestones({ ind_eta_at: '2026-03-10T14:20:00Z', ind_ata_at: '2026-03-10T15:00:00Z' });
    expect(found).toMatchObject([{ estimated: false, at: '2026-03-10T15:00:00Z' }]);
  });

  test('without any data has no milestones', () => {
    expect(milestones({ ...fresh, transport_events: [] })).toEqual([]);
    expect(milestones({})).toEqual([]);
  });

  test('whose events were not included has the milestones of its attributes; an array of references causes an error', () => {
    const transport_events = [{ type: 'transport_event' as const, id: '1' }];
    const missing = new ConfigurationError(
      "The transport events were not included: add 'transport_events' to the include of the call.",
    );
    expect(milestones({ ...fresh, transport_events })).toEqual([]);
    // @ts-expect-error references have no milestones
    expect(() => milestones(transport_events)).toThrow(missing);
    // @ts-expect-error references have no milestones
    expect(() => labelledMilestones(transport_events)).toThrow(missing);
  });

  test.each([null, {}, 'events', 7])(
    'whose transport events are %o has the milestones of its attributes',
    transport_events => {
      const found = milestones({ delivered_at: '2026-03-10T15:00:00Z', transport_events: transport_events as never });
      expect(found).toMatchObject([{ name: 'delivered', source: null }]);
    },
  );
});

describe('estimates', () => {
  const estimate = (timestamp: string | null, created_at: string) =>
    event('estimated.vessel_arrived', timestamp, { created_at });
  const older = estimate('2026-02-10T00:00:00Z', '2026-01-02T00:00:00Z');
  const newer = estimate('2026-02-08T00:00:00Z', '2026-01-05T00:00:00Z');
  const arrived = event('vessel_arrived', '2026-02-09T00:00:00Z');

  test.each([[[older, newer]], [[newer, older]]])(
    'are replaced by the estimate that was created last, in any order of the events',
    events => {
      expect(milestones(events)).toMatchObject([{ name: 'vessel_arrived', estimated: true, source: newer }]);
    },
  );

  test('are dropped after their milestone has happened', () => {
    expect(milestones([newer, arrived])).toMatchObject([{ estimated: false, source: arrived }]);
  });

  test('are not replaced by an arrival that was invalidated or has no time', () => {
    const invalidated = { ...arrived, invalidated_at: '2026-02-10T00:00:00Z' };
    expect(milestones([newer, invalidated])).toMatchObject([{ source: newer }]);
    expect(milestones([newer, { ...arrived, timestamp: null }])).toMatchObject([{ source: newer }]);
  });

  test('that were invalidated are replaced by the previous estimate', () => {
    const invalidated = { ...newer, invalidated_at: '2026-01-06T00:00:00Z' };
    expect(milestones([older, invalidated])).toMatchObject([{ source: older }]);
  });

  test('of the final arrival are not replaced by an arrival at a transfer port', () => {
    expect(milestones([newer, event('transshipment_arrived', '2026-01-20T00:00:00Z')])).toHaveLength(2);
  });
});

describe('events', () => {
  test('that are not milestones are left out', () => {
    const other = [
      'container.pickup_lfd.changed',
      'container.pickup_appointment.changed',
      'document.extracted',
      'container.updated',
      'shipment.estimated.arrival',
    ].map(name => ({ ...event('', '2026-02-01T00:00:00Z'), event: name }));
    expect(milestones(other)).toEqual([]);
  });

  test('with an unknown name are kept', () => {
    expect(names(milestones([event('barge_arrived', '2026-02-01T00:00:00Z')]))).toEqual(['barge_arrived']);
  });

  test('of every interchange are kept', () => {
    const days = ['03', '01', '02'].map(day => event('rail_arrived', `2026-02-${day}T00:00:00Z`));
    expect(milestones(days).map(({ at }) => at.slice(8, 10))).toEqual(['01', '02', '03']);
  });

  test('of the same time are in the order in which they were created', () => {
    const at = '2026-02-01T00:00:00Z';
    const second = event('vessel_berthed', at, { created_at: '2026-02-01T02:00:00Z' });
    const first = event('vessel_arrived', at, { created_at: '2026-02-01T01:00:00Z' });
    expect(names(milestones([second, first]))).toEqual(['vessel_arrived', 'vessel_berthed']);
  });

  test('are ordered by instant, not by text', () => {
    const later = event('vessel_discharged', '2026-02-01T08:00:00Z');
    const earlier = event('vessel_arrived', '2026-02-01T10:00:00.000+09:00');
    expect(names(milestones([later, earlier]))).toEqual(['vessel_arrived', 'vessel_discharged']);
  });

  test('without a time zone are not shifted', () => {
    const found = milestones([event('empty_in', '2026-02-01T08:00:00Z', { timezone: null })]);
    expect(found).toMatchObject([{ timezone: null, local: { zone: null, text: '2026-02-01 08:00' } }]);
  });

  test('with few attributes cause no error', () => {
    const minimal = { event: 'container.transport.available', timestamp: '2026-02-01T08:00:00Z' };
    expect(milestones([{ type: 'transport_event', id: '1' }, minimal])).toMatchObject([
      { name: 'available', timezone: null, locode: null },
    ]);
  });

  test('give the same timeline in any order', () => {
    const shuffled = fc.shuffledSubarray(recordedEvents, { minLength: recordedEvents.length });
    const expected = milestones(recordedEvents);
    fc.assert(
      fc.property(shuffled, events => {
        expect(milestones(events)).toEqual(expected);
      }),
    );
  });

  test('are not reordered in the list of the caller', () => {
    const before = [...recordedEvents];
    milestones(recordedEvents);
    expect(recordedEvents).toEqual(before);
  });
});
