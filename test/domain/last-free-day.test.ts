import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lastFreeDay } from '../../src/domain/index.ts';
import type { ImportDeadlines } from '../../src/model/index.ts';
import list from '../../support/samples/containers.list.json' with { type: 'json' };

const [atPort, onRail, fresh] = list.data.map(({ attributes }) => attributes);
const now = (instant: string) => ({ now: new Date(instant) });

describe('a recorded container', () => {
  test('has the deadline of the terminal, in the time zone of the port', () => {
    expect(lastFreeDay(atPort ?? {}, now('2026-03-09T12:00:00Z'))).toEqual({
      date: '2026-03-12',
      at: '2026-03-12T04:00:00Z',
      timezone: 'America/New_York',
      daysLeft: 3,
      hasEnded: false,
      source: 'pickup_lfd_terminal',
      by: 'terminal',
    });
  });

  test('has the deadline of the railway, in the time zone of the inland destination', () => {
    expect(lastFreeDay(onRail ?? {}, now('2026-03-09T12:00:00Z'))).toEqual({
      date: '2026-03-13',
      at: '2026-03-13T05:00:00Z',
      timezone: 'America/Chicago',
      daysLeft: 4,
      hasEnded: false,
      source: 'pickup_lfd_rail',
      by: 'railway',
    });
  });

  test('may have no deadline yet', () => {
    expect(lastFreeDay(fresh ?? {}, now('2026-03-09T12:00:00Z'))).toBeNull();
  });
});

describe('days left are calendar days at the terminal', () => {
  const container = { pickup_lfd: '2026-03-12T04:00:00Z', pod_timezone: 'America/New_York' };

  test.each([
    ['2026-03-12T03:59:59Z', 1, 'the last second of the day before'],
    ['2026-03-12T04:00:00Z', 0, 'the first second of the last free day'],
    ['2026-03-13T03:59:59Z', 0, 'the last second of the last free day, already the day after in UTC'],
    ['2026-03-13T04:00:00Z', -1, 'the first second of the day after'],
    // The clocks change on 8 March: that day has 23 hours.
    ['2026-03-08T04:59:59Z', 5, 'the last second of 7 March'],
    ['2026-03-08T05:00:00Z', 4, 'the first second of 8 March'],
    ['2026-03-09T03:59:59Z', 4, 'the last second of 8 March'],
    ['2026-03-09T04:00:00Z', 3, 'the first second of 9 March'],
  ])('at %s: %i days (%s)', (instant, daysLeft) => {
    expect(lastFreeDay(container, now(instant))?.daysLeft).toBe(daysLeft);
  });

  test('also across a day of 25 hours', () => {
    const container = { pickup_lfd: '2026-11-03T05:00:00Z', pod_timezone: 'America/New_York' };
    expect(lastFreeDay(container, now('2026-11-01T04:00:00Z'))?.daysLeft).toBe(2);
    expect(lastFreeDay(container, now('2026-11-02T04:59:59Z'))?.daysLeft).toBe(2);
    expect(lastFreeDay(container, now('2026-11-02T05:00:00Z'))?.daysLeft).toBe(1);
  });

  test.each([
    ['Asia/Kolkata', '2026-03-11T18:30:00Z', '2026-03-11T18:29:59Z'],
    ['Pacific/Auckland', '2026-03-11T11:00:00Z', '2026-03-11T10:59:59Z'],
    ['Pacific/Auckland', '2026-07-11T12:00:00Z', '2026-07-11T11:59:59Z'],
  ])('and begin earlier than in UTC if the place is east of Greenwich: %s %s', (pod_timezone, pickup_lfd, before) => {
    const container = { pickup_lfd, pod_timezone };
    const date = pickup_lfd.replace('-11T', '-12T').slice(0, 10);
    expect(lastFreeDay(container, now(pickup_lfd))).toMatchObject({ date, daysLeft: 0 });
    expect(lastFreeDay(container, now(before))).toMatchObject({ date, daysLeft: 1 });
  });

  test('and decrease by exactly one at the beginning of each day, and never increase', () => {
    const zone = fc.constantFrom('America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'Europe/London', null);
    const deadline = fc.integer({ min: 0, max: 800 }).map(day => new Date(Date.UTC(2026, 0, 1 + day, 7)));
    const moment = fc.date({ min: new Date('2025-06-01'), max: new Date('2028-06-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zone, deadline, moment, (pod_timezone, deadline, moment) => {
        const container = { pickup_lfd: deadline.toISOString(), pod_timezone };
        const left = (hours: number) =>
          lastFreeDay(container, { now: new Date(moment.getTime() + hours * 3_600_000) })?.daysLeft ?? Number.NaN;
        const steps = Array.from({ length: 24 }, (_, hour) => left(hour) - left(hour + 1));
        expect(steps.every(step => step === 0 || step === 1)).toBe(true);
        expect(lastFreeDay(container, { now: deadline })?.daysLeft).toBe(0);
      }),
    );
  });

  test('and are counted from the present by default', () => {
    expect(
      lastFreeDay({ pickup_lfd: '2000-01-01T05:00:00Z', pod_timezone: 'America/New_York' })?.daysLeft,
    ).toBeLessThan(-9000);
  });
});

describe('lastFreeDay()', () => {
  const zones = { pod_timezone: 'America/New_York', final_destination_timezone: 'America/Chicago' };
  const deadlines = { pickup_lfd_line: null, pickup_lfd_terminal: null, pickup_lfd_rail: null };

  test('reads the deadline of the line in the time zone in which the deadline is at midnight: the zone of the port or of the inland destination', () => {
    const line = (at: string) =>
      lastFreeDay({ ...zones, pickup_lfd: at, import_deadlines: { ...deadlines, pickup_lfd_line: at } });
    expect(line('2026-03-12T04:00:00Z')).toMatchObject({
      date: '2026-03-12',
      timezone: 'America/New_York',
      source: 'pickup_lfd_line',
    });
    expect(line('2026-03-12T05:00:00Z')).toMatchObject({ date: '2026-03-12', timezone: 'America/Chicago' });
  });

  test('prefers the earliest deadline of the port to a later deadline of the line, and prefers both of them to the deadline of the railway', () => {
    const days = {
      pickup_lfd_line: '2026-03-14T04:00:00Z',
      pickup_lfd_terminal: '2026-03-12T04:00:00Z',
      pickup_lfd_rail: '2026-03-13T05:00:00Z',
    };
    const source = (import_deadlines: ImportDeadlines) => lastFreeDay({ ...zones, import_deadlines })?.source;
    expect(source(days)).toBe('pickup_lfd_terminal');
    expect(source({ ...days, pickup_lfd_terminal: null })).toBe('pickup_lfd_line');
    expect(source({ ...days, pickup_lfd_line: null })).toBe('pickup_lfd_terminal');
    expect(source({ ...days, pickup_lfd_line: null, pickup_lfd_terminal: null })).toBe('pickup_lfd_rail');
  });

  test('uses pickup_lfd if the deadlines are missing or later', () => {
    const pickup_lfd = '2026-03-15T04:00:00Z';
    const other = { ...deadlines, pickup_lfd_terminal: '2026-03-17T04:00:00Z' };
    for (const import_deadlines of [other, null, undefined]) {
      expect(lastFreeDay({ ...zones, pickup_lfd, import_deadlines })).toMatchObject({
        date: '2026-03-15',
        source: 'pickup_lfd',
      });
    }
  });

  test('uses the inland time zone if the deadline of the line is not at midnight, and the time zone of the port if the source is unknown', () => {
    const pickup_lfd = '2026-03-12T20:00:00Z';
    const import_deadlines = { ...deadlines, pickup_lfd_line: pickup_lfd };
    expect(lastFreeDay({ ...zones, pickup_lfd, import_deadlines })?.timezone).toBe('America/Chicago');
    expect(lastFreeDay({ ...zones, pickup_lfd })?.timezone).toBe('America/New_York');
  });

  test('returns an ended deadline after the container was collected, and continues to count the days', () => {
    const collected = { ...atPort, current_status: 'picked_up', pod_full_out_at: '2026-03-10T15:00:00Z' };
    expect(lastFreeDay(collected, now('2026-03-15T12:00:00Z'))).toMatchObject({ hasEnded: true, daysLeft: -3 });
  });

  test('uses the deprecated inland day if there is no other day, as a date or as an instant', () => {
    for (const ind_facility_lfd_on of ['2026-03-13', '2026-03-13T05:00:00Z']) {
      expect(lastFreeDay({ ...zones, ind_facility_lfd_on }, now('2026-03-13T04:59:59Z'))).toEqual({
        date: '2026-03-13',
        at: ind_facility_lfd_on,
        timezone: 'America/Chicago',
        daysLeft: 1,
        hasEnded: false,
        source: 'ind_facility_lfd_on',
        by: 'railway',
      });
    }
  });

  test('reads a plain date as that day in every time zone, and not as midnight in UTC', () => {
    for (const pod_timezone of ['America/New_York', 'Pacific/Auckland', null]) {
      expect(lastFreeDay({ pickup_lfd: '2026-03-12', pod_timezone })?.date).toBe('2026-03-12');
    }
  });

  test('does not shift a time without a time zone', () => {
    const container = { pickup_lfd: '2026-03-12T00:00:00Z', pod_timezone: null, final_destination_timezone: null };
    expect(lastFreeDay(container, now('2026-03-10T12:00:00Z'))).toMatchObject({
      date: '2026-03-12',
      timezone: null,
      daysLeft: 2,
    });
  });

  test('does not read the deadline of the railway in the time zone of the port', () => {
    const pickup_lfd = '2026-03-13T05:00:00Z';
    const container = {
      pickup_lfd,
      import_deadlines: { ...deadlines, pickup_lfd_rail: pickup_lfd },
      pod_timezone: 'America/Los_Angeles',
      final_destination_timezone: null,
    };
    expect(lastFreeDay(container)).toMatchObject({ date: '2026-03-13', timezone: null });
  });

  test('reports UTC for a time zone that the runtime does not have', () => {
    expect(lastFreeDay({ pickup_lfd: '2026-03-12T04:00:00Z', pod_timezone: 'Mars/Olympus_Mons' })?.timezone).toBe(
      'UTC',
    );
  });

  test('ignores an invalid deadline', () => {
    expect(lastFreeDay({ pickup_lfd: 'soon' })).toBeNull();
    expect(lastFreeDay({})).toBeNull();
  });
});
