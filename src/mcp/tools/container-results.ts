import type { ResultMetadata, TerminalSummary, ToolResult } from './result.ts';

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
  status_source: 'current_status' | 'derived' | (string & {});
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
    possible: 'yes' | 'no' | 'unknown' | (string & {});
    /** Why not, or why that is not known. */
    reasons: string[];
  };
  /** Where it is on its journey. The server of this package gives it; the hosted endpoint may not. `*_local` as above. */
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
  /** A summary where `transport_events` was asked for, else a hint. */
  events:
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
  urgency: 'overdue' | 'imminent' | 'none' | 'unknown' | (string & {});
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
  can_answer: string[];
  /** Questions that need another call. */
  needs_more_data_for: string[];
  /** The fields that matter in this state. */
  relevant_for_current_state: string[];
}
