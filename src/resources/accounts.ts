import type { Account, CustomFieldDefinition, CustomFieldDefinitionInclude } from '../model/index.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import { path } from '../transport/endpoint.ts';
import {
  type AnyInclude,
  INCLUDE,
  type IncludePaths,
  type PossibleIncludes,
  Resource,
  type WithInclude,
  type WithOptionalInclude,
} from './resource.ts';

/** The accounts of the credential. A service from before November 2026 does not have these endpoints, and responds with 404. */
export class Accounts extends Resource {
  /**
   * The accounts of the credential; an API key has one account. Each page is one request. The option `accountId` of the
   * client selects one of them.
   *
   * @throws {NotFoundError} if the service does not have the endpoint.
   */
  list(options?: ListOptions): List<Account> {
    return this.fetchList({ operation: 'accounts.list', type: 'account', path: path`/accounts`, options });
  }

  /**
   * The definitions of custom fields that the account has, without the templates of the service. Each page is one request.
   *
   * @param id id of the account. The service uses the account of the credential, and ignores the id.
   * @throws {NotFoundError} if the service does not have the endpoint.
   */
  customFieldDefinitions<const P extends IncludePaths<CustomFieldDefinitionInclude>>(
    id: string,
    options: ListOptions & WithInclude<P>,
  ): List<CustomFieldDefinition<P>>;
  customFieldDefinitions<const P extends IncludePaths<CustomFieldDefinitionInclude> | undefined = undefined>(
    id: string,
    options?: ListOptions & WithOptionalInclude<P>,
  ): List<CustomFieldDefinition<PossibleIncludes<P>>>;
  customFieldDefinitions(id: string, options?: ListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'accounts.customFieldDefinitions',
      type: 'custom_field_definition',
      path: path`/accounts/${id}/custom_field_definitions`,
      parameters: INCLUDE,
      options,
    });
  }
}
