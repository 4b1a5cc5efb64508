import { TrackingError } from '../errors.ts';
import type { Document } from '../records/document.ts';
import type { DateTime } from '../records/model.ts';
import type { SchemaIssue } from './standard-schema.ts';

/** A document with what was read from it last. */
type ReadDocument = Document<['last_document_representation']>;

/** The service could not read the document. `documents.reextract` makes it try again. */
export class ExtractionFailedError extends TrackingError {
  static override readonly brand: string = 'ExtractionFailedError';
  /** The document. Its `classification_notes` may tell people why. */
  readonly document: ReadDocument;
  /** When the service notified of the failure. */
  readonly failedAt: DateTime;

  constructor(document: ReadDocument, failedAt: DateTime) {
    const notes = document.classification_notes ? `: ${document.classification_notes}` : '';
    super(`Nothing could be read from the document ${document.name} (${document.id})${notes}`, {
      code: 'extraction_failed',
    });
    this.document = document;
    this.failedAt = failedAt;
  }
}

/** The `waitTimeout` has passed without an outcome. `documents.waitFor(error.document.id)` continues to wait. */
export class ExtractionPendingError extends TrackingError {
  static override readonly brand: string = 'ExtractionPendingError';
  /** The document as it was read last. */
  readonly document: ReadDocument;

  constructor(document: ReadDocument, waitTimeout: number, cause?: unknown) {
    const step = document.document_type === null ? 'not classified' : 'not extracted';
    super(`The document ${document.name} (${document.id}) is ${step} after ${waitTimeout} ms`, {
      code: 'extraction_pending',
      cause,
    });
    this.document = document;
  }
}

/** What was read from a document does not fit the schema that was given. */
export class ExtractionMismatchError extends TrackingError {
  static override readonly brand: string = 'ExtractionMismatchError';
  /** The document, with the payload as it came. */
  readonly document: ReadDocument;
  /** What the schema says about the payload. */
  readonly issues: readonly SchemaIssue[];

  constructor(document: ReadDocument, issues: readonly SchemaIssue[]) {
    const found = issues.map(({ message, path = [] }) =>
      [path.map(keyOf).join('.'), message].filter(Boolean).join(': '),
    );
    super(
      `What was read from the document ${document.name} (${document.id}) does not fit the schema: ${found.join('; ')}`,
      {
        code: 'extraction_mismatch',
      },
    );
    this.document = document;
    this.issues = issues;
  }
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}
