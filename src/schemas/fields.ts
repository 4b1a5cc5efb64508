import * as z from 'zod/mini';
import { isIdentifier, isRecord, type ResourceIdentifier } from '../jsonapi/document.ts';
import type { Ref, ResourceType } from '../model/index.ts';
import { isDate, isDateTime } from './date-time.ts';

/** Schemas of attribute values. Enums are `text`, because the service may add values at any time. */

export const text = z.string();
export const textOrNull = z.nullable(text);
export const texts = z.array(text);

export const flag = z.boolean();
export const flagOrNull = z.nullable(flag);

export const number = z.number();
export const numberOrNull = z.nullable(number);

export const dateTime = z.stringFormat('date-time', isDateTime);
export const dateTimeOrNull = z.nullable(dateTime);

export const date = z.stringFormat('date', isDate);
export const dateOrNull = z.nullable(date);

/** Coordinates are numbers in the schema of the service and decimal text in its responses (docs/service/records.md#coordinates). */
export const degrees = z.nullable(z.union([number, text]));

/** An object of any shape. */
export const json = z.looseObject({});
export const jsonOrNull = z.nullable(json);

export const unknown = z.unknown();

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** A reference to a record of one of these types; if no types are given, of any type. */
type Reference<T extends string> = [T] extends [never] ? ResourceIdentifier : Ref<T>;

type Test = (value: unknown) => boolean;

/** The kinds of relationships. `data` makes the test of the relationship's `data` from the test of one reference. */
const CARDINALITIES = {
  one: { name: 'a reference', data: (test: Test) => test },
  oneOrNull: { name: 'a reference', data: (test: Test) => (value: unknown) => value === null || test(value) },
  many: {
    name: 'a list of references',
    data: (test: Test) => (value: unknown) => Array.isArray(value) && value.every(test),
  },
} as const;

/**
 * A relationship may have no `data`, or `type` and `id` in place of `data`:
 * docs/service/contradictions.md#relationships-beside-data
 *
 * The test is a function. An object schema would be slower, because the test is called for every relationship of every
 * record.
 */
function relationship<Data>(cardinality: keyof typeof CARDINALITIES, types: readonly string[]) {
  const { name, data } = CARDINALITIES[cardinality];
  const isReference = leadsTo(types);
  const [isData, isWellFormed] = [data(isReference), data(isIdentifier)];
  const fits = (value: unknown) =>
    isRecord(value) && ('data' in value ? isData(value.data) : !isIdentifier(value) || isReference(value));
  const leadsElsewhere = (value: unknown) => isRecord(value) && (!('data' in value) || isWellFormed(value.data));
  return z.custom<{ data?: Data; [name: string]: unknown }>(fits, {
    path: ['data'],
    error: ({ input }) => (leadsElsewhere(input) ? `${name} to ${types.join(' or ')}` : name),
  });
}

function leadsTo(types: readonly string[]): Test {
  const [only] = types;
  if (only === undefined) return isIdentifier;
  if (types.length === 1) return value => isIdentifier(value) && value.type === only;
  return value => isIdentifier(value) && types.includes(value.type);
}

const made = new Map<string, unknown>();

/** Many resources have the same relationship, so its schema is made once. */
function once<Data>(...[cardinality, types]: Parameters<typeof relationship>) {
  const key = `${cardinality} ${types.join()}`;
  const schema = (made.get(key) as ReturnType<typeof relationship<Data>>) ?? relationship<Data>(cardinality, types);
  made.set(key, schema);
  return schema;
}

/** A relationship to one record of these types. */
export function one<const T extends ResourceType = never>(...types: T[]) {
  return once<Reference<T>>('one', types);
}

/** A relationship to one record of these types, or to no record. */
export function oneOrNull<const T extends ResourceType = never>(...types: T[]) {
  return once<Reference<T> | null>('oneOrNull', types);
}

/** A relationship to any number of records of these types. */
export function many<const T extends ResourceType = never>(...types: T[]) {
  return once<Reference<T>[]>('many', types);
}

const optionals = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/**
 * Many resources use the same field. Its optional schema is made only once, because making a schema takes longer than
 * checking a record.
 */
function optional(field: z.ZodMiniType): z.ZodMiniType {
  const known = optionals.get(field) ?? z.optional(field);
  optionals.set(field, known);
  return known;
}

/** An object with these keys. Each key may be missing, and other keys are allowed. */
function partialObject<S extends Shape>(shape: S) {
  const fields = Object.entries(shape).map(([name, field]) => [name, optional(field)]);
  return z.looseObject(Object.fromEntries(fields) as { [Name in keyof S]: z.ZodMiniOptional<S[Name]> });
}

const anything = z.exactOptional(json);

/**
 * The members of a resource except `type` and `id`. Each attribute and each relationship may be missing. Other
 * attributes and relationships are allowed.
 */
export function members<A extends Shape, R extends Shape>(attributes: A, relationships: R) {
  return {
    attributes: z.exactOptional(partialObject(attributes)),
    relationships: z.exactOptional(partialObject(relationships)),
    links: anything,
    meta: anything,
  };
}

/** A resource in the wire format. */
export function resource<const T extends string, A extends Shape, R extends Shape>(
  type: T,
  attributes: A,
  relationships: R,
) {
  return z.looseObject({ id: text, type: z.literal(type), ...members(attributes, relationships) });
}
