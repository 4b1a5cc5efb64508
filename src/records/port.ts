import type { IncludeList, OptionalToMany } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { WireDegrees } from './scalars.ts';

/** A sea port. */
export interface Port<I extends IncludeList = []>
  extends ResourceRecord<'port', I>,
    PortAttributes,
    PortRelationships<I> {}

/** The fields of a port. */
export interface PortAttributes {
  /** Name of the port. */
  name: string;
  /** UN/LOCODE. Codes outside the standard occur. */
  code: string;
  /** State or province. May be digits. */
  state_abbr: string | null;
  /** Name of the city. */
  city: string | null;
  /** ISO 3166 code of two letters. */
  country_code: string;
  /** North is positive. Mostly a decimal string: `coordinates()` gives a number. */
  latitude?: WireDegrees;
  /** East is positive. Mostly a decimal string: `coordinates()` gives a number. */
  longitude?: WireDegrees;
  /** IANA time zone, such as `America/Los_Angeles`. */
  time_zone: string;
}

/** What a port is related to. */
export interface PortRelationships<I extends IncludeList = []> {
  /** The terminals of the port. Absent in some notifications. */
  terminals: OptionalToMany<I, 'terminals', 'terminal'>;
}
