import * as z from 'zod/mini';
import { isIdentifier, type ResourceIdentifier } from '../jsonapi/document.ts';
import { json, text } from './fields.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

const reference = z.custom<ResourceIdentifier>(isIdentifier, 'a reference');
const references = z.custom<ResourceIdentifier[]>(
  value => Array.isArray(value) && value.every(isIdentifier),
  'a list of references',
);

/**
 * A relationship may come without `data`, also with `type` and `id` in its place:
 * docs/service/contradictions.md#relationships-beside-data
 */
export const one = z.looseObject({ data: z.exactOptional(reference) });
export const oneOrNull = z.looseObject({ data: z.exactOptional(z.nullable(reference)) });
export const many = z.looseObject({ data: z.exactOptional(references) });

const optionals = new WeakMap<z.ZodMiniType, z.ZodMiniType>();

/** Many resources use the same field, so its optional schema is made once: making one takes longer than checking a record. */
function optional(field: z.ZodMiniType): z.ZodMiniType {
  const known = optionals.get(field) ?? z.optional(field);
  optionals.set(field, known);
  return known;
}

/** An object with these keys. Each may be missing, and other keys are allowed. */
function partialObject<S extends Shape>(shape: S) {
  const fields = Object.entries(shape).map(([name, field]) => [name, optional(field)]);
  return z.looseObject(Object.fromEntries(fields) as { [Name in keyof S]: z.ZodMiniOptional<S[Name]> });
}

const anything = z.exactOptional(json);

/** The members of a resource except `type` and `id`. Each attribute and relationship may be missing, and others are allowed. */
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
