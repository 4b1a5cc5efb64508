import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { type Query, queryString } from '../../src/jsonapi/query.ts';

describe('a query string', () => {
  test.each<[string, Query, string]>([
    ['is empty for nothing', {}, ''],
    ['leaves out undefined and null', { a: undefined, b: null, c: { d: undefined, e: null } }, ''],
    ['leaves out an empty list and an empty object', { include: [], filter: {} }, ''],
    ['keeps false, 0 and the empty text', { a: false, b: 0, c: '' }, '?a=false&b=0&c='],
    [
      'puts nested names into brackets that stay unencoded',
      { page: { number: 2, size: 5 } },
      '?page[number]=2&page[size]=5',
    ],
    ['nests as deep as needed', { filter: { created_at: { start: 'x' } } }, '?filter[created_at][start]=x'],
    ['separates a list with commas that stay unencoded', { include: ['a', 'a.b'] }, '?include=a,a.b'],
    ['encodes a comma inside of an item', { tags: ['a,b', 'c'] }, '?tags=a%2Cb,c'],
    ['encodes characters that would end a parameter', { q: 'a&b=c#d+e f%' }, '?q=a%26b%3Dc%23d%2Be%20f%25'],
    ['leaves brackets in names, and encodes them in values', { 'a[b]': '[c]' }, '?a[b]=%5Bc%5D'],
    [
      'writes a Date in UTC',
      { start: new Date(Date.UTC(2026, 2, 9, 3, 4, 40)) },
      '?start=2026-03-09T03%3A04%3A40.000Z',
    ],
    ['keeps the order', { b: 1, a: 2 }, '?b=1&a=2'],
  ])('%s', (_, query, expected) => {
    expect(queryString(query)).toBe(expected);
  });

  test.each<[string, Query, string]>([
    ['an invalid Date', { filter: { created_at: { start: new Date('x') } } }, 'filter[created_at][start]'],
    ['NaN', { page: { size: Number.NaN } }, 'page[size]'],
    ['Infinity', { latitude: Number.POSITIVE_INFINITY }, 'latitude'],
    ['text that is not well-formed', { q: 'a\ud800' }, 'q'],
    ['a list item that is not well-formed', { tags: ['a', '\udc00'] }, 'tags'],
  ])('is refused for %s, with the name of the parameter', (_, query, name) => {
    expect(() => queryString(query)).toThrow(ConfigurationError);
    expect(() => queryString(query)).toThrow(name);
  });

  test('of any text can be parsed to the original text', () => {
    const text = fc.string({ unit: 'grapheme' });
    const values = fc.dictionary(text, text, { noNullPrototype: true });
    fc.assert(
      fc.property(values, values, (plain, nested) => {
        const read = new URL(`http://host.example/v2/x${queryString({ ...plain, filter: nested })}`).searchParams;
        const expected = { ...plain } as Record<string, string>;
        delete expected.filter;
        for (const [name, value] of Object.entries(nested)) expected[`filter[${name}]`] = value;
        expect(new Map(read)).toEqual(new Map(Object.entries(expected)));
      }),
    );
  });
});
