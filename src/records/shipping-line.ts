import type { ResourceRecord } from './resource-record.ts';
import type { ProvidedData } from './scalars.ts';

/** A carrier that can be tracked. */
export interface ShippingLine extends ResourceRecord<'shipping_line'>, ShippingLineAttributes {}

/** The fields of a shipping line. */
export interface ShippingLineAttributes {
  /** Standard Carrier Alpha Code, four letters. */
  scac: string;
  /** Full name. */
  name: string;
  /** Short name that people use. */
  short_name: string;
  /** Other codes of the carrier. A tracking request takes them too. */
  alternative_scacs: string[];
  /** Whether a bill of lading number of this carrier can be tracked. */
  bill_of_lading_tracking_support: boolean;
  /** Whether a booking number of this carrier can be tracked. */
  booking_number_tracking_support: boolean;
  /** Whether a container number alone can be tracked with this carrier. */
  container_number_tracking_support: boolean;
  /** Which container attributes the carrier reports. */
  provided_data?: ShippingLineProvidedData;
  /** The carrier's own tracking page. May contain the placeholder `${BLNUM}` for the number. */
  tracking_url?: string | null;
  /** The carrier's contact page. */
  contact_url?: string | null;
  /** The four letters that the carrier's bill of lading numbers start with. Mostly the SCAC. */
  bol_prefix?: string;
}

/** Which container attributes the carrier reports, each with a note where there is one. */
export type ShippingLineProvidedData = ProvidedData<
  | 'ssl_lfd'
  | 'seal_number'
  | 'weight_in_lbs'
  | 'equipment_type'
  | 'equipment_height'
  | 'equipment_length'
  | 'pod_arrived_at'
  | 'pod_full_out_at'
  | 'pod_discharged_at'
  | 'empty_terminated_at'
  | 'final_destination_full_out_at'
>;
