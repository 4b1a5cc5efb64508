import type { IncludePath, LinkedRecord } from '../jsonapi/include.ts';
import type { DateTime, Open, Ref } from './model.ts';

/**
 * One carrier booking or bill of lading and its containers (SPEC.md, Shipment).
 *
 * @example
 * type WithContainers = Shipment<['containers', 'port_of_lading']>;
 */
export type Shipment<I = []> = LinkedRecord<'shipment', I>;

/** What `include` accepts on the shipment endpoints, and the relationships below it. */
export type ShipmentInclude = IncludePath<
  'shipment',
  'containers' | 'pod_terminal' | 'port_of_lading' | 'port_of_discharge' | 'destination' | 'destination_terminal'
>;

/** Why the service stopped asking the shipping line; `null` while it still does. */
export type LineTrackingStoppedReason = Open<
  | 'all_containers_terminated'
  | 'past_arrival_window'
  | 'past_full_out_window'
  | 'no_updates_at_line'
  | 'cancelled_by_user'
  | 'booking_cancelled'
  | 'account_closed'
>;

export interface ShipmentAttributes {
  created_at: DateTime;
  /** References given by the caller. */
  ref_numbers: (string | null)[] | null;
  /** Free labels. */
  tags?: string[];
  /** Number as tracked. */
  bill_of_lading_number: string;
  /** Form used to query the carrier, often without the SCAC prefix. */
  normalized_number?: string;
  shipping_line_scac: string;
  shipping_line_name?: string;
  shipping_line_short_name?: string;
  /** Company name of the linked party. */
  customer_name?: string | null;
  /** UN/LOCODE. */
  port_of_lading_locode?: string | null;
  port_of_lading_name?: string | null;
  /** UN/LOCODE. */
  port_of_discharge_locode?: string | null;
  port_of_discharge_name?: string | null;
  /** UN/LOCODE; `null` when there is no inland leg. */
  destination_locode?: string | null;
  /** May be set while `destination_locode` is `null`. */
  destination_name?: string | null;
  /** Vessel that calls at the port of discharge. */
  pod_vessel_name?: string | null;
  /** Seven digits. */
  pod_vessel_imo?: string | null;
  pod_voyage_number?: string | null;
  /** Estimated departure from the port of lading, in `pol_timezone`. Depends on the carrier. */
  pol_etd_at?: DateTime | null;
  /** Actual departure from the port of lading, in `pol_timezone`. */
  pol_atd_at?: DateTime | null;
  /** First reported departure estimate, in `pol_timezone`. */
  pol_original_etd_at?: DateTime | null;
  /** Current estimated arrival at the port of discharge, in `pod_timezone`. Often `null` once `pod_ata_at` is set. */
  pod_eta_at?: DateTime | null;
  /** First estimated arrival at the port of discharge, in `pod_timezone`. */
  pod_original_eta_at?: DateTime | null;
  /** Actual arrival at the port of discharge, in `pod_timezone`. */
  pod_ata_at?: DateTime | null;
  /** The carrier's estimate for the destination, in `destination_timezone`. For rail moves see `ind_eta_at` of the container. */
  destination_eta_at?: DateTime | null;
  /** First carrier estimate for the destination, in `destination_timezone`. */
  destination_original_eta_at?: DateTime | null;
  /** Actual arrival at the destination, in `destination_timezone`. For rail moves see `ind_ata_at` of the container. */
  destination_ata_at?: DateTime | null;
  /** IANA time zone of the port of lading. */
  pol_timezone?: string | null;
  /** IANA time zone of the port of discharge. */
  pod_timezone?: string | null;
  /** IANA time zone of the destination. */
  destination_timezone?: string | null;
  /** Last attempt to update from the shipping line. */
  line_tracking_last_attempted_at?: DateTime | null;
  /** Last successful update from the shipping line. */
  line_tracking_last_succeeded_at?: DateTime | null;
  /** When the service stopped asking the shipping line. */
  line_tracking_stopped_at?: DateTime | null;
  line_tracking_stopped_reason?: LineTrackingStoppedReason | null;
}

export interface ShipmentRelationships {
  port_of_lading: Ref<'port'> | null;
  port_of_discharge: Ref<'port'> | null;
  pod_terminal: Ref<'terminal'> | null;
  destination: Ref<'port' | 'metro_area'> | null;
  destination_terminal?: Ref<'terminal' | 'rail_terminal'> | null;
  line_tracking_stopped_by_user?: Ref<'user'> | null;
  containers: Ref<'container'>[];
}

/** What `shipments.update` can change. */
export interface ShipmentUpdate {
  ref_numbers?: readonly string[] | undefined;
  /** Without repetition. */
  tags?: readonly string[] | undefined;
}
