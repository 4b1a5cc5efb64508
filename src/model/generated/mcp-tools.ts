// Written by `npm run generate` from description/. Do not edit.

import type { Open } from '../scalars.ts';

/** Every tool takes it. */
export interface Intent {
  /** Why the tool is called, at most 200 characters. The service keeps it and does not pass it on. */
  intent?: string | undefined;
}

/** Which page of a list. */
export interface PageArguments extends Intent {
  /** The page, from 1. @default 1 */
  page?: number | undefined;
  /** Rows of a page. The service takes 100 for a higher number. @default 25 */
  page_size?: number | undefined;
}

/** Arguments of `search_container`. */
export interface SearchContainerArguments extends Intent {
  /** A container number, bill of lading, booking number or reference. */
  query: string;
}

/** Arguments of `track_container`. */
export interface TrackContainerArguments extends Intent {
  /** The number to track. */
  number: string;
  /** What kind of number it is. @default the service infers it */
  numberType?: Open<'container' | 'bill_of_lading' | 'booking_number'> | undefined;
  /** SCAC of the carrier. @default the service infers it */
  scac?: string | undefined;
  /** Your references, kept with the shipment. */
  refNumbers?: readonly string[] | undefined;
}

/** Arguments of `get_container`. */
export interface GetContainerArguments extends Intent {
  /** Id of the container. */
  id: string;
  /** What else to load. The shipment and the terminal always come. @default ['shipment'] */
  include?: readonly ('shipment' | 'pod_terminal' | 'transport_events')[] | undefined;
}

/** Arguments of `get_shipment_details`. */
export interface GetShipmentDetailsArguments extends Intent {
  /** Id of the shipment. */
  id: string;
  /** Whether to list the containers. @default true */
  include_containers?: boolean | undefined;
}

/** Arguments of `get_container_transport_events` and `get_container_route`. */
export interface ContainerIdArguments extends Intent {
  /** Id of the container. */
  id: string;
}

/** Arguments of `get_supported_shipping_lines`. */
export interface GetSupportedShippingLinesArguments extends Intent {
  /** Part of a SCAC or of a name, in any case. @default all carriers */
  search?: string | undefined;
}

/** Arguments of `list_shipments`. */
export interface ListShipmentsArguments extends PageArguments {
  /** A status. The service may not apply it: see `unsupportedFilters`. */
  status?: string | undefined;
  /** A port. The service may not apply it: see `unsupportedFilters`. */
  port?: string | undefined;
  /** A carrier. The service may not apply it: see `unsupportedFilters`. */
  carrier?: string | undefined;
  /** An ISO 8601 date or date-time. The service may not apply it: see `unsupportedFilters`. */
  updated_after?: string | undefined;
  /** Whether each row lists its containers. @default false */
  include_containers?: boolean | undefined;
  /** The number of a shipment. */
  number?: string | undefined;
  /** Only those whose tracking has stopped, or has not. */
  tracking_stopped?: boolean | undefined;
}

/** Arguments of `list_containers`. */
export interface ListContainersArguments extends PageArguments {
  /** A status. The service may not apply it: see `unsupportedFilters`. */
  status?: string | undefined;
  /** A port. The service may not apply it: see `unsupportedFilters`. */
  port?: string | undefined;
  /** A carrier. The service may not apply it: see `unsupportedFilters`. */
  carrier?: string | undefined;
  /** An ISO 8601 date or date-time. The service may not apply it: see `unsupportedFilters`. */
  updated_after?: string | undefined;
  /** What to load with each row, separated by commas. @default 'shipment,pod_terminal,pickup_facility' */
  include?: string | undefined;
}

/** Arguments of `list_tracking_requests`. */
export interface ListTrackingRequestsArguments extends PageArguments {
  /** Query parameters of the service as they are, such as `{ 'filter[scac]': 'MAEU' }`. */
  filters?: Readonly<Record<string, string>> | undefined;
  /** A status, such as `failed`. */
  status?: string | undefined;
  /** A kind of number. The service cannot apply it, and says so. */
  request_type?: string | undefined;
}

/** How to read a result. It is guidance for a model, not content. */
export interface ResponseContract {
  /** What the result is for. */
  purpose: string;
  /** Questions that it answers. */
  can_answer: string[];
  /** Questions that need another call. */
  requires_more_data: string[];
  /** The fields that matter most. */
  relevant_fields: string[];
  /** How to present it. */
  presentation_guidance: string;
  /** What a person is likely to ask next. */
  suggested_follow_ups: string[];
  /** The tools for that. */
  suggested_tools: string[];
  /** How to show a list. Of the list tools only. */
  display?: Record<string, unknown>;
  /** Arguments that had no effect. Of the list tools, where there were some. */
  dropped_filters?: string[];
  /** Whether `meta.total` is exact. Of the list tools, where it is known. */
  total_is_reliable?: boolean;
}

/** Every result of a tool. */
export interface ToolResult {
  /** How to read the result. */
  _response_contract?: ResponseContract;
}

/** Beside the data: what kind of data it is, and how to present it. */
export interface ResultMetadata {
  /** How to present the result. */
  presentation_guidance?: string;
  [name: string]: unknown;
}

/** A result that says why there is no data. It is not an error of the call. */
export interface Unavailable<Reason extends string> extends ToolResult {
  /** Why. */
  error: Reason;
  /** The same for people. */
  message: string;
  /** What to do instead. */
  alternative?: string;
  /** Beside the data. */
  _metadata?: ResultMetadata;
}

/** A terminal. */
export interface TerminalSummary {
  /** Id of the terminal. */
  id: string;
  /** Its name. */
  name: string | null;
  /** Its FIRMS code. */
  firms_code: string | null;
}

/** What was found by `search_container`. */
export interface SearchContainerResult extends ToolResult {
  /** Containers whose numbers match. */
  containers: FoundContainer[];
  /** Shipments whose numbers match. */
  shipments: FoundShipment[];
  /** How many there are of both. */
  total_results: number;
}

/** A container that a search found. */
export interface FoundContainer {
  /** Id of the container. */
  id: string;
  /** Its number. */
  container_number: string;
  /** Its state; usually `unknown`, because a search does not look for it. */
  status: string;
  /** SCAC of the carrier, or `Unknown`. */
  shipping_line: string;
  /** Where it is discharged. */
  pod_terminal?: string | null;
  /** Where it is loaded. */
  pol_terminal?: string | null;
  /** Where it goes. */
  destination?: string | null;
  /** Whether several containers have this number, one for each journey. */
  duplicate_number?: boolean;
}

/** A shipment that a search found. */
export interface FoundShipment {
  /** Id of the shipment. */
  id: string;
  /** Your references. */
  ref_numbers: string[];
  /** SCAC of the carrier, or `Unknown`. */
  shipping_line: string;
  /** How many containers it has. */
  container_count: number;
}

/** A container, as `get_container` gives it. */
export interface ContainerDetails extends ToolResult {
  /** Id of the container. */
  id: string;
  /** Its number. */
  container_number: string;
  /** When the service made the record. */
  created_at: string | null;
  /** Its state. */
  status: string;
  /** Whether the state is the service's own, or follows from milestones. */
  status_source: Open<'current_status' | 'derived'>;
  /** What kind of box it is. */
  equipment: {
    /** Kind of box. */
    type: string | null;
    /** Length in feet. */
    length: number | null;
    /** `standard` or `high_cube`. */
    height: string | null;
    /** Weight in pounds. */
    weight_lbs: number | null;
  };
  /** Where it is. `*_local` is text in the time zone of the port, or `N/A`. */
  location: {
    /** Place in the yard of the terminal. */
    current_location: string | null;
    /** Whether it can be picked up. */
    available_for_pickup: boolean | null;
    /** Whether the terminal tells so. */
    availability_known: boolean | null;
    /** Arrival at the port of discharge. */
    pod_arrived_at: string | null;
    /** The same as text. */
    pod_arrived_at_local: string;
    /** Discharge there. */
    pod_discharged_at: string | null;
    /** The same as text. */
    pod_discharged_at_local: string;
    /** IANA time zone of the port of discharge. */
    pod_timezone: string | null;
  };
  /** Whether it can be picked up. The server of this package gives it; the hosted endpoint may not. */
  pickup?: {
    /** `unknown` is not a no: nobody has said so. */
    possible: Open<'yes' | 'no' | 'unknown'>;
    /** Why not, or why that is not known. */
    reasons: string[];
  };
  /**
   * Where it is on its journey. The server of this package gives it; the hosted endpoint may not. `*_local` as above.
   */
  journey?: {
    /** The stage, as `containerState()` of the main entry names it. */
    stage: string;
    /** When it left the last terminal, full. It is not the delivery. */
    gate_out_at: string | null;
    /** The same as text. */
    gate_out_at_local: string;
    /** `port` or `inland`. */
    gate_out_from: string | null;
    /** When a person marked it as delivered. */
    delivered_at: string | null;
    /** The same as text. */
    delivered_at_local: string;
    /** When the empty container came back. */
    empty_returned_at: string | null;
    /** The same as text. */
    empty_returned_at_local: string;
  };
  /** Until when it is free at the terminal, and what it costs. */
  demurrage: Demurrage;
  /** Its journey on rails. */
  rail: {
    /** SCAC of the railway. */
    pod_rail_carrier: string | null;
    /** When it was loaded on a train. */
    pod_rail_loaded_at: string | null;
    /** Expected arrival at the inland destination. */
    destination_eta: string | null;
    /** Arrival there. */
    destination_ata: string | null;
  };
  /** The shipment that it belongs to. */
  shipment: {
    /** Its id. */
    id: string;
    /** Your references. */
    ref_numbers: string[] | null;
    /** From the carrier. */
    line: string | null;
    /** Name of the carrier. */
    shipping_line_name?: string | null;
    /** Port of lading. */
    port_of_lading_name?: string | null;
    /** Port of discharge. */
    port_of_discharge_name?: string | null;
    /** Destination. */
    destination_name?: string | null;
  } | null;
  /** The terminal at the port of discharge. */
  pod_terminal: TerminalSummary | null;
  /** A summary where `transport_events` was requested, else a hint or nothing. */
  events?:
    | string
    | {
        /** How many there are. */
        count: number;
        /** How many of them are of the railway. */
        rail_events_count?: number;
        /** The last of them. */
        latest_event?: {
          /** What happened. */
          event: string;
          /** When it happened, or is expected. */
          timestamp: string | null;
          /** Where. */
          location?: string | null;
        };
      };
  /** Beside the data. */
  _metadata: ContainerMetadata;
}

/** Deadlines, fees and holds of a container. */
export interface Demurrage {
  /** The last free day. */
  pickup_lfd: string | null;
  /** The same as text in the time zone of the port, or `N/A`. */
  pickup_lfd_local: string;
  /** The last free day by its source. */
  last_free_days: {
    /** The terminal. */
    terminal: string | null;
    /** From the railway. */
    rail: string | null;
    /** From the carrier. */
    line: string | null;
  };
  /** The appointment at the terminal. */
  pickup_appointment_at: string | null;
  /** What the terminal charges. */
  fees_at_pod_terminal: unknown[] | null;
  /** The sum of that; `null` where fees are not known. */
  fees_total_amount: number | null;
  /** Its currency, where all fees have the same. */
  fees_currency_code: string | null;
  /** What keeps the container at the terminal. */
  holds_at_pod_terminal: unknown[] | null;
  /** How close the last free day is: `imminent` from three days before. */
  urgency: Open<'overdue' | 'imminent' | 'none' | 'unknown'>;
  /** Whose day the last free day is: `line` or `facility`. Not in every edition. */
  pickup_lfd_source?: string | null;
  /** The last free day by the calendar of the port. Not in every edition. */
  pickup_lfd_local_date?: string | null;
  /** Whether the data is too old to tell. */
  urgency_suppressed: boolean;
  /** Why. */
  urgency_reason: string | null;
  /** Days until the last free day, by the calendar of the port. */
  days_until_lfd: number | null;
}

/** What the result of `get_container` says of itself. */
export interface ContainerMetadata extends ResultMetadata {
  /** The state that follows from the milestones. */
  container_state: string;
  /** Whether `status` is the service's own. */
  status_is_authoritative: boolean;
  /** The step of the journey that follows from the milestones. */
  derived_lifecycle: string;
  /** What was loaded. */
  includes_loaded: string[];
  /** Questions that it answers. */
  can_answer?: string[];
  /** Questions that need another call. */
  needs_more_data_for?: string[];
  /** The fields that matter in this state. */
  relevant_for_current_state?: string[];
}

/**
 * How `track_container` knew the kind of number and the carrier. Servers answer in three forms: both with their
 * `source`; the `data` of `trackingRequests.inferNumber`; or a `fallback`, where the tracking request was made without
 * that.
 */
export interface InferResult {
  /** The kind of number. */
  inferred_type?: string | null;
  /** SCAC of the carrier. */
  selected_scac?: string | null;
  /** Where both come from. */
  source?: string;
  /** The answer of `trackingRequests.inferNumber`, as the service sends it. */
  data?: Record<string, unknown>;
  /** What was done in place of an inference. */
  fallback?: string;
  /** Why. */
  reason?: string;
}

/**
 * The answer of `track_container`: tell its cases apart by `error`, `tracking_request`, `container_number` and
 * `containers`.
 */
export type TrackContainerResult =
  | TrackedContainer
  | TrackingStarted
  | TrackedShipment
  | TrackedAlready
  | NotTracked
  | ContainerUnavailable;

/** The container is known: it was tracked already, or is since this call. */
export interface TrackedContainer extends ContainerDetails {
  /** Why there is no data, where there is none. */
  error?: undefined;
  /** What was created, where something was. */
  tracking_request?: undefined;
  /** The containers of the shipment, where there is not exactly one. */
  containers?: undefined;
  /** Whether this call has started the tracking. */
  tracking_request_created: boolean;
  /** How the kind of number and the carrier were known. */
  infer_result: InferResult;
}

/** Tracking has begun, with this call or before it. The container comes later: usually within minutes. */
export interface TrackingStarted extends ToolResult {
  /** Why there is no data, where there is none. */
  error?: undefined;
  /** Number of the container, where it is known. */
  container_number?: undefined;
  /** The containers of the shipment, where there is not exactly one. */
  containers?: undefined;
  /** Whether this call has started the tracking. */
  tracking_request_created: boolean;
  /** How the kind of number and the carrier were known, where this call has started the tracking. */
  infer_result?: InferResult | undefined;
  /** What was created. */
  tracking_request: {
    /** The number that is tracked. */
    request_number: string;
    /** Kind of number. */
    number_type?: string | null;
    /** SCAC of the carrier. */
    scac?: string | null;
    /** Id of the container. */
    container_id?: string | null;
  };
  /** Beside the data. */
  _metadata: ResultMetadata;
}

/** The number is tracked already, and is that of a shipment with no container yet, or with several. */
export interface TrackedShipment extends ToolResult {
  /** Why there is no data, where there is none. */
  error?: undefined;
  /** What was created, where something was. */
  tracking_request?: undefined;
  /** Number of the container, where it is known. */
  container_number?: undefined;
  /** Whether this call has started the tracking. */
  tracking_request_created: false;
  /** How the kind of number and the carrier were known. */
  infer_result?: InferResult | undefined;
  /** The shipment. */
  shipment: {
    /** Its id. */
    id: string;
    /** The number of its bill of lading. */
    bill_of_lading: string | null;
    /** SCAC of the carrier. */
    line: string | null;
  };
  /** Its containers. */
  containers: {
    /** Its id. */
    id: string;
    /** Its number. */
    number: string | null;
  }[];
  /** Beside the data. */
  _metadata: ResultMetadata;
}

/** The number is tracked already, and the service does not say more. */
export interface TrackedAlready extends ToolResult {
  /** Why there is no data, where there is none. */
  error?: undefined;
  /** What was created, where something was. */
  tracking_request?: undefined;
  /** Number of the container, where it is known. */
  container_number?: undefined;
  /** The containers of the shipment, where there is not exactly one. */
  containers?: undefined;
  /** Whether this call has started the tracking. */
  tracking_request_created: false;
  /** How the kind of number and the carrier were known. */
  infer_result?: InferResult | undefined;
  /** Beside the data. */
  _metadata: ResultMetadata;
}

/** Nothing was found, and nothing created. */
export interface NotTracked extends Unavailable<'NotFound'> {
  /** What was created, where something was. */
  tracking_request?: undefined;
  /** Number of the container, where it is known. */
  container_number?: undefined;
  /** The containers of the shipment, where there is not exactly one. */
  containers?: undefined;
  /** Whether this call has started the tracking. */
  tracking_request_created: false;
}

/** The container is tracked, and cannot be read yet. */
export interface ContainerUnavailable extends Unavailable<'ContainerUnavailable'> {
  /** What was created, where something was. */
  tracking_request?: undefined;
  /** Number of the container, where it is known. */
  container_number?: undefined;
  /** The containers of the shipment, where there is not exactly one. */
  containers?: undefined;
  /** Whether this call has started the tracking. */
  tracking_request_created: false;
  /** The container. */
  container: {
    /** Its id. */
    id: string;
  };
}

/** The timeline of a container, as `get_container_transport_events` gives it. */
export interface ContainerTimeline extends ToolResult {
  /** How many events there are. */
  total_events: number;
  /** How many there are of each kind. */
  event_categories: {
    /** Events of ships. */
    vessel_events: number;
    /** Events of trains. */
    rail_events: number;
    /** Events of trucks. */
    truck_events: number;
    /** Events of terminals. */
    terminal_events: number;
    /** All others. */
    other_events: number;
  };
  /** The events, the oldest first. */
  timeline: {
    /** What happened. */
    event: string;
    /** When it happened, or is expected. */
    timestamp: string | null;
    /** IANA time zone of the place. */
    timezone?: string | null;
    /** Voyage of the ship. */
    voyage_number?: string | null;
    /** Where. */
    location: {
      /** Its name. */
      name?: string | null;
      /** Its code. */
      code?: string | null;
      /** Kind of box. */
      type?: string | null;
    } | null;
  }[];
  /** When the main steps happened. What has not happened is missing. */
  milestones: {
    /** Loaded on a ship. */
    vessel_loaded_at?: string | null;
    /** Departure of the ship. */
    vessel_departed_at?: string | null;
    /** Arrival of the ship. */
    vessel_arrived_at?: string | null;
    /** Discharge. */
    discharged_at?: string | null;
    /** Loaded on a train. */
    rail_loaded_at?: string | null;
    /** Departure of the train. */
    rail_departed_at?: string | null;
    /** Arrival of the train. */
    rail_arrived_at?: string | null;
    /** Has left a terminal, full. The server of this package gives it; the hosted endpoint may not. */
    gate_out_at?: string | null;
    /** Marked as delivered by a person. Of the hosted endpoint it may be the time of the gate-out. */
    delivered_at?: string | null;
    /** Return of the empty container. The server of this package gives it; the hosted endpoint may not. */
    empty_returned_at?: string | null;
  };
  /** Beside the data. */
  _metadata: ResultMetadata;
}

/** The answer of `get_container_route`: a route, or why there is none. */
export type ContainerRouteResult = ContainerRoute | Unavailable<'FeatureNotEnabled' | 'NotFound'>;

/** The route of a container from place to place. */
export interface ContainerRoute extends ToolResult {
  /** Why there is no data, where there is none. */
  error?: undefined;
  /** Id of the route. */
  route_id: string;
  /** How many places it has. */
  total_legs: number;
  /** The places in order. */
  route_locations: {
    /** The place; `null` where it is not known. */
    port: {
      /** Its code. */
      code: string | null;
      /** Its name. */
      name: string | null;
      /** City. */
      city: string | null;
      /** Two letters. */
      country_code: string | null;
    } | null;
    /** How it comes; empty at the first place. */
    inbound: {
      /** `vessel`, `rail` or another. */
      mode: string | null;
      /** SCAC of who carries it. */
      carrier_scac: string | null;
      /** The ship. */
      vessel: {
        /** Its name. */
        name: string | null;
        /** IMO number. */
        imo: string | null;
      } | null;
      /** Expected arrival. */
      eta: string | null;
      /** Arrival. */
      ata: string | null;
    };
    /** How it leaves; empty at the last place. */
    outbound: {
      /** `vessel`, `rail` or another. */
      mode: string | null;
      /** SCAC of who carries it. */
      carrier_scac: string | null;
      /** The ship. */
      vessel: {
        /** Its name. */
        name: string | null;
        /** IMO number. */
        imo: string | null;
      } | null;
      /** Expected departure. */
      etd: string | null;
      /** Departure. */
      atd: string | null;
    };
  }[];
  /** When the service made the route. */
  created_at: string | null;
  /** When the service last changed it. */
  updated_at: string | null;
  /** Beside the data. */
  _metadata: ResultMetadata;
}

/** A shipment, as `get_shipment_details` gives it. A value that is not known is `null` or absent. */
export interface ShipmentDetails extends ToolResult {
  /** Id of the shipment. */
  id: string;
  /** The number of its bill of lading. */
  bill_of_lading?: string | null;
  /** The number as the carrier knows it. */
  normalized_number?: string | null;
  /** How far it is, by its departures and arrivals. */
  status: Open<'pending' | 'awaiting_departure' | 'in_transit' | 'arrived_at_pod' | 'delivered_to_destination'>;
  /** The carrier. */
  shipping_line: {
    /** SCAC of the carrier. */
    scac?: string | null;
    /** Its name. */
    name?: string | null;
    /** Short name. */
    short_name?: string | null;
  };
  /** Your customer. */
  customer_name?: string | null;
  /** Your references. */
  reference_numbers?: string[] | null;
  /** Your tags. */
  tags?: string[] | null;
  /** Where it goes. */
  routing: {
    /** Where it is loaded. */
    port_of_lading: {
      /** UN/LOCODE. */
      locode?: string | null;
      /** Its name. */
      name?: string | null;
      /** IANA time zone of the place. */
      timezone?: string | null;
      /** The port as a record. */
      port_details?: {
        /** Its id. */
        id: string;
        /** Its code. */
        code: string | null;
        /** Two letters. */
        country_code: string | null;
      } | null;
      /** Expected departure. */
      etd?: string | null;
      /** Departure. */
      atd?: string | null;
    };
    /** Where it is discharged. */
    port_of_discharge: {
      /** UN/LOCODE. */
      locode?: string | null;
      /** Its name. */
      name?: string | null;
      /** IANA time zone of the place. */
      timezone?: string | null;
      /** The port as a record. */
      port_details?: {
        /** Its id. */
        id: string;
        /** Its code. */
        code: string | null;
        /** Two letters. */
        country_code: string | null;
      } | null;
      /** Expected arrival. */
      eta?: string | null;
      /** Arrival. */
      ata?: string | null;
      /** The first expected arrival. */
      original_eta?: string | null;
      /** The terminal. */
      terminal?: ShipmentTerminal | null;
    };
    /** Where it ends; `null` if that is the port of discharge. */
    destination: {
      /** UN/LOCODE. */
      locode?: string | null;
      /** Its name. */
      name?: string | null;
      /** IANA time zone of the place. */
      timezone?: string | null;
      /** Expected arrival. */
      eta?: string | null;
      /** Arrival. */
      ata?: string | null;
      /** The terminal. */
      terminal?: ShipmentTerminal | null;
    } | null;
  };
  /** The ship that brings it to the port of discharge. */
  vessel_at_pod: {
    /** Its name. */
    name?: string | null;
    /** IMO number. */
    imo?: string | null;
    /** Voyage of the ship. */
    voyage_number?: string | null;
  };
  /** Its containers, or a hint where they were not asked for. */
  containers:
    | string
    | {
        /** How many there are. */
        count: number;
        /** The containers. */
        containers: ShipmentContainer[];
      };
  /** How the service keeps it up to date. */
  tracking: {
    /** Last try to read from the carrier. */
    line_tracking_last_attempted_at?: string | null;
    /** Last success. */
    line_tracking_last_succeeded_at?: string | null;
    /** When that ended. */
    line_tracking_stopped_at?: string | null;
    /** Why. */
    line_tracking_stopped_reason?: string | null;
  };
  /** When the service made the record. */
  created_at?: string | null;
  /** The service does not send it. */
  updated_at?: string | null;
  /** Beside the data. */
  _metadata: ResultMetadata;
}

/** A terminal of a shipment. */
export interface ShipmentTerminal extends TerminalSummary {
  /** Short name. */
  nickname?: string | null;
}

/** A container of a shipment. */
export interface ShipmentContainer {
  /** Id of the container. */
  id: string;
  /** Its number. */
  number?: string | null;
  /** What kind of box it is. */
  equipment_type?: string | null;
  /** Its length in feet. */
  equipment_length?: number | null;
  /** Whether it can be picked up. */
  available_for_pickup?: boolean | null;
  /** When it arrived at the port of discharge. */
  pod_arrived_at?: string | null;
  /** When it was discharged. */
  pod_discharged_at?: string | null;
  /** Its last free day. */
  pickup_lfd?: string | null;
}

/** The carriers, as `get_supported_shipping_lines` gives them. */
export interface ShippingLines extends ToolResult {
  /** How many there are. */
  total_lines: number;
  /** The carriers by name. */
  shipping_lines: {
    /** SCAC of the carrier. */
    scac: string;
    /** Its name. */
    name: string;
    /** Short name. */
    short_name?: string | null;
    /** Prefix of its bills of lading. */
    bol_prefix?: string | null;
    /** What else is known. */
    notes?: string | null;
  }[];
  /** Beside the data; `error` and `remediation` where the list could not be read. */
  _metadata: ResultMetadata & {
    /** Why there is no data, where there is none. */
    error?: string;
    /** What to do about it. */
    remediation?: string;
  };
}

/** One page of a list. */
export interface ListResult<Row> extends ToolResult {
  /** The rows. */
  items: Row[];
  /** Addresses of other pages, as the service's REST interface has them. */
  links?: Record<string, string | null>;
  /** What the service says of the list, such as `total`. */
  meta?: Record<string, unknown>;
  /** Arguments that had no effect. */
  unsupportedFilters?: string[];
  /** How the list was read. */
  _metadata?: {
    /** The filters as they were sent, defaults included. */
    applied_filters?: Record<string, unknown>;
    /** What the list is sorted by. */
    sort?: string | null;
    /** Number of the page. */
    page?: number;
    /** Rows a page. */
    page_size?: number;
    /** Whether there is a next page; `null` if that is not known. */
    has_more?: boolean | null;
    /** Number of the next page. Missing at the end. */
    next_page?: number;
    [name: string]: unknown;
  };
}

/**
 * A row of `list_containers`, in one of two forms. A full row has keys in camelCase and null where a value is missing.
 * A compact row has the attributes of the service and leaves out what has no value; `holds: []` means that there is
 * none.
 */
export interface ContainerRow {
  /** Id of the container. */
  id: string;
  /** Its number. */
  number: string | null;
  /** Its state. */
  status: string | null;
  /** Its state in the service's own words. */
  currentStatus?: string | null;
  /** Kind of box. */
  equipment?: {
    /** Kind of box. */
    type: string | null;
    /** Length in feet. */
    length: number | null;
    /** `standard` or `high_cube`. */
    height: string | null;
    /** Weight in pounds. */
    weightLbs: number | null;
  };
  /** Where. */
  location?: {
    /** Place in the yard of the terminal. */
    currentLocation: string | null;
    /** Whether it can be picked up. */
    availableForPickup: boolean | null;
    /** Arrival at the port of discharge. */
    podArrivedAt: string | null;
    /** Discharge there. */
    podDischargedAt: string | null;
  };
  /** Deadlines, fees and holds. */
  demurrage?: {
    /** Last free day. */
    pickupLfd: string | null;
    /** Appointment at the terminal. */
    pickupAppointmentAt: string | null;
    /** What the terminal charges. */
    fees: unknown[] | null;
    /** What keeps it there. */
    holds: unknown[] | null;
  };
  /** The terminals. */
  terminals?: {
    /** At the port of discharge. */
    podTerminal: RowTerminal | null;
    /** Where it is picked up. */
    destinationTerminal: RowTerminal | null;
  };
  /** From the railway. */
  rail?: Record<string, string | null>;
  /** Empty in a list. */
  events?: unknown[];
  /** The shipment. */
  shipment?: {
    /** Its id. */
    id: string;
    /** Number of the bill of lading. */
    billOfLading?: string | null;
    /** SCAC of the carrier. */
    shippingLineScac?: string | null;
    /** The same in a compact row. */
    bill_of_lading?: string | null;
    /** The same in a compact row. */
    shipping_line_scac?: string | null;
    /** Name of the port, in a compact row. */
    port_of_discharge?: string | null;
    /** Name of the ship to it, in a compact row. */
    pod_vessel?: string | null;
    /** Expected arrival there, in a compact row. */
    pod_eta_at?: string | null;
    /** Arrival there, in a compact row. */
    pod_ata_at?: string | null;
  } | null;
  /** Whether it can be picked up, in a compact row. */
  available_for_pickup?: boolean | null;
  /** Name of the terminal at the port of discharge, in a compact row. */
  pod_terminal?: string | null;
  /** Last free day, in a compact row. */
  pickup_lfd?: string | null;
  /** What keeps it at the terminal, in a compact row. Missing if it is not known. */
  holds?: {
    /** Who or what holds it. */
    name: string;
    /** The same in words. */
    description?: string | null;
  }[];
  /** What the terminal charges, in a compact row. Missing if it is not known. */
  fees?: {
    /** What for. */
    type: string;
    /** How much. */
    amount: number | null;
    /** ISO 4217 code. */
    currency?: string | null;
  }[];
  /** IANA time zone of the port of discharge, in a compact row. */
  pod_timezone?: string | null;
  [name: string]: unknown;
}

/** The terminal of a row. */
export interface RowTerminal {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string | null;
  /** Short name. */
  nickname: string | null;
  /** FIRMS code. */
  firmsCode: string | null;
}

/** A row of `list_shipments`. Other attributes come too. A server may write all names in snake_case. */
export interface ShipmentRow {
  /** Id of the shipment. */
  id: string;
  /** The number of its bill of lading. */
  billOfLading?: string | null;
  /** SCAC of the carrier. */
  shippingLineScac?: string | null;
  /** Your customer. */
  customerName?: string | null;
  /** Its containers. */
  containers?: {
    /** Its id. */
    id: string;
    /** Its number. */
    number: string | null;
  }[];
  /** Your references. */
  refNumbers?: string[] | null;
  /** Your tags. */
  tags?: string[] | null;
  /** The ship to the port of discharge. */
  vesselAtPod?: Record<string, string | null> | null;
  /** The ports. */
  ports?: Record<string, unknown>;
  /** How the service keeps it up to date. */
  tracking?: Record<string, string | null>;
  [name: string]: unknown;
}

/** A row of `list_tracking_requests`. A server may write all names in snake_case. */
export interface TrackingRequestRow {
  /** Id of the tracking request. */
  id: string;
  /** The kind of number. */
  requestType?: string | null;
  /** The number. */
  requestNumber?: string | null;
  /** How far it is, such as `pending`, `created` or `failed`. */
  status: string | null;
  /** SCAC of the carrier. */
  scac?: string | null;
  /** Your references. */
  refNumbers?: string[] | null;
  /** The shipment that came of it. */
  shipment?: unknown;
  /** The container that came of it. */
  container?: unknown;
  /** Tags for the shipment. */
  shipmentTags?: string[] | null;
  /** When it was created. */
  createdAt?: string | null;
  /** When it last changed. */
  updatedAt?: string | null;
  /** Why it failed. */
  failedReason?: string | null;
  /** Whether the service tries again. */
  isRetrying?: boolean | null;
  /** How often it did. */
  retryCount?: number | null;
  [name: string]: unknown;
}

/** The tools of the service, each with its arguments and its result. */
export interface Tools {
  /** See `searchContainer`. */
  search_container: [SearchContainerArguments, SearchContainerResult];
  /** See `trackContainer`. */
  track_container: [TrackContainerArguments, TrackContainerResult];
  /** See `getContainer`. */
  get_container: [GetContainerArguments, ContainerDetails];
  /** See `getShipmentDetails`. */
  get_shipment_details: [GetShipmentDetailsArguments, ShipmentDetails];
  /** See `getContainerTransportEvents`. */
  get_container_transport_events: [ContainerIdArguments, ContainerTimeline];
  /** See `getSupportedShippingLines`. */
  get_supported_shipping_lines: [GetSupportedShippingLinesArguments, ShippingLines];
  /** See `getContainerRoute`. */
  get_container_route: [ContainerIdArguments, ContainerRouteResult];
  /** See `listShipments`. */
  list_shipments: [ListShipmentsArguments, ListResult<ShipmentRow>];
  /** See `listContainers`. */
  list_containers: [ListContainersArguments, ListResult<ContainerRow>];
  /** See `listTrackingRequests`. */
  list_tracking_requests: [ListTrackingRequestsArguments, ListResult<TrackingRequestRow>];
}

/** The name of a tool of the service. */
export type ToolName = keyof Tools;

/** The arguments of a tool. */
export type ToolArguments<Name extends ToolName> = Tools[Name][0];

/** The result of a tool. */
export type ToolResultOf<Name extends ToolName> = Tools[Name][1];
