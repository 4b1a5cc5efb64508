import type { Outcome } from './answer.ts';
import { report, type WebhookLogger } from './log.ts';

/** What each refusal comes from most often, and what to do about it. */
const REMEDY: { [O in Outcome]?: string } = {
  missing_signature:
    'No signature: anybody may send that. If the service did, a proxy drops the header, or `header` is another.',
  malformed_signature: 'The signature is not of the expected form: see `header`, `algorithm`, `encoding` and `prefix`.',
  mismatch: 'No secret fits: `secrets` must hold the `secret` of this webhook, and no proxy may change the body.',
  bad_payload: "Signed, but no notification: look at it with onPoison: 'accept'.",
  too_large: 'The body is too large: see `maxBodyBytes`.',
  incomplete: 'The client broke off.',
  too_slow: 'The body did not arrive within `deadlineMs`: the client or a proxy is slow.',
  not_post: 'The service only POSTs: is this route used for something else?',
};

const PERIOD_MS = 60_000;

/** Says what is refused, once a minute for each reason: a receiver that refuses everything must not be silent, nor flood. */
export function refusalLog(logger: false | WebhookLogger): (outcome: Outcome) => void {
  const said = new Map<Outcome, { at: number; count: number }>();
  return outcome => {
    const last = said.get(outcome);
    const now = performance.now();
    const count = (last?.count ?? 0) + 1;
    const isDue = !last || now - last.at >= PERIOD_MS;
    said.set(outcome, isDue ? { at: now, count: 0 } : { at: last.at, count });
    if (isDue)
      report(
        logger,
        'warn',
        `Refused ${count} webhook request${count > 1 ? 's since' : ''}, ${outcome}`,
        REMEDY[outcome],
      );
  };
}
