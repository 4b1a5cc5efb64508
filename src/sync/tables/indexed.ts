import type { SyncedType } from './names.ts';

/** Indexes for the usual queries: by number, by date, and from one record to its related records. */
export const INDEXES: { readonly [T in SyncedType]?: readonly (readonly string[])[] } = {
  shipment: [['bill_of_lading_number'], ['normalized_number'], ['pod_eta_at']],
  container: [['number'], ['shipment_id'], ['current_status'], ['last_free_day']],
  transport_event: [['container_id', 'timestamp'], ['shipment_id']],
  tracking_request: [['request_number'], ['tracked_object_id']],
  port: [['code']],
  terminal: [['port_id']],
  vessel: [['imo']],
  custom_field: [['entity_id']],
};

/**
 * Upper bound for the characters of an indexed text. PostgreSQL refuses a row whose index entry is longer than 2,704
 * bytes, and a character has up to 4 bytes.
 */
export const LONGEST_INDEXED = 600;

export function isIndexed(type: SyncedType, column: string): boolean {
  return INDEXES[type]?.some(columns => columns.includes(column)) ?? false;
}
