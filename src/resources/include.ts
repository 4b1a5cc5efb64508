import type { DynamicInclude } from '../jsonapi/include.ts';

/** Include paths of an endpoint, as an array. */
export type Paths<Path extends string> = readonly Path[] | DynamicInclude;

/**
 * The `include` of a call, in two forms, since the compiler would otherwise forget the `undefined` of
 * `include: full ? ['containers'] : undefined` and promise what is not there.
 */
export interface Including<P> {
  /** The related records to fetch along; they are linked into the result. */
  include: P;
}

export interface MaybeIncluding<P> {
  /** The related records to fetch along; they are linked into the result. */
  include?: P | undefined;
}

/** `P`, or what the service includes by itself where a call asks for nothing. */
export type OrDefault<P, Default> = P extends undefined ? Default : P;
