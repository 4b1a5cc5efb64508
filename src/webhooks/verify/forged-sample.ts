import { matches, type SignatureFormat } from './signature.ts';

/**
 * The wrong secret of the sample with which `webhooks.selfCheck` proves that an endpoint verifies signatures. Everybody
 * knows it, so it is never accepted.
 */
export const FORGED_SAMPLE_SECRET = 'a-wrong-secret';

/**
 * True if `webhooks.selfCheck` has made the service send this delivery. Its refusal is expected, so it is not a reason
 * for a warning.
 */
export function isForgedSample(
  digest: Uint8Array<ArrayBuffer>,
  body: Uint8Array<ArrayBuffer>,
  { algorithm }: SignatureFormat,
): Promise<boolean> {
  return matches(digest, body, FORGED_SAMPLE_SECRET, algorithm);
}
