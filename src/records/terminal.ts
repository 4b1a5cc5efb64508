import type { LinkedRecord } from '../jsonapi/include.ts';
import type { Open, ProvidedData, Ref } from './model.ts';

/** A facility at a port. Rail facilities may arrive as one, with `facility_type` `rail` (api/resources.md, terminal). */
export type Terminal<I = []> = LinkedRecord<'terminal', I>;

export interface TerminalAttributes {
  name: string;
  nickname: string;
  /** Facility code of US customs, or an equivalent. */
  firms_code: string;
  smdg_code?: string | null;
  bic_facility_code?: string | null;
  street?: string | null;
  city?: string;
  state?: string | null;
  state_abbr?: string | null;
  zip?: string;
  country?: string | null;
  facility_type?: Open<'ocean_terminal' | 'rail'>;
  provided_data?: TerminalProvidedData;
}

/** Which container attributes the terminal reports. */
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

export interface TerminalRelationships {
  port: Ref<'port'>;
}
