import { isRecord } from '../../jsonapi/document.ts';
import type { CustomFieldDataType, CustomFieldValue } from '../../model/index.ts';
import { isDate, isDateTime } from '../../schemas/date-time.ts';
import type { Ids } from '../base/random.ts';
import { invalid, unprocessable } from '../http/errors.ts';
import type { Backend } from '../state/backend.ts';
import type { CheckedField, CustomField, CustomFieldDefinition, CustomFieldEntity } from '../state/store.ts';

/** The service keeps 18 digits, 6 of them decimals. */
const isNumber = (value: unknown) => typeof value === 'number' && Math.abs(value) < 10 ** 12;

type Type = Pick<CustomFieldDefinition, 'dataType' | 'options' | 'referenceType'>;

/** True if a value fits a definition, by the type of its data. */
const FITS: Record<CustomFieldDataType, (value: unknown, definition: Type) => boolean> = {
  short_text: value => typeof value === 'string',
  number: isNumber,
  decimal: isNumber,
  date: value => typeof value === 'string' && isDate(value),
  datetime: value => typeof value === 'string' && isDateTime(value),
  boolean: value => typeof value === 'boolean',
  enum: (value, { options }) => options.some(option => option.value === value),
  enum_multi: (value, definition) => Array.isArray(value) && value.every(item => FITS.enum(item, definition)),
  reference: (value, { referenceType }) =>
    isRecord(value) && typeof value.id === 'string' && value.type === referenceType,
};

export const DATA_TYPES = Object.keys(FITS) as CustomFieldDataType[];

export function isAllowed(definition: Type, value: unknown): boolean {
  return FITS[definition.dataType](value, definition);
}

/** For each type of record: the entity types whose definitions the record can use. */
const USABLE: Record<CustomFieldEntity['type'], CustomFieldDefinition['entityType'][]> = {
  shipment: ['Shipment'],
  container: ['Cargo'],
  tracking_request: ['TrackingRequest', 'Shipment'],
};

/** The definitions of the account itself, the newest first. */
export function ownDefinitions({ store }: Backend): CustomFieldDefinition[] {
  return store.customFieldDefinitions.newestFirst().filter(({ isTemplate }) => !isTemplate);
}

/** Adds the definitions that the service provides for all accounts. */
export function addTemplates({ now, store }: Backend, ids: Ids): void {
  const rest = { description: null, referenceType: null, validation: null, defaultFormat: null, defaultValue: null };
  const template = (
    entityType: CustomFieldDefinition['entityType'],
    slug: string,
    displayName: string,
    dataType: CustomFieldDataType,
  ) => {
    const id = ids.of('custom_field_definition', 'template', slug);
    const type = { entityType, slug, displayName, dataType, ...rest };
    store.customFieldDefinitions.add({ id, createdAt: now, updatedAt: now, ...type, options: [], isTemplate: true });
  };
  template('Shipment', 'service_contract', 'Service contract', 'short_text');
  template('Cargo', 'customs_cleared_on', 'Customs cleared on', 'date');
}

export function fieldsOf({ store }: Backend, entity: CustomFieldEntity): CustomField[] {
  return store.customFields.newestFirst().filter(field => field.entity.id === entity.id);
}

export function fieldBySlug(backend: Backend, entity: CustomFieldEntity, slug: string): CustomField | undefined {
  return fieldsOf(backend, entity).find(field => field.definition.slug === slug);
}

/**
 * Checks a value for a custom field.
 *
 * @throws {HttpError} 422 for an unknown slug, and for a value that does not fit the definition.
 */
export function checkField(
  { store }: Backend,
  type: CustomFieldEntity['type'],
  slug: string,
  value: unknown,
): CheckedField {
  const definition = store.customFieldDefinitions
    .newestFirst()
    .find(candidate => candidate.slug === slug && USABLE[type].includes(candidate.entityType));
  if (definition === undefined) throw unprocessable(invalid('attributes/api_slug', 'Api slug is not defined'));
  return { definition, value: checkValue(definition, value) };
}

/** Sets the value of a custom field of a record. Replaces an earlier value. */
export function setField(
  backend: Backend,
  entity: CustomFieldEntity,
  { definition, value }: CheckedField,
): CustomField {
  const existing = fieldBySlug(backend, entity, definition.slug);
  if (existing !== undefined) return Object.assign(existing, { value, updatedAt: backend.now });
  const { type, id } = entity;
  const fieldId = backend.ids.next('custom_field');
  return backend.store.customFields.add({
    id: fieldId,
    definition,
    entity: { type, id },
    value,
    updatedAt: backend.now,
  });
}

/** @throws {HttpError} 422 for a value that does not fit the definition. */
export function checkValue(definition: CustomFieldDefinition, value: unknown): CustomFieldValue {
  if (value !== null && !isAllowed(definition, value)) {
    throw unprocessable(invalid('attributes/value', `Value is not a valid ${definition.dataType}`));
  }
  return value as CustomFieldValue;
}
