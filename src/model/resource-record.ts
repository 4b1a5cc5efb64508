import type { IncludeList, NotIncluded } from './include.ts';
import type { Ref } from './scalars.ts';

/** The properties of every record. */
export interface ResourceRecord<T extends string, I extends IncludeList = []> {
  /** Additional data about the record that is not an attribute. The service rarely sends it. */
  // The type is equal to `Record<string, unknown>`. This form, as the first property, makes the compiler compare
  // records by their contents and not by their lists of paths: the compiler cannot measure the variance of `-?`.
  meta?: { [N in string | Extract<I[number], never>]-?: unknown };
  /** Unique among the records of its type. A UUID for most types. */
  id: string;
  /** Name of the resource type. If a relationship can lead to several types, narrow its record by this property. */
  type: T;
  /** Addresses of the record, relative or absolute, if the service sends them. Requests do not need them. */
  links?: {
    /** Address of the record. */
    self?: string;
    /** Address of the file of a document. */
    download?: string;
  };
}

/** A resource type on the wire. */
export interface Model<Attributes extends object, Relationships extends object = object> {
  /** Attributes of the record. */
  attributes: Attributes;
  /** Relationships of the record. */
  relationships: Linkages<Relationships>;
}

/** Relationships as they are in a document: references only. A relationship that the service may leave out may be absent. */
type Linkages<R> = { [K in keyof R as undefined extends R[K] ? never : K]: Linkage<R[K]> } & {
  [K in keyof R as undefined extends R[K] ? K : never]?: Linkage<Exclude<R[K], undefined>>;
};

/** The reference of a relationship in a document. */
type Linkage<Value> = Value extends readonly (infer Item)[]
  ? Linkage<Item>[]
  : Value extends NotIncluded<infer T>
    ? Ref<T>
    : Value;
