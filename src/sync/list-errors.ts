import {
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
} from '../errors.ts';
import { RECORD_PATHS } from './lists.ts';

/** True if this account or this version of the service does not have the list, or if the list always fails. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof PermissionDeniedError ||
    error instanceof NotFoundError ||
    error instanceof BadRequestError ||
    (error instanceof ServerError && error.path.startsWith(RECORD_PATHS.custom_field))
  );
}

/**
 * True if other lists may be readable in spite of the error, and if this list may be readable later.
 *
 * @param before an earlier error of another list. If a second list gets no response in time, the other lists are not
 * expected to get a response either.
 */
export function isErrorOfOneList(error: unknown, before?: unknown): boolean {
  if (error instanceof TimeoutError) return before === undefined;
  return error instanceof ServerError || error instanceof ResponseFormatError;
}
