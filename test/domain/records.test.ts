import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attribute, coordinates, isReadyForPickup } from '../../src/domain/index.ts';

describe('coordinates', () => {
  test.each([
    ['decimal strings', { latitude: '33.74537', longitude: '-118.2737' }, { latitude: 33.74537, longitude: -118.2737 }],
    ['numbers', { latitude: 33.61, longitude: -118.21 }, { latitude: 33.61, longitude: -118.21 }],
    ['a string and a number', { latitude: ' 1.5 ', longitude: 0 }, { latitude: 1.5, longitude: 0 }],
    ['the limits', { latitude: '-90', longitude: 180 }, { latitude: -90, longitude: 180 }],
  ])('reads %s', (_, place, position) => {
    expect(coordinates(place)).toEqual(position);
  });

  test.each([
    ['no place', null],
    ['no keys', {}],
    ['one key', { latitude: '1' }],
    ['null', { latitude: null, longitude: 2 }],
    ['an empty string, which is not 0', { latitude: '', longitude: '' }],
    ['blanks', { latitude: ' ', longitude: '2' }],
    ['text', { latitude: 'north', longitude: '2' }],
    ['NaN', { latitude: Number.NaN, longitude: 2 }],
    ['a latitude out of range', { latitude: 90.1, longitude: 2 }],
    ['a longitude out of range', { latitude: 1, longitude: '-180.5' }],
    ['infinity', { latitude: 1, longitude: 'Infinity' }],
  ])('returns undefined for %s', (_, place) => {
    expect(coordinates(place)).toBeUndefined();
  });

  test('reads numbers, and texts with the same numbers', () => {
    fc.assert(
      fc.property(fc.double({ min: -90, max: 90 }), fc.double({ min: -180, max: 180 }), (latitude, longitude) => {
        fc.pre(!Number.isNaN(latitude) && !Number.isNaN(longitude));
        const fromNumbers = coordinates({ latitude, longitude });
        const fromTexts = coordinates({ latitude: `${latitude}`, longitude: `${longitude}` });
        expect(fromNumbers).toBeDefined();
        expect(fromTexts?.latitude).toBeCloseTo(latitude, 15);
        expect(fromTexts?.longitude).toBeCloseTo(longitude, 15);
      }),
    );
  });
});

describe('isReadyForPickup', () => {
  const customs = { name: 'customs', status: 'hold', description: '' };
  const expected = { name: 'freight', status: 'pending', description: '' };
  const released = { availability_known: true, available_for_pickup: true, holds_at_pod_terminal: [] };

  test.each([
    ['available without holds', released, true],
    ['a hold that is only expected', { ...released, holds_at_pod_terminal: [expected] }, true],
    ['an active hold', { ...released, holds_at_pod_terminal: [expected, customs] }, false],
    ['not available', { ...released, available_for_pickup: false }, false],
    ['availability null', { ...released, available_for_pickup: null }, false],
    ['available, but the terminal reports nothing', { ...released, availability_known: false }, false],
    ['availability_known left out of the payload', { available_for_pickup: true, holds_at_pod_terminal: [] }, true],
    ['holds left out of the payload', { availability_known: true, available_for_pickup: true }, true],
    ['holds null', { ...released, holds_at_pod_terminal: null }, true],
    ['an empty payload', {}, false],
  ])('is correct for: %s', (_, container, ready) => {
    expect(isReadyForPickup(container)).toBe(ready);
  });
});

describe('attribute', () => {
  test('reads an attribute that the types do not have', () => {
    const record = { id: '1', type: 'container', risk_score: 7 };
    expect(attribute(record, 'risk_score')).toBe(7);
    expect(attribute(record, 'other')).toBeUndefined();
  });

  test('does not read properties that every object inherits', () => {
    expect(attribute({}, 'constructor')).toBeUndefined();
    expect(attribute({}, '__proto__')).toBeUndefined();
  });
});
