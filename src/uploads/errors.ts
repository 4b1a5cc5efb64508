import { ConflictError, TrackingError } from '../errors.ts';

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
  readonly stage: UploadStage;
  /** The id of the document with the same bytes, if it is a duplicate: stage `create`, the `cause` a `ConflictError`. */
  readonly existingDocumentId: string | undefined;
  /** The name of that document. */
  readonly existingDocumentName: string | undefined;

  constructor(stage: UploadStage, message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'upload_failed', ...options });
    this.stage = stage;
    const conflict = options.cause instanceof ConflictError ? options.cause : undefined;
    this.existingDocumentId = conflict?.existingDocumentId;
    this.existingDocumentName = conflict?.existingDocumentName;
  }
}
