import { isRecord, type WireDocument } from '../jsonapi/document.ts';

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

/** Whether the records of a page were created in this order, after a moment; `undefined` if they contradict it. */
export function creationAfter(document: WireDocument, order: ListOrder, after: number): number | undefined {
  let latest = after;
  for (const record of [document.data].flat()) {
    const text = isRecord(record) && isRecord(record.attributes) ? record.attributes.created_at : undefined;
    const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(at)) continue;
    if (!Number.isNaN(latest) && (order === 'last' ? at < latest : at > latest)) return undefined;
    latest = at;
  }
  return latest;
}
