// Written by `npm run generate` from description/. Do not edit.

/**
 * The names of all events that this version knows.
 *
 * @example
 * await client.webhooks.create({ url, active: true, events: EVENT_NAMES });
 */
export const EVENT_NAMES = [
  'tracking_request.succeeded',
  'tracking_request.failed',
  'tracking_request.awaiting_manifest',
  'tracking_request.tracking_stopped',
  'container.transport.empty_out',
  'container.transport.full_in',
  'container.transport.vessel_loaded',
  'container.transport.vessel_departed',
  'container.transport.transshipment_arrived',
  'container.transport.transshipment_discharged',
  'container.transport.transshipment_loaded',
  'container.transport.transshipment_departed',
  'container.transport.feeder_arrived',
  'container.transport.feeder_discharged',
  'container.transport.feeder_loaded',
  'container.transport.feeder_departed',
  'container.transport.vessel_arrived',
  'container.transport.vessel_berthed',
  'container.transport.vessel_discharged',
  'container.transport.available',
  'container.transport.not_available',
  'container.transport.full_out',
  'container.transport.delivered',
  'container.transport.empty_in',
  'container.transport.rail_loaded',
  'container.transport.rail_departed',
  'container.transport.rail_arrived',
  'container.transport.rail_unloaded',
  'container.transport.arrived_at_inland_destination',
  'container.transport.estimated.vessel_departed',
  'container.transport.estimated.vessel_arrived',
  'container.transport.estimated.arrived_at_inland_destination',
  'shipment.estimated.arrival',
  'container.created',
  'container.updated',
  'container.pod_terminal_changed',
  'container.pickup_lfd.changed',
  'container.pickup_lfd_line.changed',
  'container.pickup_lfd_terminal.changed',
  'container.pickup_lfd_rail.changed',
  'container.pickup_appointment.changed',
  'document.extracted',
  'document.extraction_failed',
  'document_representation.created',
  'document_representation.failed',
  'link.created',
] as const;

/** The name of an event that the service can notify about. */
export type EventName = (typeof EVENT_NAMES)[number];

/**
 * The name of an event, as a call accepts it. A literal must be a known name. A value of type `string` is accepted
 * unchanged, so that the names from `webhooks.events()` can be passed.
 */
export type NamedEvent<E extends string> = E extends EventName ? E : string extends E ? E : EventName;

/** The names that a transport event can have: milestones, estimates and deadlines of one container. */
export type TransportEventName = Extract<EventName, `container.transport.${string}` | `container.pickup_${string}`>;
