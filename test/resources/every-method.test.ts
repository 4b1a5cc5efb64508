import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, type Hooks, type SchemaMismatch, type TrackingClient } from '../../src/index.ts';
import { clientOf, serveScript } from '../../support/paged-server.ts';
import type { Answer } from '../../support/server.ts';

/** The last item is the content type of the body, if it is not JSON:API. */
type Operation = [
  request: string,
  call: (client: TrackingClient) => PromiseLike<unknown>,
  body?: unknown,
  type?: string,
];

const DATE = new Date(Date.UTC(2026, 2, 9));
const PORTS = { port_id: 'p2', previous_port_id: 'p1' };
const BILL = { request_type: 'bill_of_lading', request_number: 'BL1', scac: 'MAEU' } as const;
const DEFINITION = {
  entity_type: 'Shipment',
  api_slug: 'buyer',
  display_name: 'Buyer',
  data_type: 'short_text',
} as const;

/** A JSON:API body. */
function data(type: string, attributes: object, others: object = {}) {
  return { data: { type, attributes, ...others } };
}

/** The four operations that shipments, containers and tracking requests share. */
function customFieldsOf(group: 'shipments' | 'containers' | 'trackingRequests', path: string): Operation[] {
  const value = { api_slug: 'buyer', value: 'Kim' };
  return [
    [`GET ${path}/1/custom_fields?page[number]=1`, client => client[group].customFields.list('1')],
    [`POST ${path}/1/custom_fields`, client => client[group].customFields.set('1', value), data('custom_field', value)],
    [
      `PATCH ${path}/1/custom_fields/buyer`,
      client => client[group].customFields.update('1', 'buyer', ['a', 'b']),
      data('custom_field', { value: ['a', 'b'] }),
    ],
    [`DELETE ${path}/1/custom_fields/buyer`, client => client[group].customFields.delete('1', 'buyer')],
  ];
}

/**
 * Requests with more than a path and an id. The tests in `test/service/` send every operation and compare it with its
 * description.
 */
const OPERATIONS: Operation[] = [
  [
    'GET /shipments?include=containers,port_of_lading&number=BL1&q=x%20y&filter[tracking_stopped]=false&page[number]=3&page[size]=50',
    client =>
      client.shipments.list({
        include: ['containers', 'port_of_lading'],
        filter: { tracking_stopped: false },
        number: 'BL1',
        q: 'x y',
        pageNumber: 3,
        pageSize: 50,
      }),
  ],
  ['GET /shipments/1?include=containers', client => client.shipments.get('1', { include: ['containers'] })],
  [
    'PATCH /shipments/1',
    client => client.shipments.update('1', { ref_numbers: ['PO 1'], tags: undefined }),
    data('shipment', { ref_numbers: ['PO 1'] }, { id: '1' }),
  ],
  ...customFieldsOf('shipments', '/shipments'),

  [
    'GET /containers?include=shipment,shipment.port_of_lading&sort=created_at&filter[number]=MSCU1234565&page[number]=1',
    client => client.containers.list({ filter: { number: 'MSCU1234565' }, include: ['shipment.port_of_lading'] }),
  ],
  [
    'GET /containers/1?include=transport_events,transport_events.location',
    client => client.containers.get('1', { include: ['transport_events.location'] }),
  ],
  [
    'PATCH /containers/1',
    client => client.containers.update('1', { ref_numbers: [] }),
    data('container', { ref_numbers: [] }, { id: '1' }),
  ],
  [
    'GET /containers/1/transport_events?include=location,vessel&page[number]=1',
    client => client.containers.transportEvents('1', { include: ['location', 'vessel'] }),
  ],
  ['GET /containers/1/route?include=port,vessel,route_location', client => client.containers.route('1')],
  [
    'GET /containers/summary?group_by=pod_terminal&filter[number]=MSCU1234566',
    client => client.containers.summary({ group_by: 'pod_terminal', filter: { number: 'MSCU1234566' } }),
  ],
  ...customFieldsOf('containers', '/containers'),

  ['GET /me', client => client.me()],
  [
    'GET /accounts/1/custom_field_definitions?include=options&page[number]=1',
    client => client.accounts.customFieldDefinitions('1', { include: ['options'] }),
  ],

  [
    'GET /tracking_requests?include=customer&q=x&filter[request_number]=BL1&filter[status]=awaiting_manifest&filter[scac]=MAEU' +
      '&filter[created_at][start]=2026-03-09T00%3A00%3A00.000Z&filter[created_at][end]=2026-03-10T00%3A00%3A00Z' +
      '&filter[updated_at][end]=2026-03-09T00%3A00%3A00.000Z&page[number]=1',
    client =>
      client.trackingRequests.list({
        filter: {
          request_number: 'BL1',
          status: 'awaiting_manifest',
          scac: 'MAEU',
          created_at: { start: DATE, end: '2026-03-10T00:00:00Z' },
          updated_at: { start: undefined, end: DATE },
        },
        include: ['customer'],
        q: 'x',
      }),
  ],
  [
    'GET /tracking_requests/1?include=tracked_object,user',
    client => client.trackingRequests.get('1', { include: ['tracked_object', 'user'] }),
  ],
  [
    'POST /tracking_requests',
    client =>
      client.trackingRequests.create({
        ...BILL,
        ref_numbers: ['PO 1'],
        shipment_tags: ['urgent'],
        initial_custom_fields: { containers: [{ api_slug: 'lot', value: 7, number: 'MSCU1234565' }] },
        customer: { type: 'party', id: 'p1' },
      }),
    data(
      'tracking_request',
      {
        ...BILL,
        ref_numbers: ['PO 1'],
        shipment_tags: ['urgent'],
        initial_custom_fields: { containers: [{ api_slug: 'lot', value: 7, number: 'MSCU1234565' }] },
      },
      { relationships: { customer: { data: { type: 'party', id: 'p1' } } } },
    ),
  ],
  [
    'POST /tracking_requests',
    client =>
      client.trackingRequests.create({ request_type: 'container', request_number: 'X', auto_detect_vocc_scac: true }),
    data('tracking_request', { request_type: 'container', request_number: 'X', auto_detect_vocc_scac: true }),
  ],
  [
    'PATCH /tracking_requests/1',
    client => client.trackingRequests.update('1', { ref_number: 'PO 1' }),
    data('tracking_request', { ref_number: 'PO 1' }, { id: '1' }),
  ],
  [
    'POST /tracking_requests/infer_number',
    client => client.trackingRequests.inferNumber('MSCU1234565'),
    { number: 'MSCU1234565' },
  ],
  ...customFieldsOf('trackingRequests', '/tracking_requests'),

  [
    'POST /webhooks',
    client =>
      client.webhooks.create({
        url: 'https://a.example/hook',
        active: true,
        events: ['container.updated'],
        headers: [{ name: 'X-Team', value: 'import' }],
      }),
    data('webhook', {
      url: 'https://a.example/hook',
      active: true,
      events: ['container.updated'],
      headers: [{ name: 'X-Team', value: 'import' }],
    }),
  ],
  [
    'PATCH /webhooks/1',
    client => client.webhooks.update('1', { active: true }),
    data('webhook', { active: true }, { id: '1' }),
  ],
  [
    'POST /webhooks/trigger',
    client => client.webhooks.trigger({ url: 'https://a.example/hook', event: 'container.updated', secret: 'secret' }),
    { url: 'https://a.example/hook', event: 'container.updated', secret: 'secret' },
    'application/json',
  ],

  [
    'GET /webhook_notifications?include=webhook&page[number]=1',
    client => client.webhookNotifications.list({ include: ['webhook'] }),
  ],
  [
    'GET /webhook_notifications/1?include=reference_object',
    client => client.webhookNotifications.get('1', { include: ['reference_object'] }),
  ],
  [
    'GET /webhook_notifications/examples?event=container.updated',
    client => client.webhookNotifications.examples({ event: 'container.updated' }),
  ],

  [
    'GET /documents?filter[document_types]=invoice,packing_list&sort=-created_at&page[number]=1&page[size]=5',
    client =>
      client.documents.list({
        filter: { document_types: ['invoice', 'packing_list'] },
        sort: '-created_at',
        pageSize: 5,
      }),
  ],
  [
    'POST /documents',
    client => client.documents.create({ name: 'invoice.pdf', attached_document: 'signed' }),
    { data: { type: 'document', attributes: { name: 'invoice.pdf', attached_document: 'signed' } } },
  ],
  [
    'PATCH /documents/1',
    client => client.documents.update('1', { document_type_manual: 'invoice' }),
    { data: { type: 'document', id: '1', attributes: { document_type_manual: 'invoice' } } },
  ],
  ['POST /documents/1/rotate', client => client.documents.rotate('1', { degrees: 90 }), { degrees: 90 }],
  [
    'POST /rails/active_storage/direct_uploads',
    client =>
      client.directUploads.create({ filename: 'a.pdf', content_type: 'application/pdf', byte_size: 1, checksum: 'x' }),
    { blob: { filename: 'a.pdf', content_type: 'application/pdf', byte_size: 1, checksum: 'x' } },
  ],
  [
    'GET /email_submissions?include=documents&page[number]=1',
    client => client.emailSubmissions.list({ include: ['documents'] }),
  ],
  [
    'GET /document_schemas/commercial_invoice%402026-03-23',
    client => client.documentSchemas.get('commercial_invoice@2026-03-23'),
  ],
  ['GET /parties?page[number]=1&page[size]=5', client => client.parties.list({ pageSize: 5 })],
  ['POST /parties', client => client.parties.create({ company_name: 'ACME' }), data('party', { company_name: 'ACME' })],
  [
    'PATCH /parties/1',
    client => client.parties.update('1', { company_name: 'ACME' }),
    data('party', { company_name: 'ACME' }, { id: '1' }),
  ],

  [
    'GET /custom_field_definitions?filter[entity_type]=Shipment&filter[data_type]=enum_multi&filter[display_name]=Buy&page[number]=1',
    client =>
      client.customFieldDefinitions.list({
        filter: { entity_type: 'Shipment', data_type: 'enum_multi', display_name: 'Buy' },
      }),
  ],
  [
    'POST /custom_field_definitions',
    client => client.customFieldDefinitions.create({ ...DEFINITION, validation: { required: true } }),
    data('custom_field_definition', { ...DEFINITION, validation: { required: true } }),
  ],
  [
    'PATCH /custom_field_definitions/1',
    client => client.customFieldDefinitions.update('1', { description: null }),
    data('custom_field_definition', { description: null }, { id: '1' }),
  ],

  ['GET /custom_field_definitions/d1/options?page[number]=1', client => client.customFieldOptions.list('d1')],
  ['GET /custom_field_definitions/d1/options/1', client => client.customFieldOptions.get('d1', '1')],
  [
    'POST /custom_field_definitions/d1/options',
    client => client.customFieldOptions.create('d1', { label: 'Red', value: 'red', position: 1 }),
    data('custom_field_option', { label: 'Red', value: 'red', position: 1 }),
  ],
  [
    'PATCH /custom_field_definitions/d1/options/1',
    client => client.customFieldOptions.update('d1', '1', { label: 'Red' }),
    data('custom_field_option', { label: 'Red' }, { id: '1' }),
  ],
  ['DELETE /custom_field_definitions/d1/options/1', client => client.customFieldOptions.delete('d1', '1')],

  [
    'GET /custom_fields?filter[entity_type]=Container&filter[entity_id]=c1&filter[definition_id]=d1&page[number]=1',
    client => client.customFields.list({ filter: { entity_type: 'Container', entity_id: 'c1', definition_id: 'd1' } }),
  ],
  [
    'POST /custom_fields',
    client =>
      client.customFields.create({
        api_slug: 'buyer',
        // A value may look like a reference.
        value: { type: 'party', id: 'p1' },
        entity: { type: 'shipment', id: 's1' },
      }),
    data(
      'custom_field',
      { api_slug: 'buyer', value: { type: 'party', id: 'p1' } },
      { relationships: { entity: { data: { type: 'shipment', id: 's1' } } } },
    ),
  ],
  [
    'PATCH /custom_fields/1',
    client => client.customFields.update('1', { value: null }),
    data('custom_field', { value: null }, { id: '1' }),
  ],

  ['GET /shipping_lines?search=maersk&page[number]=1', client => client.shippingLines.list({ search: 'maersk' })],
  ['GET /vessels/9552135', client => client.vessels.get('9552135')],
  [
    'GET /vessels/1?show_positions[from_timestamp]=2026-03-09T00%3A00%3A00.000Z',
    client => client.vessels.get('1', { show_positions: { from_timestamp: DATE } }),
  ],
  [
    'GET /vessels/1/future_positions?port_id=p2&previous_port_id=p1',
    client => client.vessels.futurePositions('1', PORTS),
  ],
  [
    'GET /vessels/1/future_positions_with_coordinates?port_id=p2&previous_port_id=p1&latitude=-1.5&longitude=0',
    client => client.vessels.futurePositionsFromCoordinates('1', { ...PORTS, latitude: -1.5, longitude: 0 }),
  ],
  ['GET /search?query=BL%201', client => client.search('BL 1')],
];

describe('an operation', () => {
  test.each(OPERATIONS)('sends %s', async (request, call, body, type = 'application/vnd.api+json') => {
    const { server, client } = await setUp({ body: { data: [{ type: 'x', id: '1' }] } });
    // The form of the response does not matter for this test.
    await Promise.resolve(call(client)).catch(() => {});
    const [received] = server.requests;
    expect(`${received?.method} ${received?.url.pathname.replace('/v2', '')}${received?.url.search}`).toBe(request);
    expect(received?.body === '' ? undefined : JSON.parse(received?.body ?? '')).toEqual(body);
    expect(received?.headers['content-type']).toBe(body === undefined ? undefined : type);
    expect(server.requests).toHaveLength(1);
  });

  test('sends only its own parameters, and no options of the call', async () => {
    const { server, client } = await setUp({ body: { data: [] } });
    await client.shipments.list({
      signal: new AbortController().signal,
      timeout: 1000,
      deadline: 1000,
      headers: { 'x-team': 'import' },
      retry: false,
      priority: 'bulk',
      concurrency: 2,
      from: undefined,
      filter: undefined,
      pageSize: undefined,
    });
    expect(server.requests[0]?.url.search).toBe('?page[number]=1');
    expect(server.requests[0]?.headers['x-team']).toBe('import');
  });
});

describe('a response', () => {
  test.each<[string, Answer]>([
    ['200 with a body', { body: { data: { type: 'x', id: '1' } } }],
    ['200 without a body', {}],
    ['204', { status: 204 }],
    ['200 with a body that is not JSON', { body: '<p>gone</p>' }],
  ])('with %s to a deletion is returned as undefined', async (_, answer) => {
    const { client } = await setUp(answer);
    expect(await client.webhooks.delete('1')).toBeUndefined();
    expect(await client.shipments.customFields.delete('1', 'buyer')).toBeUndefined();
  });

  test.each([200, 201])('with %i to an upsert is returned as the value', async status => {
    const { client } = await setUp({
      status,
      body: { data: { type: 'custom_field', id: '1', attributes: { value: 7 } } },
    });
    expect((await client.shipments.customFields.set('1', { api_slug: 'lot', value: 7 })).value).toBe(7);
  });

  test.each([
    ['one', { data: notification('1') }, ['1']],
    ['several', { data: [notification('1'), notification('2')] }, ['1', '2']],
  ])('with %s to the examples of an event is returned as an array', async (_, body, ids) => {
    const { client } = await setUp({ body });
    const examples = await client.webhookNotifications.examples({ event: 'container.updated' });
    expect(examples.map(({ id }) => id)).toEqual(ids);
  });

  test('that is not a JSON:API document is returned unchanged', async () => {
    const body = { webhook_notification_ips: ['192.0.2.1'], last_updated: '2026-03-09' };
    const { client } = await setUp({ body });
    expect(await client.webhooks.ips()).toEqual(body);
  });

  test('to a trigger is returned even if the delivery failed', async () => {
    const { client } = await setUp({ body: { succeeded: false, status_code: 500, url: 'https://a.example' } });
    const result = await client.webhooks.trigger({ url: 'https://a.example', event: 'container.updated' });
    expect(result).toMatchObject({ succeeded: false, status_code: 500 });
  });

  test('to inferNumber may lack id and type', async () => {
    const attributes = { number_type: 'container', validation: {}, shipping_line: { candidates: [] } };
    const { client } = await setUp({ body: { data: { attributes } } });
    expect(await client.trackingRequests.inferNumber('X')).toMatchObject({
      type: 'infer_number_results',
      ...attributes,
    });
  });
});

describe('invalid input is refused before a request', () => {
  const webhook = { url: 'https://a.example', active: true, events: ['container.updated'] } as const;

  test.each<[string, (client: TrackingClient) => PromiseLike<unknown>]>([
    ['a blank number to infer', client => client.trackingRequests.inferNumber(' ')],
    ['a blank query', client => client.search('')],
    ['a blank number to track', client => client.trackingRequests.create({ ...BILL, request_number: '' })],
    ['a missing carrier', client => client.trackingRequests.create({ ...BILL, scac: undefined as never })],
    ['a blank carrier', client => client.trackingRequests.createOrFind({ ...BILL, scac: ' ' })],
    ['an id instead of a customer', client => client.trackingRequests.create({ ...BILL, customer: 'p1' as never })],
    ['a webhook over http', client => client.webhooks.create({ ...webhook, url: 'http://a.example' })],
    ['a webhook to an invalid address', client => client.webhooks.update('1', { url: 'a.example' })],
    ['a webhook without events', client => client.webhooks.create({ ...webhook, events: [] })],
    ['an event twice', client => client.webhooks.update('1', { events: ['container.updated', 'container.updated'] })],
    ['a sample over http', client => client.webhooks.trigger({ url: 'http://a.example', event: 'container.updated' })],
    ['invalid attributes', client => client.parties.create('ACME' as never)],
    ['an invalid time', client => client.trackingRequests.list({ filter: { created_at: { start: new Date('x') } } })],
    [
      'a longitude instead of a latitude',
      client => client.vessels.futurePositionsFromCoordinates('1', { ...PORTS, latitude: 118, longitude: 33 }),
    ],
    [
      'a coordinate that is not a number',
      client => client.vessels.futurePositionsFromCoordinates('1', { ...PORTS, latitude: Number.NaN, longitude: 0 }),
    ],
  ])('such as %s', async (_, call) => {
    const { server, client } = await setUp({});
    await expect(Promise.resolve(call(client))).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });

  test('except a webhook to a loopback address, which the sandbox needs', async () => {
    const { server, client } = await setUp({ body: { data: { type: 'webhook', id: '1' } } });
    await client.webhooks.create({ ...webhook, url: 'http://127.0.0.1:3000/hook' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the documented samples', () => {
  test.each<[string, (client: TrackingClient) => PromiseLike<unknown>, object]>([
    [
      'shipments.get.include',
      client => client.shipments.get('1', { include: ['containers', 'port_of_lading', 'pod_terminal'] }),
      { type: 'shipment', containers: [{ type: 'container', number: expect.any(String) }] },
    ],
    [
      'containers.get.include',
      client => client.containers.get('1', { include: ['shipment', 'pod_terminal'] }),
      { shipment: { bill_of_lading_number: expect.any(String) }, pod_terminal: { nickname: expect.any(String) } },
    ],
    [
      'containers.route',
      client => client.containers.route('1'),
      { route_locations: expect.arrayContaining([expect.objectContaining({ type: 'route_location' })]) },
    ],
    ['containers.map_geojson', client => client.containers.mapGeojson('1'), { type: 'FeatureCollection' }],
    ['custom_fields.create', client => client.customFields.get('1'), { type: 'custom_field' }],
    ['tracking_requests.create', client => client.trackingRequests.create(BILL), { status: 'pending' }],
    ['tracking_requests.infer_number', client => client.trackingRequests.inferNumber('X'), { number_type: 'booking' }],
    ['webhooks.create', client => client.webhooks.get('1'), { secret: expect.any(String) }],
    [
      'tracking_requests.list',
      client => client.trackingRequests.list().toArray({ limit: 5 }),
      { 0: { type: 'tracking_request' } },
    ],
    [
      'containers.raw_events',
      client => client.containers.rawEvents('1'),
      { 0: { location: { name: expect.any(String) } } },
    ],
    [
      'containers.transport_events',
      client => client.containers.transportEvents('1', { include: ['location'] }).toArray(),
      { length: 9, 0: { type: 'transport_event' } },
    ],
    ['shipments.list', client => client.shipments.list().toArray({ limit: 2 }), { length: 2 }],
    ['containers.list', client => client.containers.list().toArray({ limit: 3 }), { length: 3 }],
    ['shipping_lines.list', client => client.shippingLines.list().toArray(), { length: 5 }],
    ['parties.list', client => client.parties.list().toArray({ limit: 2 }), { length: 2 }],
    [
      'custom_field_definitions.list',
      client => client.customFieldDefinitions.list().toArray({ limit: 3 }),
      { length: 3 },
    ],
    ['custom_field_options.list', client => client.customFieldOptions.list('1').toArray({ limit: 2 }), { length: 2 }],
    [
      'webhook_notifications.list',
      client => client.webhookNotifications.list().toArray({ limit: 2 }),
      { length: 2, 0: { type: 'webhook_notification' } },
    ],
    ['search', client => client.search('X'), { length: 3, 0: { type: 'search_result' } }],
  ])('of %s pass in strict mode and are linked', async (file, call, expected) => {
    const text = readFileSync(resolve(import.meta.dirname, `../../support/samples/${file}.json`), 'utf8');
    const { client, mismatches } = await setUp({ body: text }, 'strict');
    expect(await call(client)).toMatchObject(expected);
    expect(mismatches).toEqual([]);
  });
});

function notification(id: string) {
  return { type: 'webhook_notification', id, attributes: { event: 'container.updated' } };
}

async function setUp(answer: Answer, validation: 'strict' | 'off' = 'off') {
  const server = await serveScript(() => answer);
  const mismatches: SchemaMismatch[] = [];
  const hooks: Hooks = { onSchemaMismatch: ({ mismatch }) => mismatches.push(mismatch) };
  return { server, mismatches, client: clientOf(server, { validation, hooks }) };
}
