import { ConfigurationError } from '../errors.ts';
import { requiredText } from '../internal/arguments.ts';
import { type RequestDocument, requestDocument } from '../jsonapi/serialize.ts';
import type { CustomField, CustomFieldInclude, CustomFieldSet, CustomFieldValue } from '../model/index.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/endpoint.ts';
import {
  type AnyInclude,
  INCLUDE,
  type IncludePaths,
  type PossibleIncludes,
  ResourceOf,
  type WithInclude,
  type WithOptionalInclude,
} from './resource.ts';

/** Values of custom fields on one record, by the slug of their definition. */
export class CustomFieldsOf extends ResourceOf {
  /**
   * The values on a record. Each page is one request. `include: ['definition']` adds their data types and names. In
   * some accounts, only signed-in users can read and write values. The service then responds with 401 or 403 to a
   * request with an API key.
   *
   * @param id id of the record.
   * @throws {NotFoundError} if the record does not exist.
   */
  list<const P extends IncludePaths<CustomFieldInclude>>(
    id: string,
    options: ListOptions & WithInclude<P>,
  ): List<CustomField<P>>;
  list<const P extends IncludePaths<CustomFieldInclude> | undefined = undefined>(
    id: string,
    options?: ListOptions & WithOptionalInclude<P>,
  ): List<CustomField<PossibleIncludes<P>>>;
  list(id: string, options?: ListOptions & AnyInclude): List<never> {
    return this.fetchList({
      operation: `${this.owners}.customFields.list`,
      type: 'custom_field',
      path: path`${this.collection}/${id}/custom_fields`,
      parameters: INCLUDE,
      options,
    });
  }

  /**
   * Creates or replaces a value.
   *
   * @param id id of the record.
   * @throws {ValidationError} if the value does not match its definition.
   * @example
   * await client.shipments.customFields.set(id, { api_slug: 'buyer', value: 'Kim' });
   */
  set(id: string, attributes: CustomFieldSet, options?: RequestOptions): APIPromise<CustomField> {
    const body = () => valueDocument(attributes);
    return this.fetchOne({
      operation: `${this.owners}.customFields.set`,
      type: 'custom_field',
      method: 'POST',
      path: path`${this.collection}/${id}/custom_fields`,
      // This call can be repeated: sending the same value again has no further effect.
      repeatable: true,
      body,
      options,
    });
  }

  /**
   * Changes an existing value. To create a missing value too, use `set`.
   *
   * @param id id of the record.
   * @param slug `api_slug` of the definition.
   * @throws {NotFoundError} if the record does not have the value.
   */
  update(id: string, slug: string, value: CustomFieldValue, options?: RequestOptions): APIPromise<CustomField> {
    const body = () => requestDocument('custom_field', { value: given(value) });
    return this.fetchOne({
      operation: `${this.owners}.customFields.update`,
      type: 'custom_field',
      method: 'PATCH',
      path: path`${this.collection}/${id}/custom_fields/${slug}`,
      body,
      options,
    });
  }

  /**
   * Deletes a value.
   *
   * @param id id of the record.
   * @param slug `api_slug` of the definition.
   * @throws {NotFoundError} if the record does not have the value.
   */
  delete(id: string, slug: string, options?: RequestOptions): APIPromise<void> {
    return this.send({
      operation: `${this.owners}.customFields.delete`,
      method: 'DELETE',
      path: path`${this.collection}/${id}/custom_fields/${slug}`,
      options,
    });
  }
}

/** @throws {ConfigurationError} if the slug or the value is missing. */
export function valueDocument(attributes: CustomFieldSet, relationships?: readonly string[]): RequestDocument {
  const document = requestDocument('custom_field', attributes, relationships && { relationships });
  requiredText('api_slug', attributes.api_slug);
  given(attributes.value);
  return document;
}

function given(value: CustomFieldValue): CustomFieldValue {
  if (value === undefined) throw new ConfigurationError('value is missing.');
  return value;
}
