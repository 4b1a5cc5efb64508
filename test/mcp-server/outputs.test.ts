import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { failureIn, httpPeer, type Json, type McpPeer, plainResult, type ToolResult } from '../../support/mcp-peer.ts';
import { stillSandbox, track } from '../../support/sandbox.ts';

const baseUrl = 'https://service.example/v2';
const validator = new AjvJsonSchemaValidator();

type Fetch = typeof fetch;

function peerOf(fetch: Fetch, now: () => Date): McpPeer {
  const client = { baseUrl, logger: false, retry: false, rateLimit: false, fetch } as const;
  return httpPeer(createMcpHandler({ client, now, onError: fail }).fetch);
}

function fail(error: unknown): never {
  throw error;
}

async function schemasOf(peer: McpPeer): Promise<Map<string, Json>> {
  const { tools } = await peer.request('tools/list');
  return new Map(tools.map(({ name, outputSchema }: Json) => [name, validator.getValidator(outputSchema)]));
}

function expectSound(name: string, result: ToolResult, schemas: Map<string, Json>): void {
  if (result.isError) {
    expect(result.structuredContent).toBeUndefined();
    expect(failureIn(result).error).not.toBe('internal');
    return;
  }
  const { valid, errorMessage } = schemas.get(name)(result.structuredContent);
  expect(valid, `${name}: ${errorMessage}`).toBe(true);
  expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(plainResult(result));
}

/** Every tool, with what the account holds. */
async function callAll(peer: McpPeer, numbers: string[], check: (name: string, result: ToolResult) => void) {
  const call = async (name: string, args: object) => {
    const result = await peer.call(name, args);
    check(name, result);
    return result.structuredContent;
  };
  const containers = (await call('list_containers', { include: 'transport_events' }))?.items ?? [];
  const shipments = (await call('list_shipments', { include_containers: true }))?.items ?? [];
  await call('list_tracking_requests', {});
  await call('get_supported_shipping_lines', {});
  for (const number of numbers) {
    await call('search_container', { query: number });
    await call('track_container', { number });
  }
  for (const { id } of containers.slice(0, 2)) {
    await call('get_container', { id, include: ['transport_events'] });
    await call('get_container_transport_events', { id });
    await call('get_container_route', { id });
    await peer.request('resources/read', { uri: `tracking://container/${id}` }).catch(() => {});
  }
  for (const { id } of shipments.slice(0, 2)) await call('get_shipment_details', { id });
}

const words = ['BOOKED', 'ATSEA', 'ONHOLD', 'AVAILABLE', 'ONRAIL', 'PICKEDUP', 'RETURNED', 'NOTFOUND', 'MANIFEST', ''];

test('every result fits its schema, and its text says the same, in every state of the account', {
  timeout: 60_000,
}, async () => {
  const states = fc.record({
    seed: fc.integer({ min: 1, max: 1_000 }),
    tracked: fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
    days: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 2 }),
    routing: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(states, async ({ seed, tracked, days, routing }) => {
      const sandbox = stillSandbox({ seed, features: { routing } });
      const numbers = tracked.map((word, index) => `MAEU-${word}-${seed}${index}`);
      for (const number of numbers) await track(sandbox, number);
      sandbox.advance({ minutes: 1 });
      for (const count of days) sandbox.advance({ days: count });
      const peer = peerOf(sandbox.fetch, () => sandbox.now());
      const schemas = await schemasOf(peer);
      await callAll(peer, numbers, (name, result) => expectSound(name, result, schemas));
    }),
    { numRuns: 25 },
  );
});

test('every result fits its schema whatever the service puts into the fields', { timeout: 60_000 }, async () => {
  const sandbox = createSandbox({ rateLimit: false, features: { routing: true } });
  sandbox.seedShipments(2, { containers: 1 });
  const [
    {
      containers: [box],
    } = { containers: [] },
  ] = sandbox.seedShipments(1);
  const values = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: 'binary' }), fc.constant('x'.repeat(5_000)));
  const changes = fc.array(fc.tuple(fc.nat(), values), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(changes, async changed => {
      const changing: Fetch = async (input, init) => {
        const response = await sandbox.fetch(input as string, init);
        const text = await response.text();
        const isDocument = response.ok && text.startsWith('{');
        return new Response(isDocument ? changedDocument(text, changed) : text, response);
      };
      const peer = peerOf(changing, () => sandbox.now());
      const schemas = await schemasOf(peer);
      await callAll(peer, [box?.number ?? ''], (name, result) => expectSound(name, result, schemas));
    }),
    { numRuns: 40 },
  );
});

/** Puts other values into attributes, ids and links excepted. */
function changedDocument(text: string, changes: [number, unknown][]): string {
  const document = JSON.parse(text);
  const records = [document.data, document.included].flat().filter(Boolean);
  const places = records.flatMap(({ attributes = {} }: Json) =>
    Object.keys(attributes).map(name => ({ attributes, name })),
  );
  for (const [index, value] of changes) {
    const place = places[index % Math.max(1, places.length)];
    if (place) place.attributes[place.name] = value;
  }
  return JSON.stringify(document);
}
