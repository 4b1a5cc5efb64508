import { WebhookVerificationError } from './errors.ts';

/** The part in the middle is the service's own name, which this package does not know. */
export const isSignatureHeader = (name: string): boolean => /^x-.+-webhook-signature$/i.test(name);

/**
 * The one header of a delivery that holds its signature.
 *
 * @throws {WebhookVerificationError} `several_signatures` if more than one may do so.
 */
export function signatureHeader(names: Iterable<string>): string | undefined {
  const found = new Map([...names].filter(isSignatureHeader).map(name => [name.toLowerCase(), name]));
  if (found.size > 1) {
    const all = [...found.values()].join(', ');
    throw new WebhookVerificationError('several_signatures', `Each of ${all} may be the signature.`);
  }
  return found.values().next().value;
}
