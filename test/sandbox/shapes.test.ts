import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { isRecord, type WireDocument, type WireResource } from '../../src/jsonapi/document.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { checkDocument } from '../../src/schemas/check.ts';
import { inferNumberResults, notification, searchResult } from '../../src/schemas/index.ts';
import { attributes, call, get, stillSandbox, track } from '../../support/sandbox.ts';

const FIXTURES = new URL('../../support/samples/', import.meta.url);
const fixture = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'));

/** One sandbox with records of every kind. Tests only read from it. */
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = stillSandbox();
  for (const phase of ['booked', 'at_sea', 'held', 'available', 'on_rail', 'picked_up', 'returned'] as const) {
    sandbox.seedShipments(1, { phase, containers: 2 });
  }
  sandbox.seedShipments(40);
  for (const number of ['MAEU123456789', 'MAEUNOTFOUND', 'MAEUUNREACHABLE', 'MAEUINVALID'])
    await track(sandbox, number);
  for (const name of ['Harbor and Pine', 'Northwind', 'Southwind']) {
    await call(sandbox, 'POST', '/parties', attributes('party', { company_name: name }));
  }
  sandbox.advance({ hours: 3 });
});

const idOf = async (path: string): Promise<string> => (await get(sandbox, path)).body.data[0].id;

/** The keys of every object in a value. All items of an array are merged into one item. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape).reduce(merge, []);
  if (!isRecord(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
}

function merge(a: unknown, b: unknown): unknown {
  if (!isRecord(a) || !isRecord(b)) return isRecord(a) ? a : b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map(key => [key, merge(a[key], b[key])]));
}

/** The keys of a resource: all of them are in the samples. Ignores links, and the data inside relationships. */
function keysOf(resource: WireResource) {
  return {
    members: Object.keys(resource).sort(),
    attributes: Object.keys(resource.attributes ?? {}).sort(),
    relationships: Object.keys(resource.relationships ?? {}).sort(),
  };
}

const resourcesOf = ({ data, included = [] }: WireDocument) => [data ?? [], included].flat();

function sampleOf(name: string, type: string, key?: string): WireResource {
  const document = key === undefined ? fixture(name) : fixture(name)[key];
  const resource = resourcesOf(document).find(candidate => candidate.type === type);
  if (resource === undefined) throw new Error(`No ${type} in ${name}`);
  return resource;
}

describe('resources have the keys of the samples:', () => {
  test.each([
    ['shipment', '/shipments?page[size]=100', 'shipments.list'],
    ['container', '/containers?page[size]=100', 'containers.list'],
    ['tracking_request', '/tracking_requests', 'tracking_requests.list'],
    ['shipment', '/tracking_requests', 'tracking_requests.list'],
    ['port', '/shipments?include=port_of_lading', 'shipments.get.include'],
    ['terminal', '/containers?include=pod_terminal,pickup_facility', 'containers.transport_events'],
    ['party', '/parties', 'parties.list'],
  ])('%s in the response to %s', async (type, path, name) => {
    const resources = resourcesOf((await get(sandbox, path)).body).filter(resource => resource.type === type);
    expect(resources.length).toBeGreaterThan(0);
    for (const resource of resources) expect(keysOf(resource)).toEqual(keysOf(sampleOf(name, type)));
  });

  test('transport events and raw events', async () => {
    const id = await idOf('/containers');
    const events = (await get(sandbox, `/containers/${id}/transport_events`)).body;
    const sample = keysOf(sampleOf('containers.transport_events', 'transport_event'));
    // The sample is older than the attribute `value_timestamp`.
    const expected = { ...sample, attributes: [...sample.attributes, 'value_timestamp'].sort() };
    for (const event of events.data) expect(keysOf(event)).toEqual(expected);
    const raw = (await get(sandbox, `/containers/${id}/raw_events`)).body;
    for (const event of raw.data) expect(keysOf(event)).toEqual(keysOf(sampleOf('containers.raw_events', 'raw_event')));
    expect(Object.keys(raw)).toEqual(['data', 'included']);
    expect(new Set(raw.included.map(({ type }: WireResource) => type))).toContain('port');
  });

  test('vessels, metro areas and shipping lines', async () => {
    const shipment = (await get(sandbox, '/shipments?page[size]=100')).body.data.find(
      (record: WireResource) => record.attributes?.pod_vessel_imo,
    );
    const vessel = (await get(sandbox, `/vessels/${shipment.attributes.pod_vessel_imo}`)).body.data;
    expect(keysOf(vessel)).toEqual(keysOf(sampleOf('reference_data.get', 'vessel', 'GET /vessels/{imo}')));
    const metroArea = (await get(sandbox, '/metro_areas/USEWI')).body.data;
    expect(keysOf(metroArea)).toEqual(keysOf(sampleOf('reference_data.get', 'metro_area', 'GET /metro_areas/USEWI')));
    const [line] = (await get(sandbox, '/shipping_lines')).body.data;
    const sample = keysOf(sampleOf('shipping_lines.list', 'shipping_line'));
    // The samples lack bol_prefix, which the sandbox must send.
    expect(keysOf(line)).toEqual({ ...sample, attributes: [...sample.attributes, 'bol_prefix'].sort() });
  });

  test('search results', async () => {
    const { data } = (await get(sandbox, '/search?query=MAEU')).body;
    expect(data.length).toBeGreaterThan(3);
    for (const hit of data) expect(keysOf(hit)).toEqual(keysOf(sampleOf('search', 'search_result')));
  });

  test('the map and the route', async () => {
    const boxes = (await get(sandbox, '/containers?page[size]=100')).body.data;
    const maps = await Promise.all(
      boxes.map(async ({ id }: WireResource) => (await get(sandbox, `/containers/${id}/map_geojson`)).body.features),
    );
    const features: { properties: { feature_type: string } }[] = maps.flat();
    const samples: typeof features = fixture('containers.map_geojson').features;
    const types = new Set(features.map(({ properties }) => properties.feature_type));
    expect([...types].sort()).toEqual([
      'current_vessel',
      'estimated_full_legs',
      'estimated_partial_leg',
      'past_vessel_locations',
      'port',
    ]);
    for (const sample of samples) {
      const ours = features.find(({ properties }) => properties.feature_type === sample.properties.feature_type);
      expect(shape(ours)).toEqual(shape(sample));
    }

    const { body } = await get(sandbox, `/containers/${boxes[0].id}/route?include=port,vessel,route_location`);
    expect(Object.keys(body)).toEqual(['data', 'included']);
    expect(keysOf(body.data)).toEqual(keysOf(sampleOf('containers.route', 'route')));
    expect(keysOf(body.included[0])).toEqual(keysOf(sampleOf('containers.route', 'route_location')));
  });
});

test('the map is empty while the route is unknown', async () => {
  const empty = stillSandbox();
  const [{ id } = { id: '' }] = empty.seedContainers(1, { phase: 'booked' });
  expect((await get(empty, `/containers/${id}/map_geojson`)).body).toEqual({ type: 'FeatureCollection', features: [] });
});

describe('lists have the links and meta of the samples:', () => {
  test.each([
    ['shipments.list', '/shipments?page[size]=2'],
    ['containers.list', '/containers?filter[number]=none'],
    ['tracking_requests.list', '/tracking_requests?page[size]=2'],
    ['parties.list', '/parties?page[size]=2'],
    ['search', '/search?query=MAEU'],
    ['shipping_lines.list', '/shipping_lines'],
  ])('%s', async (name, path) => {
    const { links, meta } = (await get(sandbox, path)).body;
    const sample = fixture(name);
    expect(shape({ links, meta })).toEqual(shape({ links: sample.links, meta: sample.meta }));
  });

  test('transport events, which have links but no meta', async () => {
    const path = `/containers/${await idOf('/containers')}/transport_events`;
    const { body } = await get(sandbox, `${path}?include=location,terminal`);
    expect(Object.keys(body)).toEqual(['data', 'included', 'links']);
    expect(body.links).toEqual({
      self: `https://service.example/v2${path}?include=location,terminal`,
      current: `https://service.example/v2${path}?include=location,terminal&page[number]=1`,
    });
  });
});

describe('all responses fit the schemas', () => {
  test.each([
    '/shipments?page[size]=100&include=containers.transport_events.vessel,pod_terminal.port,destination_terminal',
    '/containers?page[size]=100&include=shipment.port_of_discharge,raw_events.location,pickup_facility',
    '/tracking_requests?include=tracked_object,customer,user',
    '/shipping_lines',
    '/ports/USLAX',
    '/metro_areas/usewi',
    '/parties',
    '/webhooks/events',
  ])('for %s', async path => {
    const { status, body } = await get(sandbox, path);
    expect(status).toBe(200);
    expect(checkDocument(body)).toEqual([]);
  });

  test('at every time of a voyage', async () => {
    const moving = stillSandbox();
    moving.seedShipments(25);
    for (let week = 0; week < 8; week++) {
      const { body } = await get(moving, '/containers?page[size]=100&include=shipment,transport_events,raw_events');
      expect(checkDocument(body)).toEqual([]);
      moving.advance({ days: 7 });
    }
  });

  test('for search results, inferences and sample notifications', async () => {
    for (const hit of (await get(sandbox, '/search?query=MAEU')).body.data) {
      expect(searchResult.safeParse(hit).error).toBeUndefined();
    }
    const inferred = await call(sandbox, 'POST', '/tracking_requests/infer_number', { number: 'MAEU123456789' });
    expect(inferNumberResults.safeParse(inferred.body.data).error).toBeUndefined();
    const { data } = (await get(sandbox, '/webhooks/events')).body;
    const names = data.flatMap((category: WireResource) => category.attributes?.events as { name: string }[]);
    expect(names).toHaveLength(46);
    for (const { name } of names) {
      const { body } = await get(sandbox, `/webhook_notifications/examples?event=${name}`);
      expect({ name, mismatches: checkDocument(body) }).toEqual({ name, mismatches: [] });
      expect({ name, error: notification.safeParse(body).error }).toEqual({ name, error: undefined });
    }
  });
});

describe('sample notifications include the records of the event matrix', () => {
  interface Row {
    event: string;
    reference_object: string | null;
    included: string[] | null;
  }

  test.each(fixture('webhooks.event_matrix') as Row[])('$event', async ({ event, ...row }) => {
    const { body } = await get(sandbox, `/webhook_notifications/examples?event=${event}`);
    const { reference_object: reference, document } = body.data.relationships;
    const isOlder = event.startsWith('document.');
    expect(reference?.data.type ?? null).toBe(isOlder ? null : row.reference_object);
    expect(document === undefined).toBe(!isOlder);
    const types = body.included?.map(({ type }: WireResource) => type) ?? null;
    const expected = row.included?.filter(type => type !== 'key absent') ?? null;
    const optional = ['terminal', 'vessel', 'email_submission'];
    const core = (list: string[] | null) => list?.filter(type => !optional.includes(type)) ?? null;
    expect(new Set(core(types))).toEqual(new Set(core(expected)));
  });
});

describe('include', () => {
  test('follows dotted paths to three levels, and adds each record once', async () => {
    const id = await idOf('/shipments');
    const { body } = await get(sandbox, `/shipments/${id}?include=containers.shipment.port_of_lading,port_of_lading`);
    const included: WireResource[] = body.included;
    expect(included.map(({ type }) => type)).not.toContain('shipment');
    expect(included.filter(({ type }) => type === 'port')).toHaveLength(1);
    expect(new Set(included.map(({ type, id: its }) => `${type} ${its}`)).size).toBe(included.length);
  });

  test.each([
    ['/shipments?include=nonsense', 'nonsense is not specified as a relationship on ShipmentSerializer'],
    ['/shipments?include=containers.nonsense', 'nonsense is not specified as a relationship on ContainerSerializer'],
    ['/shipments?include=shipping_line', 'shipping_line is not specified as a relationship on ShipmentSerializer'],
    [
      '/containers?include=shipment.containers.shipment.containers',
      'containers is not specified as a relationship on ShipmentSerializer',
    ],
  ])('is refused in %s, and the error has the name that is not a relationship', async (path, detail) => {
    const { status, body } = await get(stillSandbox(), path);
    expect(status).toBe(400);
    expect(body).toEqual({
      errors: [{ status: '400', source: { parameter: 'include' }, title: 'Bad Request', detail }],
    });
  });

  test('of an empty to-one relationship adds no record', async () => {
    const empty = stillSandbox();
    empty.seedShipments(1, { phase: 'booked' });
    const { body } = await get(empty, '/shipments?include=port_of_discharge,destination');
    expect(body.included).toEqual([]);
  });
});

describe('errors have the bodies of the samples', () => {
  const samples = fixture('errors');
  const missing = '00000000-0000-4000-8000-000000000000';

  test.each([
    ['GET', `/shipments/${missing}`, 404, '404 plain'],
    ['GET', `/tracking_requests/${missing}`, 404, '404 plain'],
    ['GET', `/containers/${missing}/transport_events`, 404, '404 plain'],
    ['GET', '/ports/XXXXX', 404, '404 plain'],
    ['GET', '/search', 400, '400 search without query'],
    ['GET', '/webhook_notifications/examples', 400, '400 examples without event'],
    ['GET', `/containers/${missing}/map_geojson`, 403, '403 routing'],
    ['PATCH', `/containers/${missing}/refresh`, 403, '403 refresh'],
  ])('%s %s', async (method, path, status, name) => {
    const poor = stillSandbox({ features: { routing: false, refresh: false } });
    const answer = await call(poor, method, path);
    expect(answer.status).toBe(status);
    const sample = JSON.stringify(samples[name]).replace('{support_email}', 'support@sandbox.example');
    expect(answer.body).toEqual(JSON.parse(sample));
  });

  test('for an unknown path, which gets an HTML page with and without a key', async () => {
    for (const path of ['/v2/nothing', '/v3/shipments', '/v2']) {
      const response = await stillSandbox().fetch(new Request(`https://service.example${path}`));
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('text/html');
      expect(await response.text()).toContain('<html>');
    }
    expect((await call(stillSandbox(), 'DELETE', '/shipments')).status).toBe(404);
  });

  test.each([undefined, 'sandbox', 'Token wrong', 'Token', 'Basic sandbox'])(
    'for the credential %s, which is refused',
    async key => {
      const headers = key === undefined ? {} : { authorization: key };
      const response = await stillSandbox().fetch(new Request('https://service.example/v2/shipments', { headers }));
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual(samples['401 (documents, search)']);
    },
  );

  test('for a body that is not JSON, which gets a 400', async () => {
    const response = await stillSandbox().fetch(
      new Request('https://service.example/v2/parties', {
        method: 'POST',
        headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
        body: '{"data":',
      }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ status: '400', title: 'Bad Request' }] });
  });
});

test('every response has a unique request id and the media type of JSON:API', async () => {
  const [first, second] = [await get(sandbox, '/shipments'), await get(sandbox, '/nothing')];
  expect(first.headers.get('content-type')).toBe('application/vnd.api+json');
  expect(first.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
});

describe('write requests', () => {
  test('accept a body without a type, and the media type application/json', async () => {
    const own = stillSandbox();
    const response = await own.fetch(
      new Request('https://service.example/v2/parties', {
        method: 'POST',
        headers: { authorization: 'Token sandbox', 'content-type': 'application/json' },
        body: JSON.stringify({ data: { attributes: { company_name: 'Harbor' } } }),
      }),
    );
    expect(response.status).toBe(201);
  });

  test('identify a container by the path or by the id in the body', async () => {
    const own = stillSandbox();
    const [{ id } = { id: '' }] = own.seedContainers(1);
    const edit = (refs: string[]) => ({ data: { type: 'container', id, attributes: { ref_numbers: refs } } });
    const long = await call(own, 'PATCH', `/containers/${id}`, edit(['A']));
    expect(long.body.data.attributes.ref_numbers).toEqual(['A']);
    const short = await call(own, 'PATCH', '/containers', edit(['B']));
    expect(short.body.data).toMatchObject({ id, attributes: { ref_numbers: ['B'] } });
    expect((await call(own, 'PATCH', '/containers', { data: { type: 'container' } })).status).toBe(404);
  });

  test('change the references and the tags of a shipment only if the body has them', async () => {
    const own = stillSandbox();
    const [{ id } = { id: '' }] = own.seedShipments(1, { tags: ['a'] });
    const refs = { ref_numbers: ['R'] };
    const { body } = await call(own, 'PATCH', `/shipments/${id}`, { data: { type: 'shipment', id, attributes: refs } });
    expect(body.data.attributes).toMatchObject({ ref_numbers: ['R'], tags: ['a'] });
  });

  test('refuse an empty name for a party, and refuse a name that another party has', async () => {
    const own = stillSandbox();
    const create = (name: string) => call(own, 'POST', '/parties', attributes('party', { company_name: name }));
    const created = await create('Sample Imports LLC');
    expect(created.body.links.self).toBe(`https://service.example/v2/parties/${created.body.data.id}`);
    const samples = fixture('errors');
    expect((await create(' ')).body).toEqual(samples['422 party']);
    expect((await create('Sample Imports LLC')).body).toEqual(samples['422 party name taken']);
    const same = attributes('party', { company_name: 'Sample Imports LLC' });
    expect((await call(own, 'PATCH', `/parties/${created.body.data.id}`, same)).status).toBe(200);
  });
});

describe('shipments and containers are found', () => {
  test('by the requested number, never by the number of a container', async () => {
    const own = stillSandbox();
    const [shipment] = own.seedShipments(3, { containers: 1 });
    await track(own, 'MAEU123456789', { request_type: 'booking_number' });
    own.advance({ minutes: 1 });
    const found = async (path: string) => (await get(own, path)).body.data.length;
    expect(await found('/shipments?number=MAEU123456789')).toBe(1);
    expect(await found(`/shipments?number=${shipment?.containers[0]?.number}`)).toBe(0);
    expect(await found(`/shipments?q=${shipment?.containers[0]?.number}`)).toBe(1);
    expect(await found(`/containers?filter[number]=${shipment?.containers[0]?.number}`)).toBe(1);
    expect(await found('/containers?filter%5Bnumber%5D=MSCU1234566')).toBe(0);
  });
});
