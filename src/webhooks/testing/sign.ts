import { type RawBody, rawBytes } from '../notification/raw-body.ts';
import { checkSecrets } from '../verify/secrets.ts';
import { type SignatureOptions, sign, signatureFormat } from '../verify/signature.ts';

/** Options of {@link signWebhook}. */
export interface SignOptions extends SignatureOptions {
  /** The body to sign. */
  body: RawBody;
  /** The `secret` of the webhook. */
  secret: string | undefined;
}

/**
 * The signature that the service would send with this body, for your own tests.
 *
 * @throws {ConfigurationError} if the secret is missing or empty.
 * @example
 * const body = JSON.stringify(fakeDelivery('container.updated'));
 * const headers = { 'X-SVC-Webhook-Signature': await signWebhook({ body, secret }) };
 */
export async function signWebhook(options: SignOptions): Promise<string> {
  const format = signatureFormat(options);
  const [secret = ''] = checkSecrets(options.secret, 'secret');
  return sign(rawBytes(options.body), secret, format);
}
