import type { WireDocument, WireResource } from '../jsonapi/document.ts';
import { schemas } from '../model/generated/schemas.ts';
import type { ResourceType } from '../model/index.ts';
import { type AnswerName, answers } from './answers.ts';
import type { SchemaMismatch } from './mismatch.ts';
import { compile, Mismatches, type Predicate } from './mismatch.ts';

export interface ExpectedData {
  /** The types that the primary data may have. Default: any type. */
  types?: readonly string[] | undefined;
  /** The schema of the primary data, for every type. Default: the schema of its type. */
  schema?: ResourceType | undefined;
}

/**
 * The places where a document does not match its schemas. Primary data is checked with `expected.schema`, or with the schema of
 * its type. Included records are checked with the schema of their type. Records of unknown types are not checked. A mismatch that
 * many records have is reported once.
 *
 * The time is linear in the number of records. Nothing is copied or changed.
 */
export function checkDocument(document: WireDocument, expected: ExpectedData = {}): SchemaMismatch[] {
  const { data, included } = document;
  const mismatches = new Mismatches();
  if (Array.isArray(data)) for (const record of data) checkPrimary(record, expected, mismatches);
  else if (data) checkPrimary(data, expected, mismatches);
  if (included) for (const record of included) checkRecord(record, record.type, mismatches);
  return mismatches.all();
}

/** The places where a response in plain JSON does not match the schema of its operation. Empty if the operation has no schema. */
export function checkJson(operation: string, value: unknown): SchemaMismatch[] {
  const mismatches = new Mismatches();
  if (Object.hasOwn(answers, operation)) {
    const schema = answers[operation as AnswerName];
    if (!compile(schema)(value)) mismatches.addOf(value, operation, schema);
  }
  return mismatches.all();
}

function checkPrimary(record: WireResource, { types, schema }: ExpectedData, mismatches: Mismatches): void {
  // A single record may have no type. It then counts as a record of the requested type.
  const type = record.type ?? types?.[0];
  if (types && !types.includes(type)) mismatches.addType(type, types);
  checkRecord(record, schema ?? type, mismatches);
}

/** The predicate decides whether the record matches. If it does not match, zod is called to find the mismatches. */
function checkRecord(record: WireResource, type: string, mismatches: Mismatches): void {
  const fits = predicates.get(type) ?? predicateOf(type);
  if (fits && !fits(record)) mismatches.addOf(record, type, schemas[type as ResourceType]);
}

/** The predicates of the types that have occurred so far. */
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
