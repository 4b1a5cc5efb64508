import type { IncludeList, NotIncluded } from './include.ts';
import type { Ref } from './scalars.ts';

/** What every record has. */
export interface ResourceRecord<T extends string, I extends IncludeList = []> {
  /** What the service says about the record beside its attributes. Rare. */
  // A `Record<string, unknown>`. Written so, and first, it makes the compiler compare records by what they hold and not by
  // their lists of paths, since `-?` cannot be measured by variance.
  meta?: { [N in string | Extract<I[number], never>]-?: unknown };
  /** Unique among the records of its type. A UUID for most types. */
  id: string;
  /** Name of the resource type. Tells apart what a relationship may point to. */
  type: T;
  /** Addresses of the record where the service sends them, relative or absolute. Requests do not need them. */
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

/** Relationships as a document has them: references only, and absent where the service may leave them out. */
type Linkages<R> = { [K in keyof R as undefined extends R[K] ? never : K]: Linkage<R[K]> } & {
  [K in keyof R as undefined extends R[K] ? K : never]?: Linkage<Exclude<R[K], undefined>>;
};

/** What stands for a relationship in a document. */
type Linkage<Value> = Value extends readonly (infer Item)[]
  ? Linkage<Item>[]
  : Value extends NotIncluded<infer T>
    ? Ref<T>
    : Value;
