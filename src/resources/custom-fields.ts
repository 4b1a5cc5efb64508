import { requestDocument } from '../jsonapi/serialize.ts';
import type { RequestOptions } from '../options.ts';
import type { List } from '../pagination/list.ts';
import type { ListOptions } from '../pagination/options.ts';
import type {
  CustomField,
  CustomFieldCreate,
  CustomFieldDataType,
  CustomFieldDefinition,
  CustomFieldDefinitionCreate,
  CustomFieldDefinitionUpdate,
  CustomFieldOption,
  CustomFieldOptionCreate,
  CustomFieldOptionUpdate,
  CustomFieldUpdate,
} from '../records/custom-field.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import { path } from '../transport/path.ts';
import { valueDocument } from './custom-fields-of.ts';
import { type ListParameters, Resource } from './resource.ts';

/** Options of `customFieldDefinitions.list`. */
export interface CustomFieldDefinitionListOptions extends ListOptions {
  /** Only definitions that fit. */
  filter?:
    | {
        /** What kind of record has them. */
        entity_type?: 'Shipment' | 'Container' | 'TrackingRequest' | undefined;
        /** What kind of value they hold. */
        data_type?: CustomFieldDataType | undefined;
        /** The beginning of the name. */
        display_name?: string | undefined;
      }
    | undefined;
}

const DEFINITIONS: ListParameters<CustomFieldDefinitionListOptions> = {
  filter: { entity_type: true, data_type: true, display_name: true },
};

/** The custom fields of the account: their names, data types and rules. */
export class CustomFieldDefinitions extends Resource {
  /** All definitions, 25 a page unless `pageSize` says otherwise. Each page is one request. */
  list(options?: CustomFieldDefinitionListOptions): List<CustomFieldDefinition> {
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
   * @throws {NotFoundError} if there is no such definition.
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
   * Makes a custom field.
   *
   * @throws {ValidationError} if the slug is taken.
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
   * @throws {NotFoundError} if there is no such definition.
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
   * @throws {NotFoundError} if there is no such definition.
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

/** The choices of custom fields of type `enum` and `enum_multi`. */
export class CustomFieldOptions extends Resource {
  /** The choices of a definition. Each page is one request. */
  list(definitionId: string, options?: ListOptions): List<CustomFieldOption> {
    return this.fetchList({
      operation: 'customFieldOptions.list',
      type: 'custom_field_option',
      path: path`/custom_field_definitions/${definitionId}/options`,
      options,
    });
  }

  /**
   * One choice.
   *
   * @throws {NotFoundError} if there is no such definition or choice.
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
   * Adds a choice.
   *
   * @throws {ValidationError} if the value is taken, or the definition has no choices.
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
   * Changes the label or the position of a choice. Its value cannot be changed.
   *
   * @throws {NotFoundError} if there is no such definition or choice.
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
   * Deletes a choice. The service does not say whether the values that records have of it are deleted too.
   *
   * @throws {NotFoundError} if there is no such definition or choice.
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
