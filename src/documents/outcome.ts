import type { DateTime, Document } from '../model/index.ts';
import { ExtractionFailedError, ExtractionMismatchError, ExtractionPendingError } from './errors.ts';
import type { SchemaIssue } from './standard-schema.ts';

/** The errors with their messages, which are not in the main entry: they are loaded with the code that waits. */

type ReadDocument = Document<['last_document_representation']>;

export function failed(document: ReadDocument, failedAt: DateTime): ExtractionFailedError {
  const notes = document.classification_notes ? `: ${document.classification_notes}` : '';
  return new ExtractionFailedError(`Nothing could be read from ${nameOf(document)}${notes}`, document, failedAt);
}

export function pending(document: ReadDocument, waitTimeout: number, cause: unknown): ExtractionPendingError {
  const step = document.document_type === null ? 'classified' : 'read';
  const message = `After ${waitTimeout} ms, ${nameOf(document)} is not ${step} yet`;
  return new ExtractionPendingError(message, document, cause);
}

export function mismatch(document: ReadDocument, issues: readonly SchemaIssue[]): ExtractionMismatchError {
  const found = issues.map(({ message, path = [] }) => [path.map(keyOf).join('.'), message].filter(Boolean).join(': '));
  const message = `What was read from ${nameOf(document)} does not fit the schema: ${found.join('; ')}`;
  return new ExtractionMismatchError(message, document, issues);
}

function nameOf({ name, id }: ReadDocument): string {
  return `the document ${name} (${id})`;
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}
