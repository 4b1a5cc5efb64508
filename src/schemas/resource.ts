import * as z from 'zod/mini';
import { isIdentifier, type ResourceIdentifier } from '../jsonapi/document.ts';
import { json, text } from './fields.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

const reference = z.custom<ResourceIdentifier>(isIdentifier, 'a reference');
const references = z.custom<ResourceIdentifier[]>(
  value => Array.isArray(value) && value.every(isIdentifier),
  'a list of references',
);

/** A relationship may come without `data`, also with `type` and `id` in its place (D-87). */
export const one = z.looseObject({ data: z.exactOptional(reference) });
export const oneOrNull = z.looseObject({ data: z.exactOptional(z.nullable(reference)) });
export const many = z.looseObject({ data: z.exactOptional(references) });

/** The members of a resource below its identity. Every attribute and every relationship may be missing, others may come. */
export function members<A extends Shape, R extends Shape>(attributes: A, relationships: R) {
  return {
    attributes: z.exactOptional(z.partial(z.looseObject(attributes))),
    relationships: z.exactOptional(z.partial(z.looseObject(relationships))),
    links: z.exactOptional(json),
    meta: z.exactOptional(json),
  };
}

/** A resource as it is on the wire. */
export function resource<const T extends string, A extends Shape, R extends Shape>(
  type: T,
  attributes: A,
  relationships: R,
) {
  return z.looseObject({ id: text, type: z.literal(type), ...members(attributes, relationships) });
}
