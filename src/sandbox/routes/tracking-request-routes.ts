import { isRecord } from '../../jsonapi/document.ts';
import type { TrackingRequestType } from '../../model/index.ts';
import { asContainerNumber } from '../base/container-number.ts';
import { accountIdOf } from '../entities/account-entities.ts';
import { requestStatus, requestUpdatedAt, trackingRequest } from '../entities/tracking-entities.ts';
import { type Call, type Input, requested, stringsOr, text } from '../http/call.ts';
import { blank, type ErrorObject, invalid, named, notListed, unprocessable } from '../http/errors.ts';
import { created, includeOf, list, ok, one, type Reply } from '../http/replies.ts';
import { routesFrom } from '../http/router.ts';
import { checkField } from '../service/custom-fields.ts';
import { inferNumber } from '../service/infer-number.ts';
import { addRole, ROLES } from '../service/party-roles.ts';
import { startTracking } from '../service/tracking.ts';
import type { Backend } from '../state/backend.ts';
import { makeRequest } from '../state/new-records.ts';
import type { Party, TrackingRequest } from '../state/store.ts';
import type { Carrier } from '../world/carriers.ts';

const treeOf = (call: Call) => includeOf(call, 'tracking_request', 'tracked_object');
/** `tree` is read before the change: if `include` is wrong, the request must change nothing. */
const answer = (call: Call, record: TrackingRequest, tree = treeOf(call)): Reply =>
  one(call, trackingRequest(call.backend, record), tree);

export const trackingRequestRoutes = routesFrom({
  'GET /tracking_requests'(call) {
    const tree = treeOf(call);
    return list(call, search(call), record => trackingRequest(call.backend, record), { tree, meta: 'pagination' });
  },
  'POST /tracking_requests': {
    bucket: 'createTrackingRequest',
    free: true,
    async handle(call) {
      const { backend } = call;
      const input = await call.input();
      const roles = partiesOf(backend, input.relationships);
      const record = backend.store.trackingRequests.add(newRequest(backend, input));
      for (const [role, party] of roles) addRole(backend, 'TrackingRequest', record.id, role, party);
      if (record.customer) addRole(backend, 'TrackingRequest', record.id, 'customer', record.customer);
      startTracking(backend, record);
      return created(trackingRequest(backend, record));
    },
  },
  'POST /tracking_requests/infer_number': {
    bucket: 'inferNumber',
    async handle(call) {
      const body = await call.json();
      const { backend } = call;
      const attributes = inferNumber(backend.carriers, isRecord(body) ? text(body, 'number') : '');
      if (attributes === null) throw named('invalid-reference-number');
      const id = `req_${backend.ids.next('infer_number_results')}`;
      return ok({ data: { id, type: 'infer_number_results', attributes } });
    },
  },
  'GET /tracking_requests/:id': call => answer(call, requested(call, 'trackingRequests')),
  async 'PATCH /tracking_requests/:id'(call) {
    const record = requested(call, 'trackingRequests');
    const tree = treeOf(call);
    const refNumber = text((await call.input()).attributes, 'ref_number');
    if (refNumber !== '' && !record.refNumbers.includes(refNumber)) {
      record.refNumbers = [...record.refNumbers, refNumber];
      record.updatedAt = call.backend.now;
    }
    return answer(call, record, tree);
  },
});

function search({ backend, query }: Call): TrackingRequest[] {
  const filter = (name: string) => query.get(`filter${name}`) || null;
  const time = (name: string) => (filter(name) === null ? null : Date.parse(filter(name) ?? ''));
  const [number, status, scac] = [filter('[request_number]'), filter('[status]'), filter('[scac]')];
  const [createdFrom, createdTo] = [time('[created_at][start]'), time('[created_at][end]')];
  const [updatedFrom, updatedTo] = [time('[updated_at][start]'), time('[updated_at][end]')];
  const isUnbounded = updatedFrom === null && updatedTo === null;
  const q = query.get('q')?.toUpperCase() ?? '';

  return backend.store.trackingRequests
    .newestFirst()
    .filter(
      record =>
        (number === null || isSameNumber(record, number)) &&
        (status === null || requestStatus(backend, record) === status) &&
        (scac === null || hasScac(record.carrier, scac)) &&
        isBetween(record.createdAt, createdFrom, createdTo) &&
        [record.number, ...record.refNumbers].some(text => text.toUpperCase().includes(q)) &&
        (isUnbounded || isBetween(requestUpdatedAt(backend, record), updatedFrom, updatedTo)),
    );
}

/** The number of a container may be requested in another spelling. */
function isSameNumber({ type, number }: TrackingRequest, other: string): boolean {
  return number === other || (type === 'container' && asContainerNumber(number) === asContainerNumber(other));
}

/** A bound that is not a date has no effect. */
function isBetween(time: number, from: number | null, to: number | null): boolean {
  return !(from !== null && time < from) && !(to !== null && time > to);
}

function hasScac(carrier: Carrier | null, scac: string): boolean {
  return carrier !== null && (carrier.scac === scac || carrier.alternatives.includes(scac));
}

const TYPES: readonly TrackingRequestType[] = ['bill_of_lading', 'booking_number', 'container'];

/** @throws {HttpError} 422 for missing or wrong attributes, and for a number that is tracked already. */
function newRequest(backend: Backend, { attributes, relationships }: Input): TrackingRequest {
  const errors: ErrorObject[] = [];
  const number = text(attributes, 'request_number');
  const scac = text(attributes, 'scac');
  const type = TYPES.find(known => known === attributes.request_type);
  const carrier = backend.carriers.find(candidate => hasScac(candidate, scac)) ?? null;
  const customer = customerOf(backend, relationships);

  if (type === undefined) errors.push(notListed('request_type'));
  if (number === '') errors.push(blank('request_number'));
  if (scac === '') {
    if (attributes.auto_detect_vocc_scac !== true) errors.push(blank('scac'));
  } else if (carrier === null) {
    errors.push(invalid('attributes/scac', `Scac '${scac}' is not recognized`, 'blank'));
  } else if (type !== undefined && !carrier.tracks[type]) {
    const reason = `${carrier.name} does not support tracking by ${type}.`;
    errors.push(invalid('attributes/scac', `Scac '${scac}' is not supported. ${reason}`, 'blank'));
  } else if (isTracked(backend, number, carrier)) {
    const detail = `Request number '${number}' with scac '${scac}' already exists in a tracking_request with a pending or created status`;
    errors.push(invalid('attributes/request_number', detail, 'duplicate'));
  }
  if (customer === undefined) errors.push(invalid('relationships/customer', 'Customer must exist'));
  if (type === undefined || customer === undefined || errors.length > 0) throw unprocessable(...errors);

  return makeRequest(backend.ids.next('tracking_request'), backend.now, {
    number,
    type,
    carrier,
    refNumbers: stringsOr([], attributes, 'ref_numbers'),
    tags: stringsOr([], attributes, 'shipment_tags'),
    customer,
    initialFields: initialFields(backend, attributes.initial_custom_fields),
  });
}

function initialFields(backend: Backend, input: unknown): TrackingRequest['initialFields'] {
  const listed = (name: string) => (isRecord(input) && Array.isArray(input[name]) ? input[name].filter(isRecord) : []);
  return {
    shipment: listed('shipment').map(item => checkField(backend, 'shipment', text(item, 'api_slug'), item.value)),
    containers: listed('containers').map(item => ({
      ...checkField(backend, 'container', text(item, 'api_slug'), item.value),
      number: text(item, 'number'),
    })),
  };
}

function isTracked(backend: Backend, number: string, carrier: Carrier): boolean {
  return backend.store.trackingRequests
    .newestFirst()
    .filter(other => isSameNumber(other, number) && other.carrier === carrier)
    .some(other => ['pending', 'created'].includes(requestStatus(backend, other)));
}

/** `null` if there is no customer, `undefined` for a party that does not exist. */
function customerOf({ ids, store }: Backend, { customer }: Record<string, unknown>): Party | null | undefined {
  if (!isRecord(customer) || !isRecord(customer.data)) return null;
  const id = String(customer.data.id);
  return store.parties.get(id) ?? store.parties.newestFirst().find(party => accountIdOf(ids, party) === id);
}

/**
 * The parties of a new request with their roles, without the customer of the request.
 *
 * @throws {HttpError} 422 for a party of another account.
 */
function partiesOf({ store }: Backend, relationships: Record<string, unknown>): [role: string, party: Party][] {
  const roles = ROLES.filter(role => role !== 'customer' && isRecord(relationships[role]));
  return roles.flatMap(role => {
    const { data } = relationships[role] as Record<string, unknown>;
    if (!isRecord(data)) return [];
    const party = store.parties.get(String(data.id));
    if (!party) throw unprocessable(invalid(`relationships/${role}`, 'Party must belong to your account'));
    return [[role, party]];
  });
}
