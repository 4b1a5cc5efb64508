import * as z from 'zod/mini';
import { containerState, localTime } from '../../domain/index.ts';
import { nullableTexts, optionalTexts, textOrNull } from '../schema.ts';
import { feesOf, lastDayOf, sumOf } from './deadline.ts';
import { PICKUP_WORDS } from './lifecycle.ts';
import { included, objects, quoted, text, texts } from './read.ts';

/** Rows of lists: what one looks for in many records. What the service does not say is left out. */

type Record = { readonly [name: string]: unknown };

/** A column of the table that says the same as the rows. */
export interface Column<Row> {
  key: keyof Row & string;
  title: string;
  /** @default what the row has under the key */
  value?: (row: Row) => string | undefined;
}

export const containerRowSchema = () =>
  z.object({
    id: z.string(),
    ...nullableTexts('number', 'status'),
    pickup: z.enum(PICKUP_WORDS).check(z.describe('yes: not held either. unknown is not a no')),
    days_left: z.optional(z.number()),
    held_by: z.optional(z.array(z.string())),
    ...optionalTexts('last_free_day', 'pod_eta', 'pod_ata', 'terminal', 'fees_due', 'bill_of_lading', 'scac'),
  });

export type ContainerRow = z.infer<ReturnType<typeof containerRowSchema>>;

export function containerRow(record: object, now: Date): ContainerRow {
  const container = record as Record;
  const { pickup, stage, holds } = containerState(container);
  const shipment = included(container.shipment) ?? {};
  const lfd = lastDayOf(container, now);
  return {
    id: text(container.id) ?? '',
    number: short(container.number) ?? null,
    status: short(container.current_status) ?? null,
    pickup,
    last_free_day: lfd?.date,
    days_left: lfd?.daysLeft,
    ...arrivalOf(container.pod_arrived_at ?? shipment.pod_ata_at, shipment.pod_eta_at, container.pod_timezone),
    terminal: short(included(container.pod_terminal)?.name),
    held_by:
      reported(container.holds_at_pod_terminal, stage) && pickup !== 'yes'
        ? holds.map(({ name }) => short(name) ?? 'unknown')
        : undefined,
    fees_due: reported(container.fees_at_pod_terminal, stage) ? feesText(container.fees_at_pod_terminal) : undefined,
    bill_of_lading: short(shipment.bill_of_lading_number),
    scac: short(shipment.shipping_line_scac),
  };
}

export const CONTAINER_COLUMNS: readonly Column<ContainerRow>[] = [
  { key: 'number', title: 'number' },
  { key: 'status', title: 'status' },
  { key: 'pickup', title: 'pickup' },
  { key: 'last_free_day', title: 'last free day' },
  { key: 'days_left', title: 'left' },
  { key: 'pod_ata', title: 'arrival', value: arrivalText },
  { key: 'terminal', title: 'terminal' },
  { key: 'held_by', title: 'held by', value: ({ held_by }) => (held_by?.length === 0 ? 'none' : held_by?.join(',')) },
  { key: 'fees_due', title: 'fees', value: ({ fees_due }) => fees_due?.replace(' ', '') },
  { key: 'bill_of_lading', title: 'B/L' },
  { key: 'scac', title: 'carrier' },
  { key: 'id', title: 'id' },
];

export const shipmentRowSchema = () =>
  z.object({
    id: z.string(),
    ...nullableTexts('bill_of_lading', 'scac'),
    ...optionalTexts('port_of_lading', 'port_of_discharge', 'destination', 'pod_vessel', 'pod_eta', 'pod_ata'),
    ...optionalTexts('customer_name', 'tracking_stopped_reason'),
    ref_numbers: z.optional(z.array(z.string())),
    tags: z.optional(z.array(z.string())),
    containers: z.optional(z.array(z.object({ id: z.string(), number: textOrNull() }))),
  });

export type ShipmentRow = z.infer<ReturnType<typeof shipmentRowSchema>>;

export function shipmentRow(record: object, withContainers: boolean): ShipmentRow {
  const shipment = record as Record;
  const place = (name: string) => short(shipment[`${name}_locode`]) ?? short(shipment[`${name}_name`]);
  const boxes = objects(shipment.containers) ?? [];
  return {
    id: text(shipment.id) ?? '',
    bill_of_lading: short(shipment.bill_of_lading_number) ?? null,
    scac: short(shipment.shipping_line_scac) ?? null,
    port_of_lading: place('port_of_lading'),
    port_of_discharge: place('port_of_discharge'),
    destination: place('destination'),
    pod_vessel: short(shipment.pod_vessel_name),
    ...arrivalOf(shipment.pod_ata_at, shipment.pod_eta_at, shipment.pod_timezone),
    customer_name: short(shipment.customer_name),
    ref_numbers: listed(shipment.ref_numbers),
    tags: listed(shipment.tags),
    tracking_stopped_reason: shipment.line_tracking_stopped_at
      ? (short(shipment.line_tracking_stopped_reason) ?? 'unknown')
      : undefined,
    containers: withContainers
      ? boxes.map(({ id, number }) => ({ id: text(id) ?? '', number: short(number) ?? null }))
      : undefined,
  };
}

export const SHIPMENT_COLUMNS: readonly Column<ShipmentRow>[] = [
  { key: 'bill_of_lading', title: 'B/L' },
  { key: 'scac', title: 'carrier' },
  { key: 'port_of_lading', title: 'from' },
  { key: 'port_of_discharge', title: 'to' },
  { key: 'destination', title: 'destination' },
  { key: 'pod_vessel', title: 'vessel' },
  { key: 'pod_ata', title: 'arrival', value: arrivalText },
  { key: 'customer_name', title: 'customer' },
  { key: 'ref_numbers', title: 'references' },
  { key: 'tags', title: 'tags' },
  { key: 'tracking_stopped_reason', title: 'tracking stopped' },
  {
    key: 'containers',
    title: 'containers',
    value: ({ containers }) => containers?.map(({ id, number }) => `${number ?? '?'}:${id}`).join(','),
  },
  { key: 'id', title: 'id' },
];

export const trackingRequestRowSchema = () =>
  z.object({
    id: z.string(),
    ...nullableTexts('request_number', 'request_type', 'status', 'scac', 'created_at'),
    failed_reason: z.optional(z.string()),
    ref_numbers: z.optional(z.array(z.string())),
    shipment: z.optional(z.object({ id: z.string(), bill_of_lading: textOrNull() })),
    container: z.optional(z.object({ id: z.string() })),
  });

export type TrackingRequestRow = z.infer<ReturnType<typeof trackingRequestRowSchema>>;

export function trackingRequestRow(record: object): TrackingRequestRow {
  const request = record as Record;
  const tracked = request.tracked_object as Record | null | undefined;
  const id = text(tracked?.id) ?? '';
  return {
    id: text(request.id) ?? '',
    request_number: short(request.request_number) ?? null,
    request_type: short(request.request_type) ?? null,
    status: short(request.status) ?? null,
    scac: short(request.scac) ?? null,
    failed_reason: short(request.failed_reason),
    created_at: short(request.created_at) ?? null,
    ref_numbers: listed(request.ref_numbers),
    shipment:
      tracked?.type === 'shipment' ? { id, bill_of_lading: short(tracked.bill_of_lading_number) ?? null } : undefined,
    container: tracked?.type === 'container' ? { id } : undefined,
  };
}

export const TRACKING_REQUEST_COLUMNS: readonly Column<TrackingRequestRow>[] = [
  { key: 'request_number', title: 'number' },
  { key: 'request_type', title: 'kind' },
  { key: 'status', title: 'status' },
  { key: 'scac', title: 'carrier' },
  { key: 'failed_reason', title: 'reason' },
  { key: 'created_at', title: 'requested' },
  { key: 'ref_numbers', title: 'references' },
  { key: 'shipment', title: 'shipment', value: ({ shipment }) => shipment?.id },
  { key: 'container', title: 'container', value: ({ container }) => container?.id },
  { key: 'id', title: 'id' },
];

/** Rows as lines, with a first one of titles, without the columns in which no row has anything. */
export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cellOf = (row: Row, { key, value }: Column<Row>) => {
    const said = value ? value(row) : row[key];
    return quoted(said == null ? '' : String(said)).replaceAll('|', '/');
  };
  const filled = columns.filter(column => rows.some(row => cellOf(row, column) !== ''));
  const lines = rows.map(row => filled.map(column => cellOf(row, column)));
  return [filled.map(({ title }) => title), ...lines].map(cells => cells.join('|')).join('\n');
}

function arrivalText({ pod_ata, pod_eta }: Pick<ContainerRow, 'pod_ata' | 'pod_eta'>) {
  return pod_ata ?? (pod_eta && `expected:${pod_eta}`);
}

function feesText(value: unknown): string {
  const { fees_total_amount, fees_currency_code } = sumOf(feesOf(value));
  return [fees_total_amount, fees_currency_code].filter(value => value !== null).join(' ');
}

/** What the terminal reports. An empty list is news only of a container that stands there. */
function reported(value: unknown, stage: string) {
  const items = objects(value);
  return items?.length === 0 && stage !== 'at_port' ? undefined : items;
}

/** The day at the port of discharge. An estimate is no news after the arrival. */
function arrivalOf(actual: unknown, estimate: unknown, zone: unknown) {
  const arrived = dayOf(actual, zone);
  return { pod_eta: arrived ? undefined : dayOf(estimate, zone), pod_ata: arrived };
}

function dayOf(instant: unknown, zone: unknown): string | undefined {
  return localTime(text(instant), text(zone))?.text.slice(0, 'YYYY-MM-DD'.length);
}

const MAX_CHARACTERS = 120;
const MAX_ITEMS = 10;

/** A text of a cell. */
function short(value: unknown): string | undefined {
  const said = text(value) || undefined;
  return said === undefined || said.length <= MAX_CHARACTERS ? said : `${said.slice(0, MAX_CHARACTERS)}… «cut»`;
}

function listed(value: unknown): string[] | undefined {
  const items = texts(value).map(item => short(item) ?? '');
  if (items.length === 0) return undefined;
  return items.length > MAX_ITEMS ? [...items.slice(0, MAX_ITEMS), `«${items.length - MAX_ITEMS} more»`] : items;
}
