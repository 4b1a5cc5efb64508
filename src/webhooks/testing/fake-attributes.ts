import type { EventName, Resources, TransportEventName } from '../../model/index.ts';

/** The types of the records that the service includes in notifications. */
export type FakeType =
  | 'shipment'
  | 'container'
  | 'tracking_request'
  | 'transport_event'
  | 'estimated_event'
  | 'container_created_event'
  | 'container_updated_event'
  | 'container_pod_terminal_changed_event'
  | 'port'
  | 'metro_area'
  | 'terminal'
  | 'rail_terminal'
  | 'vessel'
  | 'document'
  | 'document_representation'
  | 'email_submission';

export const NOW = '2026-03-09T03:05:00Z';
const ZONE = 'America/New_York';

const REQUEST_STATUS: Record<string, string> = {
  'tracking_request.failed': 'failed',
  'tracking_request.awaiting_manifest': 'awaiting_manifest',
  'tracking_request.tracking_stopped': 'tracking_stopped',
};

/** Attributes that fit the event, with invented values. */
export function fakeAttributes(event: EventName): { [T in FakeType]: Resources[T]['attributes'] } {
  return {
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
      pod_timezone: ZONE,
    },
    container: {
      number: 'CSQU3054383',
      ref_numbers: [],
      equipment_type: 'dry',
      equipment_length: 40,
      equipment_height: 'high_cube',
      weight_in_lbs: 41_722,
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
      pod_timezone: ZONE,
      final_destination_timezone: null,
      empty_terminated_timezone: ZONE,
    },
    tracking_request: {
      request_number: 'TESTSMP260200117',
      request_type: 'bill_of_lading',
      scac: 'TEST',
      ref_numbers: [],
      shipment_tags: [],
      status: REQUEST_STATUS[event] ?? 'created',
      failed_reason: event === 'tracking_request.failed' ? 'not_found' : null,
      is_retrying: false,
      retry_count: null,
      created_at: NOW,
      updated_at: NOW,
    },
    transport_event: {
      event: event as TransportEventName,
      timestamp: NOW,
      timezone: ZONE,
      location_locode: 'USSAV',
      voyage_number: '604E',
      data_source: 'shipping_line',
      created_at: NOW,
      ...(event.endsWith('.changed') ? { value: '2026-03-12T04:00:00Z' } : undefined),
    },
    estimated_event: {
      event: 'shipment.estimated.arrival',
      estimated_timestamp: '2026-03-05T11:00:00Z',
      created_at: NOW,
      location_locode: 'USSAV',
      timezone: ZONE,
      voyage_number: '604E',
      data_source: 'shipping_line',
    },
    container_created_event: { timestamp: NOW, timezone: 'Etc/UTC' },
    container_updated_event: {
      changeset: { available_for_pickup: [false, true] },
      timestamp: NOW,
      timezone: ZONE,
      data_source: 'terminal',
    },
    container_pod_terminal_changed_event: { timestamp: NOW, data_source: 'shipping_line' },
    port: { name: 'Savannah', code: 'USSAV', state_abbr: 'GA', city: 'Savannah', country_code: 'US', time_zone: ZONE },
    metro_area: {
      name: 'Atlanta',
      code: 'USATL',
      state_abbr: 'GA',
      country_code: 'US',
      latitude: 33.75,
      longitude: -84.39,
      time_zone: ZONE,
    },
    terminal: { name: 'Garden City Terminal', nickname: 'Garden City', firms_code: 'L737' },
    rail_terminal: { name: 'Sample Ramp', nickname: 'Ramp', firms_code: 'X123' },
    vessel: { name: 'SAMPLE HORIZON', imo: '9551014' },
    document: {
      name: 'Bill of lading',
      document_type: event === 'document.extracted' ? 'bill_of_lading' : null,
      source: 'email',
      file_name: 'bill.pdf',
      file_content_type: 'application/pdf',
      file_size_bytes: 52_110,
      created_at: NOW,
      updated_at: NOW,
    },
    document_representation: { schema_version: '2026-03-10', payload: {}, created_at: NOW, updated_at: NOW },
    email_submission: {
      subject: 'Documents',
      body_preview: 'See attached.',
      from: ['sender@example.com'],
      to: ['inbox@example.com'],
      cc: [],
      sent_at: NOW,
      message_id: '<1@example.com>',
      created_at: NOW,
      updated_at: NOW,
    },
  };
}
