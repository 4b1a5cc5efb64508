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

/** True if it may be possible to read the records of a list separately after this error of the list. */
export function isErrorOfListOnly(error: unknown): boolean {
  if (isTemporary(error) || error instanceof AuthenticationError) return false;
  return error instanceof APIError || error instanceof ResponseFormatError;
}

/** True if the service reports that the record does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError && !isForeign(error);
}

/** Statuses of a temporary redirect. */
const REDIRECTS = [302, 303, 307];

/**
 * True if the response does not come from the service, but from a proxy in front of it, for example during a
 * deployment. Such a response is a 404 without the errors of the service (docs/service/errors.md#bodies), a temporary
 * redirect, or a page instead of a document. Such a response does not describe the record.
 */
export function isForeign(error: unknown): boolean {
  if (error instanceof ResponseFormatError) return error.isForeign;
  if (error instanceof APIError && REDIRECTS.includes(error.status)) return true;
  return error instanceof NotFoundError && !hasErrors(error.body);
}

/** True for a list of errors. A gateway may also respond in JSON, but without such a list. */
function hasErrors(body: unknown): boolean {
  return isRecord(body) && (Array.isArray(body.errors) || Array.isArray(body.error));
}

/** True if the next poll may succeed, so that the wait continues after this error. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof ServerError ||
    error instanceof RateLimitError ||
    error instanceof QueueError ||
    (error instanceof APIError && error.status === 408)
  );
}
