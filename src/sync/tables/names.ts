import { oneOf } from '../../internal/arguments.ts';
import type { ResourceType } from '../../model/index.ts';

/** The record types that are stored, each with the name of its table. */
export const TABLE_NAMES = {
  shipment: 'shipments',
  container: 'containers',
  transport_event: 'transport_events',
  tracking_request: 'tracking_requests',
  port: 'ports',
  terminal: 'terminals',
  rail_terminal: 'rail_terminals',
  metro_area: 'metro_areas',
  vessel: 'vessels',
  party: 'parties',
  document: 'documents',
  custom_field_definition: 'custom_field_definitions',
  custom_field: 'custom_fields',
} as const satisfies Partial<Record<ResourceType, string>>;

/** A record type that can be stored. */
export type SyncedType = keyof typeof TABLE_NAMES;

/** All record types, in the order in which their rows are written. */
export const SYNCED_TYPES = Object.keys(TABLE_NAMES) as readonly SyncedType[];

export function isSyncedType(type: string): type is SyncedType {
  return Object.hasOwn(TABLE_NAMES, type);
}

/** @throws {ConfigurationError} for a type that cannot be stored. */
export function tableName(type: SyncedType): string {
  return TABLE_NAMES[oneOf('type', type, SYNCED_TYPES)];
}
