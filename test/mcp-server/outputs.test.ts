import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { checkToolResult } from '../../src/schemas/tool-results.ts';
import { failureIn, httpPeer, type Json, type McpPeer, plainResult, type ToolResult } from '../../support/mcp-peer.ts';
import { accountStates, callAll, sandboxIn } from '../../support/mcp-states.ts';
import { createSandbox } from '../../support/sandbox.ts';

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

/** Fields that the client of this package expects, but that the service may leave out. */
const NOT_SENT = /(^|\.)(container_number|request_number)$/;

/** The mismatches that the client of this package would report. */
function driftOf(name: string, { structuredContent }: ToolResult) {
  return checkToolResult(name, structuredContent).filter(({ path }) => !NOT_SENT.test(path));
}

function expectSound(name: string, result: ToolResult, schemas: Map<string, Json>, exempt?: string): void {
  if (result.isError) {
    expect(result.structuredContent).toBeUndefined();
    expect(failureIn(result).error).not.toBe('internal');
    return;
  }
  const { valid, errorMessage } = schemas.get(name)(result.structuredContent);
  expect(valid, `${name}: ${errorMessage}`).toBe(true);
  if (name.startsWith('list_') && name !== 'list_parties') expectTable(result);
  else expectText(result);
  if (name !== exempt) expect({ [name]: driftOf(name, result) }).toEqual({ [name]: [] });
}

/**
 * Expects one of two forms of the text: it is shorter than the data and has the keys that other tools accept, or it is
 * the data as JSON.
 */
function expectText(result: ToolResult): void {
  const text = result.content[0]?.text ?? '';
  const data = plainResult(result);
  if (text.startsWith('{')) return void expect(JSON.parse(text)).toEqual(data);
  const { id, containers, shipments, tracking_requests, parties, shipment, tracking_request } = data;
  const rows = [containers?.containers ?? containers, shipments, tracking_requests, parties].flatMap(list =>
    Array.isArray(list) ? list : [],
  );
  for (const record of [shipment, ...rows]) if (record) expect(text).toContain(keyOf(record) ?? record.id);
  for (const record of [{ id }, tracking_request]) if (record) expect(text).toContain(keyOf(record) ?? record.id ?? '');
  expect(text).not.toMatch(/null|undefined|\[object/);
  // If a record is almost empty, the labels may be longer than its values.
  expect(text.length).toBeLessThan(JSON.stringify(data).length + 200);
}

/**
 * The number or name that the tools accept in place of an id. It is `undefined` if the record has no number or name, or
 * if the text has it in another form.
 */
function keyOf(record: Json): string | undefined {
  const key = record.container_number ?? record.number ?? record.bill_of_lading ?? record.request_number ?? record.name;
  return /[|«\s]/.test(key) ? '' : key || undefined;
}

/** Expects that the text has a line for each row, with the key that other tools accept. */
function expectTable({ content, structuredContent: { items } }: ToolResult): void {
  const lines = content[0]?.text.split('\n') ?? [];
  for (const [index, line] of lines.slice(lines.length - items.length).entries())
    expect(line).toContain(keyOf(items[index]) ?? items[index].id);
}

test('every result fits its schema and the schema of the client, and its text has the same facts, in every state of the account', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(accountStates, async state => {
      const { sandbox, numbers } = await sandboxIn(state);
      const peer = peerOf(sandbox.fetch, () => sandbox.now());
      const schemas = await schemasOf(peer);
      await callAll(peer, numbers, (name, result) => expectSound(name, result, schemas));
    }),
    { numRuns: 12 },
  );
});

test('every result fits its schema, with any values in the fields of the service', { timeout: 60_000 }, async () => {
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
      // `track_container` is left out, because its schema has alternatives.
      await callAll(peer, [box?.number ?? ''], (name, result) => expectSound(name, result, schemas, 'track_container'));
    }),
    { numRuns: 25, examples: [[[[0, 'valueOf']]], [[[0, { toString: false }]]]] },
  );
});

/** Changes values of attributes, but not ids and links. */
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
