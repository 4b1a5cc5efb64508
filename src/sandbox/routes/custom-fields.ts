import { isRecord } from '../../jsonapi/document.ts';
import { field } from '../entities/custom-fields.ts';
import { text } from '../http/attributes.ts';
import type { Call } from '../http/call.ts';
import { invalid, named, orNotFound, unprocessable } from '../http/errors.ts';
import { createdAt, includeOf, list, one, type Reply, wholeList } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import { checkField, checkValue, fieldBySlug, fieldsOf, setField } from '../service/custom-fields.ts';
import type { Backend } from '../state/backend.ts';
import type { CustomField, CustomFieldEntity } from '../state/store.ts';

const requestedField = (call: Call) => orNotFound(call.backend.store.customFields.get(call.param('id')));

const valueRoutes: Route[] = [
  {
    method: 'GET',
    path: '/custom_fields',
    handle: call => list(call, search(call), record => field(call.backend, record), { meta: 'none', defaultSize: 25 }),
  },
  {
    method: 'POST',
    path: '/custom_fields',
    async handle(call) {
      const { attributes, relationships } = await call.input();
      const entity = entityFrom(call.backend, relationships.entity);
      if (entity === undefined) throw unprocessable(invalid('relationships/entity', 'Entity must exist'));
      return set(call, entity, attributes);
    },
  },
  { method: 'GET', path: '/custom_fields/:id', handle: call => one(call, field(call.backend, requestedField(call))) },
  { method: 'PATCH', path: '/custom_fields/:id', handle: call => update(call, requestedField(call)) },
  { method: 'DELETE', path: '/custom_fields/:id', handle: call => remove(call, requestedField(call), 200) },
  ...below('/shipments', 'shipment'),
  ...below('/containers', 'container'),
  ...below('/tracking_requests', 'tracking_request'),
];

export const customFieldRoutes: Route[] = valueRoutes.map(route => ({
  ...route,
  handle(call) {
    const isUser = call.request.headers.get('authorization')?.startsWith('Bearer ');
    if (!isUser && !call.backend.features.customFields) throw named('custom-fields-for-users');
    return route.handle(call);
  },
}));

/** The custom fields of one record. Their slugs are in the path. */
function below(collection: string, type: CustomFieldEntity['type']): Route[] {
  const entity = (call: Call) => orNotFound(find(call.backend, type, call.param('id')));
  const bySlug = (call: Call) => orNotFound(fieldBySlug(call.backend, entity(call), call.param('slug')));
  return [
    {
      method: 'GET',
      path: `${collection}/:id/custom_fields`,
      handle(call) {
        const fields = fieldsOf(call.backend, entity(call)).map(record => field(call.backend, record));
        return wholeList(call, fields, includeOf(call, 'custom_field'));
      },
    },
    {
      // The answer is 201, even if the field exists and is updated.
      method: 'POST',
      path: `${collection}/:id/custom_fields`,
      handle: async call => set(call, entity(call), (await call.input()).attributes),
    },
    { method: 'PATCH', path: `${collection}/:id/custom_fields/:slug`, handle: call => update(call, bySlug(call)) },
    {
      method: 'DELETE',
      path: `${collection}/:id/custom_fields/:slug`,
      handle: call => remove(call, bySlug(call), 204),
    },
  ];
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

function search({ backend, query }: Call): CustomField[] {
  const entityType = query.get('filter[entity_type]')?.toLowerCase().replace('cargo', 'container');
  const entityId = query.get('filter[entity_id]');
  const definitionId = query.get('filter[definition_id]');
  return backend.store.customFields
    .newestFirst()
    .filter(
      ({ entity, definition }) =>
        (!entityType || entity.type.replaceAll('_', '') === entityType.replaceAll('_', '')) &&
        (!entityId || entity.id === entityId) &&
        (!definitionId || definition.id === definitionId),
    );
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
