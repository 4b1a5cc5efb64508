import type { ToolResult } from './result.ts';

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
}

/** A row of `list_containers`. Attributes that are not listed here come too, in camelCase. */
export interface ContainerRow {
  /** Id of the container. */
  id: string;
  /** Its number. */
  number: string | null;
  /** Its state. */
  status: string | null;
  /** Its state in the service's own words. */
  currentStatus: string | null;
  /** Kind of box. */
  equipment: {
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
  location: {
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
  demurrage: {
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
  terminals: {
    /** At the port of discharge. */
    podTerminal: RowTerminal | null;
    /** Where it is picked up. */
    destinationTerminal: RowTerminal | null;
  };
  /** From the railway. */
  rail: Record<string, string | null>;
  /** Empty in a list. */
  events: unknown[];
  /** The shipment. */
  shipment: {
    /** Its id. */
    id: string;
    /** Number of the bill of lading. */
    billOfLading: string | null;
    /** SCAC of the carrier. */
    shippingLineScac: string | null;
  } | null;
  [attribute: string]: unknown;
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

/** A row of `list_shipments`. Other attributes come too, in camelCase. */
export interface ShipmentRow {
  /** Id of the shipment. */
  id: string;
  /** The number of its bill of lading. */
  billOfLading: string | null;
  /** SCAC of the carrier. */
  shippingLineScac: string | null;
  /** Your customer. */
  customerName: string | null;
  /** Its containers. */
  containers: {
    /** Its id. */
    id: string;
    /** Its number. */
    number: string | null;
  }[];
  /** Your references. */
  refNumbers: string[] | null;
  /** Your tags. */
  tags: string[] | null;
  /** The ship to the port of discharge. */
  vesselAtPod: Record<string, string | null> | null;
  /** The ports. */
  ports: Record<string, unknown>;
  /** How the service keeps it up to date. */
  tracking: Record<string, string | null>;
  [attribute: string]: unknown;
}

/** A row of `list_tracking_requests`. */
export interface TrackingRequestRow {
  /** Id of the tracking request. */
  id: string;
  /** The kind of number. */
  requestType: string | null;
  /** The number. */
  requestNumber: string | null;
  /** How far it is, such as `pending`, `created` or `failed`. */
  status: string | null;
  /** SCAC of the carrier. */
  scac: string | null;
  /** Your references. */
  refNumbers: string[] | null;
  /** The shipment that came of it. */
  shipment: unknown;
  /** The container that came of it. */
  container: unknown;
  /** Tags for the shipment. */
  shipmentTags: string[] | null;
  /** When it was created. */
  createdAt: string | null;
  /** When it last changed. */
  updatedAt: string | null;
  /** Why it failed. */
  failedReason: string | null;
  /** Whether the service tries again. */
  isRetrying: boolean | null;
  /** How often it did. */
  retryCount: number | null;
  [attribute: string]: unknown;
}
