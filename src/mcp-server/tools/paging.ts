import * as s from '../schema/build.ts';

/** A longer answer would fill the context of a model: about 15,000 tokens. */
export const MAX_CHARACTERS = 60_000;

const MAX_PAGE_SIZE = 100;

interface Paging {
  page?: number | undefined;
  page_size?: number | undefined;
}

/** The page that is asked for. More rows than the service gives are cut to what it gives. */
export function pageOf({ page = 1, page_size = 25 }: Paging): { pageNumber: number; pageSize: number } {
  return { pageNumber: page, pageSize: Math.min(page_size, MAX_PAGE_SIZE) };
}

export const nextSchema = () =>
  s.nullable(
    s
      .object({ page: s.number(), page_size: s.number() })
      .describe('The arguments that give the rows after these. Null: these are the last.'),
  );

export const cutSchema = () =>
  s.optional(s.string().describe('What was left out because the answer would be too long, and how to get it.'));

/**
 * The first rows, as many as fit into an answer. The number divides the size of the page, so that the rest are whole pages
 * of the smaller size.
 */
export function fitting<Row>(
  rows: Row[],
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
  hasNext: boolean,
) {
  let size = pageSize;
  while (size > 1 && JSON.stringify(rows.slice(0, size)).length > MAX_CHARACTERS) size = smallerDivisor(pageSize, size);
  if (rows.length <= size) {
    return { items: rows, next: hasNext ? { page: pageNumber + 1, page_size: pageSize } : null };
  }
  const page = (pageNumber - 1) * (pageSize / size) + 2;
  return {
    items: rows.slice(0, size),
    next: { page, page_size: size },
    cut: `${rows.length - size} rows were left out, since the answer would be longer than ${MAX_CHARACTERS} characters. Go on with page ${page} and page_size ${size}.`,
  };
}

function smallerDivisor(whole: number, below: number): number {
  for (let size = below - 1; size > 1; size -= 1) if (whole % size === 0) return size;
  return 1;
}
