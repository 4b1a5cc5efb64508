import type { Resources, ResourceType } from '../../records/model.ts';

/** The relationships that can be included, and the types of the records they lead to. */
export const RELATIONSHIPS: {
  readonly [T in ResourceType]?: { readonly [name: string]: readonly ResourceType[] | undefined } & {
    readonly [K in keyof Resources[T]['relationships']]?: readonly ResourceType[];
  };
} = {
  shipment: {
    port_of_lading: ['port'],
    port_of_discharge: ['port'],
    pod_terminal: ['terminal'],
    destination: ['port', 'metro_area'],
    destination_terminal: ['terminal', 'rail_terminal'],
    line_tracking_stopped_by_user: ['user'],
    containers: ['container'],
  },
  container: {
    shipment: ['shipment'],
    pickup_facility: ['terminal'],
    pod_terminal: ['terminal'],
    transport_events: ['transport_event'],
    raw_events: ['raw_event'],
  },
  tracking_request: {
    tracked_object: ['shipment'],
    customer: ['party'],
    user: ['user'],
  },
  transport_event: {
    shipment: ['shipment'],
    container: ['container'],
    vessel: ['vessel'],
    source_event: ['raw_event'],
    previous_version: ['transport_event'],
    location: ['port', 'metro_area'],
    terminal: ['terminal', 'rail_terminal'],
  },
  raw_event: {
    location: ['port', 'metro_area'],
    vessel: ['vessel'],
    container: ['container'],
    terminal: ['terminal'],
  },
  port: { terminals: ['terminal'] },
  terminal: { port: ['port'] },
  rail_terminal: { port: ['port'], metro_area: ['metro_area'] },
  route: {
    cargo: ['container'],
    shipment: ['shipment'],
    route_locations: ['route_location'],
  },
  route_location: {
    route: ['route'],
    location: ['port', 'terminal'],
    facility: ['terminal', 'port'],
    inbound_vessel: ['vessel'],
    outbound_vessel: ['vessel'],
  },
  webhook_notification: {
    reference_object: [
      'tracking_request',
      'transport_event',
      'estimated_event',
      'container_updated_event',
      'container_created_event',
      'container_pod_terminal_changed_event',
    ],
    webhook: ['webhook'],
    document: ['document'],
  },
  estimated_event: { shipment: ['shipment'], port: ['port'], vessel: ['vessel'] },
  container_updated_event: { container: ['container'], terminal: ['terminal'], shipment: ['shipment'] },
  container_created_event: { container: ['container'], shipment: ['shipment'] },
  container_pod_terminal_changed_event: { container: ['container'], shipment: ['shipment'], terminal: ['terminal'] },
  document: {
    shipments: ['shipment'],
    cargos: ['container'],
    account: ['account'],
    user: ['user'],
    last_document_representation: ['document_representation'],
    email_submission: ['email_submission'],
    current_extraction: ['document_representation'],
  },
  email_submission: { account: ['account'], user: ['user'], documents: ['document'] },
};
