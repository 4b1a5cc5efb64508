/** The kind of values that a filter accepts: docs/service/filters.md#what-a-filter-takes */
export type FilterKind =
  | 'text'
  | 'literal'
  | 'code'
  | 'search'
  | 'one'
  | 'day'
  | 'instant'
  | 'since'
  | 'span'
  | 'window'
  | 'flag'
  | 'only_true'
  | 'tags'
  | 'party'
  | 'roles'
  | 'custom_fields';

/** The filters of a list. Each key has its kind and, if they are known, its values. */
export interface FilterRules {
  readonly keys: Readonly<Record<string, FilterKind | readonly [FilterKind, ...string[]]>>;
  /** Keys that must not be sent, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}

export interface SortRules {
  /** Tokens of the sort order. Each token may have a minus sign before it. */
  readonly tokens: readonly string[];
  /** Tokens that are never written with a minus sign. */
  readonly alone: readonly string[];
  readonly most: number;
  /** Tokens that must not be sent, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}
