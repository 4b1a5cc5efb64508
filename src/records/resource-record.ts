import type { IncludeList } from './relationship.ts';

declare const structural: unique symbol;

/** What every record has. */
export interface ResourceRecord<T extends string, I extends IncludeList = []> {
  /** Never there. It makes the compiler compare records by what they hold, and not by their lists of paths. */
  readonly [structural]?: { [N in Extract<I[number], never>]-?: N };
  /** Unique among the records of its type. A UUID for most types. */
  id: string;
  type: T;
  /** Addresses of the record where the service sends them, relative or absolute. Requests do not need them. */
  links?: { self?: string; download?: string };
  /** What the service says about the record beside its attributes. Rare. */
  meta?: Record<string, unknown>;
}
