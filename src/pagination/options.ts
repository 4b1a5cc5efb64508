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
   * Records per page, at most 100. A list may send fewer: containers have at most 50 on a page.
   * @default the service's default: 30 for most lists, 25 for some
   */
  pageSize?: number | undefined;
  /**
   * Number of pages that an iteration requests at the same time. The order of the records is kept. Above 1, a record
   * may be missed if equally many records are added and removed at that moment, in every list.
   * @default 1
   */
  concurrency?: number | undefined;
  /**
   * Parameters of the list that this version does not know. They are sent with each page as they are, without a check: the
   * service ignores a name that it does not know, and then sends every record.
   *
   * @example
   * client.containers.list({ query: { 'filter[new_key]': 'value' } });
   */
  query?: Query | undefined;
  /** Continues after the page that this checkpoint was taken from. */
  from?: Checkpoint | undefined;
  /**
   * Called at the end of an iteration if records are missing: the records of the list change their places while its pages are
   * read, and a second reading did not find all of them. Without it the iteration throws a `ResponseFormatError`.
   */
  onIncomplete?: ((incomplete: IncompleteList) => void) | undefined;
}

/** A list whose records have not all come. */
export interface IncompleteList {
  /**
   * Number of records that did not come, in all sessions that went on from a checkpoint. Records that were removed before they
   * could come are among them, and so are those that were given before a checkpoint of 0.1.0.
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
