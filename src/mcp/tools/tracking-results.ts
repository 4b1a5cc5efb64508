import type { ContainerDetails } from './container-results.ts';
import type { ResultMetadata, ToolResult, Unavailable } from './result.ts';

/** How `track_container` knew the kind of number and the carrier. */
export interface InferResult {
  /** The kind of number. */
  inferred_type: string | null;
  /** SCAC of the carrier. */
  selected_scac: string | null;
  /** Where both come from. */
  source: string;
}

/**
 * The answer of `track_container`: tell its cases apart by `error`, `tracking_request`, `container_number` and `containers`.
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
