import type { ListOptions } from '../pagination/options.ts';
import type { AnyInclude } from './include.ts';
import type { ListParameters } from './resource.ts';

type SortKey = 'document_type' | 'added_by' | 'created_at';

/** Options of `documents.list`. */
export interface DocumentListOptions extends ListOptions {
  /**
   * What to sort by. A minus sign before it puts the last first. Only `-created_at` lets an iteration read every document
   * while others are added and removed: new documents come first, so they move no unread document to a page that was read.
   * To get all in another order, read with `-created_at` and sort the array.
   * @default the service's order: newest first
   */
  sort?: SortKey | `-${SortKey}` | undefined;
  /** Only documents that fit. */
  filter?:
    | {
        /** Words in the file name. */
        filename?: string | undefined;
        /** A reference that the document names: the number of a shipment or a container, for example. */
        reference?: string | undefined;
        /** Codes of `documents.types`, any of them. */
        document_types?: readonly string[] | undefined;
      }
    | undefined;
}

/** The parameters that they are sent as. */
export const DOCUMENT_LIST: ListParameters<DocumentListOptions & AnyInclude> = {
  filter: { filename: true, reference: true, document_types: true },
  sort: true,
  include: true,
};
