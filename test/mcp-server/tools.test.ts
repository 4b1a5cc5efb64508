import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, type Json, type McpPeer, plainResult, type StdioPeer, stdioPeer } from '../../support/mcp-peer.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';

const sandbox = createSandbox({ rateLimit: false, features: { routing: true }, now: new Date() });
const [seeded] = sandbox.seedShipments(2, { containers: 2 });
const { id: shipmentId = '', containers = [] } = seeded ?? {};
const { id = '', number = '' } = containers[0] ?? {};
const validator = new AjvJsonSchemaValidator();

let service: SandboxServer;
let stdio: StdioPeer;
const peers: Record<string, McpPeer> = {};
let close: () => Promise<unknown>;

beforeAll(async () => {
  service = await sandbox.listen();
  stdio = await stdioPeer(service.baseUrl);
  const handler = createMcpHandler({ client: { baseUrl: service.baseUrl } });
  const server = createServer(handler.node).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  Object.assign(peers, { stdio, http: httpPeer(fetch, { url }) });
  close = async () => {
    server.closeAllConnections();
    server.close();
    await handler.close();
  };
});

afterAll(async () => {
  expect(await stdio?.close()).toBe(0);
  await close?.();
  await service?.close();
});

describe.each(['stdio', 'http'])('over %s', transport => {
  const peer = () => peers[transport] as McpPeer;

  test('the list has fifteen tools, and one of them writes; the list has at most 20 kB', async () => {
    const { tools } = await peer().request('tools/list');
    expect(tools.map(({ name }: Json) => name).sort()).toEqual([
      'get_container',
      'get_container_route',
      'get_container_transport_events',
      'get_shipment_details',
      'get_supported_shipping_lines',
      'list_changes',
      'list_containers',
      'list_parties',
      'list_shipments',
      'list_tracking_requests',
      'search_container',
      'summarize_containers',
      'track_container',
      'whoami',
      'worklist',
    ]);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(20_000);
    const writing = tools.filter(({ annotations }: Json) => !annotations.readOnlyHint);
    expect(writing.map(({ name }: Json) => name)).toEqual(['track_container']);
    for (const { inputSchema, outputSchema, title, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
      expect(title).toBeTruthy();
      expect(annotations).toMatchObject({ openWorldHint: false });
    }
  });

  test.each<[string, () => object, (result: Json) => void]>([
    ['search_container', () => ({ query: number }), result => expect(result.containers[0]).toMatchObject({ id })],
    ['get_container', () => ({ id }), result => expect(result).toMatchObject({ id, container_number: number })],
    [
      'get_container',
      () => ({ id, include: ['transport_events'] }),
      result => expect(result.events.count).toBeGreaterThan(0),
    ],
    [
      'get_shipment_details',
      () => ({ id: shipmentId }),
      result => expect(result).toMatchObject({ id: shipmentId, containers: { count: 2 } }),
    ],
    [
      'get_shipment_details',
      () => ({ id: shipmentId, include_containers: false }),
      result => expect(result.containers).toContain('include_containers'),
    ],
    [
      'get_container_transport_events',
      () => ({ id }),
      result =>
        expect(result).toMatchObject({ total_events: result.timeline.length, _metadata: { container_found: true } }),
    ],
    [
      'get_supported_shipping_lines',
      () => ({ search: 'MaEr' }),
      result => expect(result.shipping_lines).toMatchObject([{ scac: 'MAEU' }]),
    ],
    ['get_container_route', () => ({ id }), result => expect(result.total_legs).toBe(result.route_locations.length)],
    [
      'list_shipments',
      () => ({ include_containers: true }),
      result => expect(result.items.find((item: Json) => item.id === shipmentId).containers).toHaveLength(2),
    ],
    ['list_containers', () => ({ page_size: 3 }), result => expect(result.next).toEqual({ page: 2, page_size: 3 })],
    [
      'list_changes',
      () => ({}),
      result => expect(result.groups.flatMap(({ containers }: Json) => containers)).toHaveLength(result.containers),
    ],
    ['list_tracking_requests', () => ({}), result => expect(result.next).toBeNull()],
    [
      'summarize_containers',
      () => ({ group_by: 'current_status' }),
      result =>
        expect(result).toMatchObject({ total: expect.any(Number), truncated: false, group_by: 'current_status' }),
    ],
    ['list_parties', () => ({ search: 'none has this name' }), result => expect(result.total_matched).toBe(0)],
    [
      'whoami',
      () => ({}),
      result =>
        expect(result).toMatchObject({
          kind: 'api_key',
          account: { company_name: expect.any(String) },
          features: { routing_data: { status: 'available' } },
        }),
    ],
    [
      'track_container',
      () => ({ number }),
      result => expect(result).toMatchObject({ id, tracking_request_created: false }),
    ],
  ])('%s answers %o', async (name, args, check) => {
    const { tools } = await peer().request('tools/list');
    const { outputSchema } = tools.find((tool: Json) => tool.name === name);
    const result = await peer().call(name, args());
    expect(result.isError).toBeUndefined();
    check(plainResult(result));
    expect(validator.getValidator(outputSchema)(result.structuredContent)).toMatchObject({ valid: true });
    // Clients from before June 2025 accept no other content.
    expect(result.content.map(({ type }) => type)).toEqual(['text']);
    const [{ text } = { text: '' }] = result.content;
    if (text.startsWith('{')) expect(JSON.parse(text)).toEqual(plainResult(result));
    else expect(text.length).toBeLessThan(JSON.stringify(result.structuredContent).length + 20);
  });

  test('a new number is sent to the service, with the carrier of the call or an inferred carrier', async () => {
    const named = await peer().call('track_container', {
      number: ` maeu-atsea-${transport} `,
      number_type: 'bill_of_lading',
      scac: 'maeu',
      ref_numbers: ['PO-1'],
    });
    expect(plainResult(named)).toMatchObject({
      tracking_request_created: true,
      tracking_request: {
        request_number: `MAEU-ATSEA-${transport.toUpperCase()}`,
        number_type: 'bill_of_lading',
        scac: 'MAEU',
      },
      infer_result: { source: 'arguments' },
    });
    const again = await peer().call('track_container', {
      number: `MAEU-ATSEA-${transport}`,
      number_type: 'bill_of_lading',
      scac: 'MAEU',
    });
    expect(plainResult(again)).toMatchObject({ tracking_request_created: false });
    const inferred = await peer().call('track_container', { number: `MAEU${transport === 'http' ? 1 : 2}23456789` });
    expect(plainResult(inferred)).toMatchObject({
      tracking_request_created: true,
      infer_result: { selected_scac: 'MAEU' },
    });
  });

  test('a container of an earlier result can be read as a page, and can be completed by its number', async () => {
    await peer().call('list_containers');
    const { contents } = await peer().request('resources/read', { uri: `tracking://container/${id}` });
    const byNumber = await peer().request('resources/read', { uri: `tracking://container/${number}` });
    expect(byNumber.contents[0].text).toBe(contents[0].text);
    expect(contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('- Last free day: '),
    });
    const { completion } = await peer().request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'track-shipment' },
      argument: { name: 'container_number', value: number.slice(0, 6).toLowerCase() },
    });
    expect(completion.values).toContain(number);
  });

  test('all documents and prompts can be listed and read', async () => {
    const { resources } = await peer().request('resources/list');
    expect(resources.map(({ uri }: Json) => uri)).toEqual([
      'tracking://docs/milestone-glossary',
      'tracking://docs/mcp-query-guidance',
      'tracking://docs/list-display-columns',
    ]);
    for (const { uri, mimeType } of resources) {
      const { contents } = await peer().request('resources/read', { uri });
      expect(contents).toMatchObject([{ uri, mimeType }]);
    }
    const { resourceTemplates } = await peer().request('resources/templates/list');
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'tracking://container/{id}', mimeType: 'text/markdown' }]);
    const { prompts } = await peer().request('prompts/list');
    expect(prompts.map(({ name }: Json) => name)).toEqual(['track-shipment', 'check-demurrage', 'analyze-delays']);
    const { messages } = await peer().request('prompts/get', {
      name: 'track-shipment',
      arguments: { container_number: number, carrier: 'MAEU' },
    });
    expect(messages).toHaveLength(1);
    expect(messages[0].content.text).toMatch(new RegExp(`${number}.*MAEU`));
  });

  test('carriers are completed by a part of their code or name', async () => {
    const { completion } = await peer().request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'track-shipment' },
      argument: { name: 'carrier', value: 'Maersk' },
    });
    expect(completion.values).toContain('MAEU');
  });
});

test('the handshake has the name of the server and the instructions', () => {
  expect(stdio.initialized).toMatchObject({
    serverInfo: { name: 'container-tracking' },
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    instructions: expect.stringContaining('Begin with search_container'),
  });
});

test('stdout has only messages of the protocol', () => {
  for (const line of stdio.lines) expect(JSON.parse(line).jsonrpc).toBe('2.0');
  expect(stdio.stderr()).toBe('');
});
