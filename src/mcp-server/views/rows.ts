import { containerState } from '../../domain/index.ts';
import * as s from '../schema/build.ts';
import { deadlineAt, localDay } from './deadline.ts';
import { availability, PICKUP_WORDS } from './lifecycle.ts';
import { terminalView } from './place.ts';
import { flag, number, objects, plain, text, texts } from './read.ts';
import { trackingView } from './shipment.ts';

/** Rows of lists, in camelCase. What has no place of its own in a row keeps its name, in camelCase too. */

type Fields = Record<string, unknown>;

const textOrNull = () => s.nullable(s.string());

export const containerRowSchema = () =>
  s.open({
    id: s.string(),
    number: textOrNull(),
    status: textOrNull(),
    currentStatus: textOrNull(),
    equipment: s.open({ type: textOrNull(), length: s.nullable(s.number()), height: textOrNull() }),
    location: s.open({
      currentLocation: textOrNull(),
      availableForPickup: s.nullable(s.boolean()),
      pickup: s.oneOf(PICKUP_WORDS).describe('Whether it can be picked up. unknown is not a no.'),
    }),
    demurrage: s.open({ pickupLfd: textOrNull(), pickupLfdLocal: s.string(), pickupAppointmentAt: textOrNull() }),
    terminals: s.object({ podTerminal: rowTerminalSchema(), destinationTerminal: rowTerminalSchema() }),
    rail: s.open({ podRailCarrierScac: textOrNull() }),
    events: s.array(s.open({ event: textOrNull(), timestamp: textOrNull() })),
    shipment: s.nullable(s.open({ id: s.string(), billOfLading: textOrNull(), shippingLineScac: textOrNull() })),
  });

const CONTAINER_PLACES = new Set(
  `id type links meta number current_status equipment_type equipment_length equipment_height weight_in_lbs
  location_at_pod_terminal available_for_pickup pod_arrived_at pod_discharged_at pickup_lfd pickup_appointment_at
  fees_at_pod_terminal holds_at_pod_terminal pod_rail_carrier_scac ind_rail_carrier_scac pod_rail_loaded_at
  pod_rail_departed_at ind_rail_unloaded_at ind_eta_at ind_ata_at shipment pod_terminal pickup_facility transport_events
  raw_events`.split(/\s+/),
);

export function containerRow(record: object, now: Date) {
  const container = record as Fields;
  const status = text(container.current_status);
  return {
    ...others(container, CONTAINER_PLACES),
    id: text(container.id) ?? '',
    number: text(container.number),
    status,
    currentStatus: status,
    equipment: {
      type: text(container.equipment_type),
      length: number(container.equipment_length),
      height: text(container.equipment_height),
      weightLbs: number(container.weight_in_lbs),
    },
    location: {
      currentLocation: text(container.location_at_pod_terminal),
      availableForPickup: availability(container),
      pickup: containerState(container).pickup,
      podArrivedAt: text(container.pod_arrived_at),
      podDischargedAt: text(container.pod_discharged_at),
    },
    demurrage: {
      pickupLfd: deadlineAt(container, now),
      pickupLfdLocal: localDay(container, now),
      pickupAppointmentAt: text(container.pickup_appointment_at),
      fees: listed(container.fees_at_pod_terminal),
      holds: listed(container.holds_at_pod_terminal),
    },
    terminals: {
      podTerminal: rowTerminal(container.pod_terminal),
      destinationTerminal: rowTerminal(container.pickup_facility),
    },
    rail: {
      podRailCarrierScac: text(container.pod_rail_carrier_scac),
      indRailCarrierScac: text(container.ind_rail_carrier_scac),
      podRailLoadedAt: text(container.pod_rail_loaded_at),
      podRailDepartedAt: text(container.pod_rail_departed_at),
      indRailUnloadedAt: text(container.ind_rail_unloaded_at),
      indEtaAt: text(container.ind_eta_at),
      indAtaAt: text(container.ind_ata_at),
    },
    events: (objects(container.transport_events) ?? [])
      .filter(event => 'event' in event)
      .map(event => ({ event: text(event.event), timestamp: text(event.timestamp) })),
    shipment: shipmentOf(container.shipment),
  };
}

function listed(value: unknown) {
  return Array.isArray(value) ? plain(value) : null;
}

function shipmentOf(value: unknown) {
  if (typeof value !== 'object' || value === null) return null;
  const shipment = value as Fields;
  return {
    id: text(shipment.id) ?? '',
    billOfLading: text(shipment.bill_of_lading_number),
    shippingLineScac: text(shipment.shipping_line_scac),
  };
}

export const shipmentRowSchema = () =>
  s.open({
    id: s.string(),
    billOfLading: textOrNull(),
    shippingLineScac: textOrNull(),
    customerName: textOrNull(),
    containers: s.array(s.object({ id: s.string(), number: textOrNull() })),
    refNumbers: s.array(s.string()),
    tags: s.array(s.string()),
    vesselAtPod: s.object({ name: textOrNull(), imo: textOrNull(), voyageNumber: textOrNull() }),
    ports: s.object({
      portOfLading: placeSchema(),
      portOfDischarge: placeSchema(),
      destination: s.nullable(placeSchema()),
    }),
    tracking: s.open({}),
  });

const SHIPMENT_PLACES = new Set(
  `id type links meta bill_of_lading_number customer_name ref_numbers tags containers port_of_lading port_of_discharge
  pod_terminal destination destination_terminal line_tracking_stopped_by_user`.split(/\s+/),
);

export function shipmentRow(record: object) {
  const shipment = record as Fields;
  const place = (name: string) => ({ locode: text(shipment[`${name}_locode`]), name: text(shipment[`${name}_name`]) });
  const destination = place('destination');
  return {
    ...others(shipment, SHIPMENT_PLACES),
    id: text(shipment.id) ?? '',
    billOfLading: text(shipment.bill_of_lading_number),
    shippingLineScac: text(shipment.shipping_line_scac),
    customerName: text(shipment.customer_name),
    containers: (objects(shipment.containers) ?? []).map(({ id, number }) => ({
      id: text(id) ?? '',
      number: text(number),
    })),
    refNumbers: texts(shipment.ref_numbers),
    tags: texts(shipment.tags),
    vesselAtPod: {
      name: text(shipment.pod_vessel_name),
      imo: text(shipment.pod_vessel_imo),
      voyageNumber: text(shipment.pod_voyage_number),
    },
    ports: {
      portOfLading: place('port_of_lading'),
      portOfDischarge: place('port_of_discharge'),
      destination: destination.locode || destination.name ? destination : null,
    },
    tracking: camelCased(trackingView(shipment)),
  };
}

export const trackingRequestRowSchema = () =>
  s.object({
    id: s.string(),
    requestType: textOrNull(),
    requestNumber: textOrNull(),
    status: textOrNull(),
    scac: textOrNull(),
    refNumbers: s.array(s.string()),
    shipment: s.nullable(s.object({ id: s.string(), billOfLading: textOrNull() })),
    container: s.nullable(s.object({ id: s.string() })),
    shipmentTags: s.array(s.string()),
    createdAt: textOrNull(),
    updatedAt: textOrNull(),
    failedReason: textOrNull(),
    isRetrying: s.nullable(s.boolean()),
    retryCount: s.nullable(s.number()),
  });

export function trackingRequestRow(record: object) {
  const request = record as Fields;
  const tracked = request.tracked_object as Fields | null | undefined;
  return {
    id: text(request.id) ?? '',
    requestType: text(request.request_type),
    requestNumber: text(request.request_number),
    status: text(request.status),
    scac: text(request.scac),
    refNumbers: texts(request.ref_numbers),
    shipment:
      tracked?.type === 'shipment'
        ? { id: text(tracked.id) ?? '', billOfLading: text(tracked.bill_of_lading_number) }
        : null,
    container: tracked?.type === 'container' ? { id: text(tracked.id) ?? '' } : null,
    shipmentTags: texts(request.shipment_tags),
    createdAt: text(request.created_at),
    updatedAt: text(request.updated_at),
    failedReason: text(request.failed_reason),
    isRetrying: flag(request.is_retrying),
    retryCount: number(request.retry_count),
  };
}

function placeSchema() {
  return s.object({ locode: textOrNull(), name: textOrNull() });
}

function rowTerminalSchema() {
  return s.nullable(s.object({ id: s.string(), name: textOrNull(), nickname: textOrNull(), firmsCode: textOrNull() }));
}

function rowTerminal(value: unknown) {
  const terminal = terminalView(value);
  if (!terminal) return null;
  const { firms_code: firmsCode, ...rest } = terminal;
  return { ...rest, firmsCode };
}

/** The attributes that have no place of their own. What is inside of them keeps its names. */
function others(record: Fields, placed: ReadonlySet<string>): Fields {
  return camelCased(Object.fromEntries(Object.entries(record).filter(([name]) => !placed.has(name))));
}

function camelCased(fields: Fields): Fields {
  const named = Object.entries(fields).map(([name, value]) => [
    name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    plain(value),
  ]);
  return Object.fromEntries(named);
}
