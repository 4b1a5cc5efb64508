import { requestDocument } from '../jsonapi/serialize.ts';
import type { CustomFieldOption, CustomFieldOptionCreate, CustomFieldOptionUpdate } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import { Resource } from './resource.ts';

/** The options of custom fields of type `enum` and `enum_multi`. */
export class CustomFieldOptions extends Resource {
  /** The options of a definition. Each page is one request. */
  list(definitionId: string, options?: ListOptions): List<CustomFieldOption> {
    return this.fetchList({
      operation: 'customFieldOptions.list',
      type: 'custom_field_option',
      path: path`/custom_field_definitions/${definitionId}/options`,
      options,
    });
  }

  /**
   * One option.
   *
   * @throws {NotFoundError} if the definition or option does not exist.
   */
  get(definitionId: string, id: string, options?: RequestOptions): APIPromise<CustomFieldOption> {
    return this.fetchOne({
      operation: 'customFieldOptions.get',
      type: 'custom_field_option',
      path: path`/custom_field_definitions/${definitionId}/options/${id}`,
      options,
    });
  }

  /**
   * Adds an option.
   *
   * @throws {ValidationError} if the value exists already, or if fields of this data type do not have options.
   * @example
   * await client.customFieldOptions.create(definition.id, { label: 'High', value: 'high', position: 1 });
   */
  create(
    definitionId: string,
    attributes: CustomFieldOptionCreate,
    options?: RequestOptions,
  ): APIPromise<CustomFieldOption> {
    return this.fetchOne({
      operation: 'customFieldOptions.create',
      type: 'custom_field_option',
      method: 'POST',
      path: path`/custom_field_definitions/${definitionId}/options`,
      body: () => requestDocument('custom_field_option', attributes),
      options,
    });
  }

  /**
   * Changes the label or the position of an option. Its value cannot be changed.
   *
   * @throws {NotFoundError} if the definition or option does not exist.
   */
  update(
    definitionId: string,
    id: string,
    attributes: CustomFieldOptionUpdate,
    options?: RequestOptions,
  ): APIPromise<CustomFieldOption> {
    return this.fetchOne({
      operation: 'customFieldOptions.update',
      type: 'custom_field_option',
      method: 'PATCH',
      path: path`/custom_field_definitions/${definitionId}/options/${id}`,
      body: () => requestDocument('custom_field_option', attributes, { id }),
      options,
    });
  }

  /**
   * Deletes an option. The service does not document if the values of records are deleted too.
   *
   * @throws {NotFoundError} if the definition or option does not exist.
   */
  delete(definitionId: string, id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({
      operation: 'customFieldOptions.delete',
      method: 'DELETE',
      path: path`/custom_field_definitions/${definitionId}/options/${id}`,
      options,
    });
  }
}
