import type { IncludePath, LinkedRecord } from '../jsonapi/include.ts';
import type { CalendarDate, DateTime, Open, Ref } from './model.ts';

/**
 * One box on one journey (SPEC.md, Container). The same number can exist as several records.
 *
 * Arrival estimates, the bill number and the names of ports and carrier are on the shipment: include `shipment`.
 */
export type Container<I = []> = LinkedRecord<'container', I>;

/** What `include` accepts on the container endpoints, and the relationships below it. */
export type ContainerInclude = IncludePath<
  'container',
  'shipment' | 'pod_terminal' | 'pickup_facility' | 'transport_events'
>;

export type EquipmentType = Open<'dry' | 'reefer' | 'open top' | 'flat rack' | 'bulk' | 'tank'>;

export type EquipmentHeight = Open<'standard' | 'high_cube'>;

/** Not strictly in order: steps can be skipped or reversed (api/resources.md, container). */
export type ContainerStatus = Open<
  | 'new'
  | 'on_ship'
  | 'grounded'
  | 'available'
  | 'not_available'
  | 'awaiting_inland_transfer'
  | 'on_rail'
  | 'off_dock'
  | 'picked_up'
  | 'delivered'
  | 'empty_returned'
  | 'dropped'
  | 'loaded'
>;

/** What keeps a container at its terminal. A hold that is released disappears from the list. */
export interface TerminalHold {
  /** Case-sensitive. */
  name: Open<'freight' | 'customs' | 'USDA' | 'VACIS' | 'TMF' | 'other'>;
  /** `hold` is active, `pending` is expected. */
  status: Open<'hold' | 'pending'>;
  /** Raw text of the terminal, may be empty. */
  description: string | null;
}

export interface TerminalFee {
  /** `total` overlaps the other items: leave it out of sums. */
  type: Open<'demurrage' | 'exam' | 'extended_dwell_time' | 'other' | 'total'>;
  /** In units of the local currency. `0` means not yet priced. */
  amount: number;
  /** ISO 4217. */
  currency_code?: string;
}

/** The last free days that the sources report. */
export interface ImportDeadlines {
  /** In `final_destination_timezone` or `pod_timezone`. */
  pickup_lfd_line: DateTime | null;
  /** In `pod_timezone`. */
  pickup_lfd_terminal: DateTime | null;
  /** In `final_destination_timezone`. Filled only for accounts with the rail plan. */
  pickup_lfd_rail: DateTime | null;
}

export interface ContainerAttributes {
  /** ISO 6346. */
  number: string;
  /** References given by the caller. */
  ref_numbers?: string[] | null;
  equipment_type: EquipmentType | null;
  /** Feet: 10, 20, 40 or 45. */
  equipment_length: number | null;
  equipment_height: EquipmentHeight | null;
  /** Pounds. `0` may stand for unknown. */
  weight_in_lbs: number | null;
  created_at: DateTime;
  /** May be empty. */
  seal_number: string | null;
  current_status?: ContainerStatus | null;
  /** Whether the terminal reports availability at all. */
  availability_known: boolean | null;
  /** Means something only where `availability_known` is true. */
  available_for_pickup: boolean | null;
  /** Last free day: the line's, else the terminal's, else the railway's. Not the earliest of them. */
  pickup_lfd: DateTime | null;
  /** In `pod_timezone`. */
  pickup_appointment_at?: DateTime | null;
  /** Vessel arrival at the port of discharge, in `pod_timezone`. */
  pod_arrived_at: DateTime | null;
  /** Discharge from the vessel, in `pod_timezone`. */
  pod_discharged_at: DateTime | null;
  /** Gate-out at the port of discharge, in `pod_timezone`. Says nothing about whether the move goes inland. */
  pod_full_out_at: DateTime | null;
  pod_full_out_chassis_number?: string | null;
  /** Raw text of the terminal. May hold HTML. */
  location_at_pod_terminal?: string | null;
  /** Gate-out at the inland destination, in `final_destination_timezone`. */
  final_destination_full_out_at: DateTime | null;
  /** Empty return, in `empty_terminated_timezone`. */
  empty_terminated_at: DateTime | null;
  /** Last check at the terminal. */
  terminal_checked_at?: DateTime | null;
  /** Also those of the inland facility. */
  holds_at_pod_terminal: TerminalHold[] | null;
  /** Also those of the inland facility. */
  fees_at_pod_terminal: TerminalFee[] | null;
  /** IANA time zone of the port of discharge. */
  pod_timezone: string | null;
  /** IANA time zone of the inland destination. */
  final_destination_timezone: string | null;
  /** IANA time zone of the place of the empty return. */
  empty_terminated_timezone: string | null;
  /** Railway that takes the container from the port. */
  pod_rail_carrier_scac?: string | null;
  /** Railway that delivers it inland. */
  ind_rail_carrier_scac?: string | null;
  /** In `pod_timezone`. */
  pod_rail_loaded_at?: DateTime | null;
  /** In `pod_timezone`. */
  pod_rail_departed_at?: DateTime | null;
  /** The railway's estimate for the inland destination, in `final_destination_timezone`. */
  ind_eta_at?: DateTime | null;
  /** Actual arrival at the inland destination, in `final_destination_timezone`. */
  ind_ata_at?: DateTime | null;
  /** In `final_destination_timezone`. */
  ind_rail_unloaded_at?: DateTime | null;
  /** @deprecated Read `import_deadlines.pickup_lfd_rail`. */
  ind_facility_lfd_on?: DateTime | CalendarDate | null;
  import_deadlines?: ImportDeadlines | null;
  /** Last request to the terminal. */
  pod_last_tracking_request_at?: DateTime | null;
  /** Last request to the shipping line. */
  shipment_last_tracking_request_at?: DateTime | null;
  /** Last request to the railway. */
  rail_last_tracking_request_at?: DateTime | null;
  /** Set when a person marks the delivery. */
  delivered_at?: DateTime | null;
  /** Release of the empty container at origin. */
  empty_out_at?: DateTime | null;
  /** Gate-in of the full container at the port of lading. */
  pol_full_in_at?: DateTime | null;
  pol_vessel_loaded_at?: DateTime | null;
  pol_vessel_departed_at?: DateTime | null;
  /** Shape not known. */
  ind_facility_holds?: unknown;
  /** Shape not known. */
  ind_facility_fees?: unknown;
  /** The carrier's last free day, by its name. Shape not known. */
  ssl_lfd?: unknown;
}

export interface ContainerRelationships {
  shipment?: Ref<'shipment'> | null;
  pod_terminal?: Ref<'terminal'> | null;
  /** On inland moves the rail facility. */
  pickup_facility?: Ref<'terminal'> | null;
  transport_events?: Ref<'transport_event'>[];
  /** May name events that the raw events endpoint does not return. */
  raw_events?: Ref<'raw_event'>[];
}

/** What `containers.update` can change. */
export interface ContainerUpdate {
  ref_numbers?: readonly string[] | undefined;
}
