import { ConflictError, TrackingError } from '../errors.ts';

/** The steps of an upload: the MD5 of the bytes, the place to send them to, sending them, and making the document. */
export type UploadStage = 'hash' | 'slot' | 'put' | 'create';

/**
 * An upload failed; the `cause` tells why. No document was made, unless the stage is `create` and the `cause` a
 * `ConnectionError`: then the answer was lost. Upload again with `onDuplicate: 'return'`.
 */
export class UploadError extends TrackingError {
  static override readonly brand: string = 'UploadError';
  /** The step that failed. */
  readonly stage: UploadStage;
  /** Of the document that holds the same bytes, where that is the reason: stage `create`, the `cause` a `ConflictError`. */
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
