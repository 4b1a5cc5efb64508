import type { IncludeList, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { Open, ProvidedData } from './scalars.ts';

/** A facility at a port. A rail facility may come as a terminal too, with the `facility_type` `rail`. */
export interface Terminal<I extends IncludeList = []>
  extends ResourceRecord<'terminal', I>,
    TerminalAttributes,
    TerminalRelationships<I> {}

/** The fields of a terminal. */
export interface TerminalAttributes {
  /** Full name. */
  name: string;
  /** Short name that people use. */
  nickname: string;
  /** Facility code of US customs, or an equivalent of another country. */
  firms_code: string;
  /** Terminal code of the Ship Message Design Group. */
  smdg_code?: string | null;
  /** Facility code of the Bureau International des Containers. */
  bic_facility_code?: string | null;
  /** Street and house number. */
  street?: string | null;
  /** Name of the city. */
  city?: string;
  /** Full name of the state or province. */
  state?: string | null;
  /** Abbreviation of the state or province. */
  state_abbr?: string | null;
  /** Postal code. */
  zip?: string;
  /** Name of the country. */
  country?: string | null;
  /** What kind of facility it is. */
  facility_type?: Open<'ocean_terminal' | 'rail'>;
  /** Which container attributes the terminal reports. */
  provided_data?: TerminalProvidedData;
}

/** What a terminal is related to. */
export interface TerminalRelationships<I extends IncludeList = []> {
  /** The port that the terminal belongs to. */
  port: ToOne<I, 'port', 'port'>;
}

/** Which container attributes the terminal reports, each with a note where there is one. */
export type TerminalProvidedData = ProvidedData<
  | 'pickup_lfd'
  | 'pod_full_out_at'
  | 'available_for_pickup'
  | 'fees_at_pod_terminal'
  | 'holds_at_pod_terminal'
  | 'pickup_appointment_at'
  | 'location_at_pod_terminal'
  | 'pod_full_out_chassis_number'
  | 'empty_terminated_at'
>;
