import { TrackingError } from '../../errors.ts';

/** Why a delivery was refused. `not_raw` is a mistake of the receiving program, the others are the sender's. */
export type WebhookVerificationReason =
  | 'missing_signature'
  | 'several_signatures'
  | 'malformed_signature'
  | 'mismatch'
  | 'not_raw'
  | 'bad_payload';

/**
 * A webhook delivery that cannot be trusted or read.
 *
 * - `missing_signature`: no signature came with it.
 * - `several_signatures`: several headers may hold it, and the option `header` names none.
 * - `malformed_signature`: the signature is not one digest of the right length and spelling.
 * - `mismatch`: no secret gives this signature for these bytes.
 * - `not_raw`: something has parsed the body before, so that the signed bytes are gone.
 * - `bad_payload`: signed, but not a notification.
 */
export class WebhookVerificationError extends TrackingError {
  static override readonly brand: string = 'WebhookVerificationError';
  /** Why it was refused. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'webhook_verification', ...options });
    this.reason = reason;
  }
}
