import { isIdentifier } from '../jsonapi/document.ts';
import type { CustomField } from '../model/index.ts';
import { CustomFieldValueError } from './errors.ts';
import type { Field } from './fields.ts';

/**
 * The service stores some values in two forms (docs/service/custom-fields.md#definitions). Both decode to the same
 * value.
 */

const DAY = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?(?:Z| ?UTC)?)?$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * The values of all described fields.
 *
 * @param recordId id of the record that has the values, if it is known.
 * @throws {CustomFieldValueError} for a value that does not have the described type.
 */
export function decodeValues(
  fields: readonly Field[],
  stored: readonly Pick<CustomField, 'api_slug' | 'value'>[],
  recordId?: string,
): Record<string, unknown> {
  const values = new Map(stored.map(({ api_slug, value }) => [api_slug, value]));
  return Object.fromEntries(fields.map(field => [field.name, decodeValue(field, values.get(field.slug), recordId)]));
}

/** @throws {CustomFieldValueError} for a value that does not have the described type. */
export function decodeValue(field: Field, wire: unknown, recordId?: string): unknown {
  if (wire === null || wire === undefined) {
    if (field.nullable) return null;
    throw misfit(field, wire, 'that it always has a value', recordId);
  }
  const value = DECODERS[field.dataType](wire, field);
  if (value !== undefined) return value;
  throw misfit(field, wire, expectation(field), recordId);
}

/**
 * Reads the values of many records.
 * @throws {CustomFieldValueError} if some values do not match. The error contains the values of the other records.
 */
export function decodeAll(
  fields: readonly Field[],
  stored: ReadonlyMap<string, readonly CustomField[]>,
): Map<string, Record<string, unknown>> {
  const readable = new Map<string, Record<string, unknown>>();
  const misfits = new Map<string, CustomFieldValueError>();
  for (const [id, values] of stored) {
    try {
      readable.set(id, decodeValues(fields, values, id));
    } catch (error) {
      if (!(error instanceof CustomFieldValueError)) throw error;
      misfits.set(id, error);
    }
  }
  const [first] = misfits.values();
  if (!first) return readable;
  const { message, field, value, recordId } = first;
  const others = misfits.size > 1 ? ` ${misfits.size - 1} more records have a value of another type.` : '';
  throw new CustomFieldValueError(
    `${message}${others} The values of the other records are in error.all.readable.`,
    field,
    value,
    recordId,
    { readable, misfits },
  );
}

function misfit(
  { title }: Field,
  value: unknown,
  expected: string,
  recordId: string | undefined,
): CustomFieldValueError {
  const found = value === undefined ? 'no value' : JSON.stringify(value);
  return new CustomFieldValueError(
    `The custom field ${title}${recordId === undefined ? '' : ` of record ${recordId}`} holds ${found}; the description says ${expected}.`,
    title,
    value,
    recordId,
  );
}

/** The values that a field accepts, in words for a message. */
export function expectation({ dataType, options, referenceType }: Field): string {
  if (options.length > 0) return `${dataType} of ${options.map(option => JSON.stringify(option)).join(', ')}`;
  return referenceType === undefined ? dataType : `${dataType} to ${referenceType}`;
}

/** The decoders return `undefined` for a value that does not match. */
const DECODERS: Record<Field['dataType'], (wire: unknown, field: Field) => unknown> = {
  short_text: wire => (typeof wire === 'string' ? wire : undefined),
  number: wire => (typeof wire === 'number' ? wire : exactNumber(wire)),
  decimal: wire => (typeof wire === 'number' ? wire : exactNumber(wire)),
  boolean: wire => (wire === true || wire === 'true' ? true : wire === false || wire === 'false' ? false : undefined),
  date: wire => (typeof wire === 'string' ? realDay(DAY.exec(wire)?.[1]) : undefined),
  datetime: moment,
  enum: (wire, { options }) => options.find(option => option === wire),
  enum_multi: (wire, { options }) => {
    const items = typeof wire === 'string' ? split(wire, options) : wire;
    return Array.isArray(items) && items.every(item => options.includes(item)) ? items : undefined;
  },
  reference: (wire, { referenceType }) =>
    isIdentifier(wire) && wire.type === referenceType ? { type: wire.type, id: wire.id } : undefined,
};

/**
 * Reads a number that the service sends as text. A number with more digits than JavaScript can represent does not
 * match.
 */
function exactNumber(wire: unknown): number | undefined {
  if (typeof wire !== 'string' || !DECIMAL.test(wire)) return undefined;
  const [whole = '', decimals = ''] = wire.split('.');
  const number = Number(wire);
  const isExact =
    decimals.length <= 100 && digitsOf(number.toFixed(decimals.length)) === digitsOf(`${whole}.${decimals}`);
  return Number.isFinite(number) && isExact ? number : undefined;
}

function digitsOf(decimal: string): string {
  return decimal.replace(/^-?0*|[-.]/g, '');
}

/**
 * A time without an offset is in UTC, like all times of the service. JavaScript engines would read some such times as
 * local time.
 */
function moment(wire: unknown): Date | undefined {
  const [whole, date, time, zone] = (typeof wire === 'string' && MOMENT.exec(wire)) || [];
  if (whole === undefined || realDay(date) === undefined) return undefined;
  const offset = zone === undefined || zone === 'UTC' || zone === 'Z' ? 'Z' : zone.replace(/:?(\d\d)$/, ':$1');
  const instant = new Date(`${date}T${time}${offset}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/**
 * Returns the day; `undefined` for a day that does not exist. JavaScript engines read 30 February in different ways.
 */
export function realDay(date: string | undefined): string | undefined {
  const epochMs = Date.parse(date ?? '');
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().slice(0, 10) === date ? date : undefined;
}

/** Several options may be stored as text with commas. An option that contains a comma makes the text ambiguous. */
function split(text: string, options: readonly string[]): string[] | undefined {
  if (text.trim() === '') return [];
  if (text.includes(',') && options.some(option => option.includes(','))) return undefined;
  return text.split(',').map(part => part.trim());
}
