import type { Notification } from '../notification/notification.ts';
import { type ParseOptions, parseBytes } from '../notification/parse.ts';
import { type RawBody, rawBytes } from '../notification/raw-body.ts';
import { checkSecrets, type Secrets } from './secrets.ts';
import { matches, parseSignature, type SignatureFormat, type SignatureOptions, signatureFormat } from './signature.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** Options of {@link verifyWebhook}. */
export interface VerifyOptions extends SignatureOptions, ParseOptions {
  /** The body exactly as it was received, before any parser. */
  body: RawBody;
  /** The value of the header with the signature, `X-…-Webhook-Signature`. The middle part is specific to the service. */
  signature: string | null | undefined;
  /** The `secret` of the webhook. While you replace a secret, pass both the old and the new secret. */
  secrets: Secrets;
}

/**
 * Verifies the signature of a delivery and parses its notification. The signature does not include a time, so a repeated
 * delivery is always valid: ignore an `id` that you have already handled.
 *
 * @throws {WebhookVerificationError} for an invalid delivery. The `reason` of the error says what is wrong.
 * @throws {ConfigurationError} if a secret is missing or empty.
 * @example
 * // The name of the header depends on the service. `createReceiver` finds the header by the form of its name.
 * const signature = request.headers.get('x-acme-webhook-signature');
 * const n = await verifyWebhook({ body, signature, secrets });
 */
export async function verifyWebhook(options: VerifyOptions): Promise<Notification> {
  const given = { ...options };
  const { secrets, body, signature } = given;
  const format = checkVerifying(given);
  const bytes = rawBytes(body);
  const digest = parseSignature(signature, format);
  const list = checkSecrets(typeof secrets === 'function' ? await secrets() : secrets);
  // All secrets are tried, so that the duration does not reveal the secret that matches.
  const verdicts = await Promise.all(list.map(secret => matches(digest, bytes, secret, format.algorithm)));
  if (!verdicts.includes(true)) throw new WebhookVerificationError('mismatch', 'The signature does not match.');
  return parseBytes(bytes, given);
}

/**
 * Checks the options before the first delivery arrives.
 *
 * @throws {ConfigurationError} if a secret is missing or empty, or the format does not exist.
 */
export function checkVerifying(options: Pick<VerifyOptions, 'secrets' | keyof SignatureOptions>): SignatureFormat {
  if (typeof options.secrets !== 'function') checkSecrets(options.secrets);
  return signatureFormat(options);
}
