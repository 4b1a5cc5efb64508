import { LONGEST_INDEXED } from './indexed.ts';
import type { CanonicalRecord } from './table.ts';

/**
 * The record in the form in which it is stored and compared: related records as references, keys in the order of their code
 * units, and no text that PostgreSQL refuses (NUL and halves of surrogate pairs become U+FFFD).
 */
export function canonical(record: object, relationships: ReadonlySet<string>): CanonicalRecord {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(record).sort()) {
    const value = (record as Record<string, unknown>)[name];
    if (value === undefined) continue;
    result[storable(name)] = canonicalValue(relationships.has(name) ? reference(value) : value);
  }
  return result;
}

/** Replaces an included record by a reference: its type and id. */
function reference(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reference);
  if (typeof value !== 'object' || value === null) return value;
  const { type, id } = value as { type?: unknown; id?: unknown };
  return { type, id };
}

function canonicalValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(canonicalValue);
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const item = (value as Record<string, unknown>)[key];
    if (item !== undefined) result[storable(key)] = canonicalValue(item);
  }
  return result;
}

function storable(text: string): string {
  return REFUSED.test(text) ? text.replaceAll(EACH_REFUSED, '\uFFFD') : text;
}

/** True if a store can store a record with this id unchanged. */
export function isStorableId(id: string): boolean {
  return id !== '' && id.length <= LONGEST_INDEXED && !REFUSED.test(id);
}

const REFUSED = /[\0\p{Surrogate}]/u;
const EACH_REFUSED = new RegExp(REFUSED, 'gu');
