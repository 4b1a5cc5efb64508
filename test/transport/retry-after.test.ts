import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/transport/retries.ts';

const now = Date.UTC(1994, 10, 6, 8, 49, 30);

describe('parseRetryAfter', () => {
  test.each([
    ['60', 60_000],
    ['0', 0],
    ['0.25', 250],
    [' 2 ', 2000],
    ['99999999999', 99_999_999_999_000],
  ])('reads %j as seconds', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });

  test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads the HTTP date %j as a time in GMT in every local zone',
    value => {
      expect(parseRetryAfter(value, now)).toBe(7000);
    },
  );

  test.each([
    null,
    '',
    '-5',
    '1e3',
    '5, 10',
    '+5',
    '0x10',
    'NaN',
    'Infinity',
    'soon',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:29 GMT',
    'Sun, 99 Nov 1994 08:49:37 GMT',
  ])('returns undefined for %j', value => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  });
});
