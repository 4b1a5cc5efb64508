import { ConfigurationError } from '../errors.ts';
import { describeValue, objectArgument } from '../internal/arguments.ts';
import { unknownName } from '../internal/near-name.ts';
import type { IncludeTree } from '../jsonapi/include.ts';
import { type Query, queryString } from '../jsonapi/query.ts';
import type { FilterRules, SortRules } from '../model/filter-rules.ts';
import { LISTS } from '../model/generated/filter-rules.ts';
import { RELATIONSHIPS } from '../model/generated/relationships.ts';
import { KINDS } from './kinds.ts';

/** The options that select and sort the records of a call. */
export interface Selection {
  filter?: unknown;
  sort?: unknown;
  /** Parameters that this version of the package does not know. */
  query?: unknown;
}

/** The parameters that `query` must not contain, each with the option to use instead. */
const OPTIONS: Readonly<Record<string, string>> = { include: 'include', page: 'pageNumber and pageSize' };

/**
 * The filters, the sort order and other parameters of a list as a query with its `?`; empty if there are none.
 *
 * The service ignores an unknown filter, and then sends every record of the account. So this function refuses filters
 * and sort orders that this version of the package does not know.
 *
 * @throws {ConfigurationError} for a key or a value that the service cannot accept.
 */
export function selectionQuery(operation: string, selection: Selection): string {
  // Only lists with rules accept `filter` and `sort`.
  const rules = LISTS[operation] ?? {};
  const parameters = Object.entries(selection).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    if (name === 'query') return rawParameters(operation, value);
    if (name === 'filter') return filterParameters(operation, value, rules.filter as FilterRules);
    return [`sort=${sortValue(operation, value, rules.sort as SortRules)}`];
  });
  return parameters.length > 0 ? `?${parameters.join('&')}` : '';
}

/**
 * Parameters that are sent unchanged. Parameters for pages and includes are refused: they would contradict the list.
 */
function rawParameters(operation: string, given: unknown): string[] {
  // `parties.list` has a parameter `query`.
  if (operation === 'parties.list' && typeof given === 'string') return rawParameters(operation, { query: given });
  const example = "{ 'filter[new]': 'value' }";
  const query = objectArgument(`${operation}: query`, given, example) as Query;
  for (const name of Object.keys(query)) {
    const option = OPTIONS[name.split('[')[0] as string];
    if (option) throw new ConfigurationError(`${operation}: query cannot hold ${name}. Use ${option}.`);
  }
  const text = queryString(query).slice(1);
  return text === '' ? [] : [text];
}

function filterParameters(operation: string, given: unknown, { keys, refused }: FilterRules): string[] {
  const names = Object.keys(keys);
  const filter = objectArgument(`${operation}: filter`, given, `{ ${names[0]}: … }`) as Record<string, unknown>;
  const parameters = Object.entries(filter).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const reason = refused && Object.hasOwn(refused, key) ? refused[key] : undefined;
    if (reason !== undefined) throw new ConfigurationError(`${operation}: filter.${key} cannot be sent. ${reason}`);
    const rule = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (rule === undefined) throw unknownName(`${operation}: filter`, key, names);
    const [kind, ...known] = typeof rule === 'string' ? [rule] : rule;
    return KINDS[kind]({ path: `${operation}: filter.${key}`, name: `filter[${key}]`, value, known });
  });
  refuseContradictions(operation, filter);
  return parameters;
}

type Filter = Readonly<Record<string, unknown>>;

const NO_TAGS = 'tags_and has no effect without tags';

/** Combinations for which the service sends an empty list, or ignores one of the filters, each with the reason. */
const CONTRADICTIONS: Readonly<Record<string, readonly [holds: (filter: Filter) => boolean, why: string][]>> = {
  'shipments.list': [
    [({ tags, tag }) => tags !== undefined && tag !== undefined, 'tag replaces tags: leave one out'],
    [({ tags, tag, tags_and }) => tags_and !== undefined && (tags ?? tag) === undefined, NO_TAGS],
    [
      filter => isFlag(filter.actively_tracked) && filter.actively_tracked === filter.tracking_stopped,
      'actively_tracked and tracking_stopped are opposites of each other: leave one out',
    ],
    [
      filter => filter.voyage_status === 'arrived' && exists(filter.pod_ata_at) === false,
      'voyage_status arrived means that pod_ata_at exists',
    ],
    [
      filter => filter.voyage_status === 'on_ship' && exists(filter.pod_ata_at) === true,
      'voyage_status on_ship means that pod_ata_at does not exist',
    ],
    [
      filter =>
        filter.pod_eta_changed_at !== undefined &&
        (filter.tracking_stopped === true || filter.actively_tracked === false || filter.voyage_status === 'arrived'),
      'pod_eta_changed_at finds only shipments that are tracked and have not arrived',
    ],
  ],
  'containers.list': [[({ tags, tags_and }) => tags_and !== undefined && tags === undefined, NO_TAGS]],
};

/** @throws {ConfigurationError} if the filters contradict each other. */
function refuseContradictions(operation: string, filter: Filter): void {
  const found = CONTRADICTIONS[operation.replace('summary', 'list')]?.find(([holds]) => holds(filter));
  if (found) throw new ConfigurationError(`${operation}: filter cannot work: ${found[1]}.`);
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function exists(value: unknown): unknown {
  return Object(value).exists;
}

/** The value of `sort`. @throws {ConfigurationError} for a token that the service would ignore. */
function sortValue(operation: string, given: unknown, { tokens, alone, most, refused }: SortRules): string {
  const list = Array.isArray(given) ? given : [given];
  const known = [...tokens.flatMap(token => [token, `-${token}`]), ...alone];
  for (const token of list) {
    if (typeof token !== 'string') {
      throw new ConfigurationError(`${operation}: sort is ${describeValue(token)}; it must be text.`);
    }
    const reason = refused && Object.hasOwn(refused, token) ? refused[token] : undefined;
    if (reason !== undefined) throw new ConfigurationError(`${operation}: sort cannot be ${token}. ${reason}`);
    if (!known.includes(token)) throw unknownName(`${operation}: sort`, token, known);
  }
  if (list.length === 0) throw new ConfigurationError(`${operation}: sort is empty; leave it out.`);
  if (list.length > most) {
    throw new ConfigurationError(`${operation}: sort has ${list.length} tokens; the service reads only ${most}.`);
  }
  const single = list.length > 1 && list.find(token => alone.includes(token));
  if (single) throw new ConfigurationError(`${operation}: sort: ${single} cannot be combined with other tokens.`);
  const columns = list.map(token => token.replace('-', ''));
  const twice = columns.find((column, index) => columns.indexOf(column) < index);
  if (twice) throw new ConfigurationError(`${operation}: sort has ${twice} twice.`);
  return list.join(',');
}

const TYPES = Object.keys(RELATIONSHIPS);

/** @throws {ConfigurationError} for the first unknown path. The message suggests a similar known path. */
export function refuseInclude(what: string, tree: IncludeTree, types: readonly string[]): void {
  const known = new Set(types.flatMap(type => Object.keys(RELATIONSHIPS[type as keyof typeof RELATIONSHIPS])));
  for (const [name, below] of tree) {
    if (!known.has(name)) throw unknownName(what, name, [...known, 'others by dynamicInclude()']);
    refuseInclude(`${what}: ${name}`, below, typesOf(name));
  }
}

/**
 * The types that a relationship may lead to. Most names end with the type: `pod_terminal` leads to a `terminal` or a
 * `rail_terminal`. Any other name may lead to every type.
 */
export function typesOf(relationship: string): readonly string[] {
  const named = TYPES.find(type => RegExp(`(^|_)${type}s?$`).test(relationship));
  return named ? TYPES.filter(type => type.endsWith(named)) : TYPES;
}
