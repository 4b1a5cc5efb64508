import { ConfigurationError } from '../errors.ts';
import { objectArgument } from '../internal/arguments.ts';
import { unknownName } from '../internal/near-name.ts';
import { type Query, queryString } from '../jsonapi/query.ts';
import type { FilterRules, SortRules } from '../model/filter-rules.ts';
import { LISTS } from '../model/generated/filter-rules.ts';
import { refuseContradictions } from './contradictions.ts';
import { refuseInclude } from './includes.ts';
import { KINDS } from './kinds.ts';
import { sortValue } from './sort.ts';

export { refuseInclude };

/** The options of a call that select and sort records. */
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
