import { type RawBody, rawBytes } from '../notification/raw-body.ts';
import { checkSecrets } from '../verify/secrets.ts';
import { type SignatureOptions, sign, signatureFormat } from '../verify/signature.ts';

/** Options of {@link signWebhook}. */
export interface SignOptions extends SignatureOptions {
<<<<<<< HEAD
  /** The body that will be sent. */
=======
  /** The body to sign. */
>>>>>>> 9f4427a (Say in plain words what the receiver, the inboxes and the limiters do, cite nothing that a user cannot open, and hold that and the absence of import circles in a test)
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
  const [secret = ''] = checkSecrets(options.secret);
  return sign(rawBytes(options.body), secret, format);
}
