import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTime } from '../../src/domain/index.ts';

// The time zone of the machine must not matter, so the tests use a zone that is never UTC.
process.env.TZ = 'Asia/Kolkata';

const wireInstant = fc
  .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2060-01-01T00:00:00Z'), noInvalidDate: true })
  .map(date => `${date.toISOString().slice(0, 19)}Z`);

describe('localTime() with a zone', () => {
  test.each([
    ['2026-03-12T04:00:00Z', 'America/New_York', '2026-03-12', '00:00', '-04:00', '2026-03-12 00:00 EDT'],
    ['2026-01-12T04:00:00Z', 'America/New_York', '2026-01-11', '23:00', '-05:00', '2026-01-11 23:00 EST'],
    ['2026-01-30T21:10:00Z', 'Europe/Brussels', '2026-01-30', '22:10', '+01:00', '2026-01-30 22:10 CET'],
    ['2026-07-30T21:10:00Z', 'Europe/London', '2026-07-30', '22:10', '+01:00', '2026-07-30 22:10 BST'],
    ['2026-01-30T21:10:00Z', 'Asia/Shanghai', '2026-01-31', '05:10', '+08:00', '2026-01-31 05:10 GMT+8'],
    ['2026-03-12T04:00:00Z', 'Asia/Kolkata', '2026-03-12', '09:30', '+05:30', '2026-03-12 09:30 GMT+5:30'],
    ['2026-03-12T12:30:00Z', 'Pacific/Auckland', '2026-03-13', '01:30', '+13:00', '2026-03-13 01:30 GMT+13'],
    ['2026-03-12T12:30:00Z', 'Etc/UTC', '2026-03-12', '12:30', '+00:00', '2026-03-12 12:30 UTC'],
  ])('converts %s in %s', (instant, zone, date, time, offset, text) => {
    expect(localTime(instant, zone)).toEqual({ date, time, zone, offset, text });
  });

  test.each([
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
  ])('reads the legacy name %s as %s', (legacy, current) => {
    const instant = '2026-07-01T00:00:00Z';
    expect(localTime(instant, legacy)).toEqual({ ...localTime(instant, current), zone: legacy });
  });

  test.each(['2026-03-12T04:00:00.000Z', '2026-03-12T04:00:00', '2026-03-11T21:00:00-07:00', '2026-03-12T04:00Z'])(
    'reads the wire form %s',
    instant => {
      expect(localTime(instant, 'America/New_York')?.text).toBe('2026-03-12 00:00 EDT');
    },
  );

  test('is right on both sides of a change to and from daylight saving', () => {
    const at = (instant: string) => localTime(instant, 'America/New_York')?.text;
    expect(at('2026-03-08T06:59:00Z')).toBe('2026-03-08 01:59 EST');
    expect(at('2026-03-08T07:00:00Z')).toBe('2026-03-08 03:00 EDT');
    expect(at('2026-11-01T05:59:00Z')).toBe('2026-11-01 01:59 EDT');
    expect(at('2026-11-01T06:00:00Z')).toBe('2026-11-01 01:00 EST');
  });

  test('returns a date, a time and an offset that together give the instant', () => {
    const zone = fc.constantFrom('America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/St_Johns', 'UTC');
    fc.assert(
      fc.property(wireInstant, zone, (instant, zone) => {
        const local = localTime(instant, zone);
        const minute = Math.floor(Date.parse(instant) / 60_000) * 60_000;
        expect(Date.parse(`${local?.date}T${local?.time}${local?.offset}`)).toBe(minute);
      }),
    );
  });

  test('works with more zones than its cache holds', () => {
    const instant = '2026-07-01T00:00:00Z';
    const zones = Intl.supportedValuesOf('timeZone');
    const texts = zones.map(zone => localTime(instant, zone)?.text);
    expect(zones.map(zone => localTime(instant, zone)?.text)).toEqual(texts);
  });
});

describe('localTime() without a zone', () => {
  test.each([null, undefined, ''])('does not shift a local time (%j)', zone => {
    expect(localTime('2026-03-12T04:00:00Z', zone)).toEqual({
      date: '2026-03-12',
      time: '04:00',
      zone: null,
      offset: null,
      text: '2026-03-12 04:00',
    });
  });

  test('does not shift a time with an offset', () => {
    expect(localTime('2026-03-11T21:00:00-07:00', null)?.text).toBe('2026-03-11 21:00');
  });

  test('leaves a time in UTC if the zone is unknown, and reports UTC', () => {
    expect(localTime('2026-03-12T04:00:00Z', 'Mars/Olympus_Mons')).toEqual({
      date: '2026-03-12',
      time: '04:00',
      zone: 'UTC',
      offset: '+00:00',
      text: '2026-03-12 04:00 UTC',
    });
  });
});

test.each(['America/New_York', 'Pacific/Auckland', null])(
  'localTime() reads a plain date as a calendar day in %s',
  zone => {
    expect(localTime('2026-03-12', zone)).toEqual({
      date: '2026-03-12',
      time: null,
      zone: null,
      offset: null,
      text: '2026-03-12',
    });
  },
);

test.each([null, undefined, '', 'soon', '2026-02-30', '2026-13-01T00:00:00Z', '2026-03-12T99:00:00Z', '12 March 2026'])(
  'localTime() returns undefined for %j',
  instant => {
    expect(localTime(instant, 'America/New_York')).toBeUndefined();
  },
);
