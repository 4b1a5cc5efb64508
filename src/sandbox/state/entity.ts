import type { Resources, ResourceType } from '../../model/index.ts';

/** A record as the service sends it. Type and id are known at once; the rest is rendered only when it is sent. */
export interface Entity<T extends ResourceType = ResourceType> {
  type: T;
  id: string;
  render(): Rendered<T>;
}

export interface Rendered<T extends ResourceType = ResourceType> {
  /** Some types repeat their id among the attributes. */
  attributes: Resources[T]['attributes'] & { id?: string };
  relationships?: Related<Resources[T]['relationships']>;
  links?: Record<string, string>;
}

type Related<R> = { [K in keyof R]: RelatedTo<R[K]> };
type RelatedTo<V> =
  | (null extends V ? null : never)
  | (NonNullable<V> extends readonly (infer Item)[] ? EntityOf<Item>[] : EntityOf<NonNullable<V>>);
type EntityOf<Ref> = Ref extends { type: infer T extends ResourceType } ? Entity<T> : Entity;

/** The include paths of a request, as a tree. */
export type IncludeTree = Map<string, IncludeTree>;
