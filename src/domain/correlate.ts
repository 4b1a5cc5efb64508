import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { CustomFieldAttributes } from '../model/index.ts';

/** The records that may have values of your own systems. */
export type CorrelationRecord = 'container' | 'tracking_request' | 'shipment';

/** A value that can lead from a record to one of your own orders. */
export interface CorrelationKey {
  /**
   * The kind of the value.
   *
   * - `id`: id of the record.
   * - `custom_field`: value of a custom field, with its `api_slug`.
   * - `ref_number`: one of your own references.
   * - `number`: the tracked number: a bill of lading, booking or container number.
   */
  kind: 'id' | 'custom_field' | 'ref_number' | 'number';
  /** The value, without spaces around it. */
  value: string;
  /** The record that has the value. */
  record: CorrelationRecord;
  /** Slug of the custom field; only for `custom_field`. */
  api_slug?: string;
}

/** The result of {@link correlate}. */
export type Correlation<T> =
  | {
      /** The order that the notification belongs to. */
      match: T;
      /** The key that led to the order. */
      key: CorrelationKey;
      /** Empty, because the match is clear. */
      candidates: [];
    }
  | {
      /** No order matches, or several orders match equally well. */
      match: undefined;
      /** Always absent. */
      key?: undefined;
      /** The orders that were found with equally good keys; empty if no key leads to an order. */
      candidates: T[];
    };

/** Options of {@link correlationKeys} and {@link correlate}. */
export interface CorrelationOptions {
  /** Values of custom fields of the record, from `customFields.list(id)`. Notifications do not contain them. */
  customFields?: readonly Pick<CustomFieldAttributes, 'api_slug' | 'value'>[] | undefined;
}

/** A more specific record comes first: an order for one container is more specific than an order for the whole shipment. */
const RECORDS: readonly CorrelationRecord[] = ['container', 'tracking_request', 'shipment'];
/**
 * The surest kind comes first. An id is unique forever. A container number is used again for later journeys, so it is
 * less certain than an id.
 */
const KINDS: readonly CorrelationKey['kind'][] = ['id', 'custom_field', 'ref_number', 'number'];

/**
 * Everything in a notification or record that can lead to one of your own orders, the surest first: ids, values of
 * custom fields, your own references, tracked numbers. Within each kind, keys of the container come before keys of the
 * tracking request and the shipment. Use it to look up all keys in your database with one query.
 *
 * The event of a container has the keys of this container and of its shipment, but not of other containers of the shipment. A
 * notification often contains only ids: `refreshSubject` reads the record.
 *
 * @param subject a webhook notification, a shipment, a container, a tracking request, or an event of one of them.
 * @example
 * const values = correlationKeys(notification).map(({ value }) => value);
 * const orders = await database.query('select * from orders where reference = any($1)', [values]);
 */
export function correlationKeys(subject: object, options: CorrelationOptions = {}): CorrelationKey[] {
  if (!isRecord(subject)) {
    throw new ConfigurationError(`The subject is ${describeValue(subject)}; it must be a notification or a record.`);
  }
  const keys: CorrelationKey[] = recordsIn(subject).flatMap(keysOf);
  const main = keys[0]?.record ?? 'shipment';
  for (const { api_slug, value } of options?.customFields ?? []) {
    for (const text of [value].flat()) keys.push({ kind: 'custom_field', value: textOf(text), record: main, api_slug });
  }
  const named = keys.filter(({ value }) => value !== '');
  const unique = new Map(named.map(key => [JSON.stringify([key.kind, key.record, key.api_slug, key.value]), key]));
  return [...unique.values()].sort((a, b) => rank(a) - rank(b));
}

/**
 * Finds your own order for a notification, from its keys. The surest key decides. If equally sure keys lead to different
 * orders, there is no match, and all these orders are candidates.
 *
 * @param lookup returns your order, or its id, for a key; `undefined` or `null` if there is none. Results are compared by
 * identity, so return ids, or always the same object for the same order.
 * @example
 * const orders = new Map([['PO-4711', 'order-1']]);
 * const { match, candidates } = correlate(notification, ({ kind, value }) =>
 *   kind === 'ref_number' ? orders.get(value) : undefined,
 * );
 */
export function correlate<T>(
  subject: object,
  lookup: (key: CorrelationKey) => T | null | undefined,
  options: CorrelationOptions = {},
): Correlation<T> {
  const keys = correlationKeys(subject, options);
  const ranks = new Set(keys.map(rank));
  for (const current of ranks) {
    const found = new Map<T, CorrelationKey>();
    for (const key of keys) {
      if (rank(key) !== current) continue;
      const match = lookup(key) ?? undefined;
      if (match !== undefined && !found.has(match)) found.set(match, key);
    }
    const [only] = found;
    if (only !== undefined && found.size === 1) return { match: only[0], key: only[1], candidates: [] };
    if (found.size > 1) return { match: undefined, candidates: [...found.keys()] };
  }
  return { match: undefined, candidates: [] };
}

function rank({ kind, record }: CorrelationKey): number {
  return KINDS.indexOf(kind) * RECORDS.length + RECORDS.indexOf(record);
}

type Given = Record<string, unknown>;

/** The subject and the records below it, but never other containers of a shipment. */
function recordsIn(subject: unknown): Given[] {
  if (Array.isArray(subject)) return subject.flatMap(recordsIn);
  if (!isRecord(subject)) return [];
  const { type, container, shipment, tracking_request, reference_object, document, tracked_object } = subject;
  switch (type) {
    case 'shipment':
      return [subject];
    case 'container':
      return [subject, ...recordsIn(shipment)];
    case 'tracking_request':
      return [subject, ...recordsIn(tracked_object)];
    case 'document':
      return [...recordsIn(subject.cargos), ...recordsIn(subject.shipments)];
    default:
      return [reference_object, document, tracking_request, container, shipment].flatMap(recordsIn);
  }
}

/** Ids, references and numbers. A reference to a record has only its id. */
function keysOf(given: Given): CorrelationKey[] {
  const record = given.type as CorrelationRecord;
  const key = (kind: CorrelationKey['kind']) => (value: unknown) => ({ kind, value: textOf(value), record });
  const { number, request_number, bill_of_lading_number, normalized_number, ref_numbers } = given;
  return [
    key('id')(given.id),
    ...[ref_numbers].flat().map(key('ref_number')),
    ...[number, request_number, bill_of_lading_number, normalized_number].map(key('number')),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
