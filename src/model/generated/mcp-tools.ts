// Written by `npm run generate` from description/. Do not edit.

import type { Open } from '../scalars.ts';

/** An argument of every tool. */
export interface Intent {
  /** Reason for the call, at most 200 characters. The service keeps it and does not pass it on. */
  intent?: string | undefined;
}

/** The page of a list. */
export interface PageArguments extends Intent {
  /** The page, from 1. @default 1 */
  page?: number | undefined;
  /** Number of rows on a page. The service uses 100 if the number is higher. @default 25 */
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
  /** Kind of number. @default the service infers it */
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
  /** More records to load. The response always contains the shipment and the terminal. @default ['shipment'] */
  include?: readonly ('shipment' | 'pod_terminal' | 'transport_events')[] | undefined;
}

/** Arguments of `get_shipment_details`. */
export interface GetShipmentDetailsArguments extends Intent {
  /** Id of the shipment. */
  id: string;
  /** `true` to list the containers. @default true */
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
  /** `true` if each row shall list its containers. @default false */
  include_containers?: boolean | undefined;
  /** The number of a shipment. */
  number?: string | undefined;
  /** `true` for shipments whose tracking has stopped, `false` for the others. */
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
  /** Relationships to load with each row, separated by commas. @default 'shipment,pod_terminal,pickup_facility' */
  include?: string | undefined;
}

/** Arguments of `list_tracking_requests`. */
export interface ListTrackingRequestsArguments extends PageArguments {
  /** Query parameters that are sent to the service unchanged, such as `{ 'filter[scac]': 'MAEU' }`. */
  filters?: Readonly<Record<string, string>> | undefined;
  /** A status, such as `failed`. */
  status?: string | undefined;
  /** A kind of number. The service cannot apply it, and says so. */
  request_type?: string | undefined;
}

/** Guidance for a model that reads a result. It is not content. */
export interface ResponseContract {
  /** Purpose of the result. */
  purpose: string;
  /** Questions that this result answers. */
  can_answer: string[];
  /** Questions that need another call. */
  requires_more_data: string[];
  /** The fields that matter most. */
  relevant_fields: string[];
  /** Advice on its presentation. */
  presentation_guidance: string;
  /** Questions that a person is likely to have next. */
  suggested_follow_ups: string[];
  /** The tools for these questions. */
  suggested_tools: string[];
  /** Advice on the display of a list. Only of the list tools. */
  display?: Record<string, unknown>;
  /** Arguments that had no effect. Only of the list tools, if there were some. */
  dropped_filters?: string[];
  /** `true` if `meta.total` is exact. Only of the list tools, if that is known. */
  total_is_reliable?: boolean;
}

/** The part that the results of all tools have in common. */
export interface ToolResult {
  /** Guidance for a model that reads the result. */
  _response_contract?: ResponseContract;
}

/** Facts about the data, and advice on its presentation. */
export interface ResultMetadata {
  /** Advice on the presentation of the result. */
  presentation_guidance?: string;
  [name: string]: unknown;
}

/** A result without data, with the reason. It is not an error of the call. */
export interface Unavailable<Reason extends string> extends ToolResult {
  /** Code of the reason. */
  error: Reason;
  /** The reason in words. */
  message: string;
  /** Another way to the data. */
  alternative?: string;
  /** Facts about the data. */
  _metadata?: ResultMetadata;
}

/** A terminal. */
export interface TerminalSummary {
  /** Id of the terminal. */
  id: string;
  /** Its name. */
  name?: string | null;
  /** Its FIRMS code. */
  firms_code?: string | null;
}

/** The containers and shipments that `search_container` found. */
export interface SearchContainerResult extends ToolResult {
  /** Containers whose numbers match. */
  containers: FoundContainer[];
  /** Shipments whose numbers match. */
  shipments: FoundShipment[];
  /** Number of containers and shipments. */
  total_results: number;
}

/** A container that a search found. */
export interface FoundContainer {
  /** Id of the container. */
  id: string;
  /** Its number. */
  container_number: string;
  /** Its state; usually `unknown` or missing, because a search does not look for it. */
  status?: string;
  /** SCAC of the carrier, or `Unknown`. */
  shipping_line: string;
  /** The terminal of the discharge. */
  pod_terminal?: string | null;
  /** The terminal of the loading. */
  pol_terminal?: string | null;
  /** The destination. */
  destination?: string | null;
  /** `true` if several containers have this number, one for each journey. */
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
  /** Number of its containers. */
  container_count?: number;
}

/** A container, as `get_container` gives it. */
export interface ContainerDetails extends ToolResult {
  /** Id of the container. */
  id: string;
  /** Its number. */
  container_number: string;
  /** When the service made the record. */
  created_at?: string | null;
  /** Its state. */
  status: string;
  /** Source of the state: the service itself, or the milestones. */
  status_source: Open<'current_status' | 'derived'>;
  /** Kind of container. */
  equipment: {
    /** Kind of container. */
    type?: string | null;
    /** Length in feet. */
    length?: number | null;
    /** `standard` or `high_cube`. */
    height?: string | null;
    /** Weight in pounds. */
    weight_lbs?: number | null;
  };
  /** Its location. `*_local` is text in the time zone of the port, or `N/A`. */
  location: {
    /** Place in the yard of the terminal. */
    current_location?: string | null;
    /** `true` if it can be picked up. */
    available_for_pickup?: boolean | null;
    /** `true` if the terminal reports the availability. */
    availability_known?: boolean | null;
    /** Arrival at the port of discharge. */
    pod_arrived_at?: string | null;
    /** The same as text. */
    pod_arrived_at_local?: string;
    /** Discharge there. */
    pod_discharged_at?: string | null;
    /** The same as text. */
    pod_discharged_at_local?: string;
    /** IANA time zone of the port of discharge. */
    pod_timezone?: string | null;
  };
  /** Availability for pickup. The server of this package gives it; the hosted endpoint may leave it out. */
  pickup?: {
    /** `unknown` if no source has reported it. `unknown` does not mean `no`. */
    possible: Open<'yes' | 'no' | 'unknown'>;
    /** Reasons why the container cannot be picked up, or why this is not known. */
    reasons: string[];
  };
  /** Step of its journey. The server of this package gives it; the hosted endpoint may not. `*_local` as above. */
  journey?: {
    /** The stage, as `containerState()` of the main entry names it. */
    stage: string;
    /** When it left the last terminal, full. The delivery is later. */
    gate_out_at?: string | null;
    /** The same as text. */
    gate_out_at_local?: string;
    /** `port` or `inland`. */
    gate_out_from?: string | null;
    /** When a person marked it as delivered. */
    delivered_at?: string | null;
    /** The same as text. */
    delivered_at_local?: string;
    /** When the empty container came back. */
    empty_returned_at?: string | null;
    /** The same as text. */
    empty_returned_at_local?: string;
  };
  /** The last day of free storage at the terminal, and the costs. */
  demurrage: Demurrage;
  /** Its journey on rails. */
  rail: {
    /** SCAC of the railway. */
    pod_rail_carrier?: string | null;
    /** When it was loaded on a train. */
    pod_rail_loaded_at?: string | null;
    /** Expected arrival at the inland destination. */
    destination_eta?: string | null;
    /** Arrival there. */
    destination_ata?: string | null;
  };
  /** The shipment that it belongs to. */
  shipment?: {
    /** Its id. */
    id: string;
    /** Your references. */
    ref_numbers?: string[] | null;
    /** From the carrier. */
    line?: string | null;
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
  pod_terminal?: TerminalSummary | null;
  /** A summary if `transport_events` was requested, else a hint or nothing. */
  events?:
    | string
    | {
        /** Number of events. */
        count: number;
        /** Number of events of the railway. */
        rail_events_count?: number;
        /** The last event. */
        latest_event?: {
          /** Name of the event. */
          event: string;
          /** Time of the event, or its expected time. */
          timestamp?: string | null;
          /** The place. */
          location?: string | null;
        };
      };
  /** Facts about the data. */
  _metadata: ContainerMetadata;
}

/** Deadlines, fees and holds of a container. */
export interface Demurrage {
  /** The last free day. */
  pickup_lfd?: string | null;
  /** The same as text in the time zone of the port, or `N/A`. */
  pickup_lfd_local?: string;
  /** The last free day by its source. */
  last_free_days: {
    /** The terminal. */
    terminal?: string | null;
    /** From the railway. */
    rail?: string | null;
    /** From the carrier. */
    line?: string | null;
  };
  /** The appointment at the terminal. */
  pickup_appointment_at?: string | null;
  /** The fees of the terminal. */
  fees_at_pod_terminal?: unknown[] | null;
  /** The sum of the fees; `null` if they are not known. */
  fees_total_amount?: number | null;
  /** The currency of the sum, if all fees have the same. */
  fees_currency_code?: string | null;
  /** The holds that keep the container at the terminal. */
  holds_at_pod_terminal?: unknown[] | null;
  /** Urgency of the last free day. `imminent` begins three days before that day. */
  urgency: Open<'overdue' | 'imminent' | 'none' | 'unknown'>;
  /** Source of the last free day: `line` or `facility`. Not in every edition. */
  pickup_lfd_source?: string | null;
  /** The last free day by the calendar of the port. Not in every edition. */
  pickup_lfd_local_date?: string | null;
  /** `true` if the data is too old to determine the urgency. */
  urgency_suppressed: boolean;
  /** Reason for the urgency */
  urgency_reason?: string | null;
  /** Days until the last free day, by the calendar of the port. */
  days_until_lfd?: number | null;
}

/** Facts about the result of `get_container`. */
export interface ContainerMetadata extends ResultMetadata {
  /** The state that follows from the milestones. */
  container_state?: string;
  /** `true` if `status` is the service's own. */
  status_is_authoritative?: boolean;
  /** The step of the journey that follows from the milestones. */
  derived_lifecycle?: string;
  /** Records that were loaded. */
  includes_loaded?: string[];
  /** Questions to which it has the answer. */
  can_answer?: string[];
  /** Questions that need another call. */
  needs_more_data_for?: string[];
  /** The fields that matter in this state. */
  relevant_for_current_state?: string[];
}

/**
 * The way in which `track_container` found the kind of number and the carrier. Servers respond in three forms: both
 * with their `source`; the `data` of `trackingRequests.inferNumber`; or a `fallback`, if the tracking request was made
 * without an inference.
 */
export interface InferResult {
  /** The kind of number. */
  inferred_type?: string | null;
  /** SCAC of the carrier. */
  selected_scac?: string | null;
  /** Source of both. */
  source?: string;
  /** The response of `trackingRequests.inferNumber`, as the service sends it. */
  data?: Record<string, unknown>;
  /** The step in place of an inference. */
  fallback?: string;
  /** Reason for the fallback. */
  reason?: string;
}

/**
 * The result of `track_container`. Recognize its cases by `error`, `tracking_request`, `container_number` and
 * `containers`.
 */
export type TrackContainerResult =
  | TrackedContainer
  | TrackingStarted
  | TrackedShipment
  | TrackedAlready
  | NotTracked
  | ContainerUnavailable;

/** The container is known: it was tracked already, or the tracking has begun with this call. */
export interface TrackedContainer extends ContainerDetails {
  /**
   * `requested` while the tracking request is pending. The server of this package gives it; the hosted endpoint may not.
   */
  outcome?: Open<'requested' | 'tracked' | 'already_tracked' | 'failed'>;
  /** Reason why there is no data. */
  error?: undefined;
  /** The tracking request, if there is one. */
  tracking_request?: undefined;
  /** The containers of the shipment, if there is not exactly one. */
  containers?: undefined;
  /** `true` if this call has started the tracking. */
  tracking_request_created: boolean;
  /** Source of the kind of number and of the carrier. */
  infer_result: InferResult;
}

/**
 * Tracking has begun, with this call or before it. The record of the container appears later, usually within minutes.
 */
export interface TrackingStarted extends ToolResult {
  /**
   * `requested` while the tracking request is pending. The server of this package gives it; the hosted endpoint may not.
   */
  outcome?: Open<'requested' | 'tracked' | 'already_tracked' | 'failed'>;
  /** Reason why there is no data. */
  error?: undefined;
  /** Number of the container, if it is known. */
  container_number?: undefined;
  /** The containers of the shipment, if there is not exactly one. */
  containers?: undefined;
  /** `true` if this call has started the tracking. */
  tracking_request_created: boolean;
  /** Source of the kind of number and of the carrier, if this call has started the tracking. */
  infer_result?: InferResult | undefined;
  /** The tracking request. */
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
  /** Facts about the data. */
  _metadata: ResultMetadata;
}

/** The number is already tracked. It belongs to a shipment that has no container yet, or several containers. */
export interface TrackedShipment extends ToolResult {
  /**
   * `requested` while the tracking request is pending. The server of this package gives it; the hosted endpoint may not.
   */
  outcome?: Open<'requested' | 'tracked' | 'already_tracked' | 'failed'>;
  /** Reason why there is no data. */
  error?: undefined;
  /** The tracking request, if there is one. */
  tracking_request?: undefined;
  /** Number of the container, if it is known. */
  container_number?: undefined;
  /** `true` if this call has started the tracking. */
  tracking_request_created: false;
  /** Source of the kind of number and of the carrier. */
  infer_result?: InferResult | undefined;
  /** The shipment. */
  shipment: {
    /** Its id. */
    id: string;
    /** The number of its bill of lading. */
    bill_of_lading?: string | null;
    /** SCAC of the carrier. */
    line?: string | null;
  };
  /** Its containers. */
  containers: {
    /** Its id. */
    id: string;
    /** Its number. */
    number?: string | null;
  }[];
  /** Facts about the data. */
  _metadata: ResultMetadata;
}

/** The number is tracked already, and the service does not say more. */
export interface TrackedAlready extends ToolResult {
  /**
   * `requested` while the tracking request is pending. The server of this package gives it; the hosted endpoint may not.
   */
  outcome?: Open<'requested' | 'tracked' | 'already_tracked' | 'failed'>;
  /** Reason why there is no data. */
  error?: undefined;
  /** The tracking request, if there is one. */
  tracking_request?: undefined;
  /** Number of the container, if it is known. */
  container_number?: undefined;
  /** The containers of the shipment, if there is not exactly one. */
  containers?: undefined;
  /** The container, if it cannot be read yet. */
  container?: {
    /** Its id. */
    id: string;
  };
  /** `true` if this call has started the tracking. */
  tracking_request_created: false;
  /** Source of the kind of number and of the carrier. */
  infer_result?: InferResult | undefined;
  /** Facts about the data. */
  _metadata: ResultMetadata;
}

/** Nothing was found, and nothing was created. */
export interface NotTracked extends Unavailable<'NotFound'> {
  /** The tracking request, if there is one. */
  tracking_request?: undefined;
  /** Number of the container, if it is known. */
  container_number?: undefined;
  /** The containers of the shipment, if there is not exactly one. */
  containers?: undefined;
  /** `true` if this call has started the tracking. */
  tracking_request_created: false;
}

/** The container is tracked, and cannot be read yet. */
export interface ContainerUnavailable extends Unavailable<'ContainerUnavailable'> {
  /** The tracking request, if there is one. */
  tracking_request?: undefined;
  /** Number of the container, if it is known. */
  container_number?: undefined;
  /** The containers of the shipment, if there is not exactly one. */
  containers?: undefined;
  /** `true` if this call has started the tracking. */
  tracking_request_created: false;
  /** The container. */
  container: {
    /** Its id. */
    id: string;
  };
}

/** The timeline of a container, as `get_container_transport_events` gives it. */
export interface ContainerTimeline extends ToolResult {
  /** Number of events. */
  total_events: number;
  /** Number of events of each kind. */
  event_categories: {
    /** Events of vessels. */
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
    /** Name of the event. */
    event: string;
    /** Time of the event, or its expected time. */
    timestamp?: string | null;
    /** IANA time zone of the place. */
    timezone?: string | null;
    /** Voyage of the vessel. */
    voyage_number?: string | null;
    /** The place. */
    location?: {
      /** Its name. */
      name?: string | null;
      /** Its code. */
      code?: string | null;
      /** Kind of place. */
      type?: string | null;
    } | null;
  }[];
  /** Times of the main steps. A step that has not happened is missing. */
  milestones: {
    /** Loading on a vessel. */
    vessel_loaded_at?: string | null;
    /** Departure of the vessel. */
    vessel_departed_at?: string | null;
    /** Arrival of the vessel. */
    vessel_arrived_at?: string | null;
    /** Discharge. */
    discharged_at?: string | null;
    /** Loading on a train. */
    rail_loaded_at?: string | null;
    /** Departure of the train. */
    rail_departed_at?: string | null;
    /** Arrival of the train. */
    rail_arrived_at?: string | null;
    /** When the full container left a terminal. The server of this package gives it; the hosted endpoint may not. */
    gate_out_at?: string | null;
    /** When a person marked the container as delivered. On the hosted endpoint it may be the time of the gate-out. */
    delivered_at?: string | null;
    /** Return of the empty container. The server of this package gives it; the hosted endpoint may not. */
    empty_returned_at?: string | null;
  };
  /** Facts about the data. */
  _metadata: ResultMetadata;
}

/** The result of `get_container_route`: a route, or the reason why there is none. */
export type ContainerRouteResult = ContainerRoute | Unavailable<'FeatureNotEnabled' | 'NotFound'>;

/** The route of a container from place to place. */
export interface ContainerRoute extends ToolResult {
  /** Reason why there is no data. */
  error?: undefined;
  /** Id of the route. */
  route_id: string;
  /** Number of places on the route. */
  total_legs: number;
  /** The places in order. */
  route_locations: {
    /** The place; `null` if it is not known. */
    port?: {
      /** Its code. */
      code?: string | null;
      /** Its name. */
      name?: string | null;
      /** City. */
      city?: string | null;
      /** Two letters. */
      country_code?: string | null;
    } | null;
    /** The arrival of the container; empty at the first place. */
    inbound: {
      /** `vessel`, `rail` or another. */
      mode?: string | null;
      /** SCAC of the carrier. */
      carrier_scac?: string | null;
      /** The vessel. */
      vessel?: {
        /** Its name. */
        name?: string | null;
        /** IMO number. */
        imo?: string | null;
      } | null;
      /** Expected arrival. */
      eta?: string | null;
      /** Arrival. */
      ata?: string | null;
    };
    /** The departure of the container; empty at the last place. */
    outbound: {
      /** `vessel`, `rail` or another. */
      mode?: string | null;
      /** SCAC of the carrier. */
      carrier_scac?: string | null;
      /** The vessel. */
      vessel?: {
        /** Its name. */
        name?: string | null;
        /** IMO number. */
        imo?: string | null;
      } | null;
      /** Expected departure. */
      etd?: string | null;
      /** Departure. */
      atd?: string | null;
    };
  }[];
  /** When the service made the route. */
  created_at?: string | null;
  /** When the service last changed it. */
  updated_at?: string | null;
  /** Facts about the data. */
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
  /** Step of the journey of the shipment, determined from its departures and arrivals. */
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
  /** Its places. */
  routing: {
    /** The port of lading. */
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
        code?: string | null;
        /** Two letters. */
        country_code?: string | null;
      } | null;
      /** Expected departure. */
      etd?: string | null;
      /** Departure. */
      atd?: string | null;
    };
    /** The port of discharge. */
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
        code?: string | null;
        /** Two letters. */
        country_code?: string | null;
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
    /** The destination; `null` or absent if the destination is the port of discharge. */
    destination?: {
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
  /** The vessel that brings the shipment to the port of discharge. */
  vessel_at_pod: {
    /** Its name. */
    name?: string | null;
    /** IMO number. */
    imo?: string | null;
    /** Voyage of the vessel. */
    voyage_number?: string | null;
  };
  /** Its containers, or a hint if they were not requested. */
  containers:
    | string
    | {
        /** Number of containers. */
        count: number;
        /** The containers. */
        containers: ShipmentContainer[];
      };
  /** State of the tracking. */
  tracking: {
    /** Last try to read from the carrier. */
    line_tracking_last_attempted_at?: string | null;
    /** Last success. */
    line_tracking_last_succeeded_at?: string | null;
    /** When the tracking stopped. */
    line_tracking_stopped_at?: string | null;
    /** Reason for the stop. */
    line_tracking_stopped_reason?: string | null;
  };
  /** When the service made the record. */
  created_at?: string | null;
  /** The service does not send it. */
  updated_at?: string | null;
  /** Facts about the data. */
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
  /** Kind of container. */
  equipment_type?: string | null;
  /** Its length in feet. */
  equipment_length?: number | null;
  /** `true` if it can be picked up. */
  available_for_pickup?: boolean | null;
  /** Arrival at the port of discharge. */
  pod_arrived_at?: string | null;
  /** When it was discharged. */
  pod_discharged_at?: string | null;
  /** Its last free day. */
  pickup_lfd?: string | null;
}

/** The carriers, as `get_supported_shipping_lines` gives them. */
export interface ShippingLines extends ToolResult {
  /** Number of carriers. */
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
    /** Notes on the carrier. */
    notes?: string | null;
  }[];
  /** Facts about the data. They include `error` and `remediation` if the list could not be read. */
  _metadata: ResultMetadata & {
    /** Reason why there is no data. */
    error?: string;
    /** Advice on the next step. */
    remediation?: string;
  };
}

/** One page of a list. */
export interface ListResult<Row> extends ToolResult {
  /** The rows. */
  items: Row[];
  /** Addresses of other pages, as the service's REST interface has them. */
  links?: Record<string, string | null>;
  /** Facts about the list, such as `total`. */
  meta?: Record<string, unknown>;
  /** Arguments that had no effect. */
  unsupportedFilters?: string[];
  /** Query of the list. */
  _metadata?: {
    /** The filters as they were sent, defaults included. */
    applied_filters?: Record<string, unknown>;
    /** Key that the list is sorted by. */
    sort?: string | null;
    /** Number of the page. */
    page?: number;
    /** Rows a page. */
    page_size?: number;
    /** `true` if there is a next page; `null` if that is not known. */
    has_more?: boolean | null;
    /** Number of the next page. Missing at the end. */
    next_page?: number;
    [name: string]: unknown;
  };
}

/**
 * A row of `list_containers`, in one of two forms. A full row has keys in camelCase, and `null` for a missing value. A
 * compact row has the attributes of the service and leaves out missing values; `holds: []` means that there is none.
 */
export interface ContainerRow {
  /** Id of the container. */
  id: string;
  /** Its number. */
  number?: string | null;
  /** Its state. */
  status?: string | null;
  /** Its state in the service's own words. */
  currentStatus?: string | null;
  /** Kind of container. */
  equipment?: {
    /** Kind of container. */
    type: string | null;
    /** Length in feet. */
    length: number | null;
    /** `standard` or `high_cube`. */
    height: string | null;
    /** Weight in pounds. */
    weightLbs: number | null;
  };
  /** The place. */
  location?: {
    /** Place in the yard of the terminal. */
    currentLocation: string | null;
    /** `true` if it can be picked up. */
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
    /** The fees of the terminal. */
    fees: unknown[] | null;
    /** The holds that keep it at the terminal. */
    holds: unknown[] | null;
  };
  /** The terminals. */
  terminals?: {
    /** The terminal at the port of discharge. */
    podTerminal: RowTerminal | null;
    /** The terminal of the pickup. */
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
    /** Name of the vessel to it, in a compact row. */
    pod_vessel?: string | null;
    /** Expected arrival there, in a compact row. */
    pod_eta_at?: string | null;
    /** Arrival there, in a compact row. */
    pod_ata_at?: string | null;
  } | null;
  /** `true` if it can be picked up, in a compact row. */
  available_for_pickup?: boolean | null;
  /** Name of the terminal at the port of discharge, in a compact row. */
  pod_terminal?: string | null;
  /** Last free day, in a compact row. */
  pickup_lfd?: string | null;
  /** The holds that keep it at the terminal, in a compact row. Missing if they are not known. */
  holds?: {
    /** Name of the hold. */
    name: string;
    /** Description of the hold. */
    description?: string | null;
  }[];
  /** The fees of the terminal, in a compact row. Missing if they are not known. */
  fees?: {
    /** Kind of fee. */
    type: string;
    /** The amount. */
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

/** A row of `list_shipments`. The service also sends other attributes. A server may write all names in snake_case. */
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
    number?: string | null;
  }[];
  /** Your references. */
  refNumbers?: string[] | null;
  /** Your tags. */
  tags?: string[] | null;
  /** The vessel to the port of discharge. */
  vesselAtPod?: Record<string, string | null> | null;
  /** The ports. */
  ports?: Record<string, unknown>;
  /** State of the tracking. */
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
  /** Its status, such as `pending`, `created` or `failed`. */
  status?: string | null;
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
  /** Reason for the failure. */
  failedReason?: string | null;
  /** `true` if the service tries again. */
  isRetrying?: boolean | null;
  /** Number of retries. */
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
