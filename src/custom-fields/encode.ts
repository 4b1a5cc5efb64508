import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument, refuseUnknownNames } from '../internal/arguments.ts';
import { isIdentifier } from '../jsonapi/document.ts';
import type { CustomFieldValue } from '../model/index.ts';
import { expectation, realDay } from './decode.ts';
import type { Field } from './fields.ts';

/** A field and its new value; `null` clears the field. */
export interface FieldChange {
  field: Field;
  wire: CustomFieldValue;
}

const MOMENT_WITH_OFFSET = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
/** The service stores 18 digits, 6 of them decimals (docs/service/custom-fields.md#definitions). */
const DECIMALS = 6;
const LARGEST = 10 ** 12;

/** @throws {ConfigurationError} for a name that was not described, and for a value that does not match its field. */
export function encodeChanges(what: string, fields: readonly Field[], values: object): FieldChange[] {
  const given = objectArgument(what, values, "{ name: 'value' }");
  refuseUnknownNames(
    what,
    given,
    fields.map(({ name }) => name),
  );
  const known = new Map(fields.map(field => [field.name, field]));
  return Object.entries(given).flatMap(([name, value]) => {
    const field = known.get(name);
    return field === undefined || value === undefined ? [] : [{ field, wire: encodeValue(field, value) }];
  });
}

/** @throws {ConfigurationError} for a value that does not match its field. */
export function encodeValue(field: Field, value: unknown): CustomFieldValue {
  if (value === null) {
    if (field.nullable) return null;
    throw new ConfigurationError(`${field.title} is not nullable, so it cannot be cleared.`);
  }
  const wire = ENCODERS[field.dataType](value, field);
  if (wire !== undefined) return wire;
  throw new ConfigurationError(`${field.title} is ${describeValue(value)}; it must be ${requirement(field)}.`);
}

function requirement(field: Field): string {
  switch (field.dataType) {
    case 'number':
    case 'decimal':
      return `a number below ${LARGEST} with at most ${DECIMALS} decimals`;
    case 'date':
      return "a day as text such as '2026-03-12'; the day of a Date depends on the time zone";
    case 'datetime':
      return "a Date, or text with an offset such as '2026-03-12T09:30:00Z'";
    case 'reference':
      return `{ type: '${field.referenceType}', id }`;
    case 'enum_multi':
      return `an array of options (${field.options.join(', ')})`;
    default:
      return expectation(field);
  }
}

/** The encoders return `undefined` for a value that does not match. */
const ENCODERS: Record<Field['dataType'], (value: unknown, field: Field) => CustomFieldValue | undefined> = {
  short_text: value => (typeof value === 'string' ? value : undefined),
  number: decimal,
  decimal,
  boolean: value => (typeof value === 'boolean' ? value : undefined),
  date: value => (typeof value === 'string' ? realDay(value) : undefined),
  datetime: moment,
  enum: (value, { options }) => options.find(option => option === value),
  enum_multi: (value, { options }) =>
    Array.isArray(value) && value.every(item => options.includes(item)) ? [...new Set<string>(value)] : undefined,
  reference: (value, { referenceType }) =>
    isIdentifier(value) && value.type === referenceType ? { type: value.type, id: value.id } : undefined,
};

/** Sends 0.1 + 0.2 as 0.3. A number that the service would have to round is refused. */
function decimal(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(Math.abs(value) < LARGEST)) return undefined;
  const rounded = Number(value.toFixed(DECIMALS));
  return Math.abs(rounded - value) <= Number.EPSILON * 2 * Math.abs(value) ? rounded : undefined;
}

function moment(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const day = MOMENT_WITH_OFFSET.exec(value)?.[1];
    return realDay(day) !== undefined && !Number.isNaN(Date.parse(value)) ? value : undefined;
  }
  const isDate = Object.prototype.toString.call(value) === '[object Date]';
  return isDate && !Number.isNaN((value as Date).getTime()) ? (value as Date).toISOString() : undefined;
}
