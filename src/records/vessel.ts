import type { LinkedRecord } from '../jsonapi/include.ts';
import type { DateTime } from './model.ts';

/** A ship (api/resources.md, vessel). */
export type Vessel = LinkedRecord<'vessel', []>;

export interface VesselPosition {
  /** Decimal degrees. */
  latitude: number;
  /** Decimal degrees. */
  longitude: number;
  /** Degrees: 0 is north, 90 is east. */
  heading: number | null;
  timestamp: DateTime;
  estimated: boolean;
}

export interface VesselAttributes {
  name: string;
  /** Seven digits. */
  imo: string | null;
  mmsi?: string | null;
  /** Decimal degrees, always as a number. */
  latitude?: number | null;
  /** Decimal degrees, always as a number. */
  longitude?: number | null;
  /** Knots. */
  nautical_speed_knots?: number | null;
  /** Degrees: 0 is north, 90 is east. */
  navigational_heading_degrees?: number | null;
  position_timestamp?: DateTime | null;
  /** Only where positions were asked for. */
  positions?: VesselPosition[] | null;
}
