import type { DateTime, Open } from './model.ts';

/**
 * A hit of the search (api/resources.md, search_result). `id` is the id of the record that was found.
 * Read `entity_type` and not `type`, which may be `search_result` or repeat the entity type.
 */
export type SearchResult = SearchResultAttributes & { id: string; type: string };

/** `cargo` is a container. */
export type SearchEntityType = Open<'shipment' | 'cargo' | 'tracking_request'>;

export interface SearchResultAttributes {
  entity_type: SearchEntityType;
  number: string;
  /** On containers and tracking requests. */
  shipment_id: string | null;
  scac: string | null;
  /** On shipments. */
  port_of_lading_name: string | null;
  /** On shipments. */
  port_of_discharge_name: string | null;
  /** On shipments. */
  containers_count: number | null;
  /** On shipments. */
  tracking_stopped: boolean | null;
  /** On shipments. */
  tracking_stopped_reason: string | null;
  /** On tracking requests. */
  status: string | null;
  /** On tracking requests. */
  failed_reason: string | null;
  ref_numbers: string[];
  created_at: DateTime;
  updated_at: DateTime;
}
