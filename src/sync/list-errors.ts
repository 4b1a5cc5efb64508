import {
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
} from '../errors.ts';
import type { Context } from './context.ts';
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
 * @param before an earlier error of another list. If a second list gets no response in time, sync does not expect a
 *   response for the other lists.
 */
export function isErrorOfOneList(error: unknown, before?: unknown): boolean {
  if (error instanceof TimeoutError) return before === undefined;
  return error instanceof ServerError || error instanceof ResponseFormatError;
}

/** The time of the service, from a page of the first list that can be read. */
export async function timeOfService(
  { lists, reader }: Pick<Context, 'lists' | 'reader'>,
  signal: AbortSignal,
): Promise<number> {
  let failure: unknown;
  for (const list of lists) {
    try {
      return (await reader.page(list, 1, signal, 1)).asOf;
    } catch (error) {
      if (!isUnreadable(error) && !isErrorOfOneList(error, failure)) throw error;
      failure ??= error;
    }
  }
  throw failure;
}
