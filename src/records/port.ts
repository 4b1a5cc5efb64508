import type { LinkedRecord } from '../jsonapi/include.ts';
import type { Ref, WireDegrees } from './model.ts';

/** A sea port (api/resources.md, port). */
export type Port<I = []> = LinkedRecord<'port', I>;

export interface PortAttributes {
  name: string;
  /** UN/LOCODE. Codes outside the standard occur. */
  code: string;
  /** May be numeric text. */
  state_abbr: string | null;
  city: string | null;
  /** Two letters. */
  country_code: string;
  latitude?: WireDegrees;
  longitude?: WireDegrees;
  /** IANA time zone. */
  time_zone: string;
}

export interface PortRelationships {
  terminals?: Ref<'terminal'>[];
}
