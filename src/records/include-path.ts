import type { RelationshipTypes, ResourceType } from './model.ts';
import type { NotIncluded } from './relationship.ts';

/**
 * The include paths of an endpoint: a first segment that the endpoint accepts, then up to two relationships of the
 * record it leads to.
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
