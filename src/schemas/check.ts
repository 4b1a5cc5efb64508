import type * as z from 'zod/mini';
import type { WireDocument } from '../jsonapi/document.ts';
import type { ResourceType } from '../records/model.ts';
import { type AnswerName, answers } from './answers.ts';
import type { SchemaMismatch } from './mismatch.ts';
import { Mismatches } from './mismatches.ts';
import { compile, isCompiled } from './predicate.ts';
import { schemaOf } from './schemas.ts';

export interface ExpectedData {
  /** The types that the primary data may have; any, if left out. */
  types?: readonly string[] | undefined;
  /** The schema of the primary data, whatever type they carry; that of their type, if left out. */
  schema?: ResourceType | undefined;
}

/**
 * Where the document does not fit the schemas. Primary data are checked by the schema that is named, or else by their type,
 * included records by their type; types that are not known pass. The same mismatch of many records is reported once.
 *
 * The time grows with the number of records and no faster. Nothing is copied or changed.
 */
export function checkDocument(document: WireDocument, expected: ExpectedData = {}): SchemaMismatch[] {
  const mismatches = new Mismatches();
  const { types, schema } = expected;
  for (const record of listOf(document.data)) {
    // One record may come without its type: it is what was asked for (D-91).
    const type = record.type ?? types?.[0];
    if (types && !types.includes(type)) mismatches.addType(type, types);
    checkValue(record, schema ?? type, schemaOf(schema ?? type), mismatches);
  }
  for (const record of listOf(document.included)) {
    checkValue(record, record.type, schemaOf(record.type), mismatches);
  }
  return mismatches.all();
}

/** Where an answer that is plain JSON does not fit the schema of its operation. Operations without one pass. */
export function checkJson(operation: string, value: unknown): SchemaMismatch[] {
  const mismatches = new Mismatches();
  if (Object.hasOwn(answers, operation)) {
    checkValue(value, operation, answers[operation as AnswerName], mismatches);
  }
  return mismatches.all();
}

/**
 * Whether the schemas of this document have been built and compiled, so that to check it takes a fraction of the time of
 * parsing it. Building is done by the first check of each type and takes about a millisecond for a few types.
 */
export function isReady(document: WireDocument, { schema }: ExpectedData = {}): boolean {
  const isBuilt = (type: string) => {
    const known = schemaOf(type);
    return known === undefined || isCompiled(known);
  };
  return (
    listOf(document.data).every(({ type }) => isBuilt(schema ?? type)) &&
    listOf(document.included).every(({ type }) => isBuilt(type))
  );
}

/** The predicate decides; zod is asked only where it says no, for the words. */
function checkValue(value: unknown, name: string, schema: z.ZodMiniType | undefined, mismatches: Mismatches): void {
  if (schema === undefined || compile(schema)(value)) return;
  mismatches.addOf(value, name, schema);
}

function listOf<Item>(value: Item | Item[] | null | undefined): readonly Item[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}
