import { report, type WebhookLogger } from '../log.ts';
import type { Outcome } from './answer.ts';

/** The most frequent cause of each refusal, or the option that decides it. */
const REMEDY: { [O in Outcome]?: string } = {
  missing_signature:
    'The service signs every delivery. A proxy may remove the header, or the option `header` is wrong.',
  several_signatures: 'Set `header`.',
  malformed_signature: 'See `header`, `algorithm`, `encoding` and `prefix`.',
  mismatch: '`secrets` must contain the `secret` of this webhook, and no proxy may change the body.',
  bad_payload: "Signed, but not a notification. onPoison: 'accept' stores it.",
  too_large: 'See `maxBodyBytes`.',
  incomplete: 'The client ended the connection.',
  too_slow: 'The body took longer than `deadlineMs`.',
  not_post: 'The service only sends POST.',
};

const PERIOD_MS = 60_000;

/** Logs refusals once a minute for each reason, so that a receiver that refuses everything does not flood the log. */
export function refusalLog(logger: false | WebhookLogger): (outcome: Outcome) => void {
  const said = new Map<Outcome, { at: number; count: number }>();
  return outcome => {
    const now = performance.now();
    const { at, count } = said.get(outcome) ?? { at: Number.NEGATIVE_INFINITY, count: 0 };
    const isDue = now - at >= PERIOD_MS;
    said.set(outcome, isDue ? { at: now, count: 0 } : { at, count: count + 1 });
    if (isDue) report(logger, 'warn', `Webhook requests refused: ${count + 1}, ${outcome}`, REMEDY[outcome]);
  };
}
