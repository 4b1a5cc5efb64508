import {
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
} from '../errors.ts';
import { RECORD_PATHS } from './lists.ts';

/** A list that this account or this version of the service does not have, or that always fails. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof PermissionDeniedError ||
    error instanceof NotFoundError ||
    error instanceof BadRequestError ||
    (error instanceof ServerError && error.path.startsWith(RECORD_PATHS.custom_field))
  );
}

/**
 * Whether other lists may be readable all the same, and this one later.
 *
 * @param before the error of another list. If a second one is not answered in time, none will be.
 */
export function isErrorOfOneList(error: unknown, before?: unknown): boolean {
  if (error instanceof TimeoutError) return before === undefined;
  return error instanceof ServerError || error instanceof ResponseFormatError;
}
