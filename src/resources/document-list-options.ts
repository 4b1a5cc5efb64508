import type { DocumentFilter, DocumentSort } from '../model/index.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { AnyInclude } from './include.ts';
import type { ListParameters } from './resource.ts';

/** Options of `documents.list`. */
export interface DocumentListOptions extends ListOptions {
  /**
   * What to sort by. A minus sign before it puts the last first. Only `-created_at` lets an iteration read every document
   * while others are added and removed: new documents come first, so they move no unread document to a page that was read.
   * To get all in another order, read with `-created_at` and sort the array.
   * @default the service's order: newest first
   */
  sort?: DocumentSort | null | undefined;
  /** Only documents that match all of these. */
  filter?: DocumentFilter | undefined;
}

/** The parameters that they are sent as. */
export const DOCUMENT_LIST: ListParameters<DocumentListOptions & AnyInclude> = {
  filter: true,
  sort: true,
  include: true,
};
