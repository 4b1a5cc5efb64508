import type { LinkedRecord } from '../jsonapi/include.ts';
import type { ProvidedData } from './model.ts';

/** A carrier (api/resources.md, shipping_line). */
export type ShippingLine = LinkedRecord<'shipping_line', []>;

export interface ShippingLineAttributes {
  /** Four letters. */
  scac: string;
  name: string;
  short_name: string;
  /** Other codes that a tracking request may name. */
  alternative_scacs: string[];
  bill_of_lading_tracking_support: boolean;
  booking_number_tracking_support: boolean;
  container_number_tracking_support: boolean;
  provided_data?: ShippingLineProvidedData;
  /** May hold the placeholder `${BLNUM}`. */
  tracking_url?: string | null;
  contact_url?: string | null;
  /** What the carrier's bill of lading numbers start with. */
  bol_prefix?: string;
}

/** Which container attributes the carrier reports. */
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
