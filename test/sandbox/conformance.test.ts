import { beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import type { WireDocument, WireResource } from '../../src/jsonapi/document.ts';
import { EVENT_NAMES } from '../../src/model/generated/event-names.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { complaintsAbout, resourceComplaints } from '../../support/service/conformance.ts';
import { description, operations } from '../../support/service/description.ts';
import { NEVER_INCLUDED } from '../../support/service/exceptions.ts';
import { type Exchange, openWorld, runEveryOperation } from '../../support/service/run.ts';

/**
 * Compares the sandbox with the description of the service (description/), over a socket: the response of every operation,
 * and the error responses.
 */

let exchanges: Map<string, Exchange>;
let notifications: Map<string, Exchange>;

/** A sandbox that stays open during all tests, unlike the sandbox of `runEveryOperation`. */
let world: Awaited<ReturnType<typeof openWorld>>;

beforeAll(async () => {
  ({ exchanges, notifications } = await runEveryOperation());
  world = await openWorld();
  return () => world.close();
}, 60_000);

const MISSING = '00000000-0000-4000-8000-000000000000';
const path = (pattern: string) => pattern.replace(/\{[^}]+\}/g, MISSING);
const ofService = operations.filter(({ name }) => name !== 'directUploads.put');

async function ask(method: string, url: string, init: RequestInit = {}, baseUrl = world.baseUrl) {
  const headers = { authorization: 'Token sandbox', 'content-type': 'application/vnd.api+json' };
  const response = await fetch(`${baseUrl}${url}`, { method, headers, ...init });
  const body = JSON.parse((await response.text()) || '{}') as { errors?: unknown[] };
  return { status: response.status, errors: body.errors ?? [], body: body as unknown };
}

const withInclude = operations.filter(({ include }) => include);

/** The id of a record for the path of an operation. */
function idFor(operation: string): string {
  const { shipment, container, tracking, notification, document, email } = world.world;
  const ids: Record<string, string> = {
    accounts: '1',
    shipments: shipment,
    containers: container,
    trackingRequests: tracking,
    webhookNotifications: notification,
    documents: document,
    emailSubmissions: email,
  };
  return ids[operation.split('.')[0] ?? ''] ?? '';
}

describe('the request, status, form, links and meta are as described for', () => {
  test.each(operations)('$name', operation => {
    const exchange = exchanges.get(operation.name);
    expect(exchange && complaintsAbout(operation, exchange)).toEqual([]);
  });
});

describe('the sample notification is as described for', () => {
  test.each(EVENT_NAMES)('%s', event => {
    const operation = operations.find(({ name }) => name === 'webhookNotifications.examples');
    const exchange = notifications.get(event);
    expect(operation && exchange && complaintsAbout(operation, exchange)).toEqual([]);
  });
});

test('the comparison reports a wrong request, status, type, field, link, counter or relationship target', () => {
  const operation = operations.find(({ name }) => name === 'parties.list');
  const exchange = exchanges.get('parties.list');
  if (!operation || !exchange) throw new Error('parties.list is missing');
  const body = JSON.parse(exchange.body ?? '');
  const [party] = body.data;
  const complaints = (changes: Partial<Exchange>, changedBody: object = {}) =>
    complaintsAbout(operation, { ...exchange, body: JSON.stringify({ ...body, ...changedBody }), ...changes });
  expect(complaints({})).toEqual([]);
  expect(complaints({ status: 201 })).toEqual(['status 201 instead of 200']);
  expect(complaints({ log: [] })).toEqual(['0 requests instead of one']);
  expect(complaints({}, { data: party })).toEqual(['data is not an array']);
  expect(complaints({}, { data: [] })).toEqual(['there is no record to check']);
  expect(complaints({}, { data: [{ ...party, attributes: { company_name: 5, city: 'X' } }] })).toEqual([
    'Party/attributes must NOT have additional properties city',
    'Party/attributes/company_name must be string',
  ]);
  expect(complaints({}, { data: [{ ...party, attributes: {} }] })).toEqual([
    "Party/attributes must have required property 'company_name'",
  ]);
  expect(complaints({}, { meta: { total: 1 } })).toEqual(['meta has total instead of size,total,pagination']);
  expect(complaints({}, { links: { self: 'https://a.example', up: '/x' } })).toEqual([
    'links.current is missing',
    'links.up is not described',
    'links.up is not an address',
  ]);
  const port = { data: { type: 'port', id: '1' } };
  const [terminal, route] = ['terminal', 'route'].map(type => ({ type, id: '1' }));
  const related = (resource: object, relationships: object) =>
    resourceComplaints({ ...resource, relationships } as WireResource).filter(text => text.includes('/relationships'));
  expect(related({ ...terminal }, { port })).toEqual([]);
  expect(related({ ...route }, { cargo: port })).toEqual([
    'Route/relationships/cargo/data/type must be equal to one of the allowed values',
  ]);
});

describe('every include path of', () => {
  /** The include paths of an endpoint, and also each path extended by each relationship of its records. */
  function pathsOf(operation: (typeof operations)[number]): string[] {
    const { type } = operation.answer;
    return (operation.include ?? []).flatMap(path => {
      const target = description.records.get(type)?.relationships.find(({ name }) => name === path);
      const below = target?.types ?? [];
      const names = below.flatMap(inner => description.records.get(inner)?.relationships.map(({ name }) => name) ?? []);
      const includable = names.filter(name => !below.some(inner => `${inner}.${name}` in NEVER_INCLUDED));
      return [path, ...includable.map(name => `${path}.${name}`)];
    });
  }

  test.each(withInclude)('$name returns records that fit the description', async operation => {
    const paths = pathsOf(operation);
    const address = `${operation.path.replace(/\{\w+\}/, idFor(operation.name))}?include=${paths}`;
    const { status, body } = await ask(operation.method, address);
    expect({ paths, status }).toEqual({ paths, status: 200 });
    const { data, included = [] } = body as WireDocument;
    expect([data ?? [], included].flat().flatMap(resourceComplaints)).toEqual([]);
  });
});

describe('a refused call', () => {
  test.each(ofService)('of $name without a valid key gets a 401', async ({ method, path: pattern }) => {
    const answer = await ask(method, path(pattern), { headers: { authorization: 'Token wrong' } });
    expect(answer.status).toBe(401);
    expect(answer.errors).toEqual([expect.objectContaining({ title: 'Unauthorized' })]);
  });

  const named = ofService.filter(({ path: pattern, errors }) => pattern.includes('{') && errors.includes(404));
  test.each(named)(
    'of $name for a record that does not exist gets a 404',
    async ({ method, path: pattern, body, query }) => {
      const type = body?.type;
      const attributes = Object.fromEntries(body?.attributes.map(({ name }) => [name, 'x']) ?? []);
      const sent = body && {
        body: JSON.stringify(type ? { data: { type, attributes } } : { ...attributes, degrees: 90 }),
      };
      const required = query.filter(({ optional }) => !optional).map(({ name }) => name);
      const search = required.map(key => `${key}=${key.endsWith('tude') ? 1 : MISSING}`).join('&');
      const answer = await ask(method, `${path(pattern)}${search && `?${search}`}`, sent ?? {});
      expect(answer.status).toBe(404);
      expect(answer.errors).toEqual([expect.objectContaining({ title: 'Not Found' })]);
    },
  );

  test.each(withInclude)(
    'of $name with an include that is not a relationship gets a 400',
    async ({ method, path: pattern, name }) => {
      const answer = await ask(method, `${pattern.replace(/\{\w+\}/, idFor(name))}?include=nonsense`);
      expect(answer.status).toBe(400);
      expect(answer.errors).toEqual([expect.objectContaining({ source: { parameter: 'include' } })]);
    },
  );

  const paid = operations.filter(({ feature }) => feature);
  test.each(paid)('of $name without the feature $feature gets a 403', async ({ method, path: pattern, query }) => {
    const poor = createSandbox({ features: { routing: false, refresh: false }, speed: 0 });
    const [shipment] = poor.seedShipments(1, { phase: 'at_sea' });
    const server = await poor.listen();
    try {
      const client = new TrackingClient({ baseUrl: server.baseUrl, apiKey: 'sandbox' });
      const { pod_vessel_imo } = await client.shipments.get(shipment?.id ?? '');
      const id = pattern.startsWith('/vessels') ? (pod_vessel_imo ?? '') : (shipment?.containers[0]?.id ?? '');
      const search = query.map(({ name }) => `${name}=1`);
      const answer = await ask(method, `${pattern.replace('{id}', id)}?${search.join('&')}`, {}, server.baseUrl);
      expect(answer.status).toBe(403);
      expect(JSON.stringify(answer.errors)).toMatch(/not enabled/);
    } finally {
      await server.close();
    }
  });
});

test('every described type of record is in some response of the sandbox', () => {
  const sent = new Set<string>();
  for (const { body = '' } of [...exchanges.values(), ...notifications.values()]) {
    for (const [, type = ''] of body.matchAll(/"type":"(\w+)","attributes"/g)) sent.add(type);
  }
  expect([...description.records.keys()].filter(type => !sent.has(type))).toEqual([]);
});
