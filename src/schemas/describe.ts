import type * as z from 'zod/mini';
import { RELATIONSHIPS } from '../model/generated/relationships.ts';
import { schemas } from '../model/generated/schemas.ts';
import type { ResourceType } from '../model/index.ts';

/** What a field holds. What has parts, or may be of several kinds, is `json`. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'json';

export interface ResourceDescription {
  /** Each attribute, in the order of the schema. */
  attributes: Readonly<Record<string, FieldKind>>;
  /** Each relationship, and whether it leads to one record or to many. */
  relationships: Readonly<Record<string, 'one' | 'many'>>;
}

type Schema = z.core.$ZodType;

/** What the schema of a type says, for code that makes something else of it. */
export function describe(type: ResourceType): ResourceDescription {
  return {
    attributes: mapValues(attributesOf(schemas[type]), kindOf),
    relationships: RELATIONSHIPS[type],
  };
}

function kindOf(schema: Schema): FieldKind {
  const { def } = (innermost(schema) as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return FORMATS[(def as { format?: string }).format ?? ''] ?? 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'union': {
      const kinds = new Set(def.options.map(kindOf));
      // Coordinates are numbers, or decimal text.
      return kinds.size === 2 && kinds.has('number') && kinds.has('text') ? 'number' : 'json';
    }
    default:
      return 'json';
  }
}

const FORMATS: Readonly<Record<string, FieldKind>> = { date: 'date', 'date-time': 'timestamp' };

function attributesOf(schema: Schema): Record<string, Schema> {
  return shapeOf(shapeOf(schema).attributes as Schema);
}

function shapeOf(schema: Schema): Record<string, Schema> {
  return (innermost(schema) as z.core.$ZodObject)._zod.def.shape;
}

/** The schema below `z.lazy`, `z.nullable` and `z.optional`. */
function innermost(schema: Schema): Schema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'lazy':
      return innermost((schema as z.core.$ZodLazy)._zod.innerType);
    case 'nullable':
    case 'optional':
      return innermost(def.innerType);
    default:
      return schema;
  }
}

function mapValues<T, U>(object: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
