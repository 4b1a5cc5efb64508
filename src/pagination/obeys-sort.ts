import type { Query } from '../jsonapi/query.ts';

/** Number of records that is enough to compare both ends of a list. */
export const PROBE_SIZE = 25;

/**
 * True if the service sorts containers by their last change. If a service does not support a sort order or a filter, it
 * ignores this option, and sends the same records every time.
 *
 * @param read reads the first records, and resolves to their ids, or to `undefined` if it cannot read them.
 */
export async function obeysSort(read: (query: Query) => Promise<readonly string[] | undefined>): Promise<boolean> {
  const ofTheFuture = await read({ 'filter[updated_at]': '>=2.days.from_now' });
  if (ofTheFuture?.length !== 0) return false;
  const last = await read({ sort: '-updated_at' });
  const first = await read({ sort: 'updated_at' });
  return Boolean(last?.length && first?.length) && !first?.some(id => last?.includes(id));
}
