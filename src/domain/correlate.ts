import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { isRecord } from '../jsonapi/document.ts';
import type { CustomFieldAttributes } from '../model/index.ts';

/** The records that may hold something of your own. */
export type CorrelationRecord = 'container' | 'tracking_request' | 'shipment';

/** A value that can show which of your own orders a record belongs to. */
export interface CorrelationKey {
  /**
   * The kind of the value.
   *
   * - `id`: of the record.
   * - `custom_field`: the value of a custom field; `api_slug` names it.
   * - `ref_number`: one of your own references.
   * - `number`: the number that was tracked: of the bill of lading, the booking or the container.
   */
  kind: 'id' | 'custom_field' | 'ref_number' | 'number';
  /** The value, without blanks around it. */
  value: string;
  /** The record that has it. */
  record: CorrelationRecord;
  /** Slug of the custom field; on `custom_field` only. */
  api_slug?: string;
}

/** The result of {@link correlate}. */
export type Correlation<T> =
  | {
      /** The order that the notification belongs to. */
      match: T;
      /** The key that it was found by. */
      key: CorrelationKey;
      /** Empty: the match is clear. */
      candidates: [];
    }
  | {
      /** Nothing belongs to it, or it is not clear what. */
      match: undefined;
      /** Always absent. */
      key?: undefined;
      /** The orders that equally good keys lead to; empty if no key leads anywhere. */
      candidates: T[];
    };

/** Options of {@link correlationKeys} and {@link correlate}. */
export interface CorrelationOptions {
  /** Values of custom fields of the record, as `customFields.list(id)` gives them. Notifications do not bring them along. */
  customFields?: readonly Pick<CustomFieldAttributes, 'api_slug' | 'value'>[] | undefined;
}

/** The narrower record goes first: an order of one container is nearer to it than the order of the whole shipment. */
const RECORDS: readonly CorrelationRecord[] = ['container', 'tracking_request', 'shipment'];
/** An id is unique for ever. A container number comes again on the next journey. */
const KINDS: readonly CorrelationKey['kind'][] = ['id', 'custom_field', 'ref_number', 'number'];

/**
 * Everything in a notification, or in a record, that can show which of your own orders it belongs to, the surest first: ids,
 * values of custom fields, your own references, tracked numbers. Of those, the keys of the container come before those of the
 * tracking request and of the shipment. Use it to look up all keys in your database at once.
 *
 * A container's event has the keys of its own container and shipment, and not those of other containers of the shipment. A
 * notification often brings only ids along: `refreshSubject` reads the record.
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
 * Finds what you have stored for a notification: from its keys to your own order. The surest key decides. If equally sure
 * keys lead to different orders, none is chosen: you get all of them as candidates.
 *
 * @param lookup gives your order, or its id, for a key; `undefined` or `null` if there is none. Results are compared by
 * identity, so give ids, or the same object for the same order.
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

/** The records that a subject is about: from the subject downwards, never to the other containers of a shipment. */
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

/** Ids, references and numbers. A reference to a record has its id only. */
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
