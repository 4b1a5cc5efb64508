import type { DateTime, Open } from './scalars.ts';

/**
 * A hit of the search. Read `entity_type` and not `type`, which may be `search_result` or repeat the entity type.
 */
export interface SearchResult extends SearchResultAttributes {
  /** Id of the record that was found, for `shipments.get`, `containers.get` or `trackingRequests.get`. */
  id: string;
  /** Depends on the service's version. Read `entity_type`. */
  type: string;
}

/** The kind of record that was found. `cargo` is a container. */
export type SearchEntityType = Open<'shipment' | 'cargo' | 'tracking_request'>;

/** The fields of a search result. */
export interface SearchResultAttributes {
  /** The kind of record that was found. `cargo` is a container. */
  entity_type: SearchEntityType;
  /** Its bill of lading, booking or container number. */
  number: string;
  /** Id of the shipment, on containers and tracking requests. */
  shipment_id: string | null;
  /** SCAC of the carrier. */
  scac: string | null;
  /** On shipments. */
  port_of_lading_name: string | null;
  /** On shipments. */
  port_of_discharge_name: string | null;
  /** Number of containers, on shipments. */
  containers_count: number | null;
  /** Whether the service has stopped to ask the carrier, on shipments. */
  tracking_stopped: boolean | null;
  /** Why it has stopped, on shipments. See `LineTrackingStoppedReason`. */
  tracking_stopped_reason: string | null;
  /** On tracking requests. See `TrackingRequestStatus`. */
  status: string | null;
  /** On tracking requests. See `TrackingRequestFailedReason`. */
  failed_reason: string | null;
  /** Your own references. */
  ref_numbers: string[];
  /** When the record was made. */
  created_at: DateTime;
  /** When the record was last changed. */
  updated_at: DateTime;
}
