import type { Context } from './context.ts';
import { isErrorOfOneList, isUnreadable } from './list-errors.ts';

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
