import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containerState, isReadyForPickup } from '../../src/domain/index.ts';

type Facts = Parameters<typeof containerState>[0];

const customs = { name: 'customs', status: 'hold', description: 'CBP' };
const expected = { name: 'freight', status: 'pending', description: '' };
const exam = { type: 'exam', amount: 450, currency_code: 'USD' };
const discharged = { pod_arrived_at: '2026-03-01T00:00:00Z', pod_discharged_at: '2026-03-02T00:00:00Z' };
const released = { ...discharged, current_status: 'available', availability_known: true, available_for_pickup: true };
const byRail = {
  ...discharged,
  final_destination_timezone: 'America/Chicago',
  pod_rail_loaded_at: '2026-03-05T00:00:00Z',
};
const inland = { ...byRail, ind_ata_at: '2026-03-08T00:00:00Z', ind_rail_unloaded_at: '2026-03-08T06:00:00Z' };
const out = '2026-03-10T00:00:00Z';

describe('the state of a container', () => {
  test.each<[string, object, string, string, string[]]>([
    ['tracked, without any data', { current_status: 'new' }, 'booked', 'no', ['not_unloaded']],
    ['empty collected', { current_status: 'new', empty_out_at: out }, 'at_origin', 'no', ['not_unloaded']],
    ['at sea', { current_status: 'on_ship', available_for_pickup: false }, 'on_ship', 'no', ['not_unloaded']],
    [
      'the ship has arrived',
      { current_status: 'on_ship', pod_arrived_at: out },
      'arrived_at_port',
      'no',
      ['not_unloaded'],
    ],
    [
      'at sea, though the terminal reports it available',
      { current_status: 'on_ship', availability_known: true, available_for_pickup: true },
      'on_ship',
      'no',
      ['not_unloaded'],
    ],
    ['available', released, 'at_port', 'yes', []],
    ['available, with an expected hold', { ...released, holds_at_pod_terminal: [expected] }, 'at_port', 'yes', []],
    ['available with a hold', { ...released, holds_at_pod_terminal: [customs] }, 'at_port', 'no', ['hold']],
    ['available with fees', { ...released, fees_at_pod_terminal: [exam] }, 'at_port', 'yes', []],
    [
      'not available, with fees',
      { ...released, current_status: 'not_available', available_for_pickup: false, fees_at_pod_terminal: [exam] },
      'at_port',
      'no',
      ['fees', 'not_available'],
    ],
    [
      'at a terminal that reports nothing',
      { ...discharged, current_status: 'grounded', availability_known: false, available_for_pickup: false },
      'at_port',
      'unknown',
      ['availability_unknown'],
    ],
    [
      'the status is available, and the terminal reports nothing',
      { ...released, availability_known: false },
      'at_port',
      'unknown',
      ['availability_unknown'],
    ],
    [
      'unknown availability, with a hold',
      { ...discharged, availability_known: false, holds_at_pod_terminal: [customs] },
      'at_port',
      'no',
      ['hold', 'availability_unknown'],
    ],
    [
      'waiting for the train, with a hold',
      { ...discharged, current_status: 'awaiting_inland_transfer', holds_at_pod_terminal: [customs] },
      'at_port',
      'no',
      ['hold', 'goes_by_rail'],
    ],
    ['on the train', { ...byRail, current_status: 'on_rail' }, 'on_rail', 'no', ['not_unloaded']],
    [
      'on the train, with old data of the port',
      { ...byRail, current_status: 'on_rail', availability_known: true, available_for_pickup: true },
      'on_rail',
      'no',
      ['not_unloaded'],
    ],
    [
      'the train has arrived',
      { ...byRail, current_status: 'on_rail', ind_ata_at: out },
      'arrived_inland',
      'no',
      ['not_unloaded'],
    ],
    ['available inland', { ...released, ...inland }, 'at_inland', 'yes', []],
    [
      'available inland, left the port on a truck',
      { ...released, ...inland, pod_full_out_at: out },
      'at_inland',
      'yes',
      [],
    ],
    [
      'available inland, with a hold',
      { ...released, ...inland, holds_at_pod_terminal: [customs] },
      'at_inland',
      'no',
      ['hold'],
    ],
    ['picked up', { ...discharged, current_status: 'picked_up' }, 'picked_up', 'no', ['gone']],
    ['picked up without a discharge', { pod_full_out_at: out }, 'picked_up', 'no', ['gone']],
    ['picked up, with old data of the terminal', { ...released, pod_full_out_at: out }, 'picked_up', 'no', ['gone']],
    [
      'on a truck to a ramp, or at the ramp',
      { pod_full_out_at: out, import_deadlines: { pickup_lfd_rail: out } },
      'unknown',
      'unknown',
      ['availability_unknown'],
    ],
    ['picked up inland', { ...inland, final_destination_full_out_at: out }, 'picked_up', 'no', ['gone']],
    ['marked as delivered', { ...released, delivered_at: out }, 'delivered', 'no', ['gone']],
    ['empty returned', { current_status: 'empty_returned' }, 'empty_returned', 'no', ['gone']],
    ['an unknown status', { current_status: 'teleported' }, 'unknown', 'unknown', ['availability_unknown']],
    [
      'a status without a meaning',
      { ...discharged, current_status: 'dropped' },
      'at_port',
      'unknown',
      ['availability_unknown'],
    ],
    ['a payload without a status', { availability_known: true, available_for_pickup: true }, 'at_port', 'yes', []],
    ['nothing', {}, 'unknown', 'unknown', ['availability_unknown']],
  ])('is correct for the case: %s', (_, container, stage, pickup, reasons) => {
    expect(containerState(container)).toMatchObject({ stage, pickup, reasons });
  });

  test('includes active holds and fees until the container has left', () => {
    const held = { ...released, holds_at_pod_terminal: [expected, customs], fees_at_pod_terminal: [exam] };
    expect(containerState(held)).toMatchObject({ holds: [customs], fees: [exam] });
    expect(containerState({ ...held, current_status: 'picked_up' })).toMatchObject({ holds: [], fees: [] });
  });
});

test('a container state has separate times of leaving, delivery and return, each with its time zone', () => {
  const container = {
    pod_full_out_at: '2026-03-04T00:00:00Z',
    pod_timezone: 'America/Los_Angeles',
    final_destination_full_out_at: out,
    final_destination_timezone: 'America/Chicago',
    delivered_at: '2026-03-11T00:00:00Z',
    empty_terminated_at: '2026-03-15T00:00:00Z',
    empty_terminated_timezone: null,
  };
  expect(containerState(container)).toMatchObject({
    gateOut: { at: out, timezone: 'America/Chicago', place: 'inland' },
    deliveredAt: '2026-03-11T00:00:00Z',
    emptyReturn: { at: '2026-03-15T00:00:00Z', timezone: null },
  });
  expect(containerState({ ...container, final_destination_full_out_at: null }).gateOut).toEqual({
    at: '2026-03-04T00:00:00Z',
    timezone: 'America/Los_Angeles',
    place: 'port',
  });
  expect(containerState({})).toMatchObject({ gateOut: null, deliveredAt: null, emptyReturn: null });
});

const TIMES = [
  ...['empty_out_at', 'pol_full_in_at', 'pol_vessel_loaded_at', 'pol_vessel_departed_at', 'pod_arrived_at'],
  ...['pod_discharged_at', 'pod_full_out_at', 'pod_rail_loaded_at', 'pod_rail_departed_at', 'ind_eta_at', 'ind_ata_at'],
  ...['ind_rail_unloaded_at', 'ind_facility_lfd_on', 'final_destination_full_out_at', 'delivered_at'],
  ...['empty_terminated_at', 'pod_timezone', 'final_destination_timezone', 'empty_terminated_timezone'],
];
const STATUSES = [
  ...['new', 'on_ship', 'grounded', 'available', 'not_available', 'awaiting_inland_transfer', 'on_rail', 'off_dock'],
  ...['picked_up', 'delivered', 'empty_returned', 'dropped', 'loaded', 'teleported'],
];
const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, null, Number.NaN, '', 0));
const field = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: odd });
const flags = fc.constantFrom(true, false, null, undefined);
const holds = fc.array(field(fc.record({ name: fc.constant('customs'), status: fc.constantFrom('hold', 'pending') })), {
  maxLength: 3,
});
const records = fc.record(
  {
    current_status: field(fc.constantFrom(...STATUSES, null)),
    availability_known: field(flags),
    available_for_pickup: field(flags),
    holds_at_pod_terminal: field(holds),
    fees_at_pod_terminal: field(holds),
    import_deadlines: field(fc.record({ pickup_lfd_rail: fc.constantFrom(out, null) })),
    ...Object.fromEntries(TIMES.map(name => [name, field(fc.constantFrom(out, null, null))])),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<object>;

describe('for any values of the fields', () => {
  const STAGES_GONE = ['picked_up', 'delivered', 'empty_returned'];

  test('containerState() never throws, and agrees with isReadyForPickup', () => {
    fc.assert(
      fc.property(records, container => {
        const { pickup, reasons } = containerState(container as Facts);
        expect(isReadyForPickup(container as Facts)).toBe(pickup === 'yes');
        expect(reasons.length === 0).toBe(pickup === 'yes');
        expect(new Set(reasons).size).toBe(reasons.length);
      }),
      { numRuns: 5_000 },
    );
  });

  test('unknown availability never means "not available", and a container is never available under a hold or after its gate-out', () => {
    fc.assert(
      fc.property(records, container => {
        const { availability_known, available_for_pickup } = container as Record<string, unknown>;
        const { stage, pickup, reasons, holds } = containerState(container);
        const isKnown = availability_known !== false && typeof available_for_pickup === 'boolean';
        if (!isKnown) expect(reasons).not.toContain('not_available');
        if (!isKnown && (stage === 'at_port' || stage === 'at_inland') && pickup === 'no') {
          expect(reasons.some(reason => reason === 'hold' || reason === 'goes_by_rail')).toBe(true);
        }
        if (holds.length > 0) expect(pickup).toBe('no');
        if (STAGES_GONE.includes(stage)) expect(pickup).toBe('no');
        expect(reasons.includes('hold')).toBe(reasons.includes('hold') && holds.length > 0);
      }),
      { numRuns: 5_000 },
    );
  });
});
