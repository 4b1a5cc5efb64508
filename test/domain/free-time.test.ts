import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demurrageDays, detentionDays } from '../../src/domain/index.ts';
import { ConfigurationError } from '../../src/errors.ts';

const now = (instant: string) => ({ now: new Date(instant) });
const LINE_AND_RAIL = { pickup_lfd_line: null, pickup_lfd_terminal: null };

/** The last free day is 12 March. The clocks change on 8 March. */
const AT_PORT = {
  pickup_lfd: '2026-03-12T04:00:00Z',
  import_deadlines: { pickup_lfd_line: null, pickup_lfd_terminal: '2026-03-12T04:00:00Z', pickup_lfd_rail: null },
  pod_timezone: 'America/New_York',
  final_destination_timezone: null,
};

describe('demurrage', () => {
  test.each([
    ['2026-03-10T00:00:00Z', 'free', 0, 'before the last free day'],
    ['2026-03-13T03:59:59Z', 'free', 0, 'the last second of the last free day, already the day after in UTC'],
    ['2026-03-13T04:00:00Z', 'running', 1, 'the first second of the day after'],
    ['2026-03-14T03:59:59Z', 'running', 1, 'the last second of that day'],
    ['2026-03-20T12:00:00Z', 'running', 8, 'a week later'],
  ])('at %s is %s, with %i chargeable days (%s)', (instant, state, days) => {
    expect(demurrageDays(AT_PORT, now(instant))).toMatchObject({ state, days, lastFreeDay: '2026-03-12' });
  });

  test.each([
    ['2026-03-11T20:00:00Z', 0],
    ['2026-03-13T03:59:59Z', 0],
    ['2026-03-13T04:00:00Z', 1],
    ['2026-03-15T12:00:00Z', 3],
  ])('ends with the gate-out: %s', (pod_full_out_at, days) => {
    expect(demurrageDays({ ...AT_PORT, pod_full_out_at }, now('2026-06-01T00:00:00Z'))).toEqual({
      state: 'ended',
      days,
      lastFreeDay: '2026-03-12',
      until: new Date(Date.parse(pod_full_out_at) - 4 * 3_600_000).toISOString().slice(0, 10),
      timezone: 'America/New_York',
    });
  });

  test('under a deadline of the rail operator ends with the inland gate-out, and counts inland days', () => {
    const inland = {
      pickup_lfd: '2026-03-13T05:00:00Z',
      import_deadlines: { ...LINE_AND_RAIL, pickup_lfd_rail: '2026-03-13T05:00:00Z' },
      pod_timezone: 'America/New_York',
      final_destination_timezone: 'America/Chicago',
      pod_full_out_at: '2026-03-01T00:00:00Z',
    };
    expect(demurrageDays(inland, now('2026-03-15T04:59:59Z'))).toMatchObject({ state: 'running', days: 1 });
    const out = { ...inland, final_destination_full_out_at: '2026-03-15T05:00:00Z' };
    expect(demurrageDays(out, now('2026-06-01T00:00:00Z'))).toMatchObject({
      state: 'ended',
      days: 2,
      until: '2026-03-15',
    });
  });

  test('under a deadline of the terminal ends when the train takes the container away', () => {
    const byRail = { ...AT_PORT, pod_rail_departed_at: '2026-03-14T12:00:00Z' };
    expect(demurrageDays(byRail, now('2026-06-01T00:00:00Z'))).toMatchObject({ state: 'ended', days: 2 });
  });

  test('is unknown if the container has left and the gate-out is not known', () => {
    for (const gone of [{ empty_terminated_at: '2026-03-20T00:00:00Z' }, { current_status: 'picked_up' }]) {
      expect(demurrageDays({ ...AT_PORT, ...gone }, now('2026-06-01T00:00:00Z'))).toMatchObject({
        state: 'unknown',
        days: null,
        until: null,
      });
    }
  });

  test.each(['ind_ata_at', 'ind_rail_unloaded_at'])(
    'at the port is unknown if the gate-out is missing, but %s shows that the container has reached the inland ramp',
    name => {
      const inland = { ...AT_PORT, [name]: '2026-03-14T00:00:00Z', current_status: 'grounded' } as const;
      expect(demurrageDays(inland, now('2026-04-20T00:00:00Z'))).toMatchObject({ state: 'unknown', days: null });
    },
  );

  test('at the inland ramp continues after the container has arrived there', () => {
    const deadline = '2026-03-12T05:00:00Z';
    const atRamp = {
      pickup_lfd: deadline,
      import_deadlines: { ...LINE_AND_RAIL, pickup_lfd_rail: deadline },
      final_destination_timezone: 'America/Chicago',
      ind_ata_at: '2026-03-10T00:00:00Z',
    };
    expect(demurrageDays(atRamp, now('2026-03-15T12:00:00Z'))).toMatchObject({ state: 'running', days: 3 });
  });

  test('is null without a last free day', () => {
    expect(demurrageDays({ pod_full_out_at: '2026-03-15T12:00:00Z' })).toBeNull();
  });
});

describe('detention', () => {
  const out = {
    pod_timezone: 'America/Los_Angeles',
    pod_full_out_at: '2026-03-07T05:00:00Z', // 6 March in Los Angeles
    empty_terminated_timezone: 'America/Los_Angeles',
  };

  test.each([
    ['2026-03-10T06:59:59Z', 'free', 0],
    ['2026-03-10T07:00:00Z', 'running', 1],
    ['2026-03-12T19:00:00Z', 'running', 3],
  ])('at %s is %s, with %i chargeable days', (instant, state, days) => {
    expect(detentionDays(out, { freeDays: 3, ...now(instant) })).toMatchObject({
      state,
      days,
      gateOut: '2026-03-06',
      lastFreeDay: '2026-03-09',
      emptyReturn: null,
    });
  });

  test('ends with the empty return, in the time zone of the depot', () => {
    const back = { ...out, empty_terminated_at: '2026-03-12T06:00:00Z', empty_terminated_timezone: 'America/Chicago' };
    expect(detentionDays(back, { freeDays: 3 })).toEqual({
      state: 'ended',
      days: 3,
      gateOut: '2026-03-06',
      lastFreeDay: '2026-03-09',
      emptyReturn: '2026-03-12',
      until: '2026-03-12',
      timezone: 'America/Chicago',
    });
  });

  test('reads the day of the return without a conversion if the field of its time zone is null, and in the time zone of the port if that field is missing', () => {
    const { empty_terminated_timezone: _, ...withoutZone } = { ...out, empty_terminated_at: '2026-03-12T02:00:00Z' };
    const local = { ...withoutZone, empty_terminated_timezone: null };
    expect(detentionDays(local, { freeDays: 3 })).toMatchObject({ days: 3, emptyReturn: '2026-03-12' });
    expect(detentionDays(withoutZone, { freeDays: 3 })).toMatchObject({ days: 2, emptyReturn: '2026-03-11' });
  });

  test('refuses more than a hundred years of free days', () => {
    expect(() => detentionDays(out, { freeDays: Number.MAX_SAFE_INTEGER })).toThrow(ConfigurationError);
    expect(detentionDays(out, { freeDays: 36_525 })).toMatchObject({ state: 'free' });
  });

  test('begins inland if the container goes inland by rail', () => {
    const byRail = {
      ...out,
      pod_rail_departed_at: '2026-03-07T05:00:00Z',
      final_destination_timezone: 'America/Chicago',
    };
    expect(detentionDays(byRail, { freeDays: 3 })).toBeNull();
    const inland = { ...byRail, final_destination_full_out_at: '2026-03-11T04:59:59Z' };
    expect(detentionDays(inland, { freeDays: 0 })?.gateOut).toBe('2026-03-10');
  });

  test('is null before the gate-out, and unknown if the container was returned at an unknown time', () => {
    expect(detentionDays({ pod_timezone: 'Asia/Kolkata' }, { freeDays: 3 })).toBeNull();
    expect(detentionDays({ ...out, current_status: 'empty_returned' }, { freeDays: 3 })).toMatchObject({
      state: 'unknown',
      days: null,
    });
  });

  test.each([
    ['without free days', {}],
    ['with half a day', { freeDays: 1.5 }],
    ['with a negative number', { freeDays: -1 }],
    ['with a misspelt option', { freeDays: 1, today: new Date() }],
    ['with an invalid date', { freeDays: 1, now: new Date(Number.NaN) }],
  ])('is refused %s', (_, options) => {
    expect(() => detentionDays(out, options as { freeDays: number })).toThrow(ConfigurationError);
  });

  test('is refused without options, with an example that works', () => {
    const call = detentionDays as (container: object) => unknown;
    expect(() => call(out)).toThrow('it must be an object such as { freeDays: 5 }.');
  });
});

/** Time zones with daylight saving, with offsets of half and quarter hours, and with the largest offsets. */
const zones = fc.constantFrom(
  'America/New_York',
  'America/Los_Angeles',
  'Europe/London',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
);
const moments = fc.date({ min: new Date('2025-01-01'), max: new Date('2028-01-01'), noInvalidDate: true });
const HOUR = 3_600_000;

/** The number of the calendar day in a time zone, computed in a different way than in `src/`. */
function calendarDay(moment: Date, timeZone: string): number {
  return Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment)) / (24 * HOUR);
}

/** The first moment of a day. Some days begin at 23:30 or 00:30 of the earlier offset. */
function midnightBefore(moment: Date, timeZone: string): Date {
  const day = calendarDay(moment, timeZone);
  let at = Math.floor(moment.getTime() / (HOUR / 4)) * (HOUR / 4);
  while (calendarDay(new Date(at - HOUR / 4), timeZone) === day) at -= HOUR / 4;
  return new Date(at);
}

test('demurrage counts the days of the time zone, also across every change of the clock', () => {
  fc.assert(
    fc.property(
      zones,
      moments,
      fc.integer({ min: -20 * 24, max: 90 * 24 }),
      fc.boolean(),
      (zone, start, hours, isOut) => {
        const lastFree = midnightBefore(start, zone);
        const end = new Date(start.getTime() + hours * HOUR);
        const container = {
          pickup_lfd: lastFree.toISOString(),
          pod_timezone: zone,
          pod_full_out_at: isOut ? end.toISOString() : null,
        };
        const expected = Math.max(0, calendarDay(end, zone) - calendarDay(lastFree, zone));
        expect(demurrageDays(container, { now: isOut ? new Date() : end })?.days).toBe(expected);
      },
    ),
  );
});

test('detention counts the local days of both places, minus the free days', () => {
  const stay = fc.integer({ min: 0, max: 60 * 24 });
  fc.assert(
    fc.property(zones, zones, moments, stay, fc.integer({ min: 0, max: 14 }), (from, to, start, hours, freeDays) => {
      const back = new Date(start.getTime() + hours * HOUR);
      const container = {
        pod_timezone: from,
        pod_full_out_at: start.toISOString(),
        empty_terminated_at: back.toISOString(),
        empty_terminated_timezone: to,
      };
      const out = calendarDay(back, to) - calendarDay(start, from);
      expect(detentionDays(container, { freeDays })?.days).toBe(Math.max(0, out - freeDays));
    }),
  );
});
