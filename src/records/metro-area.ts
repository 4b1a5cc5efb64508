import type { LinkedRecord } from '../jsonapi/include.ts';
import type { WireDegrees } from './model.ts';

/** An inland place (api/resources.md, metro_area). */
export type MetroArea = LinkedRecord<'metro_area', []>;

export interface MetroAreaAttributes {
  name: string;
  /** UN/LOCODE. */
  code: string;
  /** May be the full name of the state. */
  state_abbr: string | null;
  /** Two letters. */
  country_code: string;
  latitude: WireDegrees;
  longitude: WireDegrees;
  /** IANA time zone. */
  time_zone: string;
}
