import { requiredText } from '../internal/arguments.ts';
import type { SearchResult } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import { Resource } from './resource.ts';

/** A hit has this type, or the type of the record that it stands for. */
const HIT_TYPES = ['search_result', 'shipment', 'cargo', 'tracking_request'];

/** Full-text search. */
export class Search extends Resource {
  /** At most 25 matches: shipments first, then containers, then tracking requests. */
  search(query: string, options?: RequestOptions): APIPromise<SearchResult[]> {
    return this.fetchArray({
      operation: 'search',
      type: HIT_TYPES,
      schema: 'search_result',
      path: path`/search`,
      query: () => ({ query: requiredText('query', query) }),
      options,
    });
  }
}
