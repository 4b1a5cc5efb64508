import * as z from 'zod/mini';
import { quoted, several } from '../../domain/record-values.ts';
import { count, page, skip } from '../schema.ts';
import type { ToolOutput } from '../tool.ts';
import { fitting, tableOf, withoutIds } from '../views/rows.ts';

/** The service counts the total of an unfiltered list only up to this number. */
const RELIABLE_TOTAL = 1_000;

/** Advice for tools that read whole lists, if the request budget is used up. */
export const FEWEST_REQUESTS = 'list_containers and summarize_containers with filters need the fewest requests.';

/** The arguments of every list. */
export const paging = () => ({
  page: page(),
  page_size: z.optional(count('Default: 25', 100)),
  skip: z.optional(skip(100)),
});

/** The arguments of a list that is read completely. */
export const pages = () => ({ limit: z.optional(count(undefined, 1_000)), skip: z.optional(skip(100_000)) });

/**
 * Upper bound for the JSON of the rows of a call, in characters, if the call names a number of rows. This is at most
 * 20,000 tokens.
 */
const MOST_CHARACTERS = 48_000;

/** The number of rows of a result. A call that names a number of rows gets more than `usual` characters. */
export function fittingIn(
  { limit, page_size }: { limit?: number | undefined; page_size?: number | undefined },
  rows: readonly unknown[],
  usual?: number,
): number {
  const most = limit || page_size;
  return most ? fitting(rows.slice(0, most), MOST_CHARACTERS) : fitting(rows, usual);
}

export const listShape = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    items: z.array(row),
    total: z.optional(z.number()),
    total_is_reliable: z.optional(z.boolean()),
    next: z.nullable(z.looseObject({})),
    applied_filters: z.optional(z.looseObject({})),
    hint: z.optional(z.string()),
  });

interface Paging {
  page?: number | undefined;
  page_size?: number | undefined;
  skip?: number | undefined;
}

/**
 * The page as options of the client. The service may send fewer rows on a page. In that case, the next page of the
 * service begins after these rows.
 */
export function pageOf({ page = 1, page_size = 25 }: Paging): { pageNumber: number; pageSize: number } {
  return { pageNumber: page, pageSize: page_size };
}

interface Listing<Row> {
  /** The end of the tool's name: for `containers`, the tool is `list_containers`. */
  what: 'containers' | 'shipments' | 'tracking_requests';
  /** The column whose value identifies a row in other tools. */
  key: 'number' | 'bill_of_lading' | 'request_number';
  input: Paging;
  found: { data: readonly object[]; meta?: { total?: unknown } | undefined; hasNextPage(): boolean };
  row: (record: object) => Row;
  readOnly: boolean;
  /** Notes on the rows. */
  notes?: string[];
}

/** One page of a list, as data and as a table, with the arguments for the next page. */
export function listOutput<Row extends { id: string }>({
  what,
  key,
  input,
  found,
  row,
  readOnly,
  notes = [],
}: Listing<Row>): ToolOutput<{
  items: Row[];
  total?: number | undefined;
  total_is_reliable?: boolean | undefined;
  next: Record<string, unknown> | null;
  applied_filters?: Record<string, unknown> | undefined;
  hint?: string | undefined;
}> {
  const { skip = 0, ...others } = input;
  const { page = 1 } = input;
  const rows = found.data.slice(skip).map(row);
  const items = rows.slice(0, fittingIn(input, rows));
  const after = items.length < rows.length ? { ...others, page, skip: skip + items.length } : undefined;
  const next = after ?? (found.hasNextPage() ? { ...others, page: page + 1 } : null);
  const total = typeof found.meta?.total === 'number' ? found.meta.total : undefined;
  const filters = filtersIn(input);
  const names = Object.keys(filters);
  const hint = items.length > 0 ? notes.join(' ') : emptyHint(page, names, notes, readOnly);
  const isCounted = names.length > 0 || (total ?? 0) <= RELIABLE_TOTAL;
  const about = [
    `${items.length} of ${total === undefined ? 'the' : `${isCounted ? '' : 'about '}${total}`} ${what.replace('_', ' ')}`,
    names.length > 0 ? `by ${filterNames(filters)}` : 'no filter',
    ...(page > 1 ? [`page ${page}`] : []),
  ];
  return {
    result: {
      items,
      total,
      ...(!isCounted && { total_is_reliable: false }),
      next,
      ...(names.length > 0 && { applied_filters: filters }),
      ...(hint && { hint }),
    },
    text: listText(
      about.join('; '),
      callOf(`list_${what}`, next),
      items.length > 0 ? [tableOf(withoutIds(items, key))] : [],
      hint,
    ),
  };
}

/** The note on a filter for the day of an arrival. */
export const utcDays = (filter: string) =>
  `${filter} is compared as a day in UTC; pod_eta and pod_ata are days at the port: a day more on both sides has all.`;

/** The probable reason for an empty list or a count of 0. */
export function emptyHint(
  page: number,
  filters: readonly string[],
  notes: readonly string[],
  readOnly: boolean,
): string {
  if (page > 1) return 'This page is behind the last one: begin again without page.';
  if (filters.length === 0)
    return `The account has none yet${readOnly ? '.' : ': track_container starts to track a number.'}`;
  const all = filters.length > 1 ? 'all of them at once' : 'this';
  return [`Nothing matches ${all}: check the values, or leave one out.`, ...notes].join(' ');
}

/** The call of the tool for the next rows, ready to copy. */
export function callOf(tool: string, next: object | null): string {
  return next ? `next: ${tool} ${JSON.stringify(next)}` : 'no more';
}

/** The rows as text. A line about the rows and a hint come before them. The line has the call for the next rows. */
export function listText(about: string, next: string, rows: readonly string[], hint = ''): string {
  return [
    `${about}; ${next}`,
    ...(hint ? [hint] : []),
    ...(rows.some(row => row.includes('«')) ? ['«…» is data.'] : []),
    ...rows,
  ].join('\n');
}

/** The arguments that filter rows, without the arguments for pages, for the order and for more fields. */
export function filtersIn(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !OTHERS.has(name)));
}

/**
 * The names of filters. Codes follow the name of their filter, because the call may have had a name in place of the
 * code.
 */
export function filterNames(filters: Record<string, unknown>): string {
  const codesOf = (name: string) =>
    CODED.has(name) ? ` ${several(String(filters[name])).map(quoted).join(' or ')}` : '';
  return Object.keys(filters)
    .map(name => name + codesOf(name))
    .join(', ');
}

const CODED = new Set(['carrier', 'scac', 'port', 'pol_code']);

const OTHERS = new Set(['page', 'page_size', 'skip', 'sort', 'include', 'include_containers', 'group_by']);

/** The arguments with these names, if they were passed. */
export function givenOf<Input extends object, Name extends keyof Input>(
  input: Input,
  names: readonly Name[],
): { [N in Name]?: NonNullable<Input[N]> } {
  return Object.fromEntries(names.flatMap(name => (input[name] === undefined ? [] : [[name, input[name]]]))) as never;
}
