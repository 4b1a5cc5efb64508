import type { EventName } from '../../model/index.ts';
import type { Features } from '../state/features.ts';

export interface EventCategory {
  id: string;
  name: string;
  events: { name: EventName; description: string }[];
}

type Row = [name: EventName, description: string];

const category = (id: string, name: string, rows: Row[]): EventCategory => ({
  id,
  name,
  events: rows.map(([event, description]) => ({ name: event, description })),
});

/** The events that webhooks can subscribe to. They depend on the account's features. */
export function eventCategories({ documents, rail }: Features): EventCategory[] {
  return [
    category('tracking-request-events', 'Tracking Request Events', [
      ['tracking_request.succeeded', 'Shipment found and linked.'],
      ['tracking_request.failed', 'The request ended without a shipment.'],
      ['tracking_request.awaiting_manifest', 'The carrier has nothing yet.'],
      ['tracking_request.tracking_stopped', 'No more updates.'],
    ]),
    category('origin-events', 'Origin Events', [
      ['container.transport.empty_out', 'Empty container collected at origin.'],
      ['container.transport.full_in', 'Full container handed in at the port of lading.'],
      ['container.transport.vessel_loaded', 'Container on board at lading.'],
      ['container.transport.vessel_departed', 'Vessel left the port of lading.'],
    ]),
    category('transshipment-events', 'Transshipment Events', [
      ['container.transport.transshipment_arrived', 'Arrived at a transfer port.'],
      ['container.transport.transshipment_discharged', 'Off the vessel at a transfer port.'],
      ['container.transport.transshipment_loaded', 'On the next vessel at a transfer port.'],
      ['container.transport.transshipment_departed', 'Left a transfer port.'],
    ]),
    category('feeder-events', 'Feeder Events', [
      ['container.transport.feeder_arrived', 'Arrived on a feeder or barge.'],
      ['container.transport.feeder_discharged', 'Off the feeder or barge.'],
      ['container.transport.feeder_loaded', 'On a feeder or barge.'],
      ['container.transport.feeder_departed', 'Feeder or barge left.'],
    ]),
    category('discharge-events', 'Discharge Events', [
      ['container.transport.vessel_arrived', 'Vessel reached the port of discharge.'],
      ['container.transport.vessel_berthed', 'Vessel alongside at discharge.'],
      ['container.transport.vessel_discharged', 'Container off the vessel at discharge.'],
      ['container.transport.available', 'Ready for collection.'],
      ['container.transport.not_available', 'No longer ready for collection.'],
      ['container.transport.full_out', 'Full container left the port or rail facility.'],
      ['container.transport.delivered', 'A person marked it delivered.'],
      ['container.transport.empty_in', 'Empty container returned.'],
    ]),
    category('rail-events', 'Rail Events', [
      ['container.transport.rail_loaded', 'On a rail car.'],
      ['container.transport.rail_departed', 'Train left.'],
      ['container.transport.rail_arrived', 'At a rail facility.'],
      ['container.transport.rail_unloaded', 'Off the rail car.'],
      ['container.transport.arrived_at_inland_destination', 'At the final inland place.'],
    ]),
    category('estimate-events', 'Estimate Events', [
      ['container.transport.estimated.vessel_departed', 'Departure estimate at lading changed.'],
      ['shipment.estimated.arrival', 'Arrival estimate of the shipment changed.'],
      ['container.transport.estimated.vessel_arrived', 'Arrival estimate of the container changed.'],
      ['container.transport.estimated.arrived_at_inland_destination', 'Inland arrival estimate changed.'],
    ]),
    category('container-events', 'Container Events', [
      ['container.created', 'A container was added to a shipment.'],
      ['container.updated', 'Attributes that the terminal reports changed.'],
      ['container.pod_terminal_changed', 'Discharge terminal reassigned.'],
      ['container.pickup_lfd.changed', 'Last free day changed.'],
      ['container.pickup_lfd_line.changed', "Carrier's last free day changed."],
      ['container.pickup_lfd_terminal.changed', "Terminal's last free day changed."],
      ...(rail ? [['container.pickup_lfd_rail.changed', "Railway's last free day changed."] satisfies Row] : []),
      ['container.pickup_appointment.changed', 'Collection appointment changed.'],
    ]),
    ...(documents
      ? [
          category('document-events', 'Document Events', [
            ['document.extracted', 'Classification and extraction finished.'],
            ['document.extraction_failed', 'Extraction did not finish.'],
          ]),
        ]
      : []),
  ];
}

/** The name, if the service has an event of this name. */
export function eventNamed(name: string): EventName | undefined {
  return eventCategories({ routing: true, refresh: true, rail: true, documents: true })
    .flatMap(({ events }) => events)
    .find(event => event.name === name)?.name;
}
