import type { Resources, ResourceType } from '../records/model.ts';

type OneOrMany<T extends ResourceType> = {
  [K in keyof Resources[T]['relationships']]-?: NonNullable<Resources[T]['relationships'][K]> extends readonly unknown[]
    ? 'many'
    : 'one';
};

/** The relationships of each type. A relationship that is missing or wrong here does not compile. */
export const RELATIONSHIPS: { [T in ResourceType]: OneOrMany<T> } = {
  shipment: {
    port_of_lading: 'one',
    port_of_discharge: 'one',
    pod_terminal: 'one',
    destination: 'one',
    destination_terminal: 'one',
    line_tracking_stopped_by_user: 'one',
    containers: 'many',
  },
  container: {
    shipment: 'one',
    pod_terminal: 'one',
    pickup_facility: 'one',
    transport_events: 'many',
    raw_events: 'many',
  },
  tracking_request: { tracked_object: 'one', customer: 'one', user: 'one' },
  transport_event: {
    shipment: 'one',
    container: 'one',
    vessel: 'one',
    location: 'one',
    terminal: 'one',
    source_event: 'one',
    previous_version: 'one',
  },
  raw_event: { location: 'one', vessel: 'one', container: 'one', terminal: 'one' },
  estimated_event: { shipment: 'one', port: 'one', vessel: 'one' },
  container_updated_event: { container: 'one', terminal: 'one', shipment: 'one' },
  container_created_event: { container: 'one', shipment: 'one' },
  container_pod_terminal_changed_event: { container: 'one', shipment: 'one', terminal: 'one' },
  port: { terminals: 'many' },
  terminal: { port: 'one' },
  rail_terminal: { port: 'one', metro_area: 'one' },
  route: { cargo: 'one', shipment: 'one', route_locations: 'many' },
  route_location: { route: 'one', location: 'one', facility: 'one', inbound_vessel: 'one', outbound_vessel: 'one' },
  webhook_notification: { reference_object: 'one', webhook: 'one', webhook_notification_logs: 'many', document: 'one' },
  custom_field_definition: { account: 'one', fields: 'many', options: 'many' },
  custom_field: { entity: 'one', definition: 'one' },
  document: {
    account: 'one',
    user: 'one',
    email_submission: 'one',
    last_document_representation: 'one',
    current_extraction: 'one',
    shipments: 'many',
    cargos: 'many',
  },
  email_submission: { account: 'one', user: 'one', documents: 'many' },
  infer_number_results: {},
  metro_area: {},
  vessel: {},
  shipping_line: {},
  party: {},
  account: {},
  user: {},
  search_result: {},
  webhook: {},
  webhook_event_category: {},
  custom_field_option: {},
  document_representation: {},
  document_schema: {},
};

/**
 * Whether a relationship leads to one record or to many; `undefined` if only other types have it. An unknown type and an
 * unknown relationship count as `one`.
 */
export function oneOrMany(type: string, relationship: string): 'one' | 'many' | undefined {
  if (!Object.hasOwn(RELATIONSHIPS, type)) return 'one';
  const own = declared(type, relationship);
  if (own) return own;
  return Object.keys(RELATIONSHIPS).some(other => declared(other, relationship)) ? undefined : 'one';
}

function declared(type: string, relationship: string): 'one' | 'many' | undefined {
  const relationships: Readonly<Record<string, 'one' | 'many'>> = RELATIONSHIPS[type as ResourceType];
  return Object.hasOwn(relationships, relationship) ? relationships[relationship] : undefined;
}
