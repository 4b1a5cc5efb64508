import type { IncludePath } from './include-path.ts';
import type { IncludeList, OptionalToMany, OptionalToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { CalendarDate, DateTime, Open } from './scalars.ts';

/**
 * One box on one journey. The same number comes again, as another record, on the next journey.
 *
 * Arrival estimates, the bill of lading number and the names of ports and carrier are on the shipment: include `shipment`.
 */
export interface Container<I extends IncludeList = []>
  extends ResourceRecord<'container', I>,
    ContainerAttributes,
    ContainerRelationships<I> {}

/** What `include` accepts on the container endpoints, and the relationships below it. */
export type ContainerInclude = IncludePath<
  'container',
  'shipment' | 'pod_terminal' | 'pickup_facility' | 'transport_events'
>;

/** What kind of box it is. */
export type EquipmentType = Open<'dry' | 'reefer' | 'open top' | 'flat rack' | 'bulk' | 'tank'>;

/** How high the box is. `high_cube` is a foot higher. */
export type EquipmentHeight = Open<'standard' | 'high_cube'>;

/**
 * Where a container is on its journey. Steps can be skipped or reversed.
 *
 * - `new`: tracked, no milestone yet.
 * - `on_ship`: from loading on the first vessel to discharge, transshipments included.
 * - `grounded`: discharged or unloaded from the train; it is not known whether it can be picked up.
 * - `available`: can be picked up.
 * - `not_available`: held or not released by the terminal.
 * - `awaiting_inland_transfer`: discharged at the port, the inland leg is still to come.
 * - `on_rail`: on a train.
 * - `off_dock`: moved to another yard.
 * - `picked_up`: has left the terminal or the inland facility.
 * - `delivered`: marked so by a person.
 * - `empty_returned`: the empty container is back, tracking has ended.
 */
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
  /** Who or what holds the container. Upper and lower case differ. */
  name: Open<'freight' | 'customs' | 'USDA' | 'VACIS' | 'TMF' | 'other'>;
  /** `hold` is active, `pending` is expected. */
  status: Open<'hold' | 'pending'>;
  /** The terminal's own words. May be empty. */
  description: string | null;
}

/** What is to be paid before a container leaves its terminal. */
export interface TerminalFee {
  /** What the fee is for. `total` is the sum of the others, so do not add it to them. */
  type: Open<'demurrage' | 'exam' | 'extended_dwell_time' | 'other' | 'total'>;
  /** In units of `currency_code`. `0` means that there is no price yet. */
  amount: number;
  /** ISO 4217 code. Without it the currency is the local one. */
  currency_code?: string;
}

/** The last free days that the sources report: from the day after on, storage has to be paid. */
export interface ImportDeadlines {
  /** The shipping line's, in `final_destination_timezone` on inland moves, otherwise in `pod_timezone`. */
  pickup_lfd_line: DateTime | null;
  /** The terminal's, in `pod_timezone`. */
  pickup_lfd_terminal: DateTime | null;
  /** The railway's, in `final_destination_timezone`. Filled only for accounts with the rail plan. */
  pickup_lfd_rail: DateTime | null;
}

/** The fields of a container. */
export interface ContainerAttributes {
  /** Number of the box (ISO 6346): four letters and seven digits. `parseContainerNumber()` checks it. */
  number: string;
  /** Your own references. */
  ref_numbers?: string[] | null;
  /** What kind of box it is. */
  equipment_type: EquipmentType | null;
  /** Length in feet: 10, 20, 40 or 45. */
  equipment_length: number | null;
  /** How high the box is. */
  equipment_height: EquipmentHeight | null;
  /** Weight in pounds. `0` may stand for unknown. */
  weight_in_lbs: number | null;
  /** When the record was made. */
  created_at: DateTime;
  /** Number of the seal on its doors. May be empty. */
  seal_number: string | null;
  /** Where it is on its journey. */
  current_status?: ContainerStatus | null;
  /** Whether the terminal reports at all if containers can be picked up. */
  availability_known: boolean | null;
  /** Whether it can be picked up. Only where `availability_known` is `true`: see `isReadyForPickup()`. */
  available_for_pickup: boolean | null;
  /**
   * Last free day: the line's, else the terminal's, else the railway's. It is not the earliest of them. In `pod_timezone`
   * or, on inland moves, `final_destination_timezone`: see `lastFreeDay()`.
   */
  pickup_lfd: DateTime | null;
  /** Appointment to pick it up, in `pod_timezone`. */
  pickup_appointment_at?: DateTime | null;
  /** Arrival of the vessel at the port of discharge, in `pod_timezone`. */
  pod_arrived_at: DateTime | null;
  /** Discharge from the vessel, in `pod_timezone`. */
  pod_discharged_at: DateTime | null;
  /** Gate-out at the port of discharge, in `pod_timezone`. It does not tell whether the journey continues inland. */
  pod_full_out_at: DateTime | null;
  /** Number of the chassis that it left the port on. */
  pod_full_out_chassis_number?: string | null;
  /** Where in the terminal it stands, in the terminal's own words. May hold HTML. */
  location_at_pod_terminal?: string | null;
  /** Gate-out at the inland destination, in `final_destination_timezone`. */
  final_destination_full_out_at: DateTime | null;
  /** Return of the empty box, in `empty_terminated_timezone`. */
  empty_terminated_at: DateTime | null;
  /** When the service last asked the terminal and got an answer. */
  terminal_checked_at?: DateTime | null;
  /** What keeps it at the terminal or the inland facility; empty where nothing does. */
  holds_at_pod_terminal: TerminalHold[] | null;
  /** What is to be paid at the terminal or the inland facility; empty where nothing is. */
  fees_at_pod_terminal: TerminalFee[] | null;
  /** IANA time zone of the port of discharge. */
  pod_timezone: string | null;
  /** IANA time zone of the inland destination. */
  final_destination_timezone: string | null;
  /** IANA time zone of the place of the empty return. */
  empty_terminated_timezone: string | null;
  /** SCAC of the railway that takes it from the port. */
  pod_rail_carrier_scac?: string | null;
  /** SCAC of the railway that delivers it inland. */
  ind_rail_carrier_scac?: string | null;
  /** Loading on a train at the port, in `pod_timezone`. */
  pod_rail_loaded_at?: DateTime | null;
  /** Departure of that train, in `pod_timezone`. */
  pod_rail_departed_at?: DateTime | null;
  /** The railway's estimate for the inland destination, in `final_destination_timezone`. */
  ind_eta_at?: DateTime | null;
  /** Actual arrival at the inland destination, in `final_destination_timezone`. */
  ind_ata_at?: DateTime | null;
  /** Unloading from the train inland, in `final_destination_timezone`. */
  ind_rail_unloaded_at?: DateTime | null;
  /** @deprecated Read `import_deadlines.pickup_lfd_rail`. */
  ind_facility_lfd_on?: DateTime | CalendarDate | null;
  /** The last free day of each source. */
  import_deadlines?: ImportDeadlines | null;
  /** When the service last asked the terminal. */
  pod_last_tracking_request_at?: DateTime | null;
  /** When the service last asked the shipping line. */
  shipment_last_tracking_request_at?: DateTime | null;
  /** When the service last asked the railway. */
  rail_last_tracking_request_at?: DateTime | null;
  /** When a person has marked it as delivered. */
  delivered_at?: DateTime | null;
  /** Release of the empty box at the origin, which may be far from the port. No field has its zone. */
  empty_out_at?: DateTime | null;
  /** Gate-in of the full box at the port of lading, in `pol_timezone` of the shipment. */
  pol_full_in_at?: DateTime | null;
  /** Loading on the vessel at the port of lading, in `pol_timezone` of the shipment. */
  pol_vessel_loaded_at?: DateTime | null;
  /** Departure of that vessel, in `pol_timezone` of the shipment. */
  pol_vessel_departed_at?: DateTime | null;
  /** Holds at the inland facility. Not seen with a value. */
  ind_facility_holds?: unknown;
  /** Fees at the inland facility. Not seen with a value. */
  ind_facility_fees?: unknown;
  /** The carrier's last free day, by its name. Not seen with a value. */
  ssl_lfd?: unknown;
}

/** What a container is related to. */
export interface ContainerRelationships<I extends IncludeList = []> {
  /** The shipment that the container belongs to. */
  shipment: OptionalToOne<I, 'shipment', 'shipment'> | null;
  /** The terminal at the port of discharge; `null` until it is known. */
  pod_terminal: OptionalToOne<I, 'pod_terminal', 'terminal'> | null;
  /** Where the container is picked up: on inland moves the rail facility. `null` until it is known. */
  pickup_facility: OptionalToOne<I, 'pickup_facility', 'terminal'> | null;
  /** Its milestones, estimates and changes of deadlines. `milestones()` puts them in order. */
  transport_events: OptionalToMany<I, 'transport_events', 'transport_event'>;
  /** The carrier's own events: see `containers.rawEvents`, which may return fewer. */
  raw_events: OptionalToMany<I, 'raw_events', 'raw_event'>;
}

/** What `containers.update` can change. */
export interface ContainerUpdate {
  /** Your own references. They replace those before. */
  ref_numbers?: readonly string[] | undefined;
}
