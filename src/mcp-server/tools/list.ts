import { LIST_COLUMNS } from '../resources/uri.ts';
import type { Display, ResponseContract } from '../response-contract.ts';
import * as s from '../schema/build.ts';
import type { ToolAnswer } from '../tool.ts';
import { cutSchema, fitting, nextSchema } from './paging.ts';

/** The total of an unfiltered list is counted only up to here. */
const RELIABLE_TOTAL = 1_000;

interface PageLike {
  data: object[];
  meta?: { size?: unknown; total?: unknown } | undefined;
  hasNextPage(): boolean;
}

interface Listing<Row> {
  page: PageLike;
  asked: { pageNumber: number; pageSize: number };
  row: (record: object) => Row;
  /** Arguments that could not be applied. */
  dropped: string[];
  filtered: boolean;
}

export function listShape<Row extends s.Schema<unknown>>(row: Row) {
  return {
    items: s.array(row),
    meta: s.object({
      page: s.number(),
      page_size: s.number(),
      size: s.number(),
      total: s.optional(s.number()),
    }),
    next: nextSchema(),
    unsupportedFilters: s.array(s.string()),
    cut: cutSchema(),
  };
}

/** One page of a list, with what is not in it: rows that did not fit, and filters that were not applied. */
export function listAnswer<Row>({ page, asked, row, dropped, filtered }: Listing<Row>): ToolAnswer<{
  items: Row[];
  meta: { page: number; page_size: number; size: number; total?: number };
  next: { page: number; page_size: number } | null;
  unsupportedFilters: string[];
  cut?: string;
}> {
  const { items, next, cut } = fitting(page.data.map(row), asked, page.hasNextPage());
  const total = typeof page.meta?.total === 'number' ? page.meta.total : undefined;
  const size = next?.page_size ?? asked.pageSize;
  const number = cut === undefined ? asked.pageNumber : (next?.page ?? 2) - 1;
  const contract: Partial<ResponseContract> = {
    ...(dropped.length > 0 && { dropped_filters: dropped }),
    ...(total !== undefined && { total_is_reliable: filtered || total <= RELIABLE_TOTAL }),
    ...((dropped.length > 0 || !filtered) && { presentation_guidance: honesty(dropped, filtered) }),
  };
  return {
    result: {
      items,
      meta: { page: number, page_size: size, size: items.length, ...(total !== undefined && { total }) },
      next,
      unsupportedFilters: dropped,
      ...(cut !== undefined && { cut }),
    },
    contract,
  };
}

function honesty(dropped: string[], filtered: boolean): string {
  const ignored =
    dropped.length > 0 ? `The service cannot filter by ${dropped.join(', ')}: say that the list ignores it. ` : '';
  return `${ignored}${filtered ? '' : 'This list has no filter: say so. '}It is one page, not all rows, while next is not null.`;
}

/** The arguments that were given, of those that cannot be applied. */
export function givenOf(input: Record<string, unknown>, names: readonly string[]): string[] {
  return names.filter(name => input[name] !== undefined);
}

export function listDisplay(columns: string[], emptyState: string, sets: Display['column_sets'] = []): Display {
  return {
    preferred_format: 'table',
    table_when_rows_gte: 2,
    max_rows: 25,
    default_columns: columns,
    sort: [],
    empty_state: emptyState,
    column_catalog_resource: LIST_COLUMNS,
    column_sets: sets,
    selection_strategy: 'Take the column set that fits the question, else the default columns.',
  };
}
