import type { DynamicInclude, IncludeList } from '../records/relationship.ts';

/** Include paths of an endpoint, as an array or a tuple. */
// The mutable array makes the compiler infer `["containers"]` where it would else write `readonly ["containers"]`.
export type IncludePaths<Path extends string> = Path[] | readonly Path[] | DynamicInclude;

/** Options of a call that includes for certain. */
export interface WithInclude<Paths> {
  /**
   * The related records to fetch along, up to three levels deep. They are linked into the result. What is not named is a
   * `NotIncluded`: only its type and id.
   *
   * @example ['containers', 'containers.pod_terminal']
   */
  include: Paths;
}

/** Options of a call that includes nothing, or perhaps something. */
export interface WithOptionalInclude<Paths> {
  /**
   * The related records to fetch along, up to three levels deep. They are linked into the result. What is not named is a
   * `NotIncluded`: only its type and id.
   *
   * @example ['containers', 'containers.pod_terminal']
   */
  include?: Paths | undefined;
}

/** The same, as the method itself reads it. */
export interface AnyInclude extends WithOptionalInclude<readonly string[]> {}

/** The parameters of an endpoint that has no others. */
export const INCLUDE = { include: true } as const;

/** What a call includes whose `include` may be missing: the paths if they are given, and what the service chooses if not. */
export type PossibleIncludes<Paths, Default extends IncludeList = []> = Paths extends IncludeList
  ? Paths | Default
  : Default;
