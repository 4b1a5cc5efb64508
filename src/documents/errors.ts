import { TrackingError } from '../errors.ts';
import type { DateTime, Document } from '../model/index.ts';
import type { SchemaIssue } from './standard-schema.ts';

/** A document with what was read from it last. */
type ReadDocument = Document<['last_document_representation']>;

/**
 * The service could not read the document. `documents.reextract` makes it try again; pass `failedAt` as `after` to wait for the
 * result.
 */
export class ExtractionFailedError extends TrackingError {
  static override readonly brand: string = 'ExtractionFailedError';
  /** The document. Its `classification_notes` may tell people why. */
  readonly document: ReadDocument;
  /** When the service notified of the failure. */
  readonly failedAt: DateTime;

  constructor(message: string, document: ReadDocument, failedAt: DateTime) {
    super(message, { code: 'extraction_failed' });
    this.document = document;
    this.failedAt = failedAt;
  }
}

/** The `waitTimeout` has passed without an outcome. `documents.waitFor(error.document.id)` continues to wait. */
export class ExtractionPendingError extends TrackingError {
  static override readonly brand: string = 'ExtractionPendingError';
  /** The document as it was read last. */
  readonly document: ReadDocument;

  constructor(message: string, document: ReadDocument, cause?: unknown) {
    super(message, { code: 'extraction_pending', cause });
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

  constructor(message: string, document: ReadDocument, issues: readonly SchemaIssue[]) {
    super(message, { code: 'extraction_mismatch' });
    this.document = document;
    this.issues = issues;
  }
}
