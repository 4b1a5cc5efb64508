import type { IncludeList, OptionalToMany, OptionalToOne, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open, Ref } from './scalars.ts';

/** A field of your own on shipments or containers. */
export interface CustomFieldDefinition<I extends IncludeList = []>
  extends ResourceRecord<'custom_field_definition', I>,
    CustomFieldDefinitionAttributes,
    CustomFieldDefinitionRelationships<I> {}

/** A choice of a definition of type `enum` or `enum_multi`. */
export interface CustomFieldOption extends ResourceRecord<'custom_field_option'>, CustomFieldOptionAttributes {}

/** The value of a definition on one record. */
export interface CustomField<I extends IncludeList = []>
  extends ResourceRecord<'custom_field', I>,
    CustomFieldAttributes,
    CustomFieldRelationships<I> {}

/** What a custom field can hold. Which of these depends on the `data_type` of its definition. */
export type CustomFieldValue = string | number | boolean | string[] | Record<string, unknown> | null;

/** What kind of value a custom field holds. */
export type CustomFieldDataType =
  | 'short_text'
  | 'number'
  | 'date'
  | 'datetime'
  | 'boolean'
  | 'enum'
  | 'enum_multi'
  | 'reference';

/** The fields of a custom field definition. */
export interface CustomFieldDefinitionAttributes {
  /** What kind of record has the field. `Cargo` is a container. */
  entity_type: Open<'Shipment' | 'Container' | 'TrackingRequest' | 'Cargo'>;
  /** Name of the field for programs: unique in the account, fixed after creation. */
  api_slug: string;
  /** Name of the field for people. */
  display_name: string;
  /** What the field is for, for people. */
  description: string | null;
  /** What kind of value it holds. Fixed after creation. */
  data_type: Open<CustomFieldDataType>;
  /** The type of record that a `reference` names; `null` for other data types. */
  reference_type: string | null;
  /** Rules for values, free form. Known keys: `required`, `pattern`, `max_length`. */
  validation: Record<string, unknown> | null;
  /** How `display_value` is written, for numbers and dates. */
  default_format: string | null;
  /** The value where none was given. */
  default_value: CustomFieldValue;
  /** The service's template that it was made from. */
  template_id?: string | null;
  /** When the definition was made. */
  created_at?: DateTime;
  /** When the definition was last changed. */
  updated_at?: DateTime;
}

/** What a custom field definition is related to. */
export interface CustomFieldDefinitionRelationships<I extends IncludeList = []> {
  /** The account that has the field. May be `null`. */
  account: OptionalToOne<I, 'account', 'account'> | null;
  /** Its values on all records. */
  fields: OptionalToMany<I, 'fields', 'custom_field'>;
  /** Its choices, where `data_type` is `enum` or `enum_multi`. */
  options: OptionalToMany<I, 'options', 'custom_field_option'>;
}

/** A definition to create. */
export interface CustomFieldDefinitionCreate {
  /** What kind of record has the field. */
  entity_type: 'Shipment' | 'Container';
  /** Name of the field for programs: unique in the account, fixed after creation. */
  api_slug: string;
  /** Name of the field for people. */
  display_name: string;
  /** What kind of value it holds. Fixed after creation. */
  data_type: CustomFieldDataType;
  /** What the field is for, for people. */
  description?: string | null | undefined;
  /** Required where `data_type` is `reference`. */
  reference_type?: string | null | undefined;
  /** Rules for values, free form. Known keys: `required`, `pattern`, `max_length`. */
  validation?: Record<string, unknown> | null | undefined;
  /** How `display_value` is written, for numbers and dates. */
  default_format?: string | null | undefined;
  /** The value where none was given. */
  default_value?: CustomFieldValue | undefined;
}

/** What `customFieldDefinitions.update` can change. */
export interface CustomFieldDefinitionUpdate {
  /** Name of the field for people. */
  display_name?: string | undefined;
  /** What the field is for, for people. */
  description?: string | null | undefined;
  /** Rules for values, free form. Known keys: `required`, `pattern`, `max_length`. */
  validation?: Record<string, unknown> | null | undefined;
  /** How `display_value` is written, for numbers and dates. */
  default_format?: string | null | undefined;
  /** The value where none was given. */
  default_value?: CustomFieldValue | undefined;
}

/** The fields of a custom field option. */
export interface CustomFieldOptionAttributes {
  /** Shown to people. */
  label: string;
  /** What is stored. Unique in the definition, fixed after creation. */
  value: string;
  /** Place among the choices: the smallest comes first. */
  position: number | null;
}

/** An option to create. */
export interface CustomFieldOptionCreate {
  /** Shown to people. */
  label: string;
  /** What is stored. Unique in the definition, fixed after creation. */
  value: string;
  /** Place among the choices: the smallest comes first. */
  position?: number | null | undefined;
}

/** What `customFieldOptions.update` can change. */
export interface CustomFieldOptionUpdate {
  /** Shown to people. */
  label?: string | undefined;
  /** Place among the choices: the smallest comes first. */
  position?: number | null | undefined;
}

/** The fields of a custom field. */
export interface CustomFieldAttributes {
  /** Name of the definition for programs. */
  api_slug: string;
  /** As stored. An `enum_multi` may come as an array or as text with commas. */
  value: CustomFieldValue;
  /** Formatted for people. */
  display_value: string | null;
}

/** What a custom field is related to. */
export interface CustomFieldRelationships<I extends IncludeList = []> {
  /** The record that has the value. */
  entity: ToOne<I, 'entity', 'shipment' | 'container' | 'tracking_request'>;
  /** What the value means. */
  definition: ToOne<I, 'definition', 'custom_field_definition'>;
}

/** A value to set on a record that the call itself names. */
export interface CustomFieldSet {
  /** Name of the definition for programs. */
  api_slug: string;
  /** Must fit the `data_type` of the definition. */
  value: CustomFieldValue;
}

/** A value to set, with the record to set it on. */
export interface CustomFieldCreate extends CustomFieldSet {
  /** The record that gets the value. */
  entity: Ref<'shipment' | 'container'>;
}

/** What the updates of a custom field can change. */
export interface CustomFieldUpdate {
  /** The new value. Must fit the `data_type` of the definition. */
  value: CustomFieldValue;
}

/** A value to set on the shipment as soon as a tracking request has found it. */
export interface InitialCustomField {
  /** Name of a definition for shipments. */
  api_slug: string;
  /** Must fit the `data_type` of the definition. */
  value: CustomFieldValue;
}

/** A value to set on the containers as soon as a tracking request has found them. */
export interface InitialContainerCustomField {
  /** Name of a definition for containers. */
  api_slug: string;
  /** Must fit the `data_type` of the definition. */
  value: CustomFieldValue;
  /** Number of the container; without it the value goes to every container. */
  number?: string | undefined;
}
