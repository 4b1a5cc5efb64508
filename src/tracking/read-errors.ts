import {
  APIError,
  AuthenticationError,
  ConnectionError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
} from '../errors.ts';
import { QueueError } from '../rate-limit/errors.ts';

/** Whether an error of the list may not befall the requests by themselves. */
export function isErrorOfListOnly(error: unknown): boolean {
  if (isTemporary(error) || error instanceof AuthenticationError) return false;
  return error instanceof APIError || error instanceof ResponseFormatError;
}

/** Whether waiting goes on after this error: it may be over at the next poll. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof ServerError ||
    error instanceof RateLimitError ||
    error instanceof QueueError
  );
}
