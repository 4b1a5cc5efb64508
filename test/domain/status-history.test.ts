import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statusHistory } from '../../src/domain/index.ts';
import { ConfigurationError } from '../../src/errors.ts';

const day = (number: number) => new Date(Date.UTC(2026, 2, number)).toISOString().replace('.000', '');
const read = (status: string | null, number: number) => ({ status, at: day(number) });
const event = (name: string, number: number) => ({ event: `container.transport.${name}`, timestamp: day(number) });

const steps = (history: ReturnType<typeof statusHistory<'container' | 'tracking_request'>>) =>
  history.map(({ status, jump }) => (jump ? `${status} (${jump.kind}: ${jump.unseen.join(', ')})` : status));

describe('a status history from readings', () => {
  test('has periods that begin and end with readings, without the moment of a change', () => {
    expect(
      statusHistory('container', [read('on_ship', 1), read('on_ship', 3), read('grounded', 8), read('grounded', 9)]),
    ).toEqual([
      { status: 'on_ship', possible: ['on_ship'], since: day(1), until: day(3), exact: false, jump: null },
      { status: 'grounded', possible: ['grounded'], since: day(8), until: day(9), exact: false, jump: null },
    ]);
  });

  test('lists the steps that a jump has certainly skipped', () => {
    expect(steps(statusHistory('container', [read('new', 1), read('available', 2)]))).toEqual([
      'new',
      'available (skipped: on_ship)',
    ]);
    // Several sequences lead from the ship to the gate.
    expect(steps(statusHistory('container', [read('on_ship', 1), read('picked_up', 2)]))).toEqual([
      'on_ship',
      'picked_up (skipped: )',
    ]);
    expect(steps(statusHistory('container', [read('available', 1), read('empty_returned', 2)]))).toEqual([
      'available',
      'empty_returned (skipped: picked_up)',
    ]);
  });

  test('marks a step back, but not a change between available and not available', () => {
    expect(steps(statusHistory('container', [read('picked_up', 1), read('on_ship', 2)]))).toEqual([
      'picked_up',
      'on_ship (reversed: )',
    ]);
    expect(
      steps(statusHistory('container', [read('available', 1), read('not_available', 2), read('available', 3)])),
    ).toEqual(['available', 'not_available', 'available']);
  });

  test('keeps an unknown status', () => {
    expect(steps(statusHistory('container', [read('on_ship', 1), read('dropped', 2), read('teleported', 3)]))).toEqual([
      'on_ship',
      'dropped (unknown: )',
      'teleported (unknown: )',
    ]);
  });

  test('accepts readings in any order, accepts Date objects as times, and skips readings without a status', () => {
    const given = [{ status: 'grounded', at: new Date(day(8)) }, read(null, 9), read('on_ship', 1)];
    expect(statusHistory('container', given).map(({ status, since }) => [status, since])).toEqual([
      ['on_ship', day(1)],
      ['grounded', '2026-03-08T00:00:00.000Z'],
    ]);
  });

  test('works for a tracking request', () => {
    expect(
      steps(statusHistory('tracking_request', [read('pending', 1), read('tracking_stopped', 9), read('created', 10)])),
    ).toEqual(['pending', 'tracking_stopped (skipped: created)', 'created']);
    expect(steps(statusHistory('tracking_request', [read('failed', 1), read('created', 2)]))).toEqual([
      'failed',
      'created (reversed: )',
    ]);
  });
});

describe('a status history from events', () => {
  test('takes the moment of a change only from the event of the change', () => {
    expect(
      statusHistory('container', [event('vessel_departed', 2), event('vessel_arrived', 5), event('full_out', 9)]),
    ).toMatchObject([
      { status: 'on_ship', since: day(2), until: day(5), exact: false, jump: null },
      { status: 'picked_up', since: day(9), exact: true, jump: { kind: 'skipped', unseen: [] } },
    ]);
  });

  test('does not infer the next status from a discharge, even if a later event has this status', () => {
    const [onShip, unloaded, available] = statusHistory('container', [
      event('vessel_loaded', 1),
      event('vessel_discharged', 5),
      event('available', 7),
    ]);
    expect(onShip).toMatchObject({ status: 'on_ship', exact: true });
    expect(unloaded).toMatchObject({ status: null, since: day(5), until: day(5), jump: null });
    expect(unloaded?.possible).toContain('grounded');
    expect(available).toMatchObject({ status: 'available', since: day(7), exact: true, jump: null });
  });

  test('skips estimates, invalid events and events without a status', () => {
    const skipped = [
      event('estimated.vessel_arrived', 1),
      { ...event('full_out', 2), invalidated_at: day(3) },
      event('delivered', 3),
      event('feeder_loaded', 4),
      { event: 'container.pickup_lfd.changed', timestamp: day(5) },
      { event: 'container.transport.full_out', timestamp: null },
      { event: 'tracking_request.failed', created_at: day(6) },
      { event: 'constructor', timestamp: day(7) },
    ];
    expect(statusHistory('container', skipped)).toEqual([]);
  });

  test('reads notifications of a tracking request', () => {
    const events = [
      { event: 'tracking_request.awaiting_manifest', created_at: day(1) },
      { event: 'tracking_request.succeeded', created_at: day(3) },
    ];
    expect(statusHistory('tracking_request', events)).toMatchObject([
      { status: 'awaiting_manifest', since: day(1), exact: true },
      { status: 'created', since: day(3), exact: true, jump: null },
    ]);
  });

  test('orders simultaneous events by the time of their recording, and puts them before a reading of the same time', () => {
    const recorded = (name: string, at: string) => ({ ...event(name, 5), created_at: at });
    const newestFirst = [
      recorded('full_out', '2026-03-05T18:00:00Z'),
      recorded('vessel_discharged', '2026-03-05T09:00:00Z'),
    ];
    const history = statusHistory('container', [read('picked_up', 5), ...newestFirst]);
    expect(history.map(({ status }) => status)).toEqual([null, 'picked_up']);
    expect(history).toMatchObject([{ jump: null }, { exact: true, jump: null }]);
  });

  test('combines events and readings', () => {
    const history = statusHistory('container', [event('vessel_loaded', 1), read('on_ship', 4), read('available', 9)]);
    expect(history).toMatchObject([
      { status: 'on_ship', since: day(1), until: day(4), exact: true },
      { status: 'available', since: day(9), exact: false },
    ]);
  });
});

describe('a status history is refused', () => {
  test.each<[string, unknown, unknown]>([
    ['without a kind', undefined, []],
    ['for a shipment, which has no status', 'shipment', []],
    ['without a list', 'container', undefined],
    ['with a reading without a time', 'container', [{ status: 'new' }]],
    ['with an invalid date', 'container', [{ status: 'new', at: new Date(Number.NaN) }]],
    ['with text that is not a time', 'container', [{ status: 'new', at: 'yesterday' }]],
    ['with an item that is not a reading', 'container', ['new']],
  ])('%s', (_, of, seen) => {
    expect(() => statusHistory(of as never, seen as never)).toThrow(ConfigurationError);
  });
});

const statuses = fc.constantFrom(
  'new',
  'on_ship',
  'grounded',
  'available',
  'on_rail',
  'picked_up',
  'empty_returned',
  'x',
);
const readings = fc.array(fc.tuple(statuses, fc.integer({ min: 1, max: 60 }))).map(all => {
  const byDay = new Map(all.map(([status, number]) => [number, read(status, number)]));
  return [...byDay.values()];
});

test('every reading is in the period of its status, and every period ends at a reading', () => {
  fc.assert(
    fc.property(readings, given => {
      const history = statusHistory('container', given);
      const at = new Map(given.map(({ at, status }) => [at, status]));
      for (const { status, since, until } of history) {
        expect([at.get(since), at.get(until)]).toEqual([status, status]);
      }
      for (const reading of given) {
        const period = history.filter(({ since, until }) => since <= reading.at && reading.at <= until);
        expect(period.map(({ status }) => status)).toEqual([reading.status]);
      }
      for (const [index, { status }] of history.entries()) expect(status).not.toBe(history[index - 1]?.status);
    }),
  );
});

test('the order of the readings does not matter', () => {
  fc.assert(
    fc.property(readings, given => {
      expect(statusHistory('container', given.toReversed())).toEqual(statusHistory('container', given));
    }),
  );
});
