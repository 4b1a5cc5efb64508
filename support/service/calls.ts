import type { TrackingClient } from '../../src/index.ts';
import { BILL, BLOB, DEFINITION, FILE, type World } from './world.ts';

export type Call = (client: TrackingClient, world: World) => PromiseLike<unknown>;

/**
 * Every operation of the service, called as a user calls it: one request each, with all includes. The calls run in this order,
 * so records are deleted at the end.
 */
export const calls: Record<string, Call> = {
  'shipments.list': client =>
    client.shipments.list({
      pageSize: 100,
      include: [
        'containers',
        'pod_terminal',
        'port_of_lading',
        'port_of_discharge',
        'destination',
        'destination_terminal',
      ],
    }),
  'shipments.get': (client, { shipment }) =>
    client.shipments.get(shipment, {
      include: [
        'containers',
        'pod_terminal',
        'port_of_lading',
        'port_of_discharge',
        'destination',
        'destination_terminal',
      ],
    }),
  'shipments.update': (client, { shipment }) =>
    client.shipments.update(shipment, { ref_numbers: ['PO 2'], tags: ['late'] }),
  'shipments.stopTracking': (client, { shipment }) => client.shipments.stopTracking(shipment),
  'shipments.resumeTracking': (client, { shipment }) => client.shipments.resumeTracking(shipment),
  ...partyRolesOf('shipments', ({ shipment }) => shipment),
  ...customFieldsOf('shipments', ({ shipment }) => shipment, 'buyer'),

  'containers.list': client =>
    client.containers.list({
      pageSize: 100,
      include: ['shipment', 'pod_terminal', 'pickup_facility', 'transport_events'],
    }),
  'containers.get': (client, { container }) =>
    client.containers.get(container, { include: ['shipment', 'pod_terminal', 'pickup_facility', 'transport_events'] }),
  'containers.update': (client, { container }) => client.containers.update(container, { ref_numbers: ['PO 3'] }),
  // The client has no method for this operation.
  'containers.updateLegacy': (client, { container }) =>
    client.request({
      method: 'PATCH',
      path: '/containers',
      body: { data: { type: 'container', id: container, attributes: { ref_numbers: ['PO 4'] } } },
    }),
  'containers.transportEvents': (client, { container }) =>
    client.containers.transportEvents(container, {
      include: ['location', 'terminal', 'vessel', 'shipment', 'container'],
    }),
  'containers.rawEvents': (client, { container }) => client.containers.rawEvents(container),
  'containers.mapGeojson': (client, { container }) => client.containers.mapGeojson(container),
  'containers.summary': client => client.containers.summary({ group_by: 'pod_terminal' }),
  'containers.route': (client, { container }) => client.containers.route(container),
  'containers.refresh': (client, { container }) => client.containers.refresh(container),
  ...partyRolesOf('containers', ({ container }) => container),
  ...customFieldsOf('containers', ({ container }) => container, 'lot'),

  'trackingRequests.create': (client, { party }) =>
    client.trackingRequests.create({
      ...BILL,
      request_number: 'MAEUATSEA9999',
      ref_numbers: ['PO 1'],
      shipment_tags: ['urgent'],
      customer: { type: 'party', id: party },
    }),
  'trackingRequests.list': client => client.trackingRequests.list({ include: ['tracked_object', 'customer', 'user'] }),
  'trackingRequests.get': (client, { tracking }) => client.trackingRequests.get(tracking),
  'trackingRequests.update': (client, { tracking }) => client.trackingRequests.update(tracking, { ref_number: 'PO 2' }),
  'trackingRequests.inferNumber': client => client.trackingRequests.inferNumber('MAEU123456789'),
  ...partyRolesOf('trackingRequests', ({ tracking }) => tracking),
  ...customFieldsOf('trackingRequests', ({ tracking }) => tracking, 'buyer'),

  'webhooks.list': client => client.webhooks.list(),
  'webhooks.create': (client, { hook }) =>
    client.webhooks.create({
      url: `${hook}/other`,
      active: false,
      events: ['container.updated'],
      headers: [{ name: 'X-Team', value: 'import' }],
    }),
  'webhooks.get': (client, { webhook }) => client.webhooks.get(webhook),
  'webhooks.update': (client, { webhook }) => client.webhooks.update(webhook, { active: false }),
  'webhooks.events': client => client.webhooks.events(),
  'webhooks.ips': client => client.webhooks.ips(),
  'webhooks.trigger': (client, { hook }) => client.webhooks.trigger({ url: hook, event: 'container.updated' }),
  'webhookNotifications.list': client => client.webhookNotifications.list(),
  'webhookNotifications.get': (client, { notification }) => client.webhookNotifications.get(notification),
  'webhookNotifications.examples': client => client.webhookNotifications.examples({ event: 'container.updated' }),

  'shippingLines.list': client => client.shippingLines.list({ search: 'a' }),
  'shippingLines.get': (client, { line }) => client.shippingLines.get(line),
  'ports.get': client => client.ports.get('USLAX'),
  'metroAreas.get': client => client.metroAreas.get('USEWI'),
  'terminals.get': (client, { terminal }) => client.terminals.get(terminal),
  'vessels.get': (client, { vessel }) => client.vessels.get(vessel.id, { show_positions: true }),
  'vessels.getByImo': (client, { vessel }) => client.vessels.get(vessel.imo),
  'vessels.futurePositions': (client, { vessel, ports: [from = '', to = ''] }) =>
    client.vessels.futurePositions(vessel.id, { port_id: to, previous_port_id: from }),
  'vessels.futurePositionsFromCoordinates': (client, { vessel, ports: [from = '', to = ''] }) =>
    client.vessels.futurePositionsFromCoordinates(vessel.id, {
      port_id: to,
      previous_port_id: from,
      latitude: 30,
      longitude: 130,
    }),

  me: client => client.me(),
  'accounts.list': client => client.accounts.list(),
  'accounts.customFieldDefinitions': client => client.accounts.customFieldDefinitions('1', { include: ['options'] }),
  'parties.list': client => client.parties.list({ pageSize: 1 }),
  'parties.create': client => client.parties.create({ company_name: 'Northwind' }),
  'parties.get': (client, { party }) => client.parties.get(party),
  'parties.update': (client, { party }) => client.parties.update(party, { company_name: 'Southwind' }),

  'customFieldDefinitions.list': client => client.customFieldDefinitions.list(),
  'customFieldDefinitions.create': client => client.customFieldDefinitions.create({ ...DEFINITION, api_slug: 'grade' }),
  'customFieldDefinitions.get': (client, { enumeration }) => client.customFieldDefinitions.get(enumeration),
  'customFieldDefinitions.update': (client, { definition }) =>
    client.customFieldDefinitions.update(definition, { description: 'Who buys' }),
  'customFieldOptions.list': (client, { enumeration }) => client.customFieldOptions.list(enumeration),
  'customFieldOptions.create': (client, { enumeration }) =>
    client.customFieldOptions.create(enumeration, { label: 'Blue', value: 'blue', position: 2 }),
  'customFieldOptions.get': (client, { enumeration, option }) => client.customFieldOptions.get(enumeration, option),
  'customFieldOptions.update': (client, { enumeration, option }) =>
    client.customFieldOptions.update(enumeration, option, { label: 'Dark red' }),
  'customFields.list': client => client.customFields.list(),
  'customFields.create': (client, { shipment }) =>
    client.customFields.create({ api_slug: 'buyer', value: 'Kim', entity: { type: 'shipment', id: shipment } }),
  'customFields.get': (client, { field }) => client.customFields.get(field),
  'customFields.update': (client, { field }) => client.customFields.update(field, { value: 'red' }),

  'directUploads.create': client => client.directUploads.create(BLOB),
  'directUploads.put': (client, { slot }) => client.directUploads.put(slot, FILE),
  'documents.create': (client, { slot }) =>
    client.documents.create({ name: 'invoice 2.png', attached_document: slot.signed_id }),
  'documents.list': client =>
    client.documents.list({
      sort: '-created_at',
      include: [
        'shipments',
        'cargos',
        'account',
        'user',
        'last_document_representation',
        'current_extraction',
        'email_submission',
      ],
    }),
  'documents.type': client => client.documents.type('packing_list'),
  'documents.types': client => client.documents.types(),
  'documents.get': (client, { document }) =>
    client.documents.get(document, {
      include: [
        'shipments',
        'cargos',
        'account',
        'user',
        'last_document_representation',
        'current_extraction',
        'email_submission',
      ],
    }),
  'documents.update': (client, { document }) => client.documents.update(document, { document_type_manual: 'invoice' }),
  'documents.downloadUrl': (client, { document }) => client.documents.downloadUrl(document),
  'documents.reextract': (client, { document }) => client.documents.reextract(document),
  'documents.reclassify': (client, { document }) => client.documents.reclassify(document),
  'documents.relink': (client, { document }) => client.documents.relink(document),
  'documents.rotate': (client, { document }) => client.documents.rotate(document, { degrees: 90 }),
  'emailSubmissions.list': client =>
    client.emailSubmissions.list({ include: ['account', 'user', 'documents.last_document_representation'] }),
  'emailSubmissions.get': (client, { email }) => client.emailSubmissions.get(email),
  'documentSchemas.get': client => client.documentSchemas.get('commercial_invoice@2026-03-23'),
  search: client => client.search('MAEU'),

  'documents.delete': (client, { document }) => client.documents.delete(document),
  'customFields.delete': (client, { field }) => client.customFields.delete(field),
  'customFieldOptions.delete': (client, { enumeration, option }) =>
    client.customFieldOptions.delete(enumeration, option),
  'customFieldDefinitions.delete': (client, { enumeration }) => client.customFieldDefinitions.delete(enumeration),
  'webhooks.delete': (client, { webhook }) => client.webhooks.delete(webhook),
};

/** The four operations that shipments, containers and tracking requests have in common. */
function customFieldsOf(
  group: 'shipments' | 'containers' | 'trackingRequests',
  idOf: (world: World) => string,
  slug: string,
): Record<string, Call> {
  return {
    [`${group}.customFields.set`]: (client, world) =>
      client[group].customFields.set(idOf(world), { api_slug: slug, value: 'Kim' }),
    [`${group}.customFields.list`]: (client, world) => client[group].customFields.list(idOf(world)),
    [`${group}.customFields.update`]: (client, world) => client[group].customFields.update(idOf(world), slug, 'Lee'),
    [`${group}.customFields.delete`]: (client, world) => client[group].customFields.delete(idOf(world), slug),
  };
}

function partyRolesOf(
  group: 'shipments' | 'containers' | 'trackingRequests',
  idOf: (world: World) => string,
): Record<string, Call> {
  return {
    [`${group}.partyRoles.create`]: (client, world) =>
      client[group].partyRoles.create(idOf(world), {
        role: 'pickup_dray_carrier',
        party: { type: 'party', id: world.carrier },
      }),
    [`${group}.partyRoles.list`]: (client, world) => client[group].partyRoles.list(idOf(world)),
    [`${group}.partyRoles.delete`]: (client, world) => client[group].partyRoles.delete(idOf(world), world.roles[group]),
  };
}
