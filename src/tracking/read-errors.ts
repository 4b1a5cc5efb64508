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
import { QueueError } from '../rate-limit/errors.ts';

/** Whether an error of the list may not occur when each request is read separately. */
export function isErrorOfListOnly(error: unknown): boolean {
  if (isTemporary(error) || error instanceof AuthenticationError) return false;
  return error instanceof APIError || error instanceof ResponseFormatError;
}

/** Whether the service says that it has no such record. A page in HTML only says that nobody knows the path. */
export function isGone(error: unknown): boolean {
  return error instanceof NotFoundError && isRecord(error.body);
}

/** Whether to continue waiting after this error: the next poll may succeed. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof ServerError ||
    error instanceof RateLimitError ||
    error instanceof QueueError
  );
}
