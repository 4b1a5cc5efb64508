import { TrackingError } from '../../errors.ts';

/**
 * The reason why a delivery was refused. `not_raw` is a mistake of the receiving program. The other reasons are faults
 * of the sender.
 */
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
 * - `missing_signature`: the delivery does not have a signature.
 * - `several_signatures`: several headers may contain the signature, and the option `header` is not set.
 * - `malformed_signature`: the signature is not one digest of the right length and spelling.
 * - `mismatch`: none of the secrets produces this signature for these bytes.
 * - `not_raw`: other code has already parsed the body, so the signed bytes are lost.
 * - `bad_payload`: the body is correctly signed, but is not a notification.
 */
export class WebhookVerificationError extends TrackingError {
  static override readonly brand: string = 'WebhookVerificationError';
  /** The reason for the refusal. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, options: { cause?: unknown } = {}) {
    super(message, { code: 'webhook_verification', ...options });
    this.reason = reason;
  }
}
