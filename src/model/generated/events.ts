// Written by `npm run generate` from description/. Do not edit.

import type { EventName } from './event-names.ts';
import type { Resources } from './records.ts';

/** The types of the records that notifications include. */
export type IncludedType =
  | 'tracking_request'
  | 'container'
  | 'shipment'
  | 'transport_event'
  | 'metro_area'
  | 'port'
  | 'vessel'
  | 'terminal'
  | 'rail_terminal'
  | 'estimated_event'
  | 'container_created_event'
  | 'container_updated_event'
  | 'container_pod_terminal_changed_event'
  | 'document'
  | 'email_submission'
  | 'document_representation';

/** The type of the record that each event is about. */
export interface EventSubjects {
  'tracking_request.succeeded': 'tracking_request';
  'tracking_request.failed': 'tracking_request';
  'tracking_request.awaiting_manifest': 'tracking_request';
  'tracking_request.tracking_stopped': 'tracking_request';
  'container.transport.empty_out': 'transport_event';
  'container.transport.full_in': 'transport_event';
  'container.transport.vessel_loaded': 'transport_event';
  'container.transport.vessel_departed': 'transport_event';
  'container.transport.transshipment_arrived': 'transport_event';
  'container.transport.transshipment_discharged': 'transport_event';
  'container.transport.transshipment_loaded': 'transport_event';
  'container.transport.transshipment_departed': 'transport_event';
  'container.transport.feeder_arrived': 'transport_event';
  'container.transport.feeder_discharged': 'transport_event';
  'container.transport.feeder_loaded': 'transport_event';
  'container.transport.feeder_departed': 'transport_event';
  'container.transport.vessel_arrived': 'transport_event';
  'container.transport.vessel_berthed': 'transport_event';
  'container.transport.vessel_discharged': 'transport_event';
  'container.transport.available': 'transport_event';
  'container.transport.not_available': 'transport_event';
  'container.transport.full_out': 'transport_event';
  'container.transport.delivered': 'transport_event';
  'container.transport.empty_in': 'transport_event';
  'container.transport.rail_loaded': 'transport_event';
  'container.transport.rail_departed': 'transport_event';
  'container.transport.rail_arrived': 'transport_event';
  'container.transport.rail_unloaded': 'transport_event';
  'container.transport.arrived_at_inland_destination': 'transport_event';
  'container.transport.estimated.vessel_departed': 'transport_event';
  'container.transport.estimated.vessel_arrived': 'transport_event';
  'container.transport.estimated.arrived_at_inland_destination': 'transport_event';
  'shipment.estimated.arrival': 'estimated_event';
  'container.created': 'container_created_event';
  'container.updated': 'container_updated_event';
  'container.pod_terminal_changed': 'container_pod_terminal_changed_event';
  'container.pickup_lfd.changed': 'transport_event';
  'container.pickup_lfd_line.changed': 'transport_event';
  'container.pickup_lfd_terminal.changed': 'transport_event';
  'container.pickup_lfd_rail.changed': 'transport_event';
  'container.pickup_appointment.changed': 'transport_event';
  'document.extracted': 'document';
  'document.extraction_failed': 'document';
  'document_representation.created': 'document';
  'document_representation.failed': 'document';
  'link.created': 'document';
}

interface Row {
  about: IncludedType;
  /** In the order of the service. Empty: notifications have no `included`. */
  includes: readonly IncludedType[];
  category: string;
  description: string;
  /** The feature without which the service does not send the event. */
  feature?: 'documents' | 'rail';
}

/** Every event. */
export const EVENTS: Readonly<Record<EventName, Row>> = {
  'tracking_request.succeeded': {
    about: 'tracking_request',
    includes: ['container', 'shipment', 'tracking_request'],
    category: 'tracking-request-events',
    description: 'The shipment was found and linked.',
  },
  'tracking_request.failed': {
    about: 'tracking_request',
    includes: ['tracking_request'],
    category: 'tracking-request-events',
    description: 'The request ended without a shipment.',
  },
  'tracking_request.awaiting_manifest': {
    about: 'tracking_request',
    includes: ['tracking_request'],
    category: 'tracking-request-events',
    description: 'The carrier has no data yet.',
  },
  'tracking_request.tracking_stopped': {
    about: 'tracking_request',
    includes: ['shipment', 'tracking_request'],
    category: 'tracking-request-events',
    description: 'No more updates.',
  },
  'container.transport.empty_out': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'metro_area', 'transport_event'],
    category: 'origin-events',
    description: 'The empty container was collected at the origin.',
  },
  'container.transport.full_in': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'transport_event'],
    category: 'origin-events',
    description: 'The full container was handed in at the port of lading.',
  },
  'container.transport.vessel_loaded': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'origin-events',
    description: 'The container is on board at the port of lading.',
  },
  'container.transport.vessel_departed': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'origin-events',
    description: 'Vessel left the port of lading.',
  },
  'container.transport.transshipment_arrived': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'transshipment-events',
    description: 'The container arrived at a transfer port.',
  },
  'container.transport.transshipment_discharged': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'transshipment-events',
    description: 'Unloaded at a transfer port.',
  },
  'container.transport.transshipment_loaded': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'transshipment-events',
    description: 'Loaded on the next vessel at a transfer port.',
  },
  'container.transport.transshipment_departed': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'transshipment-events',
    description: 'The container left a transfer port.',
  },
  'container.transport.feeder_arrived': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'feeder-events',
    description: 'The container arrived on a feeder or barge.',
  },
  'container.transport.feeder_discharged': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'feeder-events',
    description: 'Unloaded from the feeder or barge.',
  },
  'container.transport.feeder_loaded': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'feeder-events',
    description: 'Loaded on a feeder or barge.',
  },
  'container.transport.feeder_departed': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'feeder-events',
    description: 'The feeder or barge left.',
  },
  'container.transport.vessel_arrived': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'vessel', 'transport_event'],
    category: 'discharge-events',
    description: 'Vessel reached the port of discharge.',
  },
  'container.transport.vessel_berthed': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'terminal', 'vessel', 'transport_event'],
    category: 'discharge-events',
    description: 'The vessel is alongside at the port of discharge.',
  },
  'container.transport.vessel_discharged': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'terminal', 'vessel', 'transport_event'],
    category: 'discharge-events',
    description: 'Unloaded from the vessel at the port of discharge.',
  },
  'container.transport.available': {
    about: 'transport_event',
    includes: [],
    category: 'discharge-events',
    description: 'Ready for collection.',
  },
  'container.transport.not_available': {
    about: 'transport_event',
    includes: [],
    category: 'discharge-events',
    description: 'The container is no longer ready for collection.',
  },
  'container.transport.full_out': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'terminal', 'transport_event'],
    category: 'discharge-events',
    description: 'Full container left the port or rail facility.',
  },
  'container.transport.delivered': {
    about: 'transport_event',
    includes: [],
    category: 'discharge-events',
    description: 'A person marked the container as delivered.',
  },
  'container.transport.empty_in': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'transport_event'],
    category: 'discharge-events',
    description: 'Empty container returned.',
  },
  'container.transport.rail_loaded': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'transport_event'],
    category: 'rail-events',
    description: 'Loaded on a rail car.',
  },
  'container.transport.rail_departed': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'transport_event'],
    category: 'rail-events',
    description: 'Train left.',
  },
  'container.transport.rail_arrived': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'metro_area', 'rail_terminal', 'transport_event'],
    category: 'rail-events',
    description: 'Arrived at a rail facility.',
  },
  'container.transport.rail_unloaded': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'metro_area', 'rail_terminal', 'transport_event'],
    category: 'rail-events',
    description: 'Unloaded from the rail car.',
  },
  'container.transport.arrived_at_inland_destination': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'terminal', 'transport_event'],
    category: 'rail-events',
    description: 'Arrived at the final inland place.',
  },
  'container.transport.estimated.vessel_departed': {
    about: 'transport_event',
    includes: ['transport_event'],
    category: 'estimate-events',
    description: 'The estimated departure from the port of lading changed.',
  },
  'container.transport.estimated.vessel_arrived': {
    about: 'transport_event',
    includes: ['transport_event'],
    category: 'estimate-events',
    description: 'The estimated arrival of the container changed.',
  },
  'container.transport.estimated.arrived_at_inland_destination': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'terminal', 'transport_event'],
    category: 'estimate-events',
    description: 'The estimated inland arrival changed.',
  },
  'shipment.estimated.arrival': {
    about: 'estimated_event',
    includes: ['shipment', 'port', 'estimated_event'],
    category: 'estimate-events',
    description: 'The estimated arrival of the shipment changed.',
  },
  'container.created': {
    about: 'container_created_event',
    includes: ['shipment', 'container', 'container_created_event'],
    category: 'container-events',
    description: 'A container was added to a shipment.',
  },
  'container.updated': {
    about: 'container_updated_event',
    includes: ['shipment', 'port', 'terminal', 'container', 'container_updated_event'],
    category: 'container-events',
    description: 'The terminal reports new values of attributes.',
  },
  'container.pod_terminal_changed': {
    about: 'container_pod_terminal_changed_event',
    includes: ['shipment', 'container', 'terminal', 'container_pod_terminal_changed_event'],
    category: 'container-events',
    description: 'Discharge terminal reassigned.',
  },
  'container.pickup_lfd.changed': {
    about: 'transport_event',
    includes: ['shipment', 'container', 'port', 'terminal', 'transport_event'],
    category: 'container-events',
    description: 'Last free day changed.',
  },
  'container.pickup_lfd_line.changed': {
    about: 'transport_event',
    includes: ['transport_event'],
    category: 'container-events',
    description: "Carrier's last free day changed.",
  },
  'container.pickup_lfd_terminal.changed': {
    about: 'transport_event',
    includes: ['transport_event'],
    category: 'container-events',
    description: "Terminal's last free day changed.",
  },
  'container.pickup_lfd_rail.changed': {
    about: 'transport_event',
    includes: ['transport_event'],
    category: 'container-events',
    description: "Railway's last free day changed.",
    feature: 'rail',
  },
  'container.pickup_appointment.changed': {
    about: 'transport_event',
    includes: ['transport_event'],
    category: 'container-events',
    description: 'Collection appointment changed.',
  },
  'document.extracted': {
    about: 'document',
    includes: ['document', 'email_submission', 'document_representation'],
    category: 'document-events',
    description: 'Classification and extraction finished.',
    feature: 'documents',
  },
  'document.extraction_failed': {
    about: 'document',
    includes: ['document', 'document_representation'],
    category: 'document-events',
    description: 'Extraction did not finish.',
    feature: 'documents',
  },
  'document_representation.created': {
    about: 'document',
    includes: ['document_representation', 'document', 'email_submission'],
    category: 'document-events',
    description: 'Extraction finished. The newer name of `document.extracted`.',
    feature: 'documents',
  },
  'document_representation.failed': {
    about: 'document',
    includes: ['email_submission', 'document'],
    category: 'document-events',
    description: 'Extraction did not finish. The newer name of `document.extraction_failed`.',
    feature: 'documents',
  },
  'link.created': {
    about: 'document',
    includes: ['document', 'shipment'],
    category: 'document-events',
    description: 'A document was linked to a shipment or container.',
    feature: 'documents',
  },
};

/** The groups of events, by id. */
export const EVENT_CATEGORIES: Readonly<Record<string, string>> = {
  'tracking-request-events': 'Tracking Request Events',
  'origin-events': 'Origin Events',
  'transshipment-events': 'Transshipment Events',
  'feeder-events': 'Feeder Events',
  'discharge-events': 'Discharge Events',
  'rail-events': 'Rail Events',
  'estimate-events': 'Estimate Events',
  'container-events': 'Container Events',
  'document-events': 'Document Events',
};

/** Invented values of records, as notifications include them. */
export const SAMPLE_ATTRIBUTES: { readonly [T in IncludedType]: Resources[T]['attributes'] } = {
  tracking_request: {
    request_number: 'TESTSMP260200117',
    request_type: 'bill_of_lading',
    scac: 'TEST',
    ref_numbers: [],
    shipment_tags: [],
    status: 'created',
    failed_reason: null,
    is_retrying: false,
    created_at: '2026-03-09T03:05:00Z',
    updated_at: '2026-03-09T03:05:00Z',
  },
  container: {
    number: 'CSQU3054383',
    ref_numbers: [],
    equipment_type: 'dry',
    equipment_length: 40,
    equipment_height: 'high_cube',
    weight_in_lbs: 41722,
    created_at: '2026-02-03T04:53:33Z',
    seal_number: null,
    availability_known: true,
    available_for_pickup: true,
    pickup_lfd: '2026-03-12T04:00:00Z',
    pod_arrived_at: '2026-03-05T09:28:23Z',
    pod_discharged_at: '2026-03-05T14:24:00Z',
    pod_full_out_at: null,
    final_destination_full_out_at: null,
    empty_terminated_at: null,
    holds_at_pod_terminal: [],
    fees_at_pod_terminal: [],
    pod_timezone: 'America/New_York',
    final_destination_timezone: null,
    empty_terminated_timezone: 'America/New_York',
  },
  shipment: {
    created_at: '2026-02-03T04:53:33Z',
    ref_numbers: ['PO-55871'],
    tags: [],
    bill_of_lading_number: 'TESTSMP260200117',
    normalized_number: 'SMP260200117',
    shipping_line_scac: 'TEST',
    shipping_line_name: 'Sample Line',
    port_of_lading_locode: 'KRPUS',
    port_of_lading_name: 'Busan',
    port_of_discharge_locode: 'USSAV',
    port_of_discharge_name: 'Savannah',
    pod_eta_at: '2026-03-05T11:00:00Z',
    pod_timezone: 'America/New_York',
  },
  transport_event: {
    event: 'container.transport.vessel_arrived',
    timestamp: '2026-03-09T03:05:00Z',
    timezone: 'America/New_York',
    location_locode: 'USSAV',
    voyage_number: '604E',
    data_source: 'shipping_line',
    created_at: '2026-03-09T03:05:00Z',
  },
  metro_area: {
    name: 'Atlanta',
    code: 'USATL',
    state_abbr: 'GA',
    country_code: 'US',
    latitude: 33.75,
    longitude: -84.39,
    time_zone: 'America/New_York',
  },
  port: {
    name: 'Savannah',
    code: 'USSAV',
    state_abbr: 'GA',
    city: 'Savannah',
    country_code: 'US',
    time_zone: 'America/New_York',
  },
  vessel: { name: 'SAMPLE HORIZON', imo: '9551014' },
  terminal: { name: 'Garden City Terminal', nickname: 'Garden City', firms_code: 'L737' },
  rail_terminal: { name: 'Sample Ramp', nickname: 'Ramp', firms_code: 'X123' },
  estimated_event: {
    event: 'shipment.estimated.arrival',
    estimated_timestamp: '2026-03-05T11:00:00Z',
    created_at: '2026-03-09T03:05:00Z',
    location_locode: 'USSAV',
    timezone: 'America/New_York',
    voyage_number: '604E',
    data_source: 'shipping_line',
  },
  container_created_event: { timestamp: '2026-03-09T03:05:00Z', timezone: 'Etc/UTC' },
  container_updated_event: {
    changeset: { available_for_pickup: [false, true] },
    timestamp: '2026-03-09T03:05:00Z',
    timezone: 'America/New_York',
    data_source: 'terminal',
  },
  container_pod_terminal_changed_event: { timestamp: '2026-03-09T03:05:00Z', data_source: 'shipping_line' },
  document: {
    name: 'Bill of lading',
    document_type: 'bill_of_lading',
    source: 'email',
    file_name: 'bill.pdf',
    file_content_type: 'application/pdf',
    file_size_bytes: 52110,
    created_at: '2026-03-09T03:05:00Z',
    updated_at: '2026-03-09T03:05:00Z',
  },
  email_submission: {
    subject: 'Documents',
    body_preview: 'See attached.',
    from: ['sender@example.com'],
    to: ['inbox@example.com'],
    cc: [],
    sent_at: '2026-03-09T03:05:00Z',
    message_id: '<1@example.com>',
    created_at: '2026-03-09T03:05:00Z',
    updated_at: '2026-03-09T03:05:00Z',
  },
  document_representation: {
    schema_version: '2026-03-10',
    payload: {},
    created_at: '2026-03-09T03:05:00Z',
    updated_at: '2026-03-09T03:05:00Z',
  },
};
