import type { RequestOptions } from '../options.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { Page } from '../pagination/pages.ts';

/** A record of any type. */
export interface WatchedRecord {
  id: string;
  type: string;
}

interface Include {
  include?: readonly string[];
}

/** The methods that a feed needs. These methods exist in the resource groups whose records can be watched. */
export interface FeedGroup {
  get(id: string, options: RequestOptions & Include): PromiseLike<WatchedRecord>;
  list(options: ListOptions & Include & { sort?: null }): PromiseLike<Page<WatchedRecord>>;
}
