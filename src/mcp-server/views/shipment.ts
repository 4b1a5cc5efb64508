import * as z from 'zod/mini';
import { containerState } from '../../domain/index.ts';
import type { Shipment } from '../../model/index.ts';
import { textOrNull } from '../schema.ts';
import { deadlineAt, localDay } from './deadline.ts';
import { availability, PICKUP_WORDS } from './lifecycle.ts';
import {
  included,
  local,
  number,
  portDetails,
  portDetailsSchema,
  terminalSchema,
  terminalView,
  text,
  texts,
} from './read.ts';

export type ViewedShipment = Shipment<
  readonly ['port_of_lading', 'port_of_discharge', 'pod_terminal', 'destination', 'destination_terminal']
>;

export function shipmentShape() {
  return {
    id: z.string(),
    bill_of_lading: textOrNull(),
    normalized_number: textOrNull(),
    status: z.string(),
    shipping_line: z.object({ scac: textOrNull(), name: textOrNull(), short_name: textOrNull() }),
    customer_name: textOrNull(),
    reference_numbers: z.array(z.string()),
    tags: z.array(z.string()),
    routing: z.object({
      port_of_lading: z.object({
        locode: textOrNull(),
        name: textOrNull(),
        port_details: portDetailsSchema(),
        etd: textOrNull(),
        etd_local: z.string(),
        atd: textOrNull(),
        atd_local: z.string(),
        timezone: textOrNull(),
      }),
      port_of_discharge: z.object({
        locode: textOrNull(),
        name: textOrNull(),
        port_details: portDetailsSchema(),
        terminal: terminalSchema(),
        eta: textOrNull(),
        eta_local: z.string(),
        ata: textOrNull(),
        ata_local: z.string(),
        original_eta: textOrNull(),
        timezone: textOrNull(),
      }),
      destination: z.nullable(
        z.object({
          locode: textOrNull(),
          name: textOrNull(),
          terminal: terminalSchema(),
          eta: textOrNull(),
          eta_local: z.string(),
          ata: textOrNull(),
          ata_local: z.string(),
          timezone: textOrNull(),
        }),
      ),
    }),
    vessel_at_pod: z.object({ name: textOrNull(), imo: textOrNull(), voyage_number: textOrNull() }),
    tracking: z.object({
      line_tracking_last_attempted_at: textOrNull(),
      line_tracking_last_succeeded_at: textOrNull(),
      line_tracking_stopped_at: textOrNull(),
      line_tracking_stopped_reason: textOrNull(),
    }),
    created_at: textOrNull(),
  };
}

export function shipmentView(shipment: ViewedShipment) {
  return {
    id: text(shipment.id) ?? '',
    bill_of_lading: text(shipment.bill_of_lading_number),
    normalized_number: text(shipment.normalized_number),
    status: shipmentStatus(shipment),
    shipping_line: {
      scac: text(shipment.shipping_line_scac),
      name: text(shipment.shipping_line_name),
      short_name: text(shipment.shipping_line_short_name),
    },
    customer_name: text(shipment.customer_name),
    reference_numbers: texts(shipment.ref_numbers),
    tags: texts(shipment.tags),
    routing: {
      port_of_lading: {
        locode: text(shipment.port_of_lading_locode),
        name: text(shipment.port_of_lading_name),
        port_details: portDetails(shipment.port_of_lading),
        etd: text(shipment.pol_etd_at),
        etd_local: local(shipment.pol_etd_at, shipment.pol_timezone),
        atd: text(shipment.pol_atd_at),
        atd_local: local(shipment.pol_atd_at, shipment.pol_timezone),
        timezone: text(shipment.pol_timezone),
      },
      port_of_discharge: {
        locode: text(shipment.port_of_discharge_locode),
        name: text(shipment.port_of_discharge_name),
        port_details: portDetails(shipment.port_of_discharge),
        terminal: terminalView(shipment.pod_terminal),
        eta: text(shipment.pod_eta_at),
        eta_local: local(shipment.pod_eta_at, shipment.pod_timezone),
        ata: text(shipment.pod_ata_at),
        ata_local: local(shipment.pod_ata_at, shipment.pod_timezone),
        original_eta: text(shipment.pod_original_eta_at),
        timezone: text(shipment.pod_timezone),
      },
      destination: destinationView(shipment),
    },
    vessel_at_pod: {
      name: text(shipment.pod_vessel_name),
      imo: text(shipment.pod_vessel_imo),
      voyage_number: text(shipment.pod_voyage_number),
    },
    tracking: trackingView(shipment),
    created_at: text(shipment.created_at),
  };
}

function shipmentStatus(shipment: Partial<ViewedShipment>): string {
  if (shipment.destination_ata_at) return 'delivered_to_destination';
  if (shipment.pod_ata_at) return 'arrived_at_pod';
  if (shipment.pol_atd_at) return 'in_transit';
  return shipment.pol_etd_at ? 'awaiting_departure' : 'pending';
}

/** `null` where the journey ends at the port of discharge. */
function destinationView(shipment: ViewedShipment) {
  if (!shipment.destination && !shipment.destination_locode && !shipment.destination_name) return null;
  return {
    locode: text(shipment.destination_locode),
    name: text(shipment.destination_name),
    terminal: terminalView(shipment.destination_terminal),
    eta: text(shipment.destination_eta_at),
    eta_local: local(shipment.destination_eta_at, shipment.destination_timezone),
    ata: text(shipment.destination_ata_at),
    ata_local: local(shipment.destination_ata_at, shipment.destination_timezone),
    timezone: text(shipment.destination_timezone),
  };
}

export function trackingView(shipment: Record<string, unknown> | object) {
  const facts = shipment as Record<string, unknown>;
  return {
    line_tracking_last_attempted_at: text(facts.line_tracking_last_attempted_at),
    line_tracking_last_succeeded_at: text(facts.line_tracking_last_succeeded_at),
    line_tracking_stopped_at: text(facts.line_tracking_stopped_at),
    line_tracking_stopped_reason: text(facts.line_tracking_stopped_reason),
  };
}

export const boxSchema = () =>
  z.object({
    id: z.string(),
    number: textOrNull(),
    equipment_type: textOrNull(),
    equipment_length: z.nullable(z.number()),
    available_for_pickup: z.nullable(z.boolean()),
    pickup: z.enum(PICKUP_WORDS),
    pod_arrived_at: textOrNull(),
    pod_discharged_at: textOrNull(),
    pickup_lfd: textOrNull(),
    pickup_lfd_local: z.string(),
  });

/** A container in the list of its shipment. */
export function boxView(value: unknown, now: Date) {
  const container = included(value) ?? (value as Record<string, unknown>);
  return {
    id: text(container.id) ?? '',
    number: text(container.number),
    equipment_type: text(container.equipment_type),
    equipment_length: number(container.equipment_length),
    available_for_pickup: availability(container),
    pickup: containerState(container).pickup,
    pod_arrived_at: text(container.pod_arrived_at),
    pod_discharged_at: text(container.pod_discharged_at),
    pickup_lfd: deadlineAt(container, now),
    pickup_lfd_local: localDay(container, now),
  };
}
