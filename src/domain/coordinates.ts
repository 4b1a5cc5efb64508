import type { MapFeature, MapFeatureCollection, MapPosition, WireDegrees } from '../model/index.ts';

/** Decimal degrees, WGS 84. */
export interface Coordinates {
  /** From -90 to 90, north is positive. */
  latitude: number;
  /** From -180 to 180, east is positive. */
  longitude: number;
}

/** A port, a metro area, a vessel, or any other record with a position. */
export interface Place {
  readonly latitude?: WireDegrees | undefined;
  readonly longitude?: WireDegrees | undefined;
}

/**
 * The position of a port, metro area or vessel as numbers. The service sends decimal strings for some records and
 * numbers for other records (docs/service/records.md#coordinates).
 *
 * @returns `undefined` if either value is missing, empty, not a number or out of range.
 * @example
 * const port = await client.ports.get('USLAX');
 * coordinates(port); // { latitude: 33.74537, longitude: -118.2737 }
 */
export function coordinates(place: Place | null | undefined): Coordinates | undefined {
  const latitude = degrees(place?.latitude, 90);
  const longitude = degrees(place?.longitude, 180);
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

function degrees(value: WireDegrees | undefined, limit: number): number | undefined {
  // Number('') is 0, which would be a position in the Gulf of Guinea.
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return undefined;
  const number = Number(value);
  return Math.abs(number) <= limit ? number : undefined;
}

/** The order of the features that belong to the same place of the journey. */
const RANKS: Readonly<Record<MapFeature['properties']['feature_type'], number>> = {
  port: 0,
  past_vessel_locations: 1,
  current_vessel: 2,
  estimated_partial_leg: 3,
  estimated_full_legs: 4,
};

/**
 * The map of a journey without the jump at the date line, at 180 degrees. Without this function, map libraries draw a
 * line across the whole earth from 179 to -179. The features are in the order of the journey. Each longitude is at most
 * 180 degrees from the previous longitude, so a route across the Pacific continues beyond 180 or -180. Leaflet and
 * MapLibre draw such a route correctly.
 *
 * @param map the result of `containers.mapGeojson`. It is not changed.
 * @example
 * const map = unwrapDateLine(await client.containers.mapGeojson(id));
 */
export function unwrapDateLine(map: MapFeatureCollection): MapFeatureCollection {
  const order = ({ properties }: MapFeature) => properties.ports_sequence * 10 + RANKS[properties.feature_type];
  let previous: number | undefined;
  const unwrapped = ([longitude, latitude]: MapPosition): MapPosition => {
    const turns = previous === undefined ? 0 : Math.round((previous - longitude) / 360);
    previous = longitude + turns * 360;
    return [previous, latitude];
  };
  const features = [...map.features]
    .sort((a, b) => order(a) - order(b))
    .map(feature => {
      const { geometry } = feature;
      const moved =
        geometry.type === 'Point'
          ? { ...geometry, coordinates: unwrapped(geometry.coordinates) }
          : { ...geometry, coordinates: geometry.coordinates.map(unwrapped) };
      return { ...feature, geometry: moved } as MapFeature;
    });
  return { ...map, features };
}
