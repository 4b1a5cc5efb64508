import type { WireDocument, WireResource } from '../jsonapi/document.ts';
import type { ResourceType } from '../records/model.ts';
import { type AnswerName, answers } from './answers.ts';
import type { SchemaMismatch } from './mismatch.ts';
import { Mismatches } from './mismatches.ts';
import { compile, type Predicate } from './predicate.ts';
import { schemas } from './schemas.ts';

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
  const { data, included } = document;
  const mismatches = new Mismatches();
  if (Array.isArray(data)) for (const record of data) checkPrimary(record, expected, mismatches);
  else if (data) checkPrimary(data, expected, mismatches);
  if (included) for (const record of included) checkRecord(record, record.type, mismatches);
  return mismatches.all();
}

/** Where an answer that is plain JSON does not fit the schema of its operation. Operations without one pass. */
export function checkJson(operation: string, value: unknown): SchemaMismatch[] {
  const mismatches = new Mismatches();
  if (Object.hasOwn(answers, operation)) {
    const schema = answers[operation as AnswerName];
    if (!compile(schema)(value)) mismatches.addOf(value, operation, schema);
  }
  return mismatches.all();
}

function checkPrimary(record: WireResource, { types, schema }: ExpectedData, mismatches: Mismatches): void {
  // One record may come without its type: it is what was asked for.
  const type = record.type ?? types?.[0];
  if (types && !types.includes(type)) mismatches.addType(type, types);
  checkRecord(record, schema ?? type, mismatches);
}

/** The predicate decides; zod is asked only where it says no, for the words. */
function checkRecord(record: WireResource, type: string, mismatches: Mismatches): void {
  const fits = predicates.get(type) ?? predicateOf(type);
  if (fits && !fits(record)) mismatches.addOf(record, type, schemas[type as ResourceType]);
}

/** Of the types that were met. */
const predicates = new Map<string, Predicate>();

function predicateOf(type: string): Predicate | undefined {
  if (!isKnown(type)) return undefined;
  const predicate = compile(schemas[type]);
  predicates.set(type, predicate);
  return predicate;
}

function isKnown(type: string): type is ResourceType {
  return Object.hasOwn(schemas, type);
}
