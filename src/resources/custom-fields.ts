import { requestDocument } from '../jsonapi/serialize.ts';
import type { RequestOptions } from '../options.ts';
import type { List, ListOptions } from '../pagination/list.ts';
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
import { Resource } from './resource.ts';

export interface CustomFieldDefinitionListOptions extends ListOptions {
  filter?:
    | {
        entity_type?: 'Shipment' | 'Container' | undefined;
        data_type?: CustomFieldDataType | undefined;
        /** The beginning of the name. */
        display_name?: string | undefined;
      }
    | undefined;
}

/** What custom fields there are (api/endpoints.md section 8). */
export class CustomFieldDefinitions extends Resource {
  list(options?: CustomFieldDefinitionListOptions): List<CustomFieldDefinition> {
    return this.fetchList({
      operation: 'customFieldDefinitions.list',
      type: 'custom_field_definition',
      path: path`/custom_field_definitions`,
      options,
    });
  }

  get(id: string, options?: RequestOptions): APIPromise<CustomFieldDefinition> {
    return this.fetchOne({
      operation: 'customFieldDefinitions.get',
      type: 'custom_field_definition',
      path: path`/custom_field_definitions/${id}`,
      options,
    });
  }

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

  /** Changes the presentation. Slug, entity type and data type are fixed. */
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

  /** Removes a definition with all its values. */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({
      operation: 'customFieldDefinitions.delete',
      method: 'DELETE',
      path: path`/custom_field_definitions/${id}`,
      options,
    });
  }
}

/** The choices of `enum` and `enum_multi` definitions (api/endpoints.md section 8). */
export class CustomFieldOptions extends Resource {
  list(definitionId: string, options?: ListOptions): List<CustomFieldOption> {
    return this.fetchList({
      operation: 'customFieldOptions.list',
      type: 'custom_field_option',
      path: path`/custom_field_definitions/${definitionId}/options`,
      options,
    });
  }

  get(definitionId: string, id: string, options?: RequestOptions): APIPromise<CustomFieldOption> {
    return this.fetchOne({
      operation: 'customFieldOptions.get',
      type: 'custom_field_option',
      path: path`/custom_field_definitions/${definitionId}/options/${id}`,
      options,
    });
  }

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

  /** Removes a choice. Whether stored values go with it is not documented (api/README.md, D-73). */
  delete(definitionId: string, id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({
      operation: 'customFieldOptions.delete',
      method: 'DELETE',
      path: path`/custom_field_definitions/${definitionId}/options/${id}`,
      options,
    });
  }
}

export interface CustomFieldListOptions extends ListOptions {
  filter?:
    | {
        entity_type?: 'Shipment' | 'Container' | undefined;
        entity_id?: string | undefined;
        definition_id?: string | undefined;
      }
    | undefined;
}

/** Values by their own id. By record and slug they are at `shipments.customFields` and its siblings (api/README.md, D-69). */
export class CustomFields extends Resource {
  list(options?: CustomFieldListOptions): List<CustomField> {
    return this.fetchList({
      operation: 'customFields.list',
      type: 'custom_field',
      path: path`/custom_fields`,
      options,
    });
  }

  get(id: string, options?: RequestOptions): APIPromise<CustomField> {
    return this.fetchOne({
      operation: 'customFields.get',
      type: 'custom_field',
      path: path`/custom_fields/${id}`,
      options,
    });
  }

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

  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.send({ operation: 'customFields.delete', method: 'DELETE', path: path`/custom_fields/${id}`, options });
  }
}
