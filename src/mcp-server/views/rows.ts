import * as z from 'zod/mini';
import { hasGone } from '../../domain/container-state.ts';
import { type ContainerStage, containerState, localTime, rollUpHoldsAndFees } from '../../domain/index.ts';
import { pickupPlace } from '../../domain/pickup-place.ts';
import { included, objects, short, shown, text, texts } from '../../domain/record-values.ts';
import { described, nullableTexts, optionalTexts, textOrNull } from '../schema.ts';
import { lastDayOf, oldSources } from './deadline.ts';
import { PICKUP_WORDS } from './lifecycle.ts';
import { clock, timeText } from './read.ts';

/** Rows of lists, with the facts that users compare across records. A fact that the service does not send is left out. */

type Record = { readonly [name: string]: unknown };

export const containerRowSchema = () =>
  z.object({
    id: z.string(),
    ...nullableTexts('number', 'status'),
    pickup: described(z.enum(PICKUP_WORDS), 'unknown is not a no'),
    days_left: z.optional(z.number()),
    held_by: z.optional(z.array(z.string())),
    ref_numbers: z.optional(z.array(z.string())),
    ...optionalTexts(
      'last_free_day',
      'last_free_day_at',
      'pickup_lfd',
      'pod_eta',
      'pod_ata',
      'pickup_place',
      'fees_due',
    ),
    ...optionalTexts('appointment', 'stale', 'bill_of_lading', 'scac'),
  });

export type ContainerRow = z.infer<ReturnType<typeof containerRowSchema>>;

/** @param withPickupLfd true for a list that is filtered or sorted by `pickup_lfd`, the day that the service prefers. */
export function containerRow(record: object, now: Date, { withPickupLfd = false } = {}): ContainerRow {
  const container = record as Record;
  const { pickup, stage } = containerState(container);
  const shipment = included(container.shipment) ?? {};
  const lfd = lastDayOf(container, now);
  const place = pickupPlace(container);
  return {
    id: text(container.id) ?? '',
    number: short(container.number) ?? null,
    status: short(container.current_status) ?? null,
    pickup,
    last_free_day: lfd?.date,
    last_free_day_at: lfd && place.at === 'inland' ? lfd.place : undefined,
    days_left: lfd?.daysLeft,
    pickup_lfd: withPickupLfd ? utcDay(container.pickup_lfd) : undefined,
    ...arrivalOf(container.pod_arrived_at ?? shipment.pod_ata_at, shipment.pod_eta_at, container.pod_timezone),
    pickup_place: short(place.name),
    ...chargesOf(container),
    appointment: appointmentOf(container, stage),
    stale: staleIn(container, now),
    bill_of_lading: short(shipment.bill_of_lading_number),
    ref_numbers: refsOf(container),
    scac: short(shipment.shipping_line_scac),
  };
}

/**
 * The holds and the fees. The holds are left out if the container can be picked up. The fees are left out if the
 * terminal does not report them.
 */
export function chargesOf(container: Record): { held_by?: string[] | undefined; fees_due?: string | undefined } {
  const { pickup, stage, holds } = containerState(container);
  return {
    held_by:
      reported(container.holds_at_pod_terminal, stage) && pickup !== 'yes'
        ? holds.map(({ name }) => short(name) ?? 'unknown')
        : undefined,
    fees_due: reported(container.fees_at_pod_terminal, stage) ? feesOf(container) : undefined,
  };
}

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
  const containers = objects(shipment.containers) ?? [];
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
      ? containers.map(({ id, number }) => ({ id: text(id) ?? '', number: short(number) ?? null }))
      : undefined,
  };
}

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

/**
 * Rows without their ids, because an id may need more of a model's context than the rest of the row. The tools accept the
 * key of a row, such as its number, in place of the id. A row keeps its id if its key is missing, cut or the same as in
 * another row.
 */
export function withoutIds<Row extends { id?: string | undefined }>(rows: readonly Row[], key: string): Row[] {
  const keys = rows.map(row => String((row as Record)[key] ?? ''));
  const counts = new Map<string, number>();
  for (const each of keys) counts.set(each, (counts.get(each) ?? 0) + 1);
  const isEnough = (own: string) => own !== '' && !own.includes('«cut»') && counts.get(own) === 1;
  return rows.map((row, index) => (isEnough(keys[index] ?? '') ? { ...row, id: undefined } : row));
}

/**
 * Rows as lines below a line with the names of the columns. Columns without any value are left out. The id is the last
 * column.
 */
export function tableOf(rows: readonly object[]): string {
  const data = rows.map(row => row as Record);
  const names = [...new Set(data.flatMap(row => Object.keys(row)))].filter(name => data.some(row => row[name] != null));
  const ordered = [...names.filter(name => name !== 'id'), ...names.filter(name => name === 'id')];
  const cellIn = (row: Record, name: string) => (OURS.has(name) ? String(row[name] ?? '') : cellOf(row[name]));
  return [ordered, ...data.map(row => ordered.map(name => cellIn(row, name)))].map(cells => cells.join('|')).join('\n');
}

/** Columns whose texts come only from this package. */
const OURS = new Set(['stale']);

/**
 * A text of this package, for a cell of a table. Texts of records in this text are already between the marks « and ».
 */
export class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellOf).join(',') || 'none';
  return (value instanceof Written ? value.text : shown(textOf(value))).replaceAll('|', '/');
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return clock(String(value ?? ''));
  const { id, ...others } = value as Record;
  return Object.values(others).map(textOf).filter(Boolean).join(':') || textOf(id);
}

/** All fees of the terminal: `demurrage:300USD+exam:20USD`; `0` if there are none. */
export function feesOf(container: object): string {
  const { fees } = rollUpHoldsAndFees([container]);
  const parts = fees.map(({ type, amount, currency }) => {
    const price = amount === 0 ? 'unpriced' : `${amount}${currency ?? ''}`;
    return type === 'total' || typeof type !== 'string' ? price : `${type}:${price}`;
  });
  return short(parts.join('+')) ?? '0';
}

/** The local time of the pickup appointment; `undefined` after the container was picked up. */
export function appointmentOf(container: Record, stage: ContainerStage): string | undefined {
  const { pickup_appointment_at, pod_timezone } = container;
  return hasGone(stage) ? undefined : timeOf(pickup_appointment_at, pod_timezone);
}

const timeOf = (instant: unknown, zone: unknown) => {
  const local = localTime(text(instant), text(zone));
  return local && timeText(local);
};

/** The sources with old data, as text: `terminal 5 days, line 3 days`. */
export function staleIn(container: object, now: Date): string | undefined {
  const old = oldSources(container, now);
  return old.length > 0 ? old.map(({ source, days }) => `${source} ${days} days`).join(', ') : undefined;
}

/** The references of the shipment and of the container. Each reference occurs once. */
export function refsOf({ ref_numbers, shipment }: Record): string[] | undefined {
  return listed([...new Set([...texts(included(shipment)?.ref_numbers), ...texts(ref_numbers)])]);
}

/** The day in UTC, by which the service filters and sorts. */
function utcDay(value: unknown): string | undefined {
  const at = Date.parse(text(value) ?? '');
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The items that the terminal reports. An empty list is kept only for a container that is at the terminal. */
function reported(value: unknown, stage: string) {
  const items = objects(value);
  return items?.length === 0 && stage !== 'at_port' ? undefined : items;
}

/** The local day at the port of discharge. The estimate is left out after the arrival. */
function arrivalOf(actual: unknown, estimate: unknown, zone: unknown) {
  const arrived = dayOf(actual, zone);
  return { pod_eta: arrived ? undefined : dayOf(estimate, zone), pod_ata: arrived };
}

function dayOf(instant: unknown, zone: unknown): string | undefined {
  return localTime(text(instant), text(zone))?.text.slice(0, 'YYYY-MM-DD'.length);
}

const MAX_ITEMS = 10;

function listed(value: unknown): string[] | undefined {
  const items = texts(value).map(item => short(item) ?? '');
  if (items.length === 0) return undefined;
  return items.length > MAX_ITEMS ? [...items.slice(0, MAX_ITEMS), `«${items.length - MAX_ITEMS} more»`] : items;
}

/** Upper bound in characters of JSON for the rows of one page: about 4,000 tokens. The table of the rows is shorter. */
const MAX_PAGE_CHARACTERS = 12_000;

/** The number of rows that fit within `most` characters, at least one. */
export function fitting(rows: readonly unknown[], most = MAX_PAGE_CHARACTERS): number {
  let length = 0;
  const end = rows.findIndex((row, index) => {
    length += JSON.stringify(row).length + 1;
    return index > 0 && length > most;
  });
  return end === -1 ? rows.length : end;
}
