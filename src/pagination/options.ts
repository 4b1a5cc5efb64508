import { optionNames } from '../internal/arguments.ts';
import type { RequestOptions } from '../options.ts';
import { REQUEST_OPTION_NAMES } from '../transport/settings.ts';
import type { Checkpoint } from './checkpoint.ts';

/** Options of every list, beside the filters of its endpoint. */
export interface ListOptions extends RequestOptions {
  /**
   * Page to begin with.
   * @default 1
   */
  pageNumber?: number | undefined;
  /**
   * Records per page. The service cuts more than 100 down to 100.
   * @default the service's own: 30 for most lists, 25 for some
   */
  pageSize?: number | undefined;
  /**
   * Pages that an iteration requests ahead of its consumer, the one in hand included. Order is kept. Above 1, requests may
   * overtake each other: a record could be missed if as many are added as removed in that moment.
   * @default 1
   */
  concurrency?: number | undefined;
  /** Goes on after the page that this checkpoint was taken from. */
  from?: Checkpoint | undefined;
}

export const LIST_OPTION_NAMES = [
  ...optionNames<Omit<ListOptions, keyof RequestOptions>>({
    pageNumber: true,
    pageSize: true,
    concurrency: true,
    from: true,
  }),
  ...REQUEST_OPTION_NAMES,
];
