import type { TrackingClient } from '../client.ts';
import { numberAsStored } from '../domain/container-number.ts';
import { APIError } from '../errors.ts';
import { hintOf } from '../internal/meant-name.ts';
import { dynamicInclude } from '../jsonapi/include.ts';
import { LISTS } from '../model/generated/filter-rules.ts';
import { LINKED_TYPES } from '../model/generated/linked-types.ts';
import { RELATIONSHIPS } from '../model/generated/relationships.ts';
import type { DynamicInclude } from '../model/index.ts';
import { API_OPTIONS, withClient } from './api.ts';
import {
  ambiguous,
  type Command,
  listOption,
  notFound,
  numberOption,
  type OptionValues,
  wrongUsage,
} from './command.ts';
import { wordOfShell } from './failure.ts';
import { filterNames, filtersOf, sortNames, sortOf } from './filters.ts';
import { type Found, foundBySearch, numbersLike, openingOf } from './found-by-search.ts';
import { allOf, type Column, chosenColumns, fieldColumns, nameOf, needsOf } from './output/columns.ts';
import { labelOf, relatedOf } from './output/fields.ts';
import {
  counted,
  FIELDS_OPTION,
  isForPrograms,
  isOnScreen,
  printRecord,
  printRecords,
  say,
  sayBelow,
  tableOptions,
} from './output/print.ts';
import { idBeginning, needsWholeId } from './short-ids.ts';
import { digitProblem, spelt } from './tracked-before.ts';
import { type Records, upTo } from './up-to.ts';

/** The options for a page of a list. */
interface Page {
  pageSize: number;
  signal: AbortSignal;
}

/** Options with names from the command line. TypeScript cannot check these names, so the client checks them. */
interface ListChoice extends Page {
  include: DynamicInclude;
  filter: never;
  sort: never;
}

export interface RecordGroup<T> {
  /** The type of the records. */
  type: string;
  /** The client method that reads the list, if the list has filters. */
  operation?: string;
  list(client: TrackingClient, options: ListChoice, values: OptionValues): AsyncIterable<T>;
  /** More options of the list. */
  options?: Command['options'];
  get(client: TrackingClient, id: string, options: Pick<ListChoice, 'include' | 'signal'>): PromiseLike<T>;
  /** Finds the records that a number may mean. The user may give a number in place of an id. */
  named?(client: TrackingClient, number: string, signal: AbortSignal): Promise<readonly Found[]>;
  /** The number by which documents refer to a record. */
  documentsOf?(record: T): string | null | undefined;
  /** A paragraph for the help of the list. */
  about?: string;
  columns: readonly Column<T>[];
  /** The columns for one record. They may also be chosen for a list. @default columns */
  details?: readonly Column<T>[];
  /** More columns that may be chosen for a list. */
  others?: readonly Column<T>[];
  /**
   * A text below the details of one record, about the records of a relationship. If `--include` names the relationship,
   * the text is about all these records. Otherwise the text is about some of these records.
   */
  after?: { relationship: string; needs: readonly string[]; text(record: T, isAll: boolean): string | undefined };
  /** An example of a filter, for the help. */
  filterExample?: string;
  /** An example of related records, for the help. Without this example, there is no option `--include`. */
  includeExample?: string;
}

export const LIMIT_OPTIONS = {
  limit: { type: 'string', value: 'COUNT', default: '100', help: 'records at most; 0 stands for all' },
  all: {
    type: 'boolean',
    help: 'all records, page after page; in a pipe, each record is printed as soon as it is read',
  },
} as const satisfies Command['options'];

type Described = Pick<RecordGroup<object>, 'type' | 'operation' | 'filterExample' | 'includeExample'>;

/** The number of records that `--limit` and `--all` allow. */
export function limitOf(values: OptionValues): number {
  if (values.all === true) return Infinity;
  const limit = numberOption(values, 'limit');
  if (!Number.isInteger(limit)) throw wrongUsage(`--limit must be a whole number, not ${values.limit}.`);
  return limit || Infinity;
}

function includeOption({ type, includeExample }: Described): Command['options'] {
  if (includeExample === undefined) return {};
  const help = `related records to include, such as ${includeExample}`;
  return { include: { type: 'string', value: 'PATHS', multiple: true, help, values: includePaths(type) } };
}

/** A relationship without a type of records cannot be included. */
function includePaths(type: string): string[] {
  const targets: Readonly<Record<string, readonly string[]>> = LINKED_TYPES[type as keyof typeof LINKED_TYPES] ?? {};
  return Object.keys(targets).filter(name => targets[name]?.length);
}

function selectionOptions({ operation, filterExample }: Described): Command['options'] {
  const { filter, sort } = LISTS[operation ?? ''] ?? {};
  const several = sort && sort.most > 1 ? `, or up to ${sort.most} with commas` : '';
  const [token] = sort?.tokens ?? [];
  return {
    ...(filter && {
      filter: {
        type: 'string',
        value: 'NAME=VALUE',
        multiple: true,
        help: `a filter, such as ${filterExample}`,
        values: filterNames(filter),
      },
    }),
    ...(sort && {
      sort: {
        type: 'string',
        value: 'NAME',
        help: `such as ${token}, or -${token} for the reverse order${several}`,
        values: sortNames(sort),
      },
    }),
  };
}

interface Listing<T> {
  about?: string;
  options?: Command['options'];
  /** A word for the records. */
  noun?: string;
  columns: readonly Column<T>[];
  /** More columns that may be chosen. */
  others?: readonly Column<T>[];
  /** True if the command takes the value of its option `--search` as an argument too. */
  isSearchable?: boolean;
  list(client: TrackingClient, page: Page, values: OptionValues): AsyncIterable<T>;
}

/** A command that prints a list, up to its limit. */
export function listing<T>({ options, noun, columns, others = [], isSearchable, list, ...rest }: Listing<T>): Command {
  return {
    ...rest,
    ...(isSearchable && { arguments: ['[TEXT]'] }),
    options: { ...options, ...LIMIT_OPTIONS, ...tableOptions(columns, others), ...API_OPTIONS },
    run: (values, [search = values.search]) =>
      withClient(values, async (client, signal) => {
        const limit = limitOf(values);
        const records = list(client, { pageSize: Math.min(limit, 100), signal }, { ...values, search });
        await printUpTo(values, limit, records, withIncluded(columns, listOption(values, 'include')), { others, noun });
      }),
  };
}

/** The command that lists the records of a group. */
export function listCommand<T>(group: RecordGroup<T>): Command {
  const { operation = '', type, list, columns, details = [], others = [], named, about } = group;
  const more = [...details, ...others];
  return listing({
    about: [about, named && 'Other commands take a number of the table as well as an id.'].filter(Boolean).join(' '),
    options: { ...group.options, ...selectionOptions(group), ...includeOption(group) },
    noun: type.replaceAll('_', ' '),
    columns,
    others: more,
    list: (client, page, values) =>
      list(
        client,
        {
          ...page,
          include: includesOf(values, type, allOf(columns, more), () => needsOf(chosenColumns(values, columns, more))),
          filter: filtersOf(values, operation),
          sort: sortOf(values),
        },
        values,
      ),
  });
}

/** Prints records up to the limit, and says how many there are. */
export async function printUpTo<T>(
  values: OptionValues,
  limit: number,
  records: Records<T>,
  columns: readonly Column<T>[],
  { others = [], noun = 'record' }: { others?: readonly Column<T>[]; noun?: string | undefined } = {},
): Promise<void> {
  let all = '';
  const shown = upTo(limit, records, total => {
    all = total > limit ? `These are ${limit} of ${total}.` : `There are more than ${limit}.`;
  });
  const count = await printRecords(values, shown, columns, others);
  if (all) sayBelow(`${all} See --limit and --all.`);
  else if (count > 0 && isOnScreen(values)) say(`${counted(count, noun)}.`);
}

/** The command that reads one record. */
export function getCommand<T extends { id: string }>(group: RecordGroup<T>): Command {
  const { get, columns, details = columns, named, type, after, documentsOf } = group;
  return {
    about: `${named ? 'A reference, or the number of a related record, is found with a search. ' : ''}The first six characters of an id, or more, are enough if no other id begins with them.`,
    options: { ...includeOption(group), ...FIELDS_OPTION, ...API_OPTIONS },
    arguments: [named ? 'ID|NUMBER' : 'ID'],
    run: (values, [name = '']) =>
      withClient(values, async (client, signal) => {
        const include = includesOf(values, type, details, () => [...needsOf(details), ...(after?.needs ?? [])]);
        const id = await idOf(group, client, name, signal, true);
        const record = await get(client, id, { include, signal });
        const paths = listOption(values, 'include');
        const isBelow = (path: string) => path.split('.')[0] === after?.relationship;
        const columns = withIncluded(
          details,
          paths.filter(path => !isBelow(path)),
        );
        const number = isForPrograms(values) ? undefined : documentsOf?.(record);
        const documents = number ? await documentsText(client, number, signal) : undefined;
        const texts = () => [after?.text(record, paths.some(isBelow)), documents].filter(Boolean).join('\n\n');
        await printRecord(values, record, columns, texts);
      }),
  };
}

/**
 * The number of documents that refer to a record, with the command that lists them; `undefined` if there are none, or if
 * the account or the service has no documents.
 */
async function documentsText(client: TrackingClient, number: string, signal: AbortSignal): Promise<string | undefined> {
  const page = await client.documents
    .list({ filter: { reference: number }, pageSize: 1, signal })
    .catch(error => (error instanceof APIError ? undefined : Promise.reject(error)));
  if (!page || page.data.length === 0) return undefined;
  const count = page.meta.total === undefined ? '' : `${counted(page.meta.total, 'document')}: `;
  return `${count}container-tracking documents list --filter reference=${number}`;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * The given id, or the id of the record that the given number means.
 *
 * @param reads true for a command that only reads. Such a command also accepts a reference, the number of a related
 * record, and the beginning of an id.
 * @throws {CommandError} if no record fits, or if several records fit.
 */
export async function idOf(
  { named, type, list }: Pick<RecordGroup<{ id: string }>, 'named' | 'type' | 'list'>,
  client: TrackingClient,
  name: string,
  signal: AbortSignal,
  reads = false,
): Promise<string> {
  if (UUID.test(name)) return name;
  const page = { pageSize: 100, signal, include: dynamicInclude([]), filter: filtersOf({}, ''), sort: sortOf({}) };
  const beginning = async () => {
    const id = await idBeginning(name, () => list(client, page, {}));
    if (id !== undefined && !reads) throw needsWholeId(type, id);
    return id;
  };
  if (!named) return (await beginning()) ?? name;
  // An older service ignores the number in a request for a list, and sends every record. Therefore records with another
  // number are left out.
  const exact = (await named(client, name, signal)).filter(({ number }) => spelt(number ?? '') === spelt(name));
  const problem = digitProblem({ number: name, type });
  const hits = exact.length > 0 || problem ? [] : await client.search(numberAsStored(name), { signal });
  const found = exact.length > 0 ? exact : await foundBySearch(client, hits, type, name, signal);
  const [first, second] = found;
  if (first === undefined) {
    const id = await beginning();
    if (id !== undefined) return id;
    const search = `To look for it: container-tracking search ${wordOfShell(name)}`;
    const hint = problem ?? [numbersLike(hits, type, name), search].filter(Boolean).join(' ');
    throw notFound(`There is no ${type.replaceAll('_', ' ')} with the id, number or reference ${name}. ${hint}`);
  }
  if (second === undefined && (exact.length > 0 || (reads && !first.type))) return first.id;
  const many = found.length > 1 ? 'several records' : 'another record';
  throw ambiguous(
    `${name} names ${many}. Use the number or the id:\n${openingsOf(found, type).join('\n')}`,
    found.map(({ id, number, type: other = type }) => ({ type: other, id, number })),
  );
}

/**
 * The commands that open some records. If several records have the same number, their commands contain the id instead.
 */
function openingsOf(found: readonly Found[], type: string): string[] {
  const isAlone = (number: string | null) => found.filter(other => other.number === number).length === 1;
  return found.map(({ id, number, type: other = type }) =>
    openingOf(other, number !== null && isAlone(number) ? number : id),
  );
}

const ANY_RELATIONSHIP = [...new Set(Object.values(RELATIONSHIPS).flatMap(names => Object.keys(names)))];

/**
 * The related records to include. In JSON, these are the records that `--include` and `--fields` name. In a text, they
 * are the records that `--include` names, and the records that the columns are read from.
 *
 * @throws {CommandError} for a relationship that does not exist. Only the first name of a path is checked against the
 * type of the record.
 */
function includesOf<T>(
  values: OptionValues,
  type: string,
  all: readonly Column<T>[],
  needsOfText: () => readonly string[],
): DynamicInclude {
  const paths = listOption(values, 'include');
  for (const path of paths) {
    for (const [index, name] of path.split('.').entries()) {
      const known = index === 0 ? includePaths(type) : ANY_RELATIONSHIP;
      if (known.includes(name)) continue;
      const hint = hintOf(name, known) || (index === 0 ? ` There are: ${known.join(', ')}.` : '');
      throw wrongUsage(`--include ${path}: there is no ${name}.${hint}`);
    }
  }
  const needs = (isForPrograms(values) ? fieldNeeds(values, type, all) : needsOfText()).map(path =>
    relationshipsOf(path, type),
  );
  return dynamicInclude([...new Set([...paths, ...needs])].filter(Boolean));
}

/**
 * The related records that `--fields` needs, for columns and for fields of related records. If `--fields` names a
 * relationship itself, a reference is printed, which needs no related record.
 */
function fieldNeeds<T>(values: OptionValues, type: string, columns: readonly Column<T>[]): string[] {
  const paths = listOption(values, 'fields').filter(name => name.includes('.'));
  const related = fieldColumns(values, columns).filter(column => !includePaths(type).includes(nameOf(column)));
  return [...paths, ...needsOf(related)];
}

/** The relationships at the beginning of a path: `shipment` for `shipment.customer_name`. */
function relationshipsOf(path: string, type: string): string {
  const names = path.split('.');
  const end = names.findIndex((name, index) => !(index === 0 ? includePaths(type) : ANY_RELATIONSHIP).includes(name));
  return (end < 0 ? names : names.slice(0, end)).join('.');
}

/**
 * Adds columns for the included records; these columns come after the first column. They show the names of these
 * records.
 */
function withIncluded<T>([first, ...others]: readonly Column<T>[], paths: readonly string[]): Column<T>[] {
  const included = paths.map(
    (path): Column<T> => [
      path.toUpperCase().replaceAll('_', ' '),
      record => labelOf(relatedOf(record, path.split('.'))),
    ],
  );
  return [...(first ? [first] : []), ...included, ...others];
}
