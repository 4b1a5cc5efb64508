import type { ResourceRecord } from './resource-record.ts';
import type { DateTime } from './scalars.ts';

/** A ship, with its last known position. */
export interface Vessel extends ResourceRecord<'vessel'>, VesselAttributes {}

/** Where a vessel was, or is predicted to be, at one moment. */
export interface VesselPosition {
  /** Decimal degrees, north is positive. */
  latitude: number;
  /** Decimal degrees, east is positive. */
  longitude: number;
  /** Degrees: 0 is north, 90 is east. */
  heading: number | null;
  /** Time of the position. */
  timestamp: DateTime;
  /** `true` for a prediction, `false` for a position that was observed. */
  estimated: boolean;
}

/** The fields of a vessel. */
export interface VesselAttributes {
  /** Name of the ship. */
  name: string;
  /** IMO number, seven digits. It stays the same for the life of the ship. */
  imo: string | null;
  /** Maritime radio identity, nine digits. It changes with the flag. */
  mmsi?: string | null;
  /** Last known latitude in decimal degrees, north is positive. Always a number, unlike that of ports. */
  latitude?: number | null;
  /** Last known longitude in decimal degrees, east is positive. Always a number, unlike that of ports. */
  longitude?: number | null;
  /** Last known speed in knots. */
  nautical_speed_knots?: number | null;
  /** Last known heading in degrees: 0 is north, 90 is east. */
  navigational_heading_degrees?: number | null;
  /** When the last known position was reported. */
  position_timestamp?: DateTime | null;
  /** The track, only if the call asked for positions: `show_positions`, `futurePositions`. */
  positions?: VesselPosition[] | null;
}
