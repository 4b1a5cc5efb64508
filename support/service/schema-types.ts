import type * as z from 'zod/mini';
import { description, type Fields, parseType, type TypeNode } from './description.ts';

/**
 * Types in one notation, so that the description and a zod schema can be compared as text. Enumerations count as text, and
 * a day counts as a time, as in the schemas.
 */
export function describedType(text: string): string {
  return canonical(parseType(text));
}

function canonical(node: TypeNode): string {
  switch (node.kind) {
    case 'union':
      return union(node.of.map(canonical));
    case 'array':
      return `${canonical(node.of)}[]`;
    case 'tuple':
      return `[${node.of.map(canonical).join(', ')}]`;
    case 'literal':
      return node.text.startsWith("'") ? 'string' : 'number';
    case 'name':
      return named(node.name);
  }
}

function named(name: string): string {
  if (name === 'integer') return 'number';
  if (name === 'json') return 'object({})';
  if (['string', 'number', 'boolean', 'datetime', 'date', 'null', 'unknown'].includes(name)) return name;
  const type = description.types[name];
  if (type === undefined) throw new Error(`The description has no type ${name}`);
  if (typeof type === 'string') return canonical(parseType(type));
  return Array.isArray(type) ? 'string' : describedObject(type);
}

export function describedObject(fields: Fields): string {
  return object(Object.entries(fields).map(([key, text]) => [key, describedType(text)]));
}

/** The type of a zod schema in the same notation. */
export function schemaType(schema: unknown): string {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'lazy':
      return schemaType(def.getter());
    case 'string':
      return 'format' in def && /^date/.test(String(def.format)) ? String(def.format).replace('-', '') : 'string';
    case 'literal':
    case 'custom':
      return 'string';
    case 'nullable':
      return union([schemaType(def.innerType), 'null']);
    case 'optional':
      return schemaType(def.innerType);
    case 'union':
      return union(def.options.map(schemaType));
    case 'array':
      return `${schemaType(def.element)}[]`;
    case 'tuple':
      return `[${def.items.map(schemaType).join(', ')}]`;
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]): [string, string] => [
        isOptional(field) ? `${name}?` : name,
        schemaType(field),
      ]);
      const other = def.catchall && def.catchall._zod.def.type !== 'unknown' ? schemaType(def.catchall) : undefined;
      return object(other === undefined ? fields : [...fields, ['*', other]]);
    }
    default:
      return def.type;
  }
}

function isOptional(schema: unknown): boolean {
  return (schema as z.core.$ZodType)._zod.optin !== undefined;
}

function object(fields: [string, string][]): string {
  const sorted = fields.map(([key, type]) => `${key}: ${type}`).sort();
  return `object({${sorted.join(', ')}})`;
}

/** `unknown` takes in every other type. A time may be a day. */
function union(types: string[]): string {
  const parts = new Set(types.flatMap(membersOf));
  if (parts.has('unknown')) return 'unknown';
  if (parts.has('datetime')) parts.delete('date');
  return [...parts].sort().join(' | ');
}

/** The members of a union, but not those of unions inside them. */
function membersOf(type: string): string[] {
  const members: string[] = [''];
  let depth = 0;
  for (const part of type.split(/( \| |[({[\])}])/)) {
    if (part === ' | ' && depth === 0) members.push('');
    else members.push(members.pop() + part);
    if (/^[({[]$/.test(part)) depth += 1;
    if (/^[\])}]$/.test(part)) depth -= 1;
  }
  return members;
}
