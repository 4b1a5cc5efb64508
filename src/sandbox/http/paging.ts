import type { DocumentLinks, DocumentMeta } from '../../jsonapi/document.ts';
import { badRequest } from './errors.ts';

/** What `meta` of a list has. It depends on the endpoint. */
export type MetaStyle = 'total and size' | 'total' | 'pagination' | 'none';

export interface Paging {
  number: number;
  size: number;
}

const MAX_SIZE = 100;

export interface Sizes {
  /** The size of a page that a request does not ask for. @default 30 */
  defaultSize?: number;
  /** Larger sizes count as this one. @default 100 */
  mostSize?: number;
}

export function readPaging(query: URLSearchParams, { defaultSize = 30, mostSize = MAX_SIZE }: Sizes = {}): Paging {
  return {
    number: pageNumber(query.get('page[number]')),
    size: Math.min(mostSize, Math.max(1, whole(query.get('page[size]')) ?? defaultSize)),
  };
}

function pageNumber(text: string | null): number {
  if (text === null) return 1;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && Number.isSafeInteger(number)) return number;
  throw badRequest('page[number]', 'page[number] must be a whole number of at least 1');
}

function whole(text: string | null): number | undefined {
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

export function pageOf<T>(records: T[], { number, size }: Paging): T[] {
  return records.slice((number - 1) * size, number * size);
}

/** The numbers of other pages. The first page has no `prev`, the last page no `next`. */
function neighbours(total: number, { number, size }: Paging) {
  const last = Math.ceil(total / size);
  return {
    ...(number > 1 && { first: 1, prev: number - 1 }),
    ...(number < last && { next: number + 1, last }),
  };
}

export function pageMeta(style: MetaStyle, total: number, size: number, paging: Paging): DocumentMeta | undefined {
  switch (style) {
    case 'total and size':
      return { total, size };
    case 'total':
      return { total };
    case 'pagination':
      return { size, total, pagination: { current: paging.number, ...neighbours(total, paging), records: total } };
    case 'none':
      return undefined;
  }
}

export function pageLinks(url: URL, total: number, paging: Paging): DocumentLinks {
  const links: DocumentLinks = { self: selfLink(url), current: pageLink(url, paging.number) };
  for (const [name, number] of Object.entries(neighbours(total, paging))) links[name] = pageLink(url, number);
  return links;
}

/** The links of a list without pages. */
export function singlePageLinks(url: URL): DocumentLinks {
  return { self: selfLink(url), current: pageLink(url, 1) };
}

/** The address of the request. Its brackets are not encoded, as in the links of the service. */
export function selfLink(url: URL): string {
  return url.href.replace(/%5B/gi, '[').replace(/%5D/gi, ']');
}

/** The parameters are sorted by name. */
function pageLink(url: URL, number: number): string {
  const query = new URLSearchParams(url.search);
  query.set('page[number]', String(number));
  const pairs = [...query].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`).join('&');
  return `${url.origin}${url.pathname}?${search}`;
}
