import { requestDocument } from '../jsonapi/serialize.ts';
import type {
  CustomFieldDefinition,
  CustomFieldDefinitionCreate,
  CustomFieldDefinitionFilter,
  CustomFieldDefinitionInclude,
  CustomFieldDefinitionUpdate,
} from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import type { AnyInclude, IncludePaths, PossibleIncludes, WithInclude, WithOptionalInclude } from './resource.ts';
import { type ListParameters, Resource } from './resource.ts';

/** Options of `customFieldDefinitions.list`. */
export interface CustomFieldDefinitionListOptions extends ListOptions {
  /** Only definitions that match all of these filters. */
  filter?: CustomFieldDefinitionFilter | undefined;
}

const DEFINITIONS: ListParameters<CustomFieldDefinitionListOptions & AnyInclude> = {
  filter: true,
  include: true,
};

/** The custom fields of the account: their names, data types and rules. */
export class CustomFieldDefinitions extends Resource {
  /**
   * All definitions, 25 per page unless `pageSize` is set. Each page is one request. The service may add its templates, which
   * are not definitions of the account: `accounts.customFieldDefinitions` lists only the definitions of the account.
   */
  list<const P extends IncludePaths<CustomFieldDefinitionInclude>>(
    options: CustomFieldDefinitionListOptions & WithInclude<P>,
  ): List<CustomFieldDefinition<P>>;
  list<const P extends IncludePaths<CustomFieldDefinitionInclude> | undefined = undefined>(
    options?: CustomFieldDefinitionListOptions & WithOptionalInclude<P>,
  ): List<CustomFieldDefinition<PossibleIncludes<P>>>;
  list(options?: CustomFieldDefinitionListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: 'customFieldDefinitions.list',
      type: 'custom_field_definition',
      path: path`/custom_field_definitions`,
      parameters: DEFINITIONS,
      options,
    });
  }

  /**
   * One definition.
   *
   * @throws {NotFoundError} if the definition does not exist.
   */
  get(id: string, options?: RequestOptions): APIPromise<CustomFieldDefinition> {
    return this.fetchOne({
      operation: 'customFieldDefinitions.get',
      type: 'custom_field_definition',
      path: path`/custom_field_definitions/${id}`,
      options,
    });
  }

  /**
   * Creates a custom field.
   *
   * @throws {ValidationError} if the slug exists already.
   * @example
   * await client.customFieldDefinitions.create({
   *   entity_type: 'Shipment',
   *   api_slug: 'buyer',
   *   display_name: 'Buyer',
   *   data_type: 'short_text',
   * });
   */
  create(attributes: CustomFieldDefinitionCreate, options?: RequestOptions): APIPromise<CustomFieldDefinition> {
    return this.fetchOne({
      operation: 'customFieldDefinitions.create',
      type: 'custom_field_definition',
      method: 'POST',
      path: path`/custom_field_definitions`,
      body: () => requestDocument('custom_field_definition', attributes),
      options,
    });
  }

  /**
   * Changes names, rules and formats. Slug, entity type and data type cannot be changed.
   *
   * @throws {NotFoundError} if the definition does not exist.
   */
  update(
    id: string,
    attributes: CustomFieldDefinitionUpdate,
    options?: RequestOptions,
  ): APIPromise<CustomFieldDefinition> {
    return this.fetchOne({
      operation: 'customFieldDefinitions.update',
      type: 'custom_field_definition',
      method: 'PATCH',
      path: path`/custom_field_definitions/${id}`,
      body: () => requestDocument('custom_field_definition', attributes, { id }),
      options,
    });
  }

  /**
   * Deletes a definition with all its values.
   *
   * @throws {NotFoundError} if the definition does not exist.
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({
      operation: 'customFieldDefinitions.delete',
      method: 'DELETE',
      path: path`/custom_field_definitions/${id}`,
      options,
    });
  }
}
