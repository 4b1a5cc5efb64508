import type { WebhookVerificationReason } from '../verify/verification-error.ts';

/** The result of a request, or the reason why it was refused. */
export type Outcome =
  | 'stored'
  | 'duplicate'
  | WebhookVerificationReason
  | 'incomplete'
  | 'too_slow'
  | 'too_large'
  | 'unavailable'
  | 'not_post';

const STATUS: Record<Outcome, number> = {
  stored: 202,
  duplicate: 200,
  missing_signature: 401,
  several_signatures: 401,
  malformed_signature: 401,
  mismatch: 401,
  bad_payload: 400,
  incomplete: 400,
  too_slow: 408,
  too_large: 413,
  not_raw: 500,
  unavailable: 503,
  not_post: 405,
};

const HEADERS: { [O in Outcome]?: Answer['headers'] } = {
  // In seconds.
  unavailable: { 'retry-after': '10' },
  not_post: { allow: 'POST' },
};

/**
 * The response. The body of the response is the outcome. The service shows this body when a test delivery is triggered.
 */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function answerOf(outcome: Outcome): Answer {
  return { status: STATUS[outcome], headers: HEADERS[outcome] ?? {}, body: outcome };
}
