import {
  APIError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
} from '../errors.ts';
import { isRecord } from '../jsonapi/document.ts';
import { QueueError } from '../rate-limit/limiter.ts';

/** True if an error of the list may not occur when each record is read separately. */
export function isErrorOfListOnly(error: unknown): boolean {
  if (isTemporary(error) || error instanceof AuthenticationError) return false;
  return error instanceof APIError || error instanceof ResponseFormatError;
}

/** True if the service says that it has no such record. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError && !isForeign(error);
}

/** Statuses of a temporary redirect. */
const REDIRECTS = [302, 303, 307];

/**
 * True if the response did not come from the service, but from a proxy before it, for example during a deployment: a
 * 404 without the errors of the service (docs/service/errors.md#bodies), a temporary redirect, or a page in place of a
 * document. It says nothing about a record.
 */
export function isForeign(error: unknown): boolean {
  if (error instanceof ResponseFormatError) return error.isForeign;
  if (error instanceof APIError && REDIRECTS.includes(error.status)) return true;
  return error instanceof NotFoundError && !hasErrors(error.body);
}

/** A gateway may respond in JSON too, but not with a list of errors. */
function hasErrors(body: unknown): boolean {
  return isRecord(body) && (Array.isArray(body.errors) || Array.isArray(body.error));
}

/** True if the waiting continues after this error, because the next poll may succeed. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof ServerError ||
    error instanceof RateLimitError ||
    error instanceof QueueError ||
    (error instanceof APIError && error.status === 408)
  );
}
