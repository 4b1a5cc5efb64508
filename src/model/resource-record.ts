import type { IncludeList, NotIncluded } from './include.ts';
import type { Ref } from './scalars.ts';

/** The properties of every record. */
export interface ResourceRecord<T extends string, I extends IncludeList = []> {
  /** More data of the service about the record, beside its attributes. Rare. */
  // A `Record<string, unknown>`. In this form, and at the first place, it makes the compiler compare records by their
  // contents and not by their lists of paths, because `-?` cannot be measured by variance.
  meta?: { [N in string | Extract<I[number], never>]-?: unknown };
  /** Unique among the records of its type. A UUID for most types. */
  id: string;
  /** Name of the resource type. Narrow a relationship to several types by it. */
  type: T;
  /** Addresses of the record, relative or absolute, if the service sends them. Requests do not need them. */
  links?: {
    /** Address of the record, as the service has it. */
    self?: string;
    /** Address of the file of a document. */
    download?: string;
  };
}

/** A resource type on the wire. */
export interface Model<Attributes extends object, Relationships extends object = object> {
  /** Its attributes. */
  attributes: Attributes;
  /** Its relationships. */
  relationships: Linkages<Relationships>;
}

/** Relationships as a document has them: only references, which may be absent if the service may leave them out. */
type Linkages<R> = { [K in keyof R as undefined extends R[K] ? never : K]: Linkage<R[K]> } & {
  [K in keyof R as undefined extends R[K] ? K : never]?: Linkage<Exclude<R[K], undefined>>;
};

/** The reference of a relationship in a document. */
type Linkage<Value> = Value extends readonly (infer Item)[]
  ? Linkage<Item>[]
  : Value extends NotIncluded<infer T>
    ? Ref<T>
    : Value;
