import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { includedBy } from '../../src/jsonapi/include.ts';

describe('a list of paths that was used before', () => {
  test('returns the same tree and the same text', () => {
    expect(includedBy(['containers.shipment', 'port'])).toBe(includedBy(['containers.shipment', 'port']));
    expect(includedBy(['containers.shipment']).query).toBe('?include=containers,containers.shipment');
  });

  test('is not changed by a later change of its array', () => {
    const paths = ['containers'];
    const before = includedBy(paths);
    paths[0] = 'port';
    expect(includedBy(paths).query).toBe('?include=port');
    expect(includedBy(['containers'])).toBe(before);
  });

  test.each([
    ['one path with a comma', ['containers,port']],
    ['a list in a list', [['containers'], 'port']],
    ['a text', 'containers,port'],
    ['an object that is written like a path', [{ toString: () => 'containers' }, 'port']],
  ])('does not make a similar value valid: %s', (_, paths) => {
    includedBy(['containers', 'port']);
    expect(() => includedBy(paths)).toThrow(ConfigurationError);
  });

  test('is cached only until a few hundred other lists were used', () => {
    const first = includedBy(['first']);
    for (let i = 0; i < 300; i += 1) includedBy([`other_${i}`]);
    expect(includedBy(['first'])).not.toBe(first);
    expect(includedBy(['first'])).toEqual(first);
  });
});
