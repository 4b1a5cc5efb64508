import { expect, test } from 'vitest';
import { unwrapDateLine } from '../../src/domain/index.ts';
import type { MapFeature, MapFeatureCollection, MapPosition } from '../../src/index.ts';

const point = (ports_sequence: number, coordinates: MapPosition) =>
  ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates },
    properties: { feature_type: 'port', ports_sequence },
  }) as MapFeature;
const line = (ports_sequence: number, coordinates: MapPosition[]) =>
  ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates },
    properties: { feature_type: 'estimated_full_legs', ports_sequence },
  }) as MapFeature;
const SHANGHAI = point(1, [121.5, 31.2]);
const LOS_ANGELES = point(2, [-118.3, 33.7]);
const PACIFIC = line(1, [
  [121.5, 31.2],
  [178, 45],
  [-176, 45],
  [-118.3, 33.7],
]);

test('a route across the Pacific continues beyond 180 degrees, in the order of the journey', () => {
  const map: MapFeatureCollection = { type: 'FeatureCollection', features: [LOS_ANGELES, PACIFIC, SHANGHAI] };
  const before = structuredClone(map);
  const { type, features } = unwrapDateLine(map);
  expect(type).toBe('FeatureCollection');
  expect(features.map(({ geometry }) => geometry.coordinates)).toEqual([
    [121.5, 31.2],
    [
      [121.5, 31.2],
      [178, 45],
      [184, 45],
      [expect.closeTo(241.7), 33.7],
    ],
    [expect.closeTo(241.7), 33.7],
  ]);
  expect(features.map(({ properties }) => properties.feature_type)).toEqual(['port', 'estimated_full_legs', 'port']);
  expect(map).toEqual(before);
});

test('a route to the west continues beyond -180 degrees', () => {
  const { features } = unwrapDateLine({
    type: 'FeatureCollection',
    features: [
      line(1, [
        [-170, 45],
        [175, 45],
      ]),
    ],
  });
  expect(features[0]?.geometry.coordinates).toEqual([
    [-170, 45],
    [-185, 45],
  ]);
});

test('a route that does not cross the date line, and a map without features, stay as they are', () => {
  const map: MapFeatureCollection = {
    type: 'FeatureCollection',
    features: [
      line(1, [
        [4, 52],
        [-74, 40],
      ]),
    ],
  };
  expect(unwrapDateLine(map)).toEqual(map);
  expect(unwrapDateLine({ type: 'FeatureCollection', features: [] }).features).toEqual([]);
});
