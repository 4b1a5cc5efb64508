import { requestDocument } from '../jsonapi/serialize.ts';
import type { RequestOptions } from '../options.ts';
import type { List, ListOptions } from '../pagination/list.ts';
import type { Party, PartyCreate, PartyUpdate } from '../records/party.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import { filled } from './filled.ts';
import { Resource } from './resource.ts';

/** Customers, to group what is tracked by (SPEC.md, Parties; api/endpoints.md section 7). */
export class Parties extends Resource {
  list(options?: ListOptions): List<Party> {
    return this.fetchList({ operation: 'parties.list', type: 'party', path: path`/parties`, options });
  }

  /** @throws {NotFoundError} if there is no such party. */
  get(id: string, options?: RequestOptions): APIPromise<Party> {
    return this.fetchOne({ operation: 'parties.get', type: 'party', path: path`/parties/${id}`, options });
  }

  /** @throws {ValidationError} if the name is blank or taken. */
  create(attributes: PartyCreate, options?: RequestOptions): APIPromise<Party> {
    const body = () => {
      const document = requestDocument('party', attributes);
      filled('company_name', attributes.company_name);
      return document;
    };
    return this.fetchOne({
      operation: 'parties.create',
      type: 'party',
      method: 'POST',
      path: path`/parties`,
      body,
      options,
    });
  }

  /** @throws {ValidationError} if the name is blank or taken. */
  update(id: string, attributes: PartyUpdate, options?: RequestOptions): APIPromise<Party> {
    const body = () => requestDocument('party', attributes, { id });
    return this.fetchOne({
      operation: 'parties.update',
      type: 'party',
      method: 'PATCH',
      path: path`/parties/${id}`,
      body,
      options,
    });
  }
}
