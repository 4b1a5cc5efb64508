import type { ResultMetadata, TerminalSummary, ToolResult } from './result.ts';

/** A shipment, as `get_shipment_details` gives it. */
export interface ShipmentDetails extends ToolResult {
  /** Id of the shipment. */
  id: string;
  /** The number of its bill of lading. */
  bill_of_lading: string | null;
  /** The number as the carrier knows it. */
  normalized_number: string | null;
  /** How far it is, by its departures and arrivals. */
  status:
    | 'pending'
    | 'awaiting_departure'
    | 'in_transit'
    | 'arrived_at_pod'
    | 'delivered_to_destination'
    | (string & {});
  /** The carrier. */
  shipping_line: {
    /** SCAC of the carrier. */
    scac: string | null;
    /** Its name. */
    name: string | null;
    /** Short name. */
    short_name: string | null;
  };
  /** Your customer. */
  customer_name: string | null;
  /** Your references. */
  reference_numbers: string[] | null;
  /** Your tags. */
  tags: string[] | null;
  /** Where it goes. */
  routing: {
    /** Where it is loaded. */
    port_of_lading: Call & {
      /** Expected departure. */
      etd: string | null;
      /** Departure. */
      atd: string | null;
    };
    /** Where it is discharged. */
    port_of_discharge: Call &
      Arrival & {
        /** The first expected arrival. */
        original_eta: string | null;
        /** The terminal. */
        terminal?: ShipmentTerminal | null;
      };
    /** Where it ends; `null` if that is the port of discharge. */
    destination:
      | (Omit<Call, 'port_details'> &
          Arrival & {
            /** The terminal. */
            terminal?: ShipmentTerminal | null;
          })
      | null;
  };
  /** The ship that brings it to the port of discharge. */
  vessel_at_pod: {
    /** Its name. */
    name: string | null;
    /** IMO number. */
    imo: string | null;
    /** Voyage of the ship. */
    voyage_number: string | null;
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
    line_tracking_last_attempted_at: string | null;
    /** Last success. */
    line_tracking_last_succeeded_at: string | null;
    /** When that ended. */
    line_tracking_stopped_at: string | null;
    /** Why. */
    line_tracking_stopped_reason: string | null;
  };
  /** When the service made the record. */
  created_at: string | null;
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

/** A place of a shipment. */
interface Call {
  /** UN/LOCODE. */
  locode: string | null;
  /** Its name. */
  name: string | null;
  /** IANA time zone of the place. */
  timezone: string | null;
  /** The port as a record. */
  port_details?: {
    /** Its id. */
    id: string;
    /** Its code. */
    code: string | null;
    /** Two letters. */
    country_code: string | null;
  } | null;
}

interface Arrival {
  /** Expected arrival. */
  eta: string | null;
  /** Arrival. */
  ata: string | null;
}

/** A container of a shipment. */
export interface ShipmentContainer {
  /** Id of the container. */
  id: string;
  /** Its number. */
  number: string | null;
  /** What kind of box it is. */
  equipment_type: string | null;
  /** Its length in feet. */
  equipment_length: number | null;
  /** Whether it can be picked up. */
  available_for_pickup: boolean | null;
  /** When it arrived at the port of discharge. */
  pod_arrived_at: string | null;
  /** When it was discharged. */
  pod_discharged_at: string | null;
  /** Its last free day. */
  pickup_lfd: string | null;
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
