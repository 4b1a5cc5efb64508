/** The kind of values that a filter takes: docs/service/filters.md#what-a-filter-takes */
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

/** The keys of a list, each with its kind and, if they are known, its values. */
export interface FilterRules {
  readonly keys: Readonly<Record<string, FilterKind | readonly [FilterKind, ...string[]]>>;
  /** Keys that must not be sent, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}

export interface SortRules {
  /** Tokens, each with or without a minus sign before it. */
  readonly tokens: readonly string[];
  /** Tokens that are never written with a minus sign. */
  readonly alone: readonly string[];
  readonly most: number;
  /** Tokens that must not be sent, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}
