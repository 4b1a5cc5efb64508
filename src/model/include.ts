import type { LinkableType, RecordTypes, RelationshipTypes, ResourceType } from './generated/records.ts';

/** The paths of an `include`: `['containers', 'containers.pod_terminal']`. */
export type IncludeList = readonly string[];

declare const dynamic: unique symbol;

/** Include paths that the compiler does not know. Made by `dynamicInclude()`. */
// This type is not an interface: for an interface, the compiler would compare every method of arrays.
export type DynamicInclude = readonly never[] & { readonly [dynamic]: true };

/**
 * A related record that was not included: only its type and its id are known.
 *
 * To read its fields, add the relationship to the `include` of the call.
 *
 * @example
 * const shipment = await client.shipments.get(id, { include: ['containers'] });
 * shipment.containers[0]?.number;
 */
export interface NotIncluded<T extends string> {
  /** Never present. It prevents the compiler from treating a full record as a `NotIncluded`. */
  readonly [Symbol.unscopables]?: never;
  /** Name of the resource type. */
  type: T;
  /** Id of the record. */
  id: string;
}

/**
 * A relationship to one record of type `T`: the record if `Include` names it, `NotIncluded` if it does not, and a union of
 * both if the compiler cannot know.
 */
export type ToOne<Include extends IncludeList, Name extends string, T extends LinkableType> = [
  Includes<Include, Name>,
] extends [true]
  ? RecordTypes<Below<Include, Name>>[T]
  : [Includes<Include, Name>] extends [false]
    ? NotIncluded<T>
    : RecordTypes<Below<Include, Name>>[T] | NotIncluded<T>;

/** A relationship to any number of records of type `T`. */
export type ToMany<Include extends IncludeList, Name extends string, T extends LinkableType> = [
  Includes<Include, Name>,
] extends [true]
  ? RecordTypes<Below<Include, Name>>[T][]
  : [Includes<Include, Name>] extends [false]
    ? NotIncluded<T>[]
    : (RecordTypes<Below<Include, Name>>[T] | NotIncluded<T>)[];

/**
 * A relationship to one record that the service may leave out. If the service leaves out the relationship, the value
 * depends on the call. It is `null` if the call included the relationship, and absent otherwise.
 */
export type OptionalToOne<Include extends IncludeList, Name extends string, T extends LinkableType> = [
  Includes<Include, Name>,
] extends [true]
  ? RecordTypes<Below<Include, Name>>[T] | null
  : [Includes<Include, Name>] extends [false]
    ? NotIncluded<T> | undefined
    : RecordTypes<Below<Include, Name>>[T] | NotIncluded<T> | null | undefined;

/**
 * A relationship to many records that the service may leave out. If the service leaves out the relationship, the value
 * depends on the call. It is `[]` if the call included the relationship, and absent otherwise.
 */
export type OptionalToMany<Include extends IncludeList, Name extends string, T extends LinkableType> = [
  Includes<Include, Name>,
] extends [true]
  ? RecordTypes<Below<Include, Name>>[T][]
  : [Includes<Include, Name>] extends [false]
    ? NotIncluded<T>[] | undefined
    : (RecordTypes<Below<Include, Name>>[T] | NotIncluded<T>)[] | undefined;

/**
 * `true` if a list of paths includes a relationship, else `false`. `boolean` if the compiler cannot know: the list depends on
 * a condition, or is an array and not a tuple. `any` includes everything. The compiler uses `any` in place of the paths
 * when it compares a method with overloads to an interface.
 */
type Includes<Include extends IncludeList, Name extends string> =
  IsAny<Include> extends true
    ? true
    : Include extends DynamicInclude
      ? boolean
      : [Extract<Include[number], AtOrBelow<Name>>] extends [never]
        ? false
        : [Extract<Certain<Include>, AtOrBelow<Name>>] extends [never]
          ? boolean
          : true;

/** The paths that continue below a relationship: `['pod_terminal']` for `['containers.pod_terminal']` and `containers`. */
type Below<Include extends IncludeList, Name extends string> =
  IsAny<Include> extends true
    ? Include
    : Include extends DynamicInclude
      ? Include
      : [Extract<Include[number], AtOrBelow<Name>>] extends [never]
        ? never
        : Remainders<Include, Name>;

/**
 * The paths of a list below a relationship, as a tuple. If the compiler knows an element only as a union of paths,
 * these paths become an array at the end of the tuple.
 */
type Remainders<
  Include extends IncludeList,
  Name extends string,
  Sure extends string[] = [],
  Unsure extends string = never,
> = Include extends readonly [infer Head extends string, ...infer Rest extends IncludeList]
  ? IsUnion<Head> extends true
    ? Remainders<Rest, Name, Sure, Unsure | Remainder<Head, Name>>
    : Head extends `${Name}.${infer Path}`
      ? Remainders<Rest, Name, [...Sure, Path], Unsure>
      : Remainders<Rest, Name, Sure, Unsure>
  : [Unsure | Remainder<Include[number], Name>] extends [never]
    ? Sure
    : [...Sure, ...(Unsure | Remainder<Include[number], Name>)[]];

type Remainder<Path, Name extends string> = Path extends `${Name}.${infer Rest}` ? Rest : never;

type AtOrBelow<Name extends string> = Name | `${Name}.${string}`;

/** The paths that a list contains in every run of the program. */
type Certain<Include> = Include extends readonly [infer Head extends string, ...infer Rest]
  ? (IsUnion<Head> extends true ? never : Head) | Certain<Rest>
  : never;

type IsAny<T> = 0 extends T & 1 ? true : false;

type IsUnion<T, Whole = T> = [T] extends [never]
  ? false
  : T extends unknown
    ? [Whole] extends [T]
      ? false
      : true
    : never;

/**
 * The include paths of an endpoint. The first segment is a relationship that the endpoint accepts. Up to two
 * relationships follow, and each belongs to the record that the path has reached.
 */
export type IncludePath<T extends ResourceType, First extends RelationshipName<T>> = {
  [K in First]: K | `${K}.${UpToTwo<Target<T, K>>}`;
}[First];

type UpToTwo<T extends ResourceType> = T extends ResourceType
  ? { [K in RelationshipName<T>]: K | `${K}.${One<Target<T, K>>}` }[RelationshipName<T>]
  : never;

type One<T extends ResourceType> = T extends ResourceType ? RelationshipName<T> : never;

type RelationshipName<T extends ResourceType> = keyof RelationshipTypes[T] & string;

/** The resource types that a relationship leads to. */
type Target<T extends ResourceType, K extends RelationshipName<T>> = TypeOf<RelationshipTypes[T][K]>;

type TypeOf<Value> = Value extends readonly (infer Item)[]
  ? TypeOf<Item>
  : Value extends NotIncluded<infer T extends ResourceType>
    ? T
    : never;
