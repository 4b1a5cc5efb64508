import type { DocumentMeta } from '../jsonapi/document.ts';

export type Records<T> = AsyncIterable<T> | Iterable<T>;

/** @param onMore called if there are more records, with the total number, or 0 if the service does not report it. */
export async function* upTo<T>(limit: number, records: Records<T>, onMore: (total: number) => void): AsyncGenerator<T> {
  let left = limit;
  for await (const { data, isLast, total = 0 } of partsOf(records)) {
    yield* data.slice(0, left);
    left -= data.length;
    if (left < 0 || (left === 0 && isLast === false)) onMore(total);
    if (left < 0 || (left === 0 && isLast !== undefined)) return;
  }
}

interface Part<T> {
  data: readonly T[];
  /** True for the last part of the list; `undefined` if this is not known before the next part is read. */
  isLast?: boolean;
  total?: number | undefined;
}

interface PageOf<T> {
  data: readonly T[];
  meta: DocumentMeta;
  hasNextPage(): boolean;
}

/** A list of the service. */
interface Paged<T> {
  pages(): AsyncIterable<PageOf<T>>;
}

function isPaged<T>(records: object): records is Paged<T> {
  return 'pages' in records;
}

/**
 * The parts of a list. A page says whether there are more records, so no further request is necessary to find this out.
 */
async function* partsOf<T>(records: Records<T>): AsyncGenerator<Part<T>> {
  if (isPaged<T>(records)) {
    for await (const page of records.pages()) {
      yield { data: page.data, isLast: !page.hasNextPage(), total: page.meta.total };
    }
  } else for await (const record of records) yield { data: [record] };
}
