import type { IncludePath } from './include-path.ts';
import type { IncludeList, OptionalToOne, ToMany, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open } from './scalars.ts';

/**
 * One booking or bill of lading of a carrier, and its containers. It has no status of its own: that is on the containers.
 *
 * @example
 * type WithContainers = Shipment<['containers', 'port_of_lading']>;
 */
export interface Shipment<I extends IncludeList = []>
  extends ResourceRecord<'shipment', I>,
    ShipmentAttributes,
    ShipmentRelationships<I> {}

/** What `include` accepts on the shipment endpoints, and the relationships below it. */
export type ShipmentInclude = IncludePath<
  'shipment',
  'containers' | 'pod_terminal' | 'port_of_lading' | 'port_of_discharge' | 'destination' | 'destination_terminal'
>;

/**
 * Why the service has stopped to ask the shipping line; `null` while it still does.
 *
 * - `all_containers_terminated`: every empty container is back.
 * - `past_arrival_window`: the arrival at the destination is more than 56 days ago.
 * - `past_full_out_window`: too long after the containers have left the terminal.
 * - `no_updates_at_line`: nothing new from the carrier for more than 56 days.
 * - `cancelled_by_user`: by a person, or through `shipments.stopTracking`.
 * - `booking_cancelled`: the carrier has cancelled the booking.
 * - `account_closed`: the account has been closed.
 */
export type LineTrackingStoppedReason = Open<
  | 'all_containers_terminated'
  | 'past_arrival_window'
  | 'past_full_out_window'
  | 'no_updates_at_line'
  | 'cancelled_by_user'
  | 'booking_cancelled'
  | 'account_closed'
>;

/** The fields of a shipment. */
export interface ShipmentAttributes {
  /** When the record was made. */
  created_at: DateTime;
  /** Your own references. */
  ref_numbers: (string | null)[] | null;
  /** Your own labels. */
  tags?: string[];
  /** Number of the bill of lading or the booking, as it was tracked. */
  bill_of_lading_number: string;
  /** The number that the carrier is asked for, often without the SCAC at its beginning. */
  normalized_number?: string;
  /** SCAC of the carrier, four letters. */
  shipping_line_scac: string;
  /** Full name of the carrier. */
  shipping_line_name?: string;
  /** Short name of the carrier. */
  shipping_line_short_name?: string;
  /** Name of the party that the shipment is tracked for. */
  customer_name?: string | null;
  /** UN/LOCODE of the port of lading. */
  port_of_lading_locode?: string | null;
  /** Name of the port of lading. */
  port_of_lading_name?: string | null;
  /** UN/LOCODE of the port of discharge. */
  port_of_discharge_locode?: string | null;
  /** Name of the port of discharge. */
  port_of_discharge_name?: string | null;
  /** UN/LOCODE of the destination; `null` when there is no inland leg. */
  destination_locode?: string | null;
  /** Name of the destination. May be set while `destination_locode` is `null`. */
  destination_name?: string | null;
  /** Name of the vessel that arrives at the port of discharge. */
  pod_vessel_name?: string | null;
  /** IMO number of that vessel, seven digits. */
  pod_vessel_imo?: string | null;
  /** Voyage of that vessel. */
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
  /** When the service last asked the shipping line. */
  line_tracking_last_attempted_at?: DateTime | null;
  /** When the shipping line last answered. */
  line_tracking_last_succeeded_at?: DateTime | null;
  /** When the service has stopped to ask the shipping line; `null` while it still does. */
  line_tracking_stopped_at?: DateTime | null;
  /** Why the service has stopped to ask the shipping line; `null` while it still does. */
  line_tracking_stopped_reason?: LineTrackingStoppedReason | null;
}

/** What a shipment is related to. */
export interface ShipmentRelationships<I extends IncludeList = []> {
  /** The port where the containers are loaded on the first vessel. */
  port_of_lading: ToOne<I, 'port_of_lading', 'port'> | null;
  /** The port where the containers leave the last vessel. */
  port_of_discharge: ToOne<I, 'port_of_discharge', 'port'> | null;
  /** The terminal at the port of discharge; `null` until it is known. */
  pod_terminal: ToOne<I, 'pod_terminal', 'terminal'> | null;
  /** Where the carrier takes the containers after the port of discharge; `null` when there is no inland leg. */
  destination: ToOne<I, 'destination', 'port' | 'metro_area'> | null;
  /** The facility at the destination. */
  destination_terminal: OptionalToOne<I, 'destination_terminal', 'terminal' | 'rail_terminal'> | null;
  /** The person that has stopped the tracking; `null` where nobody has. */
  line_tracking_stopped_by_user: OptionalToOne<I, 'line_tracking_stopped_by_user', 'user'> | null;
  /** The containers; empty until the carrier has named them. */
  containers: ToMany<I, 'containers', 'container'>;
}

/** What `shipments.update` can change. */
export interface ShipmentUpdate {
  /** Your own references. They replace those before. */
  ref_numbers?: readonly string[] | undefined;
  /** Your own labels, without repetition. They replace those before. */
  tags?: readonly string[] | undefined;
}
