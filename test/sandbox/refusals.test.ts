import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient } from '../../src/index.ts';
import { createSandbox } from '../../support/sandbox.ts';
import { operations } from '../../support/service/description.ts';
import { openWorld } from '../../support/service/run.ts';
import type { World } from '../../support/service/world.ts';

/** Causes every described error status in the sandbox, over a socket, and checks the response. */

interface Refusal {
  /** A path that is added to the path of the operation, such as a query. */
  path?: (world: World) => string;
  body?: unknown;
  /** The expected members of an error in the response. */
  error: object;
}

const record = (type: string, attributes: object) => ({ data: { type, attributes } });
const parameter = (name: string) => ({ source: { parameter: name } });
const pointer = (name: string) => ({ source: { pointer: `/data/attributes/${name}` } });

const MISSING_OPTION = { body: record('custom_field', { value: ['none of the options'] }), error: pointer('value') };
const UNKNOWN_SLUG = { body: record('custom_field', { api_slug: 'none', value: 1 }), error: pointer('api_slug') };
const NO_ROLE = { body: record('party_role', { role: 'owner' }), error: { detail: expect.stringContaining('role') } };
const BILL = { request_type: 'bill_of_lading', request_number: '', scac: 'MAEU' };

const REFUSALS: Record<string, Refusal> = {
  'shipments.customFields.set 422': UNKNOWN_SLUG,
  'containers.customFields.set 422': UNKNOWN_SLUG,
  'trackingRequests.customFields.set 422': UNKNOWN_SLUG,
  'shipments.customFields.update 422': MISSING_OPTION,
  'containers.customFields.update 422': MISSING_OPTION,
  'trackingRequests.customFields.update 422': MISSING_OPTION,
  'customFields.create 422': { body: record('custom_field', { api_slug: 'buyer' }), error: { status: '422' } },
  'customFields.update 422': MISSING_OPTION,
  'shipments.partyRoles.create 422': NO_ROLE,
  'containers.partyRoles.create 422': NO_ROLE,
  'trackingRequests.partyRoles.create 422': NO_ROLE,
  'customFieldDefinitions.create 422': {
    body: record('custom_field_definition', { entity_type: 'Shipment', display_name: 'A', data_type: 'short_text' }),
    error: pointer('api_slug'),
  },
  'customFieldOptions.create 422': { body: record('custom_field_option', { value: 'green' }), error: pointer('label') },
  'documents.create 422': { body: record('document', { name: 'a.pdf' }), error: pointer('attached_document') },
  'documents.rotate 422': { body: { degrees: 45 }, error: { title: 'Invalid rotation' } },
  'containers.list 400': { path: () => '?include=nonsense', error: parameter('include') },
  'shipments.list 400': { path: () => '?include=nonsense', error: parameter('include') },
  'documents.get 400': { path: () => '?include=nonsense', error: parameter('include') },
  'documents.list 400': { path: () => '?include=nonsense', error: parameter('include') },
  'emailSubmissions.get 400': { path: () => '?include=nonsense', error: parameter('include') },
  'emailSubmissions.list 400': { path: () => '?include=nonsense', error: parameter('include') },
  'parties.create 422': { body: record('party', { company_name: '' }), error: pointer('company_name') },
  'parties.update 422': { body: record('party', { company_name: '' }), error: pointer('company_name') },
  'search 400': { error: { detail: 'Query parameter is required' } },
  'trackingRequests.create 422': { body: record('tracking_request', BILL), error: pointer('request_number') },
  'trackingRequests.inferNumber 422': {
    body: { number: '?' },
    error: { detail: 'This reference number is not valid.' },
  },
  'webhookNotifications.examples 400': { error: parameter('event') },
  'webhooks.create 422': { body: record('webhook', { active: true, events: [] }), error: pointer('url') },
  'webhooks.trigger 422': { body: { event: 'container.updated' }, error: { detail: 'url is required' } },
};

/** Statuses that other tests check, below or in conformance.test.ts. */
const ELSEWHERE = ['401', '403', '404', '429'];
const OWN_TEST = ['documents.create 409'];
/** Refusals that the sandbox does not produce, with the reason. */
const NOT_IN_SANDBOX: Record<string, string> = {
  'documents.downloadUrl 422': 'every document of the sandbox has its file',
  'shipments.list 422': 'about filters that no list of parameters has',
};

let open: Awaited<ReturnType<typeof openWorld>>;
beforeAll(async () => {
  open = await openWorld();
  const { client, world } = open;
  await client.shipments.customFields.set(world.shipment, { api_slug: 'buyer', value: 'Kim' });
  await client.containers.customFields.set(world.container, { api_slug: 'lot', value: 'A' });
  await client.trackingRequests.customFields.set(world.tracking, { api_slug: 'buyer', value: 'Kim' });
  return () => open.close();
}, 60_000);

/** The path of an operation, with the ids of existing records. */
function pathOf({ name, path }: (typeof operations)[number]): string {
  const { world } = open;
  const [group = ''] = name.split('.');
  const ids: Record<string, string> = {
    shipments: world.shipment,
    containers: world.container,
    trackingRequests: world.tracking,
    documents: world.document,
    emailSubmissions: world.email,
    parties: world.party,
    customFields: world.field,
    customFieldOptions: world.enumeration,
  };
  const slug = group === 'containers' ? 'lot' : 'buyer';
  return path.replace('{api_slug}', slug).replace(/\{[^}]+\}/, ids[group] ?? '');
}

async function ask(method: string, path: string, body?: unknown, baseUrl = open.baseUrl) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: 'Token sandbox', 'content-type': 'application/vnd.api+json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { response, errors: (JSON.parse((await response.text()) || '{}') as { errors?: unknown[] }).errors };
}

test('the tests in this file are for exactly the described errors', () => {
  const described = operations.flatMap(({ name, errors = [] }) =>
    errors
      .map(String)
      .filter(status => !ELSEWHERE.includes(status))
      .map(status => `${name} ${status}`),
  );
  const shown = [...Object.keys(REFUSALS), ...OWN_TEST, ...Object.keys(NOT_IN_SANDBOX)];
  expect(shown.sort()).toEqual(described.sort());
});

describe('the refusal of a call is as described for', () => {
  test.each(Object.entries(REFUSALS))('%s', async (key, { path, body, error }) => {
    const [name, status] = key.split(' ');
    const operation = operations.find(candidate => candidate.name === name);
    if (!operation) throw new Error(`${name} is not described`);
    const answer = await ask(operation.method, pathOf(operation) + (path?.(open.world) ?? ''), body);
    expect(answer.response.status).toBe(Number(status));
    expect(answer.errors).toEqual(expect.arrayContaining([expect.objectContaining(error)]));
  });

  test('documents.create 409, and the error names the document that has the same bytes', async () => {
    const bytes = new TextEncoder().encode('another image');
    const checksum = createHash('md5').update(bytes).digest('base64');
    const slot = await open.client.directUploads.create({
      filename: 'again.png',
      content_type: 'image/png',
      byte_size: bytes.length,
      checksum,
    });
    await open.client.directUploads.put(slot, bytes);
    const body = record('document', { name: 'again.png', attached_document: slot.signed_id });
    const { response, errors } = await ask('POST', '/documents', body);
    expect(response.status).toBe(409);
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'duplicate_document',
        meta: expect.objectContaining({ existing_document_id: open.world.document }),
      }),
    ]);
  });
});

describe('a call above the limit of its bucket gets a 429', () => {
  test.each(operations.filter(({ errors }) => errors?.includes(429)))(
    '$name',
    async ({ method, path, bucket = '' }) => {
      const sandbox = createSandbox({ speed: 0, monotonic: () => 0, rateLimit: { limits: { [bucket]: 1 } } });
      const [container] = sandbox.seedContainers(1);
      const server = await sandbox.listen();
      try {
        const body = method === 'POST' ? record('tracking_request', BILL) : undefined;
        const address = path.replace('{id}', container?.id ?? '');
        const first = await ask(method, address, body, server.baseUrl);
        const second = await ask(method, address, body, server.baseUrl);
        expect(first.response.status).not.toBe(429);
        expect(second.response.status).toBe(429);
        expect(Number(second.response.headers.get('retry-after'))).toBe(60);
        // Every other bucket still has free slots.
        const client = new TrackingClient({ baseUrl: server.baseUrl, apiKey: 'sandbox' });
        expect((await client.containers.list()).data).toHaveLength(1);
      } finally {
        await server.close();
      }
    },
  );
});
