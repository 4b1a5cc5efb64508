import { WebhookVerificationError } from '../errors.ts';
import type { Notification } from './notification.ts';
import { type ParseOptions, parseBytes } from './parse.ts';
import { type RawBody, rawBytes } from './raw-body.ts';
import { checkSecrets, type Secrets } from './secrets.ts';
import { matches, parseSignature, type SignatureOptions, signatureFormat } from './signature.ts';

export interface VerifyOptions extends SignatureOptions, ParseOptions {
  /** The body as it came, before any parsing. */
  body: RawBody;
  /** The value of the header `X-SVC-Webhook-Signature`. */
  signature: string | null | undefined;
  /** The `secret` of the webhook; several while one replaces another. */
  secrets: Secrets;
}

/**
 * The notification of a delivery, if it was signed with one of the secrets. A replay looks like the first delivery, since
 * no time is signed: drop an `id` that was seen before (api/webhooks.md section 3).
 *
 * @throws {WebhookVerificationError} with a `reason`, for whatever is wrong with the delivery.
 * @throws {ConfigurationError} if a secret is missing or empty.
 * @example
 * const n = await verifyWebhook({ body, signature: request.headers.get('x-svc-webhook-signature'), secrets });
 */
export async function verifyWebhook(options: VerifyOptions): Promise<Notification> {
  const { secrets, body, signature, ...others } = { ...options };
  const format = signatureFormat(others);
  if (typeof secrets !== 'function') checkSecrets(secrets);
  const bytes = rawBytes(body);
  const digest = parseSignature(signature, format);
  const list = checkSecrets(typeof secrets === 'function' ? await secrets() : secrets);
  if (!(await matches(digest, bytes, list, format.algorithm))) {
    throw new WebhookVerificationError('mismatch', 'The signature does not match.');
  }
  return parseBytes(bytes, others);
}
