import { describe, expect, test } from 'vitest';
import { findShippingLine } from '../../src/domain/find-shipping-line.ts';
import { ConfigurationError } from '../../src/errors.ts';

const line = (scac: string, name: string, short_name: string, ...alternative_scacs: string[]) => ({
  scac,
  name,
  short_name,
  alternative_scacs,
});
const LINES = [
  line('ACLU', 'Atlantic Container Line', 'ACL'),
  line('CHVW', 'Swire Shipping', 'CHVW', 'QWJA', 'PLLU'),
  line('CULU', 'China United Lines', 'CULines'),
  line('HLCU', 'Hapag-Lloyd', 'Hapag-Lloyd'),
  line('MAEU', 'Maersk', 'Maersk'),
  line('MSCU', 'Mediterranean Shipping Company', 'MSC', 'MEDU'),
  line('SEAU', 'Sealand Americas', 'SeaLand Americas', 'SEAL'),
  line('SEJJ', 'SeaLand Europe', 'SeaLand Europe'),
  line('SSBF', 'Swire', 'Swire', 'WWSU'),
  line('TXZJ', 'T.S. Lines', 'TS Lines'),
  line('TURK', 'Turkon Line', 'Türkon'),
];

describe('a clear name', () => {
  test.each([
    ['MAEU', 'MAEU', 'scac'],
    [' maeu ', 'MAEU', 'scac'],
    ['medu', 'MSCU', 'alternative_scac'],
    ['MSC', 'MSCU', 'name'],
    ['mediterranean shipping company', 'MSCU', 'name'],
    ['HAPAG LLOYD', 'HLCU', 'name'],
    ['Hapag–Lloyd', 'HLCU', 'name'],
    ['TS Lines', 'TXZJ', 'name'],
    ['t.s. lines', 'TXZJ', 'name'],
    ['turkon', 'TURK', 'name'],
    ['Swire', 'SSBF', 'name'],
  ])('%s matches %s by its %s', (text, scac, matchedBy) => {
    expect(findShippingLine(LINES, text)).toMatchObject({ line: { scac }, matchedBy, candidates: [] });
  });
});

describe('an unclear name never matches a carrier', () => {
  test.each([
    ['sealand', ['SEAU', 'SEJJ']],
    ['China Shipping', ['CULU']],
    ['Maersk Line A/S', ['MAEU']],
    ['hapag', ['HLCU']],
    ['medit', ['MSCU']],
    ['lines', []],
    ['nobody', []],
    ['--', []],
  ])('%s: %j', (text, candidates) => {
    const match = findShippingLine(LINES, text);
    expect(match.line).toBeUndefined();
    expect(match.candidates.map(({ scac }) => scac)).toEqual(candidates);
  });

  test('two carriers with one name are candidates', () => {
    const both = [line('AAAA', 'Star', 'Star'), line('BBBB', 'Star', 'Star')];
    expect(findShippingLine(both, 'star')).toEqual({ line: undefined, candidates: both });
  });
});

test('a main code has precedence over the alternative code of another carrier', () => {
  const lines = [line('AAAA', 'A', 'A', 'BBBB'), line('BBBB', 'B', 'B')];
  expect(findShippingLine(lines, 'BBBB').line).toBe(lines[1]);
});

test('a record in an older form, without some keys, is read', () => {
  expect(findShippingLine([{ scac: 'AAAA' }], 'x').candidates).toEqual([]);
});

test.each(['', '  ', undefined])('%j is refused', text => {
  expect(() => findShippingLine(LINES, text as string)).toThrow(ConfigurationError);
});
