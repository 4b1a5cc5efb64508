import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TrackingClient, VesselGetOptions } from '../../src/index.ts';
import { clientFor } from '../../support/client.ts';
import { createSandbox, type Sandbox, type SandboxServer } from '../../support/sandbox.ts';

/** Unusual inputs that the service accepts, sent to the sandbox over a socket. */
let sandbox: Sandbox;
let server: SandboxServer;
let client: TrackingClient;

beforeAll(async () => {
  sandbox = createSandbox({ speed: 0, rateLimit: false });
  server = await sandbox.listen();
  client = clientFor(server, { apiKey: 'sandbox', validation: 'strict' });
});
afterAll(() => server.close());

test('an attribute with a wrong name is refused for a shipment, because the service would ignore the attribute', async () => {
  const before = sandbox.requests.length;
  await expect(client.shipments.update('1', { ref_number: ['x'] } as object)).rejects.toThrow(
    'The shipment has no ref_number; did you mean ref_numbers? There are: ref_numbers, tags.',
  );
  expect(sandbox.requests.length).toBe(before);
});

describe('the positions of a vessel', () => {
  let imo: string;
  beforeAll(async () => {
    sandbox.seedShipments(1, { phase: 'at_sea' });
    imo = (await client.shipments.list()).data[0]?.pod_vessel_imo as string;
  });
  const HOURS_OF_WEEK = 7 * 24;

  test.each([
    [true, 'show_positions=true'],
    [{}, 'show_positions=true'],
    [{ from_timestamp: undefined, to_timestamp: undefined }, 'show_positions=true'],
  ])('are those of the last 7 days with show_positions: %o', async (show_positions, query) => {
    const { data, response } = await client.vessels.get(imo, { show_positions }).withResponse();
    expect(response.url).toBe(`${server.baseUrl}/vessels/${imo}?${query}`);
    expect(data.positions?.length).toBeGreaterThanOrEqual(HOURS_OF_WEEK);
  });

  test('may be limited at either end', async () => {
    const positions = async (show_positions: VesselGetOptions['show_positions']) =>
      (await client.vessels.get(imo, { show_positions })).positions ?? [];
    const all = await positions(true);
    const middle = all[100]?.timestamp as string;
    const since = await positions({ from_timestamp: middle });
    const until = await positions({ to_timestamp: new Date(middle) });
    expect([until.length, since.length]).toEqual([101, all.length - 100]);
  });

  test.each([undefined, false])('are missing with show_positions: %o', async show_positions => {
    const { data, response } = await client.vessels.get(imo, { show_positions }).withResponse();
    expect(response.url).toBe(`${server.baseUrl}/vessels/${imo}`);
    expect(data.positions).toBeUndefined();
  });
});

test('a webhook may be created without events', async () => {
  const { id, secret, events } = await client.webhooks.create({ url: 'https://hooks.example/none', active: true });
  expect({ secret, events }).toEqual({ secret: expect.any(String), events: [] });
  expect(await client.webhooks.get(id)).toMatchObject({ active: true, events: [] });
});

test('custom fields of tracking requests can be filtered', async () => {
  const { id } = await client.trackingRequests.create({
    request_type: 'bill_of_lading',
    request_number: 'MAEU123456789',
    scac: 'MAEU',
  });
  const field = { display_name: 'Buyer', data_type: 'short_text' };
  for (const entity_type of ['Shipment', 'TrackingRequest']) {
    const attributes = { ...field, entity_type, api_slug: entity_type.toLowerCase() };
    const body = { data: { type: 'custom_field_definition', attributes } };
    await client.request({ method: 'POST', path: '/custom_field_definitions', body });
  }
  const { id: value } = await client.trackingRequests.customFields.set(id, { api_slug: 'trackingrequest', value: 'x' });
  const filter = { entity_type: 'TrackingRequest' } as const;
  const definitions = await client.customFieldDefinitions.list({ filter }).toArray();
  expect(definitions.map(({ api_slug }) => api_slug)).toEqual(['trackingrequest']);
  expect((await client.customFields.list({ filter }).toArray()).map(found => found.id)).toEqual([value]);
  expect(await client.customFields.list({ filter: { entity_type: 'Shipment' } }).toArray()).toEqual([]);
});
