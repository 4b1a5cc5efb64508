import { optionNames } from '../internal/arguments.ts';
import type { Query } from '../jsonapi/query.ts';
import type { RequestOptions } from '../options.ts';
import { REQUEST_OPTION_NAMES } from '../transport/settings.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Options of every list, in addition to the filters of its endpoint. */
export interface ListOptions extends RequestOptions {
  /**
   * Number of the first page to read.
   * @default 1
   */
  pageNumber?: number | undefined;
  /**
   * Records per page, at most 100. Some lists send fewer: a page of containers has at most 50.
   * @default the service's default: 30 for most lists, 25 for some
   */
  pageSize?: number | undefined;
  /**
   * Number of pages that an iteration requests at the same time. The order of the records is kept. With more than 1, an
   * iteration over any list may miss a record: this happens if the same number of records is added and removed while
   * these pages are requested.
   * @default 1
   */
  concurrency?: number | undefined;
  /**
   * Parameters of the list that this version of the package does not know. They are sent unchanged with each page, without a check:
   * the service ignores an unknown name, and then sends every record.
   *
   * @example
   * client.containers.list({ query: { 'filter[new_key]': 'value' } });
   */
  query?: Query | undefined;
  /**
   * Continues after the page that this checkpoint was taken from. After the last page nothing is left to read: to read the
   * whole list again, omit `from`.
   */
  from?: Checkpoint | undefined;
  /**
   * Called at the end of an iteration with missing records: the records of the list changed their places while its pages were
   * read, and a second reading did not find all of them. Without this option, the iteration throws a `ResponseFormatError`.
   */
  onIncomplete?: ((incomplete: IncompleteList) => void) | undefined;
}

/** A list that was read with missing records. */
export interface IncompleteList {
  /**
   * Number of records that were not received, in all sessions that continued from a checkpoint. It includes records that were
   * removed before they could be received, and records that were received before a checkpoint of version 0.1.0.
   */
  missing: number;
  /** Number of records in the list. */
  total: number;
}

export const LIST_OPTION_NAMES = [
  ...optionNames<Omit<ListOptions, keyof RequestOptions>>({
    pageNumber: true,
    pageSize: true,
    concurrency: true,
    query: true,
    from: true,
    onIncomplete: true,
  }),
  ...REQUEST_OPTION_NAMES,
];
