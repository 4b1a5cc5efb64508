import type { LinkedRecord } from '../jsonapi/include.ts';
import type { DateTime, Open, Ref } from './model.ts';

/** A field of your own on shipments or containers (api/resources.md, custom_field_definition). */
export type CustomFieldDefinition<I = []> = LinkedRecord<'custom_field_definition', I>;

/** A choice of a definition of type `enum` or `enum_multi` (api/resources.md, custom_field_option). */
export type CustomFieldOption = LinkedRecord<'custom_field_option', []>;

/** The value of a definition on one record (api/resources.md, custom_field). */
export type CustomField<I = []> = LinkedRecord<'custom_field', I>;

/** What a custom field can hold; which of these depends on the `data_type` of its definition. */
export type CustomFieldValue = string | number | boolean | string[] | Record<string, unknown> | null;

export type CustomFieldDataType =
  | 'short_text'
  | 'number'
  | 'date'
  | 'datetime'
  | 'boolean'
  | 'enum'
  | 'enum_multi'
  | 'reference';

export interface CustomFieldDefinitionAttributes {
  /** `Cargo` is a container. */
  entity_type: Open<'Shipment' | 'Container' | 'TrackingRequest' | 'Cargo'>;
  /** Unique in the account, fixed after creation. */
  api_slug: string;
  display_name: string;
  description: string | null;
  data_type: Open<CustomFieldDataType>;
  /** What a `reference` refers to. */
  reference_type: string | null;
  /** Free form. Known keys: `required`, `pattern`, `max_length`. */
  validation: Record<string, unknown> | null;
  /** For numbers and dates. */
  default_format: string | null;
  default_value: CustomFieldValue;
  template_id?: string | null;
  created_at?: DateTime;
  updated_at?: DateTime;
}

export interface CustomFieldDefinitionRelationships {
  account?: Ref<'account'> | null;
  fields?: Ref<'custom_field'>[];
  options?: Ref<'custom_field_option'>[];
}

export interface CustomFieldDefinitionCreate {
  entity_type: 'Shipment' | 'Container';
  /** Unique in the account, fixed after creation. */
  api_slug: string;
  display_name: string;
  /** Fixed after creation. */
  data_type: CustomFieldDataType;
  description?: string | null | undefined;
  /** Required where `data_type` is `reference`. */
  reference_type?: string | null | undefined;
  /** Free form. Known keys: `required`, `pattern`, `max_length`. */
  validation?: Record<string, unknown> | null | undefined;
  /** For numbers and dates. */
  default_format?: string | null | undefined;
  default_value?: CustomFieldValue | undefined;
}

/** What `customFieldDefinitions.update` can change. */
export interface CustomFieldDefinitionUpdate {
  display_name?: string | undefined;
  description?: string | null | undefined;
  /** Free form. Known keys: `required`, `pattern`, `max_length`. */
  validation?: Record<string, unknown> | null | undefined;
  /** For numbers and dates. */
  default_format?: string | null | undefined;
  default_value?: CustomFieldValue | undefined;
}

export interface CustomFieldOptionAttributes {
  /** Shown to people. */
  label: string;
  /** What is stored. Unique in the definition, fixed after creation. */
  value: string;
  /** Sort order. */
  position: number | null;
}

export interface CustomFieldOptionCreate {
  /** Shown to people. */
  label: string;
  /** What is stored. Unique in the definition, fixed after creation. */
  value: string;
  /** Sort order. */
  position?: number | null | undefined;
}

/** What `customFieldOptions.update` can change. */
export interface CustomFieldOptionUpdate {
  label?: string | undefined;
  /** Sort order. */
  position?: number | null | undefined;
}

export interface CustomFieldAttributes {
  api_slug: string;
  /** As stored. An `enum_multi` may come as an array or as text with commas. */
  value: CustomFieldValue;
  /** Formatted for people. */
  display_value: string | null;
}

export interface CustomFieldRelationships {
  entity: Ref<'shipment' | 'container' | 'tracking_request'>;
  definition: Ref<'custom_field_definition'>;
}

/** A value to set on a record that the call itself names. */
export interface CustomFieldSet {
  api_slug: string;
  value: CustomFieldValue;
}

/** A value to set, with the record to set it on. */
export interface CustomFieldCreate extends CustomFieldSet {
  entity: Ref<'shipment' | 'container'>;
}

/** What the updates of a custom field can change. */
export interface CustomFieldUpdate {
  value: CustomFieldValue;
}

/** A value to set on the shipment as soon as a tracking request has found it. */
export interface InitialCustomField {
  /** Of a definition for shipments. */
  api_slug: string;
  value: CustomFieldValue;
}

/** A value to set on the containers as soon as a tracking request has found them. */
export interface InitialContainerCustomField {
  /** Of a definition for containers. */
  api_slug: string;
  value: CustomFieldValue;
  /** Number of the container; without it the value goes to every container. */
  number?: string | undefined;
}
