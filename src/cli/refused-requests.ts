import type { Rejection } from '../webhooks/receive/receiver-options.ts';
import { say } from './output/print.ts';

/** The cause of each refusal, with the remedy that the command line has. */
const CAUSES: { readonly [reason in Rejection['reason']]?: string } = {
  missing_signature: 'it has no signature. If the header has a different name, set --signature-header.',
  several_signatures: 'several of its headers may have the signature. Name the right one: --signature-header.',
  malformed_signature: 'its signature cannot be read. If it is in another header, set --signature-header.',
  mismatch:
    'no secret fits its signature. For a sample, set the same TRACKING_WEBHOOK_SECRET here and for the command "webhooks trigger", or set it for neither of them. A tunnel must not change the body.',
  bad_payload: 'its signature is right, but its body is not a notification.',
  too_large: 'its body is too large.',
  incomplete: 'its sender ended the connection.',
  too_slow: 'its body took too long.',
  not_post: 'only POST is accepted.',
};

/** Says why a request was refused: once for each reason, because anybody can send requests. */
export function refusalsOnce(): (rejection: Rejection) => void {
  const said = new Set<Rejection['reason']>();
  return ({ reason, status }) => {
    const cause = CAUSES[reason];
    if (status >= 500 || said.has(reason) || cause === undefined) return;
    said.add(reason);
    say(`A request was refused (${reason}): ${cause}`);
  };
}
