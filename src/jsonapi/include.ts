import { shown } from '../arguments.ts';
import { ConfigurationError } from '../errors.ts';
import type { Resources, ResourceType } from '../records/model.ts';

type Relationships<T extends ResourceType> = Resources[T]['relationships'];
type RelationshipName<T extends ResourceType> = keyof Relationships<T> & string;

/** The resource types that a relationship can point to. */
type TargetOf<Value> = Value extends readonly (infer Item)[]
  ? TargetOf<Item>
  : Value extends { type: infer T extends ResourceType }
    ? T
    : never;

type Target<T extends ResourceType, K> = T extends ResourceType
  ? K extends RelationshipName<T>
    ? TargetOf<NonNullable<Relationships<T>[K]>>
    : never
  : never;

type BelowOne<T extends ResourceType> = T extends ResourceType ? RelationshipName<T> : never;
type BelowTwo<T extends ResourceType> = T extends ResourceType
  ? { [K in RelationshipName<T>]: K | `${K}.${BelowOne<Target<T, K>>}` }[RelationshipName<T>]
  : never;

/**
 * The include paths of an endpoint: a first segment that the endpoint accepts, then up to two relationships of the
 * record it leads to.
 */
export type IncludePath<T extends ResourceType, First extends RelationshipName<T>> = {
  [K in First]: K | `${K}.${BelowTwo<Target<T, K>>}`;
}[First];

declare const dynamic: unique symbol;

/** Include paths that are not known to the compiler. Made by {@link dynamicInclude}. */
export type DynamicInclude = readonly never[] & { readonly [dynamic]: true };

/**
 * Include paths that are only strings to the compiler, from a configuration file for example. The result is typed as
 * "included or not" for every relationship, so that nothing is read that may not be there.
 *
 * @throws {ConfigurationError} for anything but an array of paths.
 * @example
 * const shipment = await client.shipments.get(id, { include: dynamicInclude(config.include) });
 * const terminal = shipment.pod_terminal;
 * if (terminal && 'name' in terminal) console.log(terminal.name);
 */
export function dynamicInclude(paths: readonly string[]): DynamicInclude {
  return [...checkedPaths(paths)] as unknown as DynamicInclude;
}

/** @throws {ConfigurationError} for anything but an array of paths. */
export function checkedPaths(paths: unknown): readonly string[] {
  if (Array.isArray(paths) && paths.every(isPath)) return paths;
  throw new ConfigurationError(
    `include is ${shown(paths)}; it must be an array of paths, such as ['shipment', 'shipment.port_of_lading'].`,
  );
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && /^[^.,*\s]+(\.[^.,*\s]+)*$/.test(value);
}

type IsUnion<T, Whole = T> = [T] extends [never]
  ? false
  : T extends unknown
    ? [Whole] extends [T]
      ? false
      : true
    : never;

/** The literal members of one tuple. */
type Listed<I> = I extends readonly [infer Head extends string, ...infer Rest]
  ? (IsUnion<Head> extends true ? never : Head) | Listed<Rest>
  : never;

/** Paths that are included perhaps: all that `I` may hold at run time. */
type Possible<I> = I extends readonly (infer Path extends string)[] ? Path : never;

/** Paths that one of the lists that `I` may be does not hold for certain. */
type Uncertain<I, Path> = I extends unknown ? Exclude<Path, Listed<I>> : never;

/** Paths that are included for certain. */
type Certain<I> = Exclude<Possible<I>, Uncertain<I, Possible<I>>>;

type First<Path extends string> = Path extends `${infer Head}.${string}` ? Head : Path;
type Below<Path extends string, K extends string> = Path extends `${K}.${infer Rest}` ? Rest : never;

type Reference = { type: ResourceType };

/** One relationship value with its references replaced by the records they point to. */
type Replace<Value, Replacement> = Value extends readonly (infer Item)[]
  ? Item extends Reference
    ? Replacement[]
    : Value
  : Value extends Reference
    ? Replacement
    : Value;

/** A relationship that was asked for is always there: `null` stands for one that the service left out, `[]` for many. */
type Asked<Value> = [Value] extends [readonly unknown[] | undefined]
  ? Exclude<Value, undefined>
  : undefined extends Value
    ? Exclude<Value, undefined> | null
    : Value;

type Identity<T> = {
  id: string;
  type: T;
  /** Addresses of the record, where the service sends them: relative or absolute. */
  links?: { self?: string; download?: string };
  meta?: Record<string, unknown>;
};

/**
 * A reference that stands beside the record it may be. Without the `links` that tell them apart the compiler takes the
 * record for a kind of reference, and may drop it from the union.
 */
type Unlinked<T> = T extends string ? { type: T; id: string; links?: never } : never;

/** The same properties as an object type: an interface could not be passed where a `Record<string, unknown>` is due. */
type Attributes<A> = { [K in keyof A]: A[K] };

/** Shows what it holds, where a hint would show how it was computed. */
type Simplify<T> = { [K in keyof T]: T[K] } & {};

type Build<T extends ResourceType, C extends string, P extends string> = T extends ResourceType
  ? Identity<T> &
      Attributes<Resources[T]['attributes']> &
      Simplify<
        {
          [K in keyof Relationships<T> as K extends First<C> ? K : never]-?: Replace<
            Asked<Relationships<T>[K]>,
            Build<Target<T, K>, Below<C, K & string>, Below<P, K & string>>
          >;
        } & {
          [K in keyof Relationships<T> as K extends First<C> ? never : K extends First<P> ? K : never]: Replace<
            Relationships<T>[K],
            Build<Target<T, K>, Below<C, K & string>, Below<P, K & string>> | Unlinked<Target<T, K>>
          >;
        } & {
          [K in keyof Relationships<T> as K extends First<C>
            ? never
            : K extends First<P>
              ? never
              : K]: Relationships<T>[K];
        }
      >
  : never;

/** Every relationship included or not: what can be said when the paths are plain strings. */
type Dynamic<T extends ResourceType> = T extends ResourceType
  ? Identity<T> &
      Attributes<Resources[T]['attributes']> & {
        [K in keyof Relationships<T>]: Replace<Relationships<T>[K], Dynamic<Target<T, K>> | Unlinked<Target<T, K>>>;
      }
  : never;

/**
 * A record of type `T` with what `I` includes.
 *
 * `I` is the `include` of the call: a tuple of paths. A path that may or may not be in it at run time (a conditional, an
 * array, `undefined`) gives "the record or its reference" at that place. A plain union of paths is read as "all of these".
 */
export type LinkedRecord<T extends ResourceType, I> = [I] extends [string]
  ? Build<T, I, I>
  : [Extract<I, DynamicInclude>] extends [never]
    ? Build<T, Certain<I>, Possible<I>>
    : Dynamic<T>;
