import type { FilterKind } from '../../src/model/filter-rules.ts';

/** The filters and orders of the lists, from `description/filters.yaml`. */

/** A filter of a list: a key, and the kind of its values. */
export interface Filter {
  name: string;
  kind: FilterKind;
  /** The key in the query, if it differs from the name. */
  wire: string;
  /** The name of the type of its values. */
  type?: string;
  known?: string[];
  doc: string;
}

/** The kinds of filters, each with the type of a value in the query. */
const FILTER_TYPES: Record<FilterKind, string> = {
  text: 'string',
  literal: 'string',
  code: 'string',
  search: 'string',
  one: 'string',
  day: 'string',
  instant: 'string',
  since: 'string',
  span: 'datetime',
  window: 'string',
  flag: 'boolean',
  only_true: 'boolean',
  tags: 'string',
  party: 'string',
  roles: 'string',
  custom_fields: 'string',
};

export interface FilterSet {
  name: string;
  doc: string;
  filters: Filter[];
  /** Keys that must not be sent, with the reason. */
  refused: Record<string, string>;
}

export interface Sort {
  name: string;
  doc: string;
  /** The tokens that may have a minus sign before them. */
  tokens: string[];
  /** Tokens that cannot be combined and have no minus sign. */
  alone: string[];
  /** Upper bound of the number of tokens in one order. */
  most: number;
  /** Tokens that must not be sent, with the reason. */
  refused: Record<string, string>;
}

export type SortSource = Pick<Sort, 'doc' | 'tokens'> & Partial<Sort>;

export interface FilterSetSource extends Pick<FilterSet, 'doc'> {
  keys: Record<string, Omit<Filter, 'name' | 'wire'> & { wire?: string }>;
  refused?: Record<string, string>;
}

/** A query parameter, in the form in which an operation describes it. */
interface ParameterSource {
  type: string;
  known?: string[];
  doc: string;
}

export function filterSetOf(name: string, { doc, keys, refused = {} }: FilterSetSource): FilterSet {
  const filters = Object.entries(keys).map(([key, filter]) => {
    if (!(filter.kind in FILTER_TYPES)) throw new Error(`${name}.${key}: there is no kind ${filter.kind}`);
    return { wire: key, ...filter, name: key };
  });
  return { name, doc, filters, refused };
}

export function sortOf(name: string, { alone = [], most = 1, refused = {}, ...rest }: SortSource): Sort {
  return { ...rest, name, alone, most, refused };
}

/** The parameters of a filter in the query. */
export function filterFields({ kind, wire, type, known, doc }: Filter): Record<string, ParameterSource> {
  const source = { type: kind === 'one' && type ? type : FILTER_TYPES[kind], doc };
  const names = kind === 'span' ? [`${wire}][start`, `${wire}][end`] : [wire];
  return Object.fromEntries(names.map(name => [`filter[${name}]?`, { ...source, ...(known && { known }) }]));
}

export function sortField({ tokens, alone, most, doc }: Sort): Record<string, ParameterSource> {
  const known = [...tokens.flatMap(token => [token, `-${token}`]), ...alone];
  return { 'sort?': { type: most > 1 ? 'string[]' : 'string', known, doc } };
}
