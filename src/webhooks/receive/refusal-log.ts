import { report, type WebhookLogger } from '../log.ts';
import type { Outcome } from './answer.ts';

/** What each refusal comes from most often, and what to do about it. */
const REMEDY: { [O in Outcome]?: string } = {
  missing_signature: 'The service signs: if it sent them, a proxy drops the header, or set `header`.',
  malformed_signature: 'See `header`, `algorithm`, `encoding` and `prefix`.',
  mismatch: '`secrets` must hold the `secret` of this webhook, and no proxy may change the body.',
  bad_payload: "Signed, but no notification. onPoison: 'accept' keeps it.",
  too_large: 'See `maxBodyBytes`.',
  incomplete: 'The client broke off.',
  too_slow: 'The body took longer than `deadlineMs`.',
  not_post: 'The service only sends POST.',
};

const PERIOD_MS = 60_000;

/** Says what is refused, once a minute for each reason: a receiver that refuses everything must not be silent, nor flood. */
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
