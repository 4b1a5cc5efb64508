import { APIError, ConnectionError, TrackingError } from '../errors.ts';
import { readErrorText } from '../transport/body.ts';
import { failureOf } from '../transport/failure.ts';
import { whitelisted } from '../transport/redact.ts';
import { backOff, mayRepeat, type RetryPolicy } from '../transport/retry-policy.ts';
import { abortable, sleep } from '../transport/signal.ts';

/** Rules for talking to the storage. Its addresses are signed, so they must not appear in an error. */

/** The error for an answer outside 2xx. */
export async function refusal(method: string, url: string, response: Response, signal: AbortSignal): Promise<APIError> {
  const text = await abortable(readErrorText(response), signal);
  return failureOf({ response, text, method, url, path: '(storage)', attempts: 1, secrets: secretsOf(url) });
}

/** What a failed exchange is reported as. */
export function failure(method: string, url: string, error: unknown): TrackingError {
  if (error instanceof TrackingError) return error;
  return new ConnectionError(`${method} (storage): no answer`, { cause: whitelisted(error, secretsOf(url)) });
}

/** The address, and what signs it: a storage may repeat its signature alone. */
function secretsOf(url: string): string[] {
  return [url, ...new URL(url).searchParams.values()].filter(value => value.length >= 16);
}

/** Whether to make another attempt; waits out the back-off first. */
export async function mayTryAgain(
  error: unknown,
  failures: number,
  policy: RetryPolicy,
  signal: AbortSignal,
): Promise<boolean> {
  if (failures > policy.limit || !mayRepeat(error, true)) return false;
  const asked = error instanceof APIError ? error.retryAfterMs : undefined;
  if (asked !== undefined && asked > policy.maxRetryAfter) return false;
  await sleep(asked ?? backOff(failures, policy), signal);
  return true;
}
