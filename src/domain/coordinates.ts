import type { WireDegrees } from '../model/index.ts';

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
 * The position of a port, metro area or vessel as numbers. The service sends decimal strings for some and numbers for
 * others (docs/service/records.md#coordinates).
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
