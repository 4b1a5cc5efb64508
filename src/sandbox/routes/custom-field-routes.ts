import { isRecord } from '../../jsonapi/document.ts';
import type { CustomFieldValue } from '../../model/index.ts';
import { definition, field, option } from '../entities/custom-field-entities.ts';
import { type Call, requested, text, textOrNull } from '../http/call.ts';
import { blank, type ErrorObject, invalid, named, notListed, orNotFound, unprocessable } from '../http/errors.ts';
import { created, createdAt, includeOf, list, one, type Reply, wholeList } from '../http/replies.ts';
import { type Route, routesFrom } from '../http/router.ts';
import {
  checkField,
  checkValue,
  DATA_TYPES,
  fieldBySlug,
  fieldsOf,
  isAllowed,
  ownDefinitions,
  setField,
} from '../service/custom-fields.ts';
import type { Backend } from '../state/backend.ts';
import type { CustomField, CustomFieldDefinition, CustomFieldEntity, CustomFieldOption } from '../state/store.ts';

const requestedDefinition = (call: Call) => requested(call, 'customFieldDefinitions');
/** @throws {HttpError} 404, also for a template. */
const ownDefinition = (call: Call) =>
  orNotFound(ownDefinitions(call.backend).find(({ id }) => id === call.param('id')));
const requestedOption = (call: Call) =>
  orNotFound(requestedDefinition(call).options.find(({ id }) => id === call.param('option')));

const PAGE = { meta: 'none', defaultSize: 25 } as const;

export const customFieldRoutes = routesFrom({
  'GET /custom_field_definitions'(call) {
    const tree = includeOf(call, 'custom_field_definition');
    return list(call, definitionsIn(call), record => definition(call.backend, record), { tree, ...PAGE });
  },
  async 'POST /custom_field_definitions'(call) {
    const record = newDefinition(call, (await call.input()).attributes);
    return created(definition(call.backend, call.backend.store.customFieldDefinitions.add(record)));
  },
  'GET /custom_field_definitions/:id': call => one(call, definition(call.backend, requestedDefinition(call))),
  async 'PATCH /custom_field_definitions/:id'(call) {
    const record = ownDefinition(call);
    const { attributes } = await call.input();
    if (!isDefault(record, attributes)) throw unprocessable(WRONG_DEFAULT);
    Object.assign(record, {
      displayName: text(attributes, 'display_name') || record.displayName,
      ...editable(record, attributes),
      updatedAt: call.backend.now,
    });
    return one(call, definition(call.backend, record));
  },
  'DELETE /custom_field_definitions/:id'(call) {
    const { customFieldDefinitions, customFields } = call.backend.store;
    const record = ownDefinition(call);
    customFieldDefinitions.remove(record.id);
    for (const field of customFields.newestFirst()) if (field.definition === record) customFields.remove(field.id);
    return { status: 200 };
  },
  'GET /custom_field_definitions/:id/options'(call) {
    const placeOf = ({ position }: CustomFieldOption) => position ?? Infinity;
    const sorted = requestedDefinition(call).options.toSorted((a, b) => placeOf(a) - placeOf(b));
    return list(call, sorted, option, { meta: 'none' });
  },
  async 'POST /custom_field_definitions/:id/options'(call) {
    const record = newOption(call, ownDefinition(call), (await call.input()).attributes);
    ownDefinition(call).options.push(record);
    return created(option(record));
  },
  'GET /custom_field_definitions/:id/options/:option': call => one(call, option(requestedOption(call))),
  async 'PATCH /custom_field_definitions/:id/options/:option'(call) {
    const record = requestedOption(call);
    const { attributes } = await call.input();
    record.label = text(attributes, 'label') || record.label;
    if (typeof attributes.position === 'number') record.position = attributes.position;
    return one(call, option(record));
  },
  // Custom fields keep a value whose option is deleted.
  'DELETE /custom_field_definitions/:id/options/:option'(call) {
    const gone = requestedOption(call);
    requestedDefinition(call).options = requestedDefinition(call).options.filter(record => record !== gone);
    return { status: 200 };
  },
  ...Object.fromEntries(Object.entries(valueRoutes()).map(([route, handle]) => [route, forUsers(handle)])),
});

type Handler = Route['handle'];

/** The values of custom fields. */
function valueRoutes(): Record<string, Handler> {
  return {
    'GET /custom_fields': call => list(call, fieldsIn(call), record => field(call.backend, record), PAGE),
    async 'POST /custom_fields'(call) {
      const { attributes, relationships } = await call.input();
      const entity = entityFrom(call.backend, relationships.entity);
      if (entity === undefined) throw unprocessable(invalid('relationships/entity', 'Entity must exist'));
      return set(call, entity, attributes);
    },
    'GET /custom_fields/:id': call => one(call, field(call.backend, requested(call, 'customFields'))),
    'PATCH /custom_fields/:id': call => update(call, requested(call, 'customFields')),
    'DELETE /custom_fields/:id': call => remove(call, requested(call, 'customFields'), 200),
    ...below('/shipments', 'shipment'),
    ...below('/containers', 'container'),
    ...below('/tracking_requests', 'tracking_request'),
  };
}

/** In accounts without the feature `customFields`, only users can read and change the values. */
function forUsers(handle: Handler): Handler {
  return call => {
    const isUser = call.request.headers.get('authorization')?.startsWith('Bearer ');
    if (!isUser && !call.backend.features.customFields) throw named('custom-fields-for-users');
    return handle(call);
  };
}

/** The service accepts `Container` and returns `Cargo`. */
const ENTITY_TYPES = new Map<string, CustomFieldDefinition['entityType']>([
  ['Shipment', 'Shipment'],
  ['Container', 'Cargo'],
  ['Cargo', 'Cargo'],
  ['TrackingRequest', 'TrackingRequest'],
]);

function definitionsIn({ backend, query }: Call): CustomFieldDefinition[] {
  const entityType = query.get('filter[entity_type]');
  const dataType = query.get('filter[data_type]');
  const displayName = query.get('filter[display_name]')?.toLowerCase() ?? '';
  const isWanted = (record: CustomFieldDefinition) =>
    (!entityType || record.entityType === ENTITY_TYPES.get(entityType)) &&
    (!dataType || record.dataType === dataType) &&
    record.displayName.toLowerCase().startsWith(displayName);
  const all = backend.lists === 'older' ? ownDefinitions(backend) : backend.store.customFieldDefinitions.newestFirst();
  return all.filter(isWanted);
}

function newDefinition({ backend }: Call, attributes: Record<string, unknown>): CustomFieldDefinition {
  const errors: ErrorObject[] = [];
  const slug = text(attributes, 'api_slug');
  const displayName = text(attributes, 'display_name');
  const entityType = ENTITY_TYPES.get(text(attributes, 'entity_type'));
  const dataType = DATA_TYPES.find(known => known === attributes.data_type);
  const referenceType = text(attributes, 'reference_type') || null;
  const isTaken = ownDefinitions(backend).some(other => other.slug === slug);
  if (entityType === undefined) errors.push(notListed('entity_type'));
  if (dataType === undefined) errors.push(notListed('data_type'));
  if (slug === '') errors.push(blank('api_slug'));
  if (isTaken) errors.push(invalid('attributes/api_slug', 'Api slug has already been taken'));
  if (displayName === '') errors.push(blank('display_name'));
  if (dataType === 'reference' && referenceType === null) errors.push(blank('reference_type'));
  if (dataType && !isDefault({ dataType, referenceType }, attributes)) errors.push(WRONG_DEFAULT);
  if (entityType === undefined || dataType === undefined || errors.length > 0) throw unprocessable(...errors);
  const before = { description: null, validation: null, defaultFormat: null, defaultValue: null };
  return {
    id: backend.ids.next('custom_field_definition'),
    createdAt: backend.now,
    updatedAt: backend.now,
    entityType,
    slug,
    displayName,
    dataType,
    referenceType,
    ...editable(before, attributes),
    options: [],
    isReference: attributes.reference_number === true,
    isSensitive: attributes.sensitive === true,
  };
}

const WRONG_DEFAULT = invalid('attributes/default_value', 'Default value does not fit the data type');

/** The options of an enumeration are created after the definition, so its default value is not checked. */
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
  if (!dataType.startsWith('enum')) {
    errors.push(invalid('attributes/value', 'Options are for enum and enum_multi only'));
  }
  if (label === '') errors.push(blank('label'));
  if (value === '') errors.push(blank('value'));
  if (options.some(other => other.value === value)) {
    errors.push(invalid('attributes/value', 'Value has already been taken'));
  }
  if (errors.length > 0) throw unprocessable(...errors);
  const position = typeof attributes.position === 'number' ? attributes.position : null;
  return { id: backend.ids.next('custom_field_option'), label, value, position };
}

/** The custom fields of one record. Their slugs are in the path. */
function below(collection: string, type: CustomFieldEntity['type']): Record<string, Handler> {
  const entity = (call: Call) => orNotFound(find(call.backend, type, call.param('id')));
  const bySlug = (call: Call) => orNotFound(fieldBySlug(call.backend, entity(call), call.param('slug')));
  return {
    [`GET ${collection}/:id/custom_fields`](call) {
      const fields = fieldsOf(call.backend, entity(call)).map(record => field(call.backend, record));
      return wholeList(call, fields, includeOf(call, 'custom_field'));
    },
    // The response is 201, even if the field exists and is updated.
    [`POST ${collection}/:id/custom_fields`]: async call => set(call, entity(call), (await call.input()).attributes),
    [`PATCH ${collection}/:id/custom_fields/:slug`]: call => update(call, bySlug(call)),
    [`DELETE ${collection}/:id/custom_fields/:slug`]: call => remove(call, bySlug(call), 204),
  };
}

function find({ store }: Backend, type: string, id: string): CustomFieldEntity | undefined {
  if (type === 'shipment' && store.shipments.get(id)) return { type, id };
  if (type === 'container' && store.containers.get(id)) return { type, id };
  return type === 'tracking_request' && store.trackingRequests.get(id) ? { type, id } : undefined;
}

function entityFrom(backend: Backend, relationship: unknown): CustomFieldEntity | undefined {
  if (!isRecord(relationship) || !isRecord(relationship.data)) return undefined;
  return find(backend, String(relationship.data.type), String(relationship.data.id));
}

function fieldsIn({ backend, query }: Call): CustomField[] {
  const entityType = query.get('filter[entity_type]')?.toLowerCase().replace('cargo', 'container').replaceAll('_', '');
  const entityId = query.get('filter[entity_id]');
  const definitionId = query.get('filter[definition_id]');
  const isWanted = ({ entity, definition }: CustomField) =>
    (!entityType || entity.type.replaceAll('_', '') === entityType) &&
    (!entityId || entity.id === entityId) &&
    (!definitionId || definition.id === definitionId);
  return backend.store.customFields.newestFirst().filter(isWanted);
}

function set(call: Call, entity: CustomFieldEntity, attributes: Record<string, unknown>): Reply {
  const checked = checkField(call.backend, entity.type, text(attributes, 'api_slug'), attributes.value ?? null);
  return createdAt(call, '/custom_fields', field(call.backend, setField(call.backend, entity, checked)));
}

async function update(call: Call, record: CustomField): Promise<Reply> {
  const { attributes } = await call.input();
  record.value = checkValue(record.definition, attributes.value ?? null);
  record.updatedAt = call.backend.now;
  return one(call, field(call.backend, record));
}

function remove({ backend }: Call, record: CustomField, status: number): Reply {
  backend.store.customFields.remove(record.id);
  return { status };
}
