import { APIError, ConnectionError, TrackingError } from '../../errors.ts';
import { innermost } from '../../internal/connection-failure.ts';
import { backOff, mayRepeat, type RetryPolicy } from '../../internal/retry-policy.ts';
import type { DirectUpload } from '../../records/bodies.ts';
import { failureOf } from '../../transport/failure.ts';
import { Redactor } from '../../transport/redact.ts';
import { textOf } from './response.ts';

/** The only address and the only headers that the storage accepts. */
export type Slot = Pick<DirectUpload, 'direct_upload'>;

/** Rules for talking to the storage. Its addresses are signed, so they must not appear in an error. */

/** @throws {TrackingError} for what is no address of a storage. It does not tell what it is. */
export function addressOf(url: unknown): string {
  if (typeof url === 'string' && URL.canParse(url)) {
    const { protocol, username, password } = new URL(url);
    // With a name in it, Node would send that as a credential, and a browser refuses it.
    if (/^https?:$/.test(protocol) && username + password === '') return url;
  }
  throw new TrackingError('the address of the storage is missing or cannot be used', { code: 'response_format' });
}

/** @throws {TrackingError} for what does not say where to send the bytes. */
export function checkedSlot<S extends Slot>(slot: S): S {
  const { url, headers } = slot?.direct_upload ?? {};
  addressOf(url);
  try {
    if (headers && new Headers(headers)) return slot;
  } catch {
    // Such as a line break in a value: it could never be sent.
  }
  throw new TrackingError('the slot has no headers, or some that cannot be sent', { code: 'response_format' });
}

/** The error for an answer outside 2xx. */
export async function refusal(method: string, url: string, response: Response, signal: AbortSignal): Promise<APIError> {
  const text = await textOf(response, signal);
  return failureOf({ response, text, method, url, path: '(storage)', attempts: 1, redactor: redactorOf(url) });
}

/** Whether the bytes are stored cannot be told then, and another attempt would end the same way. */
export function redirected(): TrackingError {
  return new TrackingError('PUT (storage): a redirect, where there must be none', { code: 'redirected' });
}

/** What a failed exchange is reported as. */
export function failure(method: string, url: string, error: unknown): TrackingError {
  if (error instanceof TrackingError) return error;
  const cause = redactorOf(url).error(error);
  return new ConnectionError(`${method} (storage): no answer: ${innermost(cause) || cause.name}`, { cause });
}

/** Masks the address and what signs it, in each spelling: a storage may repeat its signature alone. */
function redactorOf(url: string): Redactor {
  const { href, search, searchParams } = new URL(url);
  const decoded = [...searchParams.values()];
  const raw = search.match(/(?<==)[^&]+/g) ?? [];
  return new Redactor([url, href, ...decoded, ...raw].filter(value => value.length >= 16));
}

/** How what failed is tried again. */
export interface Repeating {
  policy: RetryPolicy;
  /** Ends the attempts, and the waits between them. */
  signal: AbortSignal;
}

/** How long to wait before another attempt, in ms; `undefined` where there must be none. */
export function waitBefore(error: unknown, failures: number, policy: RetryPolicy): number | undefined {
  if (!mayRepeat(error, true)) return undefined;
  const asked = error instanceof APIError ? error.retryAfterMs : undefined;
  if (asked === undefined) return backOff(failures, policy);
  return asked <= policy.maxRetryAfter ? asked : undefined;
}
