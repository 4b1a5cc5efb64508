import { describe, expect, test } from 'vitest';
import { labelledMilestones, MILESTONE_LABELS, milestones } from '../../src/domain/index.ts';
import { EVENT_NAMES } from '../../src/model/generated/event-names.ts';

const event = (name: string, timestamp: string, more: object = {}) => ({
  type: 'transport_event' as const,
  id: name + timestamp,
  event: `container.transport.${name}`,
  timestamp,
  timezone: 'UTC',
  created_at: timestamp,
  ...more,
});

const SHIPMENT = {
  port_of_lading_name: 'Ningbo',
  port_of_lading_locode: 'CNNGB',
  port_of_discharge_name: 'New York / New Jersey',
  port_of_discharge_locode: 'USNYC',
  destination_name: 'Chicago',
  destination_locode: 'USCHI',
};

test('every milestone and every estimate has a label, and every label is used', () => {
  const names = EVENT_NAMES.filter(name => name.startsWith('container.transport.')).map(name =>
    name.replace('container.transport.', ''),
  );
  expect(Object.keys(MILESTONE_LABELS).toSorted()).toEqual(names.toSorted());
  expect(new Set(Object.values(MILESTONE_LABELS)).size).toBe(names.length);
});

describe('labels', () => {
  const events = [
    event('vessel_departed', '2026-03-01T00:00:00Z'),
    event('estimated.vessel_arrived', '2026-03-20T00:00:00Z'),
  ];

  test('are English, and differ for expected events', () => {
    expect(labelledMilestones(events).map(({ label }) => label)).toEqual([
      'Vessel departed',
      'Arrival at port of discharge expected',
    ]);
  });

  test('can be replaced one by one', () => {
    const labels = { vessel_departed: 'Abgefahren', vessel_arrived: undefined };
    expect(labelledMilestones(events, { labels }).map(({ label }) => label)).toEqual([
      'Abgefahren',
      'Arrival at port of discharge expected',
    ]);
  });

  test('of unknown milestones are their names', () => {
    const unknown = [
      event('barge_arrived', '2026-03-01T00:00:00Z'),
      event('estimated.barge_left', '2026-03-20T00:00:00Z'),
      event('valueOf', '2026-03-21T00:00:00Z'),
    ];
    expect(labelledMilestones(unknown).map(({ label }) => label)).toEqual([
      'Barge arrived',
      'Barge left (expected)',
      'ValueOf',
    ]);
  });
});

describe('places', () => {
  test('come from the location and the terminal of an event', () => {
    const arrived = event('vessel_arrived', '2026-03-20T00:00:00Z', {
      location: { type: 'port', id: '1', name: 'Port Newark' },
      terminal: { type: 'terminal', id: '2', name: 'Maher Terminal' },
    });
    expect(labelledMilestones([arrived])).toMatchObject([{ place: 'Port Newark', facility: 'Maher Terminal' }]);
  });

  test('come from the shipment if the location was not included and the code of the place is the same', () => {
    const at = (locode: string | null, name: string) =>
      event(name, '2026-03-20T00:00:00Z', { location_locode: locode, location: { type: 'port', id: '1' } });
    const transport_events = [
      at('CNNGB', 'vessel_loaded'),
      at('SGSIN', 'transshipment_loaded'),
      at('USNYC', 'vessel_arrived'),
      at('USCHI', 'rail_unloaded'),
      at(null, 'full_out'),
    ];
    const found = labelledMilestones({ shipment: SHIPMENT, transport_events });
    expect(found.map(({ name, place, facility }) => [name, place, facility])).toEqual([
      ['vessel_loaded', 'Ningbo', null],
      ['transshipment_loaded', null, null],
      ['vessel_arrived', 'New York / New Jersey', null],
      ['rail_unloaded', 'Chicago', null],
      ['full_out', null, null],
    ]);
  });

  test('of the times of a container come from the shipment and the facilities', () => {
    const container = {
      shipment: SHIPMENT,
      pod_terminal: { type: 'terminal', id: '1', name: 'Maher Terminal' },
      pickup_facility: { type: 'terminal', id: '2', name: 'Bedford Park' },
      empty_out_at: '2026-02-20T00:00:00Z',
      pol_vessel_loaded_at: '2026-03-01T00:00:00Z',
      pod_arrived_at: '2026-03-20T00:00:00Z',
      pod_full_out_at: '2026-03-22T00:00:00Z',
      final_destination_full_out_at: '2026-03-28T00:00:00Z',
      empty_terminated_at: '2026-04-02T00:00:00Z',
    };
    expect(labelledMilestones(container).map(({ name, place, facility }) => [name, place, facility])).toEqual([
      ['empty_out', null, null],
      ['vessel_loaded', 'Ningbo', null],
      ['vessel_arrived', 'New York / New Jersey', 'Maher Terminal'],
      ['full_out', 'New York / New Jersey', 'Maher Terminal'],
      ['full_out', 'Chicago', 'Bedford Park'],
      ['empty_in', null, null],
    ]);
  });

  test('are null if only references are known', () => {
    const container = {
      shipment: { type: 'shipment', id: '1' },
      pod_terminal: { type: 'terminal', id: '1' },
      pod_arrived_at: '2026-03-20T00:00:00Z',
    };
    expect(labelledMilestones(container)).toMatchObject([{ place: null, facility: null }]);
  });
});

test('labelled milestones are the milestones in the same order, with labels and places', () => {
  const events = [event('full_out', '2026-03-22T00:00:00Z'), event('vessel_arrived', '2026-03-20T00:00:00Z')];
  const plain = labelledMilestones(events).map(({ label: _, place: __, facility: ___, ...milestone }) => milestone);
  expect(plain).toEqual(milestones(events));
});
