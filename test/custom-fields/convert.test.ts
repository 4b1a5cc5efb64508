import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeValue, decodeValues } from '../../src/custom-fields/decode.ts';
import type { CustomFieldDescription } from '../../src/custom-fields/description.ts';
import { encodeChanges, encodeValue } from '../../src/custom-fields/encode.ts';
import { CustomFieldValueError } from '../../src/custom-fields/errors.ts';
import { type Field, readDescriptions } from '../../src/custom-fields/fields.ts';
import { ConfigurationError } from '../../src/errors.ts';

const ENUM = { data_type: 'enum', options: ['low', 'high'] } as const;
const MULTI = { data_type: 'enum_multi', options: ['air', 'sea', 'rail'] } as const;
const REFERENCE = { data_type: 'reference', reference_type: 'party' } as const;

function field(description: CustomFieldDescription): Field {
  return readDescriptions({ shipment: { value: description } }).get('shipment')?.[0] as Field;
}

describe('a stored value is converted to its described type', () => {
  test.each<[CustomFieldDescription, unknown, unknown]>([
    ['short_text', '', ''],
    ['short_text', '12', '12'],
    ['number', -1.5, -1.5],
    ['number', '12.500000', 12.5],
    ['number', '-0.000001', -0.000001],
    ['boolean', false, false],
    ['boolean', 'false', false],
    ['boolean', 'true', true],
    ['date', '2026-03-12', '2026-03-12'],
    ['date', '2026-03-12T00:00:00.000Z', '2026-03-12'],
    ['datetime', '2026-03-12T09:30:00Z', new Date(Date.UTC(2026, 2, 12, 9, 30))],
    ['datetime', '2026-03-12T09:30:00-05:00', new Date(Date.UTC(2026, 2, 12, 14, 30))],
    ['datetime', '2026-03-12 09:30:00 UTC', new Date(Date.UTC(2026, 2, 12, 9, 30))],
    ['datetime', '2026-03-12T09:30:00', new Date(Date.UTC(2026, 2, 12, 9, 30))],
    [ENUM, 'high', 'high'],
    [MULTI, ['sea', 'air'], ['sea', 'air']],
    [MULTI, 'sea, air', ['sea', 'air']],
    [MULTI, '', []],
    [REFERENCE, { type: 'party', id: '7', more: 1 }, { type: 'party', id: '7' }],
    ['short_text', null, null],
  ])('%j: %j', (description, wire, value) => {
    expect(decodeValue(field(description), wire)).toEqual(value);
  });
});

describe('a stored value of a wrong type causes an error', () => {
  test.each<[CustomFieldDescription, unknown]>([
    ['short_text', 5],
    ['number', 'five'],
    ['number', ''],
    // JavaScript would round this number to 123456789012.12346.
    ['number', '123456789012.123456'],
    ['boolean', 1],
    ['boolean', 'Yes'],
    ['date', '2026-02-30'],
    ['date', '2026-03-12T23:00:00Z'],
    ['date', '12.3.2026'],
    ['datetime', '2026-03-12'],
    ['datetime', '2026-02-30T00:00:00Z'],
    ['datetime', '2026-03-12T25:00:00Z'],
    [ENUM, 'urgent'],
    [ENUM, 'High'],
    [MULTI, ['air', 'road']],
    [MULTI, 'air,road'],
    [{ data_type: 'enum_multi', options: ['a,b', 'a', 'b'] }, 'a,b'],
    [REFERENCE, { type: 'shipment', id: '7' }],
    [REFERENCE, '7'],
    [{ data_type: 'number', nullable: false }, null],
  ])('for %j with %j', (description, wire) => {
    expect(() => decodeValue(field(description), wire)).toThrow(CustomFieldValueError);
  });

  test('that names the field, the value and the expected type', () => {
    expect(() => decodeValue(field(ENUM), 'urgent')).toThrow(
      'The custom field shipment.value holds "urgent"; the description says enum of "low", "high".',
    );
  });

  test('but a field without a value is null, and an undescribed field is left out', () => {
    const fields = readDescriptions({ shipment: { buyer: { data_type: 'short_text', api_slug: 'b' }, due: 'date' } });
    const stored = [
      { api_slug: 'b', value: 'Kim' },
      { api_slug: 'other', value: 1 },
    ];
    expect(decodeValues(fields.get('shipment') ?? [], stored)).toEqual({ buyer: 'Kim', due: null });
  });
});

describe('a write refuses before a request', () => {
  test.each<[CustomFieldDescription, unknown]>([
    ['short_text', 5],
    ['number', '5'],
    ['number', Number.NaN],
    ['number', Number.POSITIVE_INFINITY],
    ['number', 10 ** 12],
    ['number', 1.1234567],
    ['boolean', 'true'],
    ['date', new Date()],
    ['date', '2026-02-30'],
    ['date', '2026-03-12T00:00:00Z'],
    ['datetime', '2026-03-12T09:30:00'],
    ['datetime', '2026-03-12'],
    ['datetime', new Date(Number.NaN)],
    ['datetime', 1_773_308_000_000],
    [ENUM, 'urgent'],
    [MULTI, 'air'],
    [MULTI, ['air', 'road']],
    [REFERENCE, { type: 'shipment', id: '7' }],
    [REFERENCE, '7'],
    [{ data_type: 'number', nullable: false }, null],
  ])('the value for %j: %j', (description, value) => {
    expect(() => encodeValue(field(description), value)).toThrow(ConfigurationError);
  });

  test('an undescribed name', () => {
    expect(() => encodeChanges('The description of shipment', [field('date')], { due: '2026-03-12' })).toThrow(
      'The description of shipment has no due; there are: value.',
    );
  });

  test('but accepts a number with a rounding error, and sends the intended decimal', () => {
    expect(encodeValue(field('number'), 0.1 + 0.2)).toBe(0.3);
  });
});

describe('a value is the same after writing and reading', () => {
  const day = fc
    .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10));
  const millionths = fc.integer({ min: -9_007_199_254_740_991, max: 9_007_199_254_740_991 }).map(n => n / 1e6);
  const kinds: [CustomFieldDescription, fc.Arbitrary<unknown>][] = [
    ['short_text', fc.string()],
    ['number', millionths],
    ['boolean', fc.boolean()],
    ['date', day],
    ['datetime', fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })],
    [ENUM, fc.constantFrom(...ENUM.options)],
    [MULTI, fc.uniqueArray(fc.constantFrom(...MULTI.options))],
    [REFERENCE, fc.record({ type: fc.constant('party'), id: fc.uuid() })],
  ];

  test.each(kinds)('%j', (description, arbitrary) => {
    const described = field(description);
    fc.assert(
      fc.property(arbitrary, value => {
        const wire: unknown = JSON.parse(JSON.stringify(encodeValue(described, value)));
        expect(decodeValue(described, wire)).toEqual(value === 0 ? 0 : value);
      }),
    );
  });

  test('also if it is a number whose text the database returns', () => {
    fc.assert(
      fc.property(millionths, value => {
        expect(decodeValue(field('number'), value.toFixed(6))).toBe(value === 0 ? Number(value.toFixed(6)) : value);
      }),
    );
  });
});

describe('an invalid description is refused', () => {
  test.each<[string, object]>([
    ['an unknown type of record', { vessel: {} }],
    ['an unknown data type', { shipment: { a: 'text' } }],
    ['an unknown property of a field', { shipment: { a: { data_type: 'date', format: 'x' } } }],
    ['options of a field whose type has no options', { shipment: { a: { data_type: 'date', options: ['x'] } } }],
    ['an enum without options', { shipment: { a: { data_type: 'enum' } } }],
    ['an enum with an empty list of options', { shipment: { a: { data_type: 'enum', options: [] } } }],
    ['a reference without its type', { shipment: { a: { data_type: 'reference' } } }],
    ['a blank slug', { shipment: { a: { data_type: 'date', api_slug: ' ' } } }],
    ['two fields with one slug', { shipment: { a: 'date', b: { data_type: 'date', api_slug: 'a' } } }],
    ['a list instead of fields', { shipment: ['a'] }],
  ])('%s', (_, description) => {
    expect(() => readDescriptions(description)).toThrow(ConfigurationError);
  });

  test('but one slug for two types of records is valid', () => {
    expect(readDescriptions({ shipment: { a: 'date' }, tracking_request: { a: 'date' } }).size).toBe(3);
  });
});
