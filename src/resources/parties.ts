import { requiredText } from '../internal/arguments.ts';
import type { Query } from '../jsonapi/query.ts';
import { requestDocument } from '../jsonapi/serialize.ts';
import type { Party, PartyCreate, PartyUpdate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { Resource } from './resource.ts';

/** Options of `parties.list`. */
export interface PartyListOptions extends Omit<ListOptions, 'query'> {
  /**
   * A part of the name, in upper or lower case. For some accounts, the service ignores this parameter and lists all
   * parties. Therefore compare the names in the list. If `query` is an object, it contains query parameters that this
   * version does not know, as in every list.
   */
  query?: string | Query | undefined;
}

/** Your customers. A tracking request can name the party that it belongs to. */
export class Parties extends Resource {
  /** All parties, 25 per page unless `pageSize` is set. Each page is one request. */
  list(options?: PartyListOptions): List<Party> {
    return this.fetchList({
      operation: 'parties.list',
      type: 'party',
      path: path`/parties`,
      options: options as ListOptions | undefined,
    });
  }

  /**
   * One party.
   *
   * @throws {NotFoundError} if the party does not exist.
   */
  get(id: string, options?: RequestOptions): APIPromise<Party> {
    return this.fetchOne({ operation: 'parties.get', type: 'party', path: path`/parties/${id}`, options });
  }

  /**
   * Adds a party.
   *
   * @throws {ValidationError} if the name is blank, or another party has it.
   */
  create(attributes: PartyCreate, options?: RequestOptions): APIPromise<Party> {
    const body = () => {
      const document = requestDocument('party', attributes);
      requiredText('company_name', attributes.company_name);
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

  /**
   * Renames a party.
   *
   * @throws {NotFoundError} if the party does not exist.
   * @throws {ValidationError} if the name is blank, or another party has it.
   */
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
