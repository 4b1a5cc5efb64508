import type { TrackingClient } from '../client.ts';
import { dynamicInclude } from '../jsonapi/include.ts';
import type { SortRules } from '../model/filter-rules.ts';
import { LISTS } from '../model/generated/filter-rules.ts';
import type { DynamicInclude } from '../model/index.ts';
import { API_DETAILS, API_OPTIONS, withClient } from './api.ts';
import { type Command, numberOption, type OptionValues } from './command.ts';
import { filtersOf, sortOf } from './filters.ts';
import { isForPrograms, printRecords, printValue, say } from './output/print.ts';
import { type Column, table } from './output/table.ts';

/** Names that come from the command line, so that only the client can check them. */
interface ListChoice {
  include: DynamicInclude;
  filter: never;
  sort: never;
  pageSize: number;
  signal: AbortSignal;
}

export interface RecordGroup<T> {
  /** The method of the client that lists. */
  operation: string;
  list(client: TrackingClient, options: ListChoice): AsyncIterable<T>;
  get(client: TrackingClient, id: string, options: Pick<ListChoice, 'include' | 'signal'>): PromiseLike<T>;
  columns: readonly Column<T>[];
  /** For the help. */
  filterExample: string;
  /** For the help. */
  includeExample: string;
}

function includeDetails(example: string): string {
  return `      --include   related records to include, such as ${example}; may be repeated\n`;
}

function sortDetails({ tokens, most }: SortRules): string {
  const several = most > 1 ? `, or up to ${most} with commas` : '';
  return `      --sort      such as ${tokens[0]}, or --sort=-${tokens[0]} for the last first${several}\n`;
}

/** The command that lists records. */
export function listCommand<T>(group: RecordGroup<T>): Command {
  const { operation, list, columns, filterExample, includeExample } = group;
  const { sort } = LISTS[operation] ?? {};
  return {
    details: `      --filter    a filter, such as ${filterExample}; may be repeated
${sort ? sortDetails(sort) : ''}${includeDetails(includeExample)}      --limit     how many records at most, 100 unless given; 0 for all
${API_DETAILS}`,
    options: {
      filter: { type: 'string', multiple: true },
      ...(sort && { sort: { type: 'string' } as const }),
      include: { type: 'string', multiple: true },
      limit: { type: 'string', default: '100' },
      ...API_OPTIONS,
    },
    run: values =>
      withClient(values, async (client, signal) => {
        const limit = numberOption(values, 'limit') || Number.POSITIVE_INFINITY;
        const choice = {
          include: includesOf(values),
          filter: filtersOf(values, operation),
          sort: sortOf(values),
          pageSize: Math.min(limit, 100),
          signal,
        };
        let more = false;
        const records = upTo(limit, list(client, choice), () => {
          more = true;
        });
        await printRecords(values, records, columns);
        if (more && !isForPrograms(values)) say(`There are more. See --limit.`);
      }),
  };
}

/** The command that reads one record. */
export function getCommand<T extends object>({ get, columns, includeExample }: RecordGroup<T>): Command {
  return {
    details: `${includeDetails(includeExample)}${API_DETAILS}`,
    options: { include: { type: 'string', multiple: true }, ...API_OPTIONS },
    arguments: ['ID'],
    run: (values, [id = '']) =>
      withClient(values, async (client, signal) => {
        const record = await get(client, id, { include: includesOf(values), signal });
        printValue(values, record, () => fieldsOf(record, columns));
      }),
  };
}

async function* upTo<T>(limit: number, records: AsyncIterable<T>, onMore: () => void): AsyncGenerator<T> {
  let count = 0;
  for await (const record of records) {
    count += 1;
    if (count > limit) return onMore();
    yield record;
  }
}

/** The columns of the list, a line each, then all other fields that have a plain value. */
function fieldsOf<T extends object>(record: T, columns: readonly Column<T>[]): string {
  const shown = columns.map(([heading, value]): [string, unknown] => [heading, value(record)]);
  const others = Object.entries(record).filter(
    ([name, value]) => value !== null && typeof value !== 'object' && !columns.some(([heading]) => heading === name),
  );
  return table(
    [
      ['FIELD', ([name]) => name],
      ['VALUE', ([, value]) => value],
    ],
    [...shown, ...others],
    100,
  );
}

function includesOf(values: OptionValues): DynamicInclude {
  const given = (values.include as string[] | undefined) ?? [];
  return dynamicInclude(given.flatMap(paths => paths.split(',')));
}
