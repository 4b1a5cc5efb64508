import { requiredText } from '../internal/arguments.ts';
import { includeTree } from '../jsonapi/include.ts';
import type { Credential, SearchResult } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { Resource } from './resource.ts';

/** A search hit has the type `search_result`, or the type of its record. */
const HIT_TYPES = ['search_result', 'shipment', 'cargo', 'tracking_request'];

/** The relationships that the service includes with a credential by default. */
export interface CredentialDefaults extends ReadonlyArray<'account' | 'user' | 'user.accounts'> {}

const CREDENTIAL = { type: 'credential', defaultTree: includeTree(['account', 'user.accounts']) } as const;

/** The operations that are methods of the client itself. */
export class Root extends Resource {
  me(options?: RequestOptions): APIPromise<Credential<CredentialDefaults>> {
    return this.fetchOne({ operation: 'me', ...CREDENTIAL, path: path`/me`, options });
  }

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
