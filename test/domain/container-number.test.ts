import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberAsSent } from '../../src/domain/container-number.ts';
import { parseContainerNumber } from '../../src/domain/index.ts';

const letters = (characters: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
const tenCharacters = fc
  .tuple(letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 3), fc.constantFrom('U', 'J', 'Z'), letters('0123456789', 6))
  .map(parts => parts.join(''));

/**
 * The check digit, computed in a different way than in `src/`: the letter values count up and skip the multiples of 11.
 */
function referenceCheckDigit(number: string): number {
  const values = new Map<string, number>();
  for (let digit = 0; digit < 10; digit++) values.set(String(digit), digit);
  let value = 10;
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    if (value % 11 === 0) value++;
    values.set(letter, value++);
  }
  const sum = [...number].reduce((total, character, i) => total + (values.get(character) ?? 0) * 2 ** i, 0);
  return (sum % 11) % 10;
}

describe('a valid number', () => {
  test('such as the example of the standard is read', () => {
    expect(parseContainerNumber('CSQU3054383')).toEqual({
      valid: true,
      number: 'CSQU3054383',
      ownerCode: 'CSQ',
      category: 'U',
      serial: '305438',
      checkDigit: 3,
      expectedCheckDigit: 3,
    });
  });

  test.each([
    'csqu3054383',
    'CSQU 305438 3',
    'CSQU-305438-3',
    ' csqu\t305438\u20113\n',
    'CSQU\u00a0305\u2013438\u22123',
    '\u200bCSQU3054383\ufeff',
  ])('is read from %j', text => {
    expect(parseContainerNumber(text)).toMatchObject({ valid: true, number: 'CSQU3054383' });
  });

  test('has the check digit 0 for a remainder of 10', () => {
    // The sum of MAEU000004 is 2408, which is 218 times 11, plus 10.
    expect(parseContainerNumber('MAEU0000040')).toMatchObject({ valid: true, checkDigit: 0 });
  });

  test('consists of any ten characters and the check digit that is computed from them', () => {
    fc.assert(
      fc.property(tenCharacters, ten => {
        const expected = referenceCheckDigit(ten);
        const complete = parseContainerNumber(`${ten}${expected}`);
        expect(complete).toMatchObject({ valid: true, number: `${ten}${expected}`, expectedCheckDigit: expected });
        if (!complete.valid) return;
        const { ownerCode, category, serial, checkDigit } = complete;
        expect(parseContainerNumber(`${ownerCode}${category} ${serial}-${checkDigit}`)).toEqual(complete);
      }),
    );
  });
});

describe('an invalid number', () => {
  test('with a wrong check digit reports the right digit', () => {
    expect(parseContainerNumber('CSQU3054384')).toEqual({
      valid: false,
      reason: 'check_digit',
      number: 'CSQU3054384',
      ownerCode: 'CSQ',
      category: 'U',
      serial: '305438',
      checkDigit: 4,
      expectedCheckDigit: 3,
    });
  });

  test('without a check digit can be completed', () => {
    expect(parseContainerNumber('CSQU305438')).toMatchObject({
      valid: false,
      reason: 'check_digit',
      checkDigit: null,
      expectedCheckDigit: 3,
    });
  });

  test('is any number whose check digit is wrong', () => {
    fc.assert(
      fc.property(tenCharacters, ten => {
        const valid = [...'0123456789'].filter(digit => parseContainerNumber(ten + digit).valid);
        expect(valid).toEqual([String(referenceCheckDigit(ten))]);
      }),
    );
  });

  test('has an unknown category', () => {
    const ten = 'CSQA305438';
    expect(parseContainerNumber(`${ten}${referenceCheckDigit(ten)}`)).toMatchObject({
      valid: false,
      reason: 'category',
      category: 'A',
    });
  });

  test.each(['', '   ', 'CSQU', '3054383', 'CSQU30543833', 'CSQ13054383', 'MAEU123456789', 'ＣＳＱＵ3054383'])(
    'has the wrong shape: %j',
    text => {
      expect(parseContainerNumber(text)).toMatchObject({ valid: false, reason: 'format' });
    },
  );

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint16Array({ maxLength: 20 }), units => {
        const text = String.fromCharCode(...units);
        expect(typeof parseContainerNumber(text).valid).toBe('boolean');
      }),
    );
  });
});

test.each([
  ['mscu 123456-6', 'MSCU1234566'],
  ['MSCU-1234567', 'MSCU1234567'],
  [' medu 123 456 ', 'MEDU123456'],
  ['bkg-2026/001', 'BKG-2026/001'],
  ['abcd-123456', 'ABCD-123456'],
  ['test-tr-succeeded', 'TEST-TR-SUCCEEDED'],
  ['maeu\u200b123456789', 'MAEU123456789'],
])('%j is sent as %s', (text, sent) => {
  expect(numberAsSent(text)).toBe(sent);
});
