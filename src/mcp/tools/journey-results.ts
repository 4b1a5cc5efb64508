import type { ResultMetadata, ToolResult, Unavailable } from './result.ts';

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
      /** Expected arrival. */
      eta: string | null;
      /** Arrival. */
      ata: string | null;
    } & Leg;
    /** How it leaves; empty at the last place. */
    outbound: {
      /** Expected departure. */
      etd: string | null;
      /** Departure. */
      atd: string | null;
    } & Leg;
  }[];
  /** When the service made the route. */
  created_at: string | null;
  /** When the service last changed it. */
  updated_at: string | null;
  /** Beside the data. */
  _metadata: ResultMetadata;
}

/** How a container comes to a place, or leaves it. */
interface Leg {
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
}
