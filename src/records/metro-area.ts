import type { ResourceRecord } from './resource-record.ts';
import type { WireDegrees } from './scalars.ts';

/** An inland place that a shipment can go to. */
export interface MetroArea extends ResourceRecord<'metro_area'>, MetroAreaAttributes {}

/** The fields of a metro area. */
export interface MetroAreaAttributes {
  /** Name of the place. */
  name: string;
  /** UN/LOCODE. */
  code: string;
  /** State or province: its abbreviation, sometimes its full name. */
  state_abbr: string | null;
  /** ISO 3166 code of two letters. */
  country_code: string;
  /** North is positive. Mostly a decimal string: `coordinates()` gives a number. */
  latitude: WireDegrees;
  /** East is positive. Mostly a decimal string: `coordinates()` gives a number. */
  longitude: WireDegrees;
  /** IANA time zone, such as `America/Chicago`. */
  time_zone: string;
}
