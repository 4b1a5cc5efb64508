import { type ConflictError, TrackingError } from '../errors.ts';
import type { DateTime, Document } from '../model/index.ts';
import type { SchemaIssue } from './extraction-options.ts';

/**
 * The stages of an upload: computing the checksum (`hash`), creating an upload slot (`slot`), sending the file to the
 * storage (`put`), creating the document (`create`).
 */
export type UploadStage = 'hash' | 'slot' | 'put' | 'create';

/**
 * An upload failed. The `cause` is the error of the stage. No document was created, with one exception: if the stage is
 * `create` and the `cause` is a `ConnectionError`, the response was lost and the document may exist. Upload the file again
 * with `onDuplicate: 'return'`.
 */
export class UploadError extends TrackingError {
  static override readonly brand: string = 'UploadError';
  /** The stage that failed. */
  declare readonly stage: UploadStage;
  /**
   * If the file is a duplicate: the id of the existing document with the same bytes. For a duplicate, `stage` is `create`
   * and `cause` is a `ConflictError`.
   */
  declare readonly existingDocumentId: string | undefined;
  /** If the file is a duplicate: the name of the existing document. */
  declare readonly existingDocumentName: string | undefined;

  constructor(stage: UploadStage, message: string, options: { cause?: unknown } = {}) {
    const { existingDocumentId: id, existingDocumentName } = Object(options.cause) as Partial<ConflictError>;
    super(id ? `${message} onDuplicate: 'return' returns the document ${id}.` : message, {
      code: 'upload_failed',
      ...options,
    });
    this.stage = stage;
    this.existingDocumentId = id;
    this.existingDocumentName = existingDocumentName;
  }
}

/** A document with the data that was last extracted. */
type ReadDocument = Document<['last_document_representation']>;

/**
 * The service could not extract the data of the document. `documents.reextract` starts another extraction. To wait for
 * its result, pass `failedAt` as `after`.
 */
export class ExtractionFailedError extends TrackingError {
  static override readonly brand: string = 'ExtractionFailedError';
  /** The document. Its `classification_notes` may contain the reason as text for people. */
  declare readonly document: ReadDocument;
  /** Time of the notification about the failure. */
  declare readonly failedAt: DateTime;

  constructor(message: string, document: ReadDocument, failedAt: DateTime) {
    super(message, { code: 'extraction_failed' });
    this.document = document;
    this.failedAt = failedAt;
  }
}

/** The `waitTimeout` has passed without an outcome. `documents.waitFor(error.document.id)` continues to wait. */
export class ExtractionPendingError extends TrackingError {
  static override readonly brand: string = 'ExtractionPendingError';
  /** The document in its last known state. */
  declare readonly document: ReadDocument;

  constructor(message: string, document: ReadDocument, cause?: unknown) {
    super(message, { code: 'extraction_pending', cause });
    this.document = document;
  }
}

/** The data that was extracted from a document does not match the schema of the call. */
export class ExtractionMismatchError extends TrackingError {
  static override readonly brand: string = 'ExtractionMismatchError';
  /** The document, with the unchanged payload. */
  declare readonly document: ReadDocument;
  /** The issues that the schema has found in the payload. */
  declare readonly issues: readonly SchemaIssue[];

  constructor(message: string, document: ReadDocument, issues: readonly SchemaIssue[]) {
    super(message, { code: 'extraction_mismatch' });
    this.document = document;
    this.issues = issues;
  }
}
