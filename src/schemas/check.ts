import type * as z from 'zod/mini';
import type { WireDocument, WireResource } from '../jsonapi/document.ts';
import type { SchemaMismatch } from './mismatch.ts';
import { schemaOf } from './schemas.ts';

/**
 * Where the document does not fit the schemas: every primary and every included resource is checked by its own type.
 * Types that are not known pass. The same mismatch of many resources is reported once.
 *
 * @param expected the types that the primary data may have; any, if left out
 */
export function checkDocument(document: WireDocument, expected?: readonly string[]): SchemaMismatch[] {
  const mismatches = new Map<string, SchemaMismatch>();
  const add = (mismatch: SchemaMismatch) =>
    mismatches.set(`${mismatch.resourceType} ${mismatch.path} ${mismatch.expected} ${mismatch.received}`, mismatch);

  for (const resource of [document.data ?? []].flat()) {
    // One resource may come without its type: it is what was asked for (D-91).
    const type = resource.type ?? expected?.[0];
    if (expected && !expected.includes(type)) add(unexpectedType(type, expected));
    for (const mismatch of check(resource, type)) add(mismatch);
  }
  for (const resource of [document.included ?? []].flat()) {
    for (const mismatch of check(resource, resource.type)) add(mismatch);
  }
  return [...mismatches.values()];
}

function unexpectedType(type: string, expected: readonly string[]): SchemaMismatch {
  return describe(type, 'type', expected.join(' or '), 'another type');
}

function check(resource: WireResource, type: string): SchemaMismatch[] {
  const result = schemaOf(type)?.safeParse(resource);
  if (!result || result.success) return [];
  return result.error.issues.map(issue => {
    const path = issue.path.map(key => (typeof key === 'number' ? '*' : String(key))).join('.');
    return describe(type, path, expectation(issue), kind(valueAt(resource, issue.path)));
  });
}

function describe(resourceType: string, path: string, expected: string, received: string): SchemaMismatch {
  return { resourceType, path, expected, received, message: `expected ${expected}, received ${received}` };
}

/** What an issue says was wanted, in the words of JSON. */
function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'invalid_value':
      return issue.values.join(' or ');
    case 'invalid_format':
      return issue.format;
    case 'invalid_union':
      return [...new Set(issue.errors.flat().map(expectation))].join(' or ');
    case 'too_small':
    case 'too_big':
      return `${issue.origin} of another length`;
    case 'custom':
      return issue.message;
    default:
      return 'another value';
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

function kind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
