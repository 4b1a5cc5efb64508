import { describe, expect, test } from 'vitest';
import { ConfigurationError, ResponseFormatError, type SchemaMismatchEvent } from '../../src/index.ts';
import { type McpClient, type McpHttpOptions, McpProtocolError, ToolError } from '../../src/mcp/index.ts';
import { checkToolResult } from '../../src/schemas/tool-results.ts';
import { rejection } from '../../support/client.ts';
import { connected, INITIALIZED, servedSandbox } from '../../support/mcp.ts';
import { startServer } from '../../support/server.ts';

const UNKNOWN = '11111111-1111-4111-8111-111111111111';

describe('each tool returns a typed result that fits its schema', () => {
  async function withShipment(options = {}) {
    const { sandbox, server } = await servedSandbox(options);
    const [shipment] = sandbox.seedShipments(3, { containers: 2 });
    const drift: SchemaMismatchEvent[] = [];
    const mcp = await connected(server, { hooks: { onSchemaMismatch: event => drift.push(event) } });
    const container = shipment?.containers[0];
    if (!shipment || !container) throw new Error('nothing was seeded');
    return { sandbox, server, mcp, shipment, container, drift };
  }

  test('search_container', async () => {
    const { mcp, container, drift } = await withShipment();
    const found = await mcp.searchContainer({ query: container.number });
    expect(found.total_results).toBe(found.containers.length + found.shipments.length);
    expect(found.containers[0]).toMatchObject({ id: container.id, container_number: container.number });
    expect(found._response_contract?.suggested_tools).toContain('get_container');
    expect(drift).toEqual([]);
  });

  test('track_container starts tracking, and later returns the container', async () => {
    const { sandbox, mcp, drift } = await withShipment();
    const started = await mcp.trackContainer({ number: 'MAEU-AVAILABLE-77', scac: 'MAEU', numberType: 'BL' });
    expect(started).toMatchObject({
      tracking_request_created: true,
      tracking_request: { request_number: 'MAEU-AVAILABLE-77', scac: 'MAEU', number_type: 'bill_of_lading' },
    });
    sandbox.advance({ minutes: 5 });
    const { shipments } = await mcp.searchContainer({ query: 'MAEU-AVAILABLE-77' });
    const details = await mcp.getShipmentDetails({ id: shipments[0]?.id ?? '' });
    const number = typeof details.containers === 'string' ? '' : (details.containers.containers[0]?.number ?? '');
    const tracked = await mcp.trackContainer({ number });
    expect(tracked).toMatchObject({ container_number: number, tracking_request_created: false });
    expect(drift).toEqual([]);
  });

  test('get_container, with events only if `include` names them', async () => {
    const { mcp, container, drift } = await withShipment();
    const box = await mcp.getContainer({ id: container.id });
    expect(box).toMatchObject({ id: container.id, container_number: container.number });
    expect(box.events).toEqual(expect.any(String));
    const withEvents = await mcp.getContainer({ id: container.id, include: ['transport_events'] });
    expect(withEvents.events).toMatchObject({ count: expect.any(Number) });
    expect(withEvents._metadata.includes_loaded).toContain('transport_events');
    expect(drift).toEqual([]);
  });

  test('get_shipment_details, with its containers by default', async () => {
    const { mcp, shipment, drift } = await withShipment();
    const details = await mcp.getShipmentDetails({ id: shipment.id });
    expect(details.containers).toMatchObject({ count: 2 });
    const short = await mcp.getShipmentDetails({ id: shipment.id, include_containers: false });
    expect(short.containers).toEqual(expect.any(String));
    expect(drift).toEqual([]);
  });

  test('get_container_transport_events, the oldest first', async () => {
    const { mcp, container, drift } = await withShipment();
    const { timeline, total_events, event_categories } = await mcp.getContainerTransportEvents({ id: container.id });
    const times = timeline.map(({ timestamp }) => timestamp ?? '');
    expect(times).toEqual(times.toSorted());
    expect(total_events).toBe(timeline.length);
    expect(Object.values(event_categories).reduce((sum, count) => sum + count)).toBe(total_events);
    expect(drift).toEqual([]);
  });

  test('get_supported_shipping_lines, all or a selection', async () => {
    const { mcp, drift } = await withShipment();
    const all = await mcp.getSupportedShippingLines();
    const some = await mcp.getSupportedShippingLines({ search: 'maeu' });
    expect(all.total_lines).toBeGreaterThan(some.total_lines);
    expect(some.shipping_lines.map(({ scac }) => scac)).toContain('MAEU');
    expect(drift).toEqual([]);
  });

  test('get_container_route, or the reason for a missing route', async () => {
    const { mcp, container, drift } = await withShipment();
    const route = await mcp.getContainerRoute({ id: container.id });
    if (route.error !== undefined) throw new Error(route.message);
    expect(route.total_legs).toBe(route.route_locations.length);
    expect(route.route_locations[0]?.port).toMatchObject({ name: expect.any(String) });
    const missing = await mcp.getContainerRoute({ id: UNKNOWN });
    expect(missing).toMatchObject({ error: 'NotFound', message: expect.any(String) });
    const basic = await withShipment({ features: { routing: false } });
    const refused = await basic.mcp.getContainerRoute({ id: basic.container.id });
    expect(refused.error).toBe('FeatureNotEnabled');
    expect([...drift, ...basic.drift]).toEqual([]);
  });

  test('list_shipments, list_containers and list_tracking_requests, page by page', async () => {
    const { mcp, drift } = await withShipment();
    const shipments = await mcp.listShipments({ page_size: 2, include_containers: true, status: 'in_transit' });
    expect(shipments.items).toHaveLength(2);
    expect(shipments.items[0]?.containers).toHaveLength(2);
    expect(shipments.unsupportedFilters).toEqual(['status']);
    expect(shipments._response_contract?.dropped_filters).toEqual(['status']);
    expect((await mcp.listShipments({ page_size: 2, page: 2 })).items).toHaveLength(1);
    const containers = await mcp.listContainers();
    expect(containers.items).toHaveLength(6);
    expect(containers.meta).toMatchObject({ total: 6 });
    await mcp.trackContainer({ number: 'MAEU-FLAKY-1', scac: 'MAEU', numberType: 'bill_of_lading' });
    const requests = await mcp.listTrackingRequests({ status: 'pending', filters: { 'filter[scac]': 'MAEU' } });
    expect(requests.items).toMatchObject([{ requestNumber: 'MAEU-FLAKY-1', status: 'pending' }]);
    expect(drift).toEqual([]);
  });
});

test('a call of a tool also returns the content for a model', async () => {
  const { sandbox, server } = await servedSandbox();
  sandbox.seedShipments(1);
  const mcp = await connected(server);
  const { result, content } = await mcp.call('list_containers', {});
  const [text] = content;
  const { _response_contract: _, ...data } = result;
  expect(text?.type === 'text' && JSON.parse(text.text)).toEqual(data);
  const links = content.filter(block => block.type === 'resource_link');
  expect(links.map(({ uri }) => uri)).toEqual(result.items.map(({ id }) => `tracking://container/${id}`));
});

test('a result that does not fit its schema is reported once for each shape, and is still returned', async () => {
  const { sandbox, server } = await servedSandbox();
  const seen: SchemaMismatchEvent[] = [];
  const mcp = await connected(server, { hooks: { onSchemaMismatch: event => seen.push(event) } });
  const structuredContent = { total_lines: '1', shipping_lines: [] };
  const result = { content: [], structuredContent, resultType: 'complete' };
  const answer = { id: 1 };
  sandbox.fail({ times: 2, match: { path: '/mcp' }, headers: { 'content-type': 'application/json' }, body: answer });
  Object.assign(answer, { jsonrpc: '2.0', result });
  for (const id of [0, 1]) {
    answer.id = id;
    expect(await mcp.getSupportedShippingLines()).toEqual(structuredContent);
  }
  expect(seen.map(({ mismatch }) => mismatch.path).sort()).toEqual(['_metadata', 'total_lines']);
  expect(seen[0]).toMatchObject({ operation: 'mcp.get_supported_shipping_lines', method: 'POST', path: '/mcp' });
});

test('a list is not a mismatch if it has no meta, and if its next page is null', async () => {
  const { sandbox, server } = await servedSandbox();
  const seen: SchemaMismatchEvent[] = [];
  const mcp = await connected(server, { hooks: { onSchemaMismatch: event => seen.push(event) } });
  const structuredContent = { items: [], links: { self: 'https://host.example', next: null } };
  sandbox.fail({
    match: { path: '/mcp' },
    headers: { 'content-type': 'application/json' },
    body: { jsonrpc: '2.0', id: 0, result: { content: [], structuredContent, resultType: 'complete' } },
  });
  expect(await mcp.listContainers()).toEqual(structuredContent);
  expect(seen).toEqual([]);
});

test('with validation strict, a result that does not fit its schema causes an error', async () => {
  const { sandbox, server } = await servedSandbox();
  const mcp = await connected(server, { validation: 'strict' });
  expect((await mcp.getSupportedShippingLines()).total_lines).toBeGreaterThan(0);
  sandbox.fail({
    match: { path: '/mcp' },
    headers: { 'content-type': 'application/json' },
    body: { jsonrpc: '2.0', id: 1, result: { content: [], structuredContent: {}, resultType: 'complete' } },
  });
  const error = await rejection(mcp.getSupportedShippingLines());
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error).toMatchObject({
    mismatches: expect.arrayContaining([expect.objectContaining({ path: 'total_lines' })]),
  });
});

test('a call of a tool that fails rejects with the message of the tool', async () => {
  const { server } = await servedSandbox();
  const mcp = await connected(server);
  const error = await rejection(mcp.getContainer({ id: UNKNOWN }));
  expect(error).toBeInstanceOf(ToolError);
  expect(error).toMatchObject({ code: 'tool_failed', tool: 'get_container', content: [{ type: 'text' }] });
});

test('unknown and missing arguments are refused before the tool is called', async () => {
  const { server } = await servedSandbox();
  const bodies: string[] = [];
  const mcp = await connected(server, {
    fetch: (url, init) => {
      bodies.push(String(init?.body));
      return fetch(url, init);
    },
  });
  // @ts-expect-error a misspelt name
  const misspelt = await rejection(mcp.listContainers({ pageSize: 5 }));
  expect(misspelt).toBeInstanceOf(ConfigurationError);
  expect(String(misspelt)).toContain('page_size');
  expect(await rejection(mcp.getContainer({ id: ' ' }))).toBeInstanceOf(ConfigurationError);
  // @ts-expect-error without an id
  expect(await rejection(mcp.getContainer({}))).toBeInstanceOf(ConfigurationError);
  expect(bodies.filter(body => body.includes('tools/call'))).toEqual([]);
});

test('a refusal with an error of the protocol keeps its code', async () => {
  const { server } = await servedSandbox();
  const mcp = await connected(server);
  const error = await rejection(mcp.call('no_such_tool', {}));
  expect(error).toBeInstanceOf(McpProtocolError);
  expect(error).toMatchObject({ code: 'mcp_protocol', rpcCode: -32602 });
  expect(await rejection(mcp.getContainer({ id: 'no uuid' }))).toMatchObject({ rpcCode: -32602 });
});

test('prompts, resources, templates and completion return typed results', async () => {
  const { sandbox, server } = await servedSandbox();
  const [shipment] = sandbox.seedShipments(1);
  const mcp = await connected(server);
  const id = shipment?.containers[0]?.id ?? '';
  expect((await mcp.listTools()).map(({ name }) => name)).toHaveLength(10);
  expect((await mcp.listPrompts()).map(({ name }) => name)).toEqual([
    'track-shipment',
    'check-demurrage',
    'analyze-delays',
  ]);
  const { messages } = await mcp.getPrompt('track-shipment', { container_number: 'MSCU1234565', carrier: 'MSCU' });
  expect(messages[0]).toMatchObject({ role: 'user', content: { text: expect.stringContaining('MSCU1234565') } });
  expect((await mcp.getPrompt('check-demurrage', { container_id: id })).messages).toHaveLength(1);
  expect((await mcp.getPrompt('analyze-delays', { container_id: id })).messages).toHaveLength(1);
  expect(await mcp.complete('track-shipment', 'carrier', 'maer')).toContain('MAEU');
  for (const { uri = '' } of await mcp.listResources()) {
    expect((await mcp.readResource(uri))[0]?.text).not.toBe('');
  }
  expect((await mcp.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual([
    'tracking://container/{id}',
  ]);
  expect(await mcp.containerSummary(id)).toContain(`# Container ${shipment?.containers[0]?.number}`);
  expect(await rejection(mcp.containerSummary(UNKNOWN))).toMatchObject({ rpcCode: -32602 });
});

test('a result of a tool without a schema is returned', () => {
  expect(checkToolResult('some_other_tool', { a: 1 })).toEqual([]);
});

/** A server of another edition: its tools return `result`, and its resources have another scheme. */
async function edition(result: object, options: Partial<McpHttpOptions> = {}) {
  const tool = { name: 'list_containers', inputSchema: { type: 'object', properties: { newest: {} } } };
  const template = { name: 'c', uriTemplate: 'acme://container/{id}' };
  const server = await startServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(request.body);
    const answers: Record<string, object> = {
      initialize: { ...INITIALIZED, capabilities: { tools: {}, resources: {} } },
      'tools/list': { tools: [tool] },
      'resources/templates/list': { resourceTemplates: [template] },
      'resources/read': { contents: [{ uri: params?.uri, text: params?.uri }] },
      'tools/call': result,
    };
    if (method === 'server/discover') return response.writeHead(404).end('{}');
    if (id === undefined) return response.writeHead(202).end();
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }));
  });
  return { server, mcp: await connected({ mcpUrl: `${server.origin}/mcp` }, options) };
}

test('an argument of a newer server is accepted', async () => {
  const { server, mcp } = await edition({ content: [], structuredContent: { items: [] } });
  await mcp.call('list_containers', { newest: 1 });
  expect(await rejection(mcp.call('list_containers', { newset: 1 }))).toBeInstanceOf(ConfigurationError);
  const sent = server.requests.map(({ body }) => body);
  expect(sent.filter(body => body.includes('tools/list'))).toHaveLength(1);
  expect(sent.filter(body => body.includes('"newest":1'))).toHaveLength(1);
});

test.each<[string, string, (mcp: McpClient, options: { signal?: AbortSignal }) => Promise<unknown>]>([
  ['the template of a container', 'templates/list', (mcp, options) => mcp.containerSummary(UNKNOWN, options)],
  ['the arguments of tools', 'tools/list', (mcp, options) => mcp.call('list_containers', { newest: 1 }, options)],
])(
  'a caller that aborts during the reading of %s does not end the reading for other callers',
  async (_, method, call) => {
    const controller = new AbortController();
    let isFirst = true;
    const aborting: typeof fetch = async (url, init) => {
      if (isFirst && String(init?.body).includes(method)) {
        isFirst = false;
        controller.abort();
      }
      return fetch(url, init);
    };
    const { mcp } = await edition({ content: [], structuredContent: { items: [] } }, { fetch: aborting });
    const [aborted, other] = [call(mcp, { signal: controller.signal }), call(mcp, {})];
    expect(await rejection(aborted)).toMatchObject({ name: 'AbortError' });
    expect(await other).toBeTruthy();
  },
);

test('the address of a container is read from the server, once', async () => {
  const { server, mcp } = await edition({});
  expect(await mcp.containerSummary('a b')).toBe('acme://container/a%20b');
  expect(await mcp.containerSummary(UNKNOWN)).toBe(`acme://container/${UNKNOWN}`);
  expect(server.requests.filter(({ body }) => body.includes('templates/list'))).toHaveLength(1);
});

test('a result that is only in the text of the response is read', async () => {
  const { mcp } = await edition({ content: [{ type: 'text', text: '{"items":[]}' }] });
  expect(await mcp.listContainers()).toEqual({ items: [] });
});

test.each([
  ['that is not known', { structuredContent: { infer_result: { nobody: 'knows' } } }],
  ['that is missing', {}],
])('after a write, a result %s is reported; it is not an error even in strict mode', async (_, result) => {
  const seen: SchemaMismatchEvent[] = [];
  const hooks = { onSchemaMismatch: (event: SchemaMismatchEvent) => seen.push(event) };
  const { mcp } = await edition({ content: [], ...result }, { validation: 'strict', hooks });
  expect(await mcp.trackContainer({ number: 'MAEU-1' })).toEqual(Object(result).structuredContent ?? {});
  expect(seen).not.toEqual([]);
});

test('the sandbox leaves out the port of discharge of a new booking, and strict mode accepts this', async () => {
  const { sandbox, server } = await servedSandbox();
  const mcp = await connected(server, { validation: 'strict' });
  await mcp.trackContainer({ number: 'MAEU-BOOKED-1', scac: 'MAEU', numberType: 'BL' });
  sandbox.advance({ minutes: 5 });
  const { shipments } = await mcp.searchContainer({ query: 'MAEU-BOOKED-1' });
  const { routing } = await mcp.getShipmentDetails({ id: shipments[0]?.id ?? '' });
  expect(routing.port_of_lading.locode).toEqual(expect.any(String));
  expect(routing.port_of_discharge).not.toHaveProperty('locode');
  expect(routing.port_of_discharge).not.toHaveProperty('name');
});
