import { isRecord } from '../../jsonapi/document.ts';
import type { CustomFieldValue } from '../../model/index.ts';
import { definition, option } from '../entities/custom-fields.ts';
import { text, textOrNull } from '../http/attributes.ts';
import type { Call } from '../http/call.ts';
import { type ErrorObject, invalid, orNotFound, unprocessable } from '../http/errors.ts';
import { created, includeOf, list, one } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { DATA_TYPES, isAllowed } from '../service/custom-fields.ts';
import type { CustomFieldDefinition, CustomFieldOption } from '../state/store.ts';

const requestedDefinition = (call: Call) => orNotFound(call.backend.store.customFieldDefinitions.get(call.param('id')));
const requestedOption = (call: Call) =>
  orNotFound(requestedDefinition(call).options.find(({ id }) => id === call.param('option')));

export const customFieldDefinitionRoutes: Route[] = [
  {
    method: 'GET',
    path: '/custom_field_definitions',
    handle(call) {
      const tree = includeOf(call, 'custom_field_definition');
      return list(call, search(call), record => definition(call.backend, record), {
        tree,
        meta: 'none',
        defaultSize: 25,
      });
    },
  },
  {
    method: 'POST',
    path: '/custom_field_definitions',
    async handle(call) {
      const record = newDefinition(call, (await call.input()).attributes);
      return created(definition(call.backend, call.backend.store.customFieldDefinitions.add(record)));
    },
  },
  {
    method: 'GET',
    path: '/custom_field_definitions/:id',
    handle: call => one(call, definition(call.backend, requestedDefinition(call))),
  },
  {
    method: 'PATCH',
    path: '/custom_field_definitions/:id',
    async handle(call) {
      const record = requestedDefinition(call);
      const { attributes } = await call.input();
      if (!isDefault(record, attributes)) throw unprocessable(WRONG_DEFAULT);
      Object.assign(record, {
        displayName: text(attributes, 'display_name') || record.displayName,
        ...editable(record, attributes),
        updatedAt: call.backend.now,
      });
      return one(call, definition(call.backend, record));
    },
  },
  {
    method: 'DELETE',
    path: '/custom_field_definitions/:id',
    handle(call) {
      const { customFieldDefinitions, customFields } = call.backend.store;
      const record = requestedDefinition(call);
      customFieldDefinitions.remove(record.id);
      for (const field of customFields.newestFirst()) if (field.definition === record) customFields.remove(field.id);
      return { status: 200 };
    },
  },
  {
    method: 'GET',
    path: '/custom_field_definitions/:id/options',
    handle(call) {
      const sorted = requestedDefinition(call).options.toSorted(
        (a, b) => (a.position ?? Infinity) - (b.position ?? Infinity),
      );
      return list(call, sorted, option, { meta: 'none' });
    },
  },
  {
    method: 'POST',
    path: '/custom_field_definitions/:id/options',
    async handle(call) {
      const record = newOption(call, requestedDefinition(call), (await call.input()).attributes);
      requestedDefinition(call).options.push(record);
      return created(option(record));
    },
  },
  {
    method: 'GET',
    path: '/custom_field_definitions/:id/options/:option',
    handle: call => one(call, option(requestedOption(call))),
  },
  {
    method: 'PATCH',
    path: '/custom_field_definitions/:id/options/:option',
    async handle(call) {
      const record = requestedOption(call);
      const { attributes } = await call.input();
      record.label = text(attributes, 'label') || record.label;
      if (typeof attributes.position === 'number') record.position = attributes.position;
      return one(call, option(record));
    },
  },
  {
    // Custom fields keep a value whose option is deleted.
    method: 'DELETE',
    path: '/custom_field_definitions/:id/options/:option',
    handle(call) {
      const gone = requestedOption(call);
      requestedDefinition(call).options = requestedDefinition(call).options.filter(record => record !== gone);
      return { status: 200 };
    },
  },
];

/** The service accepts `Container` and answers `Cargo`. */
const ENTITY_TYPES = new Map<string, CustomFieldDefinition['entityType']>([
  ['Shipment', 'Shipment'],
  ['Container', 'Cargo'],
  ['Cargo', 'Cargo'],
  ['TrackingRequest', 'TrackingRequest'],
]);

function search({ backend, query }: Call): CustomFieldDefinition[] {
  const entityType = query.get('filter[entity_type]');
  const dataType = query.get('filter[data_type]');
  const displayName = query.get('filter[display_name]')?.toLowerCase() ?? '';
  return backend.store.customFieldDefinitions
    .newestFirst()
    .filter(
      record =>
        (!entityType || record.entityType === ENTITY_TYPES.get(entityType)) &&
        (!dataType || record.dataType === dataType) &&
        record.displayName.toLowerCase().startsWith(displayName),
    );
}

function newDefinition({ backend }: Call, attributes: Record<string, unknown>): CustomFieldDefinition {
  const errors: ErrorObject[] = [];
  const slug = text(attributes, 'api_slug');
  const displayName = text(attributes, 'display_name');
  const entityType = ENTITY_TYPES.get(text(attributes, 'entity_type'));
  const dataType = DATA_TYPES.find(known => known === attributes.data_type);
  const referenceType = text(attributes, 'reference_type') || null;
  const isTaken = backend.store.customFieldDefinitions.newestFirst().some(other => other.slug === slug);
  if (entityType === undefined)
    errors.push(invalid('attributes/entity_type', 'Entity type is not included in the list'));
  if (dataType === undefined) errors.push(invalid('attributes/data_type', 'Data type is not included in the list'));
  if (slug === '') errors.push(invalid('attributes/api_slug', "Api slug can't be blank", 'blank'));
  if (isTaken) errors.push(invalid('attributes/api_slug', 'Api slug has already been taken'));
  if (displayName === '') errors.push(invalid('attributes/display_name', "Display name can't be blank", 'blank'));
  if (dataType === 'reference' && referenceType === null) {
    errors.push(invalid('attributes/reference_type', "Reference type can't be blank", 'blank'));
  }
  if (dataType && !isDefault({ dataType, referenceType }, attributes)) errors.push(WRONG_DEFAULT);
  if (entityType === undefined || dataType === undefined || errors.length > 0) throw unprocessable(...errors);
  const blank = { description: null, validation: null, defaultFormat: null, defaultValue: null };
  return {
    id: backend.ids.next('custom_field_definition'),
    createdAt: backend.now,
    updatedAt: backend.now,
    entityType,
    slug,
    displayName,
    dataType,
    referenceType,
    ...editable(blank, attributes),
    options: [],
    isReference: attributes.reference_number === true,
    isSensitive: attributes.sensitive === true,
  };
}

const WRONG_DEFAULT = invalid('attributes/default_value', 'Default value does not fit the data type');

/** The options of an enumeration come after its definition, so its default is not checked. */
function isDefault(
  { dataType, referenceType }: Pick<CustomFieldDefinition, 'dataType' | 'referenceType'>,
  { default_value: value = null }: Record<string, unknown>,
): boolean {
  return value === null || dataType.startsWith('enum') || isAllowed({ dataType, referenceType, options: [] }, value);
}

type Editable = Pick<CustomFieldDefinition, 'description' | 'validation' | 'defaultFormat' | 'defaultValue'>;

function editable(before: Editable, attributes: Record<string, unknown>): Editable {
  const { validation = before.validation, default_value = before.defaultValue } = attributes;
  return {
    description: textOrNull(before.description, attributes, 'description'),
    validation: isRecord(validation) ? validation : null,
    defaultFormat: textOrNull(before.defaultFormat, attributes, 'default_format'),
    defaultValue: default_value as CustomFieldValue,
  };
}

function newOption(
  { backend }: Call,
  { dataType, options }: CustomFieldDefinition,
  attributes: Record<string, unknown>,
): CustomFieldOption {
  const errors: ErrorObject[] = [];
  const [label, value] = [text(attributes, 'label'), text(attributes, 'value')];
  if (!dataType.startsWith('enum'))
    errors.push(invalid('attributes/value', 'Options are for enum and enum_multi only'));
  if (label === '') errors.push(invalid('attributes/label', "Label can't be blank", 'blank'));
  if (value === '') errors.push(invalid('attributes/value', "Value can't be blank", 'blank'));
  if (options.some(other => other.value === value)) {
    errors.push(invalid('attributes/value', 'Value has already been taken'));
  }
  if (errors.length > 0) throw unprocessable(...errors);
  const position = typeof attributes.position === 'number' ? attributes.position : null;
  return { id: backend.ids.next('custom_field_option'), label, value, position };
}
