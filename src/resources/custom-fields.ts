import { requestDocument } from '../jsonapi/serialize.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type { CustomField, CustomFieldCreate, CustomFieldUpdate } from '../records/custom-field.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import { valueDocument } from './custom-fields-of.ts';
import { type ListParameters, Resource } from './resource.ts';

/** Options of `customFields.list`. */
export interface CustomFieldListOptions extends ListOptions {
  /** Only values that fit. */
  filter?:
    | {
        /** What kind of record has them. */
        entity_type?: 'Shipment' | 'Container' | 'TrackingRequest' | undefined;
        /** Id of the record that has them. */
        entity_id?: string | undefined;
        /** Id of their definition. */
        definition_id?: string | undefined;
      }
    | undefined;
}

const VALUES: ListParameters<CustomFieldListOptions> = {
  filter: { entity_type: true, entity_id: true, definition_id: true },
};

/**
 * Values of custom fields, by their own id. `shipments.customFields`, `containers.customFields` and
 * `trackingRequests.customFields` have those of one record, by slug.
 */
export class CustomFields extends Resource {
  /** The values on all records, 25 a page unless `pageSize` says otherwise. Each page is one request. */
  list(options?: CustomFieldListOptions): List<CustomField> {
    return this.fetchList({
      operation: 'customFields.list',
      type: 'custom_field',
      path: path`/custom_fields`,
      parameters: VALUES,
      options,
    });
  }

  /**
   * One value.
   *
   * @throws {NotFoundError} if there is no such value.
   */
  get(id: string, options?: RequestOptions): APIPromise<CustomField> {
    return this.fetchOne({
      operation: 'customFields.get',
      type: 'custom_field',
      path: path`/custom_fields/${id}`,
      options,
    });
  }

  /**
   * Sets a value on a record.
   *
   * @throws {ValidationError} if the value does not fit its definition.
   * @example
   * await client.customFields.create({ api_slug: 'buyer', value: 'Kim', entity: { type: 'shipment', id } });
   */
  create(attributes: CustomFieldCreate, options?: RequestOptions): APIPromise<CustomField> {
    return this.fetchOne({
      operation: 'customFields.create',
      type: 'custom_field',
      method: 'POST',
      path: path`/custom_fields`,
      body: () => valueDocument(attributes, ['entity']),
      options,
    });
  }

  /**
   * Changes a value.
   *
   * @throws {NotFoundError} if there is no such value.
   * @throws {ValidationError} if the new one does not fit its definition.
   */
  update(id: string, attributes: CustomFieldUpdate, options?: RequestOptions): APIPromise<CustomField> {
    return this.fetchOne({
      operation: 'customFields.update',
      type: 'custom_field',
      method: 'PATCH',
      path: path`/custom_fields/${id}`,
      body: () => requestDocument('custom_field', attributes, { id }),
      options,
    });
  }

  /**
   * Deletes a value.
   *
   * @throws {NotFoundError} if there is no such value.
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({ operation: 'customFields.delete', method: 'DELETE', path: path`/custom_fields/${id}`, options });
  }
}
