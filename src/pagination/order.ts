import { isIdentifier, isRecord, type WireDocument } from '../jsonapi/document.ts';

/**
 * Where records can move while the pages of a list are read.
 *
 * - `first`: new records come first, and push others to later pages.
 * - `last`: new records come last.
 * - `moving`: a record may change its place at any time, as the containers do by default: the last one refreshed comes first.
 */
export type ListOrder = 'first' | 'last' | 'moving';

/** @param list path and filters, with the `sort` that was sent. */
export function orderOf(list: string): ListOrder {
  const sort = /[?&]sort=([^&]*)/.exec(list)?.[1];
  if (sort === undefined) return isOfContainers(list) ? 'moving' : 'first';
  return sort === 'created_at' ? 'last' : sort === '-created_at' ? 'first' : 'moving';
}

/** Only containers have another order if the service does not know `sort`. */
export function isOfContainers(list: string): boolean {
  return /^\/containers(\?|$)/.test(list);
}

/**
 * When the last record of a page was created; `undefined` if its records are not in this order, or a new one should have come
 * before a moment. Records that came before come again where others were added in front of them.
 */
export function creationAfter(
  document: WireDocument,
  order: ListOrder,
  after: number,
  isSeen: (id: string) => boolean,
): number | undefined {
  const precedes = (one: number, other: number) => (order === 'last' ? one < other : one > other);
  let latest = Number.NaN;
  for (const { id, at } of creations(document)) {
    if (precedes(at, latest) || (precedes(at, after) && !isSeen(id))) return undefined;
    latest = at;
  }
  return latest;
}

/** The records of a page that have a time of creation, in ms since 1970. */
export function creations({ data }: WireDocument): { id: string; at: number }[] {
  return [data].flat().flatMap(record => {
    const created = isRecord(record) && isRecord(record.attributes) ? record.attributes.created_at : undefined;
    const at = Date.parse(String(created));
    return isIdentifier(record) && !Number.isNaN(at) ? [{ id: record.id, at }] : [];
  });
}
