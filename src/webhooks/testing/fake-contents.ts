import type { EventName } from '../../model/index.ts';
import type { FakeType } from './fake-attributes.ts';

const TRANSPORT = ['shipment', 'container', 'port', 'transport_event'] as const;
const AT_TERMINAL = ['shipment', 'container', 'port', 'terminal', 'transport_event'] as const;
const BY_VESSEL = ['shipment', 'container', 'port', 'vessel', 'transport_event'] as const;
const VESSEL_AT_TERMINAL = ['shipment', 'container', 'port', 'terminal', 'vessel', 'transport_event'] as const;
const INLAND = ['shipment', 'container', 'metro_area', 'rail_terminal', 'transport_event'] as const;
const EVENT_ONLY = ['transport_event'] as const;
/** The service sends no `included` with these. */
const NOTHING = undefined;

/** The types of the records that the service includes with each event, in its order. */
export const FAKE_CONTENTS: Record<EventName, readonly FakeType[] | undefined> = {
  'tracking_request.succeeded': ['container', 'shipment', 'tracking_request'],
  'tracking_request.failed': ['tracking_request'],
  'tracking_request.awaiting_manifest': ['tracking_request'],
  'tracking_request.tracking_stopped': ['shipment', 'tracking_request'],
  'container.transport.empty_out': ['shipment', 'container', 'metro_area', 'transport_event'],
  'container.transport.full_in': TRANSPORT,
  'container.transport.vessel_loaded': BY_VESSEL,
  'container.transport.vessel_departed': BY_VESSEL,
  'container.transport.transshipment_arrived': BY_VESSEL,
  'container.transport.transshipment_discharged': BY_VESSEL,
  'container.transport.transshipment_loaded': BY_VESSEL,
  'container.transport.transshipment_departed': BY_VESSEL,
  'container.transport.feeder_arrived': BY_VESSEL,
  'container.transport.feeder_discharged': BY_VESSEL,
  'container.transport.feeder_loaded': BY_VESSEL,
  'container.transport.feeder_departed': BY_VESSEL,
  'container.transport.vessel_arrived': BY_VESSEL,
  'container.transport.vessel_berthed': VESSEL_AT_TERMINAL,
  'container.transport.vessel_discharged': VESSEL_AT_TERMINAL,
  'container.transport.available': NOTHING,
  'container.transport.not_available': NOTHING,
  'container.transport.full_out': AT_TERMINAL,
  'container.transport.delivered': NOTHING,
  'container.transport.empty_in': TRANSPORT,
  'container.transport.rail_loaded': TRANSPORT,
  'container.transport.rail_departed': TRANSPORT,
  'container.transport.rail_arrived': INLAND,
  'container.transport.rail_unloaded': INLAND,
  'container.transport.arrived_at_inland_destination': AT_TERMINAL,
  'container.transport.estimated.vessel_departed': EVENT_ONLY,
  'container.transport.estimated.vessel_arrived': EVENT_ONLY,
  'container.transport.estimated.arrived_at_inland_destination': AT_TERMINAL,
  'shipment.estimated.arrival': ['shipment', 'port', 'estimated_event'],
  'container.created': ['shipment', 'container', 'container_created_event'],
  'container.updated': ['shipment', 'port', 'terminal', 'container', 'container_updated_event'],
  'container.pod_terminal_changed': ['shipment', 'container', 'terminal', 'container_pod_terminal_changed_event'],
  'container.pickup_lfd.changed': AT_TERMINAL,
  'container.pickup_lfd_line.changed': EVENT_ONLY,
  'container.pickup_lfd_terminal.changed': EVENT_ONLY,
  'container.pickup_lfd_rail.changed': EVENT_ONLY,
  'container.pickup_appointment.changed': EVENT_ONLY,
  'document.extracted': ['document', 'email_submission', 'document_representation'],
  'document.extraction_failed': ['document', 'document_representation'],
};
