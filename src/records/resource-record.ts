import type { IncludeList } from './relationship.ts';

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
