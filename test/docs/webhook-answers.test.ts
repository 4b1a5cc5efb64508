import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { answerOf, type Outcome } from '../../src/webhooks/receive/answer.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8');

/** Every outcome. The compiler reports a missing outcome. */
const OUTCOMES: Record<Outcome, true> = {
  stored: true,
  duplicate: true,
  missing_signature: true,
  several_signatures: true,
  malformed_signature: true,
  mismatch: true,
  bad_payload: true,
  incomplete: true,
  too_slow: true,
  too_large: true,
  not_raw: true,
  unavailable: true,
  not_post: true,
};

test('the page about webhooks has every response of the receiver with its status', () => {
  const rows = Array.from(PAGE.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm), ([, status, reason]) => `${reason} ${status}`);
  const answers = Object.keys(OUTCOMES).map(outcome => `${outcome} ${answerOf(outcome as Outcome).status}`);
  expect(rows.toSorted()).toEqual(answers.toSorted());
});

test('the page about webhooks has the Retry-After header that the receiver sends with a 503', () => {
  expect(PAGE).toContain(`Retry-After: ${answerOf('unavailable').headers['retry-after']}`);
});
