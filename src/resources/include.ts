import type { DynamicInclude, IncludeList } from '../model/index.ts';

/** Include paths of an endpoint, as an array or a tuple. */
// With the mutable array, the compiler infers `["containers"]` instead of `readonly ["containers"]`.
export type IncludePaths<Path extends string> = Path[] | readonly Path[] | DynamicInclude;

/** Options of a call with an `include`. */
export interface WithInclude<Paths> {
  /**
   * The related records to fetch along, up to three levels deep. They are linked into the result. What is not named is a
   * `NotIncluded`: only its type and id.
   *
   * @example ['containers', 'containers.pod_terminal']
   */
  include: Paths;
}

/** Options of a call without an `include`, or with one that may be missing. */
export interface WithOptionalInclude<Paths> {
  /**
   * The related records to fetch along, up to three levels deep. They are linked into the result. What is not named is a
   * `NotIncluded`: only its type and id.
   *
   * @example ['containers', 'containers.pod_terminal']
   */
  include?: Paths | undefined;
}

/** The same, for the implementation of a method. */
export interface AnyInclude extends WithOptionalInclude<readonly string[]> {}

/** The parameters of an endpoint whose only parameter is `include`. */
export const INCLUDE = { include: true } as const;

/** The type of what a call includes if its `include` may be missing: the given paths, or what the service chooses. */
export type PossibleIncludes<Paths, Default extends IncludeList = []> = Paths extends IncludeList
  ? Paths | Default
  : Default;
