import * as z from 'zod/mini';
import { containerState } from '../../domain/index.ts';
import { counted, included, joined, number, quoted, text, texts } from '../../domain/record-values.ts';
import type { Shipment } from '../../model/index.ts';
import { nullableTexts, textOrNull } from '../schema.ts';
import { localDay } from './deadline.ts';
import { availability, PICKUP_WORDS } from './lifecycle.ts';
import {
  clock,
  factLines,
  localInstant,
  markedText,
  portDetails,
  portDetailsSchema,
  said,
  terminalSchema,
  terminalView,
  textsAt,
} from './read.ts';
import { chargesOf, tableOf, withoutIds } from './rows.ts';

export type ViewedShipment = Shipment<
  readonly ['port_of_lading', 'port_of_discharge', 'pod_terminal', 'destination', 'destination_terminal']
>;

export function shipmentShape() {
  const stop = <Name extends string>(...times: Name[]) =>
    nullableTexts<'locode' | 'name' | 'timezone' | Name>('locode', 'name', 'timezone', ...times);
  return {
    id: z.string(),
    status: z.string(),
    ...nullableTexts('bill_of_lading', 'normalized_number', 'customer_name', 'created_at'),
    shipping_line: z.object(nullableTexts('scac', 'name', 'short_name')),
    reference_numbers: z.array(z.string()),
    tags: z.array(z.string()),
    routing: z.object({
      port_of_lading: z.object({ ...stop('etd', 'atd'), port_details: portDetailsSchema() }),
      port_of_discharge: z.object({
        ...stop('eta', 'ata'),
        original_eta: textOrNull(),
        port_details: portDetailsSchema(),
        terminal: terminalSchema(),
      }),
      destination: z.nullable(z.object({ ...stop('eta', 'ata'), terminal: terminalSchema() })),
    }),
    vessel_at_pod: z.object(nullableTexts('name', 'imo', 'voyage_number')),
    tracking: z.object(nullableTexts(...TRACKING)),
  };
}

/** The result of `get_shipment_details`, without the containers. */
export function shipmentView(shipment: ViewedShipment) {
  return {
    id: text(shipment.id) ?? '',
    bill_of_lading: text(shipment.bill_of_lading_number),
    status: shipmentStatus(shipment),
    ...textsAt(shipment, 'normalized_number', 'customer_name', 'created_at'),
    shipping_line: {
      scac: text(shipment.shipping_line_scac),
      name: text(shipment.shipping_line_name),
      short_name: text(shipment.shipping_line_short_name),
    },
    reference_numbers: texts(shipment.ref_numbers),
    tags: texts(shipment.tags),
    routing: {
      port_of_lading: {
        ...stopView(shipment, 'port_of_lading', 'pol', ['etd', 'atd']),
        port_details: portDetails(shipment.port_of_lading),
      },
      port_of_discharge: {
        ...stopView(shipment, 'port_of_discharge', 'pod', ['eta', 'ata']),
        original_eta: localInstant(shipment.pod_original_eta_at, shipment.pod_timezone),
        port_details: portDetails(shipment.port_of_discharge),
        terminal: terminalView(shipment.pod_terminal),
      },
      destination: destinationView(shipment),
    },
    vessel_at_pod: {
      name: text(shipment.pod_vessel_name),
      imo: text(shipment.pod_vessel_imo),
      voyage_number: text(shipment.pod_voyage_number),
    },
    tracking: textsAt(shipment, ...TRACKING),
  };
}

/** A place of the voyage with its times. In the shipment, the names of these times begin with `prefix`. */
function stopView<Name extends string>(shipment: object, place: string, prefix: string, names: readonly Name[]) {
  const facts = shipment as Record<string, unknown>;
  const zone = facts[`${prefix}_timezone`];
  const times = names.map(name => [name, localInstant(facts[`${prefix}_${name}_at`], zone)]);
  return {
    locode: text(facts[`${place}_locode`]),
    name: text(facts[`${place}_name`]),
    timezone: text(zone),
    ...(Object.fromEntries(times) as Record<Name, string | null>),
  };
}

/** The step of the voyage, read from its times. */
export function shipmentStatus(shipment: Partial<ViewedShipment>): string {
  if (shipment.destination_ata_at) return 'delivered_to_destination';
  if (shipment.pod_ata_at) return 'arrived_at_pod';
  if (shipment.pol_atd_at) return 'in_transit';
  return shipment.pol_etd_at ? 'awaiting_departure' : 'pending';
}

/** `null` if the journey ends at the port of discharge. */
function destinationView(shipment: ViewedShipment) {
  if (!shipment.destination && !shipment.destination_locode && !shipment.destination_name) return null;
  return {
    ...stopView(shipment, 'destination', 'destination', ['eta', 'ata']),
    terminal: terminalView(shipment.destination_terminal),
  };
}

const TRACKING = [
  'line_tracking_last_attempted_at',
  'line_tracking_last_succeeded_at',
  'line_tracking_stopped_at',
  'line_tracking_stopped_reason',
] as const;

export const containedSchema = () =>
  z.object({
    id: z.string(),
    ...nullableTexts('number', 'equipment_type', 'pod_arrived_at', 'pod_discharged_at', 'pickup_lfd_local'),
    equipment_length: z.nullable(z.number()),
    available_for_pickup: z.nullable(z.boolean()),
    pickup: z.enum(PICKUP_WORDS),
    held_by: z.optional(z.array(z.string())),
    fees_due: z.optional(z.string()),
  });

/** A container in the list of its shipment. */
export function containedView(value: unknown, now: Date) {
  const container = included(value) ?? (value as Record<string, unknown>);
  return {
    id: text(container.id) ?? '',
    ...textsAt(container, 'number', 'equipment_type'),
    pod_arrived_at: localInstant(container.pod_arrived_at, container.pod_timezone),
    pod_discharged_at: localInstant(container.pod_discharged_at, container.pod_timezone),
    equipment_length: number(container.equipment_length),
    available_for_pickup: availability(container),
    pickup: included(value) ? containerState(container).pickup : ('unknown' as const),
    pickup_lfd_local: localDay(container, now),
    ...chargesOf(container),
  };
}

/** The shipment as text, with one line for each fact, and a table of its containers. */
export function shipmentPage(
  view: ReturnType<typeof shipmentView>,
  containers: string | { count: number; containers: readonly Contained[]; cut?: string | undefined },
): string {
  const { shipping_line: line, routing, vessel_at_pod: vessel, tracking } = view;
  const { port_of_lading, port_of_discharge, destination } = routing;
  const lines = factLines({
    Status: view.status,
    Carrier: joined([said(line.name), said(line.scac)]),
    Lading: joined([
      placeOf(port_of_lading),
      timeOf('left', port_of_lading.atd, 'expected to leave', port_of_lading.etd),
    ]),
    Discharge: joined([
      placeOf(port_of_discharge),
      arrivalOf(port_of_discharge),
      port_of_discharge.original_eta && `first expected ${clock(port_of_discharge.original_eta)}`,
      said(port_of_discharge.terminal?.name),
    ]),
    Destination:
      destination && joined([placeOf(destination), arrivalOf(destination), said(destination.terminal?.name)]),
    Vessel: joined([said(vessel.name), vessel.voyage_number && `voyage ${said(vessel.voyage_number)}`]),
    Customer: said(view.customer_name),
    References: view.reference_numbers.map(said).join(', '),
    Tags: view.tags.map(said).join(', '),
    'Carrier last read': clock(tracking.line_tracking_last_succeeded_at),
    'Tracking stopped':
      tracking.line_tracking_stopped_at && joined(['yes', said(tracking.line_tracking_stopped_reason)]),
    Id: quoted(view.id),
  });
  const rows = typeof containers === 'string' ? [] : containers.containers.map(withTimes);
  const count = typeof containers === 'string' ? containers : counted(containers.count, 'container');
  const about = joined([count, typeof containers !== 'string' && containers.cut], '; ');
  return markedText(`# Shipment ${said(view.bill_of_lading)}`, [
    ...lines,
    about,
    ...(rows.length > 0 ? [tableOf(withoutIds(rows, 'number'))] : []),
  ]);
}

const placeOf = ({ name, locode }: { name: string | null; locode: string | null }) =>
  joined([said(name), said(locode)], ' ');

const timeOf = (done: string, actual: string | null, expected: string, estimate: string | null) =>
  actual ? `${done} ${clock(actual)}` : estimate && `${expected} ${clock(estimate)}`;

const arrivalOf = (stop: { ata: string | null; eta: string | null }) =>
  timeOf('arrived', stop.ata, 'expected', stop.eta);

type Contained = ReturnType<typeof containedView>;

const withTimes = (row: Contained) => ({
  ...row,
  pod_arrived_at: clock(row.pod_arrived_at) || null,
  pod_discharged_at: clock(row.pod_discharged_at) || null,
});
