import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { MCP_EDITIONS, type McpEdition } from '../../src/sandbox/mcp/editions.ts';
import { httpPeer, RpcError } from '../../support/mcp-peer.ts';
import { call, stillSandbox } from '../../support/sandbox.ts';

const [FIRST, GUIDED, PLAIN, FILTERED] = MCP_EDITIONS;
const UNKNOWN = '11111111-1111-4111-8111-111111111111';

/** The MCP endpoint of an edition, in a sandbox with six shipments. */
function endpoint(mcpEdition: McpEdition, options = {}) {
  const sandbox = stillSandbox({ shipments: 6, mcpEdition, ...options });
  return { sandbox, peer: httpPeer(request => sandbox.fetch(request), { url: 'https://service.example/mcp' }) };
}

async function toolsOf(edition: McpEdition) {
  const { tools } = await endpoint(edition).peer.request('tools/list');
  return new Map(tools.map((tool: { name: string }) => [tool.name, tool])) as Map<
    string,
    ReturnType<typeof JSON.parse>
  >;
}

/** The error of a call with wrong arguments. */
async function refusal(edition: McpEdition, name: string, args: object): Promise<string> {
  const outcome = await endpoint(edition)
    .peer.call(name, args)
    .catch(error => error);
  expect(outcome).toBeInstanceOf(RpcError);
  return String(outcome);
}

test('an unknown edition is refused, and the first edition is the default', async () => {
  expect(() => stillSandbox({ mcpEdition: '2027' as never })).toThrow(ConfigurationError);
  const sandbox = stillSandbox();
  const peer = httpPeer(request => sandbox.fetch(request), { url: 'https://service.example/mcp' });
  const { tools } = await peer.request('tools/list');
  expect(tools).toEqual([...(await toolsOf(FIRST)).values()]);
});

test.each([
  [FIRST, []],
  [GUIDED, []],
  [PLAIN, ['search_docs']],
  [FILTERED, ['summarize_containers', 'list_parties', 'whoami']],
])('edition %s has the ten common tools, and these additional tools: %j', async (edition, more) => {
  const names = [...(await toolsOf(edition)).keys()];
  expect(names.slice(10)).toEqual(more);
  expect(names).toHaveLength(10 + more.length);
});

test.each([
  [FIRST, false, true, ['status', 'port', 'carrier', 'updated_after'], ['number']],
  [GUIDED, true, true, ['number', 'tracking_stopped'], ['status', 'port']],
  [PLAIN, false, false, ['number', 'tracking_stopped'], ['status', 'sort']],
  [
    FILTERED,
    false,
    false,
    ['number', 'pod_arrival', 'advanced_filters', 'sort', 'include_stopped_tracking'],
    ['status'],
  ],
])('edition %s has its own arguments (intent: %s, guidance: %s)', async (edition, hasIntent, isGuided, has, hasNot) => {
  const tools = await toolsOf(edition);
  for (const { inputSchema } of tools.values()) expect('intent' in inputSchema.properties).toBe(hasIntent);
  const names = Object.keys(tools.get('list_shipments').inputSchema.properties);
  expect(names).toEqual(expect.arrayContaining(has));
  expect(names.filter(name => hasNot.includes(name))).toEqual([]);
  const { structuredContent, content } = await endpoint(edition).peer.call('search_container', { query: 'x' });
  expect('_response_contract' in (structuredContent ?? {})).toBe(isGuided);
  expect(content).toHaveLength(isGuided ? 2 : 1);
});

test.each([
  [FIRST, ['status'], { dropped_filters: ['status'] }],
  [GUIDED, [], {}],
  [PLAIN, [], undefined],
])('edition %s reports arguments that it cannot use as filters: %j', async (edition, unsupported, contract) => {
  const { structuredContent } = await endpoint(edition).peer.call('list_shipments', { status: 'x' });
  expect(structuredContent).toMatchObject({ unsupportedFilters: unsupported });
  expect(structuredContent?.items).toHaveLength(6);
  const { dropped_filters } = structuredContent?._response_contract ?? {};
  expect({ ...(dropped_filters && { dropped_filters }) }).toEqual(contract ?? {});
});

test.each([
  [FIRST, 100],
  [GUIDED, 100],
  [PLAIN, undefined],
  [FILTERED, undefined],
])('edition %s limits a page to %s rows (undefined: it refuses a larger page)', async (edition, rows) => {
  const { peer } = endpoint(edition, { shipments: 120 });
  const outcome = await peer.call('list_shipments', { page_size: 110 }).catch(error => error);
  if (rows === undefined) expect(String(outcome)).toContain('page_size');
  else expect(outcome.structuredContent.items).toHaveLength(rows);
});

describe(`${GUIDED}`, () => {
  test('accepts the older names of the argument number, and fails without a reason if there is no number', async () => {
    const { peer } = endpoint(GUIDED);
    const { structuredContent } = await peer.call('track_container', { bookingNumber: 'MAEU-ATSEA-1', scac: 'MAEU' });
    expect(structuredContent).toMatchObject({ tracking_request: { number_type: 'booking_number' } });
    const failure = { isError: true, content: [{ text: 'The tool track_container has failed. Try again later.' }] };
    expect(await peer.call('track_container', {})).toMatchObject(failure);
  });
});

describe.each([PLAIN, FILTERED])('%s', edition => {
  test.each<[string, object, string]>([
    ['search_container', { query: 'x'.repeat(129) }, 'too long'],
    ['track_container', {}, 'required'],
    ['track_container', { number: 'x'.repeat(65) }, 'too long'],
    ['track_container', { number: 'x', numberType: 'BL' }, 'one of'],
    ['track_container', { number: 'x', scac: 'MAE' }, 'match'],
    ['track_container', { number: 'x', refNumbers: Array(11).fill('a') }, 'at most 10'],
    ['list_containers', { include: 'shipment' }, 'array'],
    ['list_containers', { include: ['shipment', 'pod_terminal', 'shipment'] }, 'at most 2'],
    ['list_tracking_requests', { filters: {} }, 'filters'],
    ['list_tracking_requests', { request_type: 'container' }, 'request_type'],
    ['list_tracking_requests', { status: 'other' }, 'one of'],
  ])('refuses %s %j', async (name, args, said) => {
    expect(await refusal(edition, name, args)).toContain(said);
  });

  test('accepts the argument intent of list_tracking_requests, and ignores it', async () => {
    const { structuredContent } = await endpoint(edition).peer.call('list_tracking_requests', { intent: 'why' });
    expect(structuredContent?.items.length).toBeGreaterThan(0);
  });

  test('gives the reason why a number cannot be tracked', async () => {
    const { peer } = endpoint(edition);
    const texts = ['TCLU1234560', '-'].map(
      async number => (await peer.call('track_container', { number })).content[0]?.text,
    );
    expect(await Promise.all(texts)).toEqual([
      'TCLU1234560 cannot be tracked: The check digit does not match.',
      expect.stringMatching(/^- cannot be tracked/),
    ]);
  });

  test('returns the source of the last free day and the requested custom fields from get_container, but no hints', async () => {
    const { sandbox, peer } = endpoint(edition);
    const [shipment] = sandbox.seedShipments(1, { phase: 'available' });
    const id = shipment?.containers[0]?.id;
    const plain = (await peer.call('get_container', { id })).structuredContent ?? {};
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['events', 'custom_fields']));
    expect(plain.demurrage.pickup_lfd_source).toMatch(/^(line|facility)$/);
    expect(plain.demurrage.pickup_lfd_local_date).toMatch(/^2026-\d\d-\d\d$/);
    const metadata = ['container_state', 'status_is_authoritative', 'derived_lifecycle', 'includes_loaded'];
    expect(Object.keys(plain._metadata)).toEqual(metadata);
    const definition = { entity_type: 'Container', api_slug: 'po', display_name: 'Order', data_type: 'short_text' };
    await call(sandbox, 'POST', '/custom_field_definitions', {
      data: { type: 'custom_field_definition', attributes: definition },
    });
    const value = { data: { type: 'custom_field', attributes: { api_slug: 'po', value: '7' } } };
    expect((await call(sandbox, 'POST', `/containers/${id}/custom_fields`, value)).status).toBe(201);
    const full = await peer.call('get_container', { id, include: ['transport_events', 'custom_fields'] });
    expect(full.structuredContent).toMatchObject({
      events: { count: expect.any(Number) },
      custom_fields: [{ name: 'Order', slug: 'po', value: '7', data_type: 'short_text' }],
    });
    const details = await peer.call('get_shipment_details', { id: shipment?.id, include_custom_fields: true });
    expect(details.structuredContent?.custom_fields).toEqual([]);
  });
});

test('the field infer_result has one of three forms', async () => {
  const { sandbox, peer } = endpoint(PLAIN);
  const [shipment] = sandbox.seedShipments(1);
  const number = shipment?.containers[0]?.number;
  const infer = async (args: object) => (await peer.call('track_container', args)).structuredContent?.infer_result;
  expect(await infer({ number })).toMatchObject({ inferred_type: 'container', source: 'search_match' });
  expect(await infer({ number: 'MAEU77123456' })).toMatchObject({
    data: { attributes: { number_type: 'bill_of_lading' } },
  });
  const direct = { number: 'TCLU1234560', numberType: 'container', scac: 'MAEU' };
  const fallback = { fallback: 'create_tracking_request', reason: 'The check digit does not match.' };
  expect(await infer(direct)).toEqual({ ...fallback, inferred_type: 'container', selected_scac: 'MAEU' });
  const { structuredContent } = await endpoint(GUIDED).peer.call('track_container', { number: 'MAEU1234560' });
  expect(structuredContent?.infer_result).toEqual({ ...fallback, inferred_type: 'container', selected_scac: 'MAEU' });
});

test('search_docs finds the pages that contain the words of the query', async () => {
  const { structuredContent } = await endpoint(PLAIN).peer.call('search_docs', { query: 'transshipment', limit: 1 });
  expect(structuredContent).toMatchObject({ total_results: 1, results: [{ title: expect.any(String) }] });
  expect(structuredContent?.results[0].content).toContain('transshipment');
});

describe(`${FILTERED}`, () => {
  const { sandbox, peer } = endpoint(FILTERED, { shipments: 12 });
  const list = async (args: object, name = 'list_containers') => (await peer.call(name, args)).structuredContent ?? {};

  test('filters and sorts the lists by arguments and by advanced_filters, and returns the applied filters', async () => {
    const all = await list({ include_stopped_tracking: true, page_size: 25 });
    expect(all._metadata).toEqual({ applied_filters: {}, page: 1, page_size: 25, has_more: true, next_page: 2 });
    const status = all.items[0].status;
    const some = await list({ current_status: status, sort: '-arrival', advanced_filters: { number: '@exists' } });
    expect(new Set(some.items.map((row: { status: string }) => row.status))).toEqual(new Set([status]));
    const applied = { current_status: status, number: '@exists', actively_tracked: true };
    expect(some._metadata).toMatchObject({ applied_filters: applied, sort: '-arrival', has_more: null });
    const bounds = { pod_arrived_at: ['>=2026-01-01', '<=2026-12-31'] };
    const arrived = await list({ advanced_filters: bounds });
    expect(arrived.items.length).toBeGreaterThan(0);
    expect(arrived.items.every((row: object) => 'pod_arrived_at' in row)).toBe(true);
    const shipments = await list({ voyage_status: 'arrived' }, 'list_shipments');
    expect(shipments.items.length).toBeGreaterThan(0);
    expect(shipments).not.toHaveProperty('unsupportedFilters');
    const requests = await list({ scac: 'MAEU' }, 'list_tracking_requests');
    expect(requests._metadata.applied_filters).toEqual({ scac: 'MAEU' });
  });

  test('returns short rows of containers by default, or full rows', async () => {
    const [short] = (await list({ page_size: 1 })).items;
    expect(short).toHaveProperty('shipment.bill_of_lading');
    expect(Object.values(short)).not.toContain(null);
    const [full] = (await list({ page_size: 1, view: 'full' })).items;
    expect(full).toHaveProperty('shipment.billOfLading');
    expect(full.id).toBe(short.id);
  });

  test.each([
    ['twice', { pod_code: 'USLAX', advanced_filters: { pod_code: 'USLAX' } }, 'list_containers', 'pod_code'],
    ['tag and tags', { tags: ['a'], advanced_filters: { tag: 'b' } }, 'list_shipments', 'tag'],
    ['an order that does not exist', { sort: 'pickup_lfd,-nonsense' }, 'list_containers', '-nonsense'],
    ['a malformed day', { pickup_lfd: 'soon' }, 'list_containers', 'failed'],
    ['a custom field that does not exist', { custom_fields: { Nothing: 1 } }, 'list_containers', 'Nothing'],
  ])('fails for filters that contradict each other or cannot be read: %s', async (_, args, name, said) => {
    const { isError, content } = await peer.call(name, args);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(said)]);
  });

  test.each([
    ['list_shipments', { status: 'x' }],
    ['list_containers', { advanced_filters: { nonsense: '1' } }],
    ['list_containers', { advanced_filters: { eta_changed_in_last_24h: false } }],
    ['summarize_containers', { group_by: 'pod_terminal', page: 1 }],
    ['list_parties', { name: 'x' }],
  ])('refuses arguments or values that %s does not have: %j', async (name, args) => {
    await refusal(FILTERED, name, args);
  });

  test('finds containers by a custom field, with its slug or its display name', async () => {
    const definition = { entity_type: 'Container', api_slug: 'po', display_name: 'Order', data_type: 'short_text' };
    await call(sandbox, 'POST', '/custom_field_definitions', {
      data: { type: 'custom_field_definition', attributes: definition },
    });
    const [{ id }] = (await list({ page_size: 1 })).items;
    const value = { data: { type: 'custom_field', attributes: { api_slug: 'po', value: '7' } } };
    await call(sandbox, 'POST', `/containers/${id}/custom_fields`, value);
    for (const field of ['po', 'Order']) {
      const { items, _metadata } = await list({ custom_fields: { [field]: '7' } });
      expect(items.map((row: { id: string }) => row.id)).toEqual([id]);
      expect(_metadata.custom_fields).toEqual([{ field, api_slug: 'po', data_type: 'short_text', value: '7' }]);
    }
  });

  test('counts containers, finds parties and describes the caller', async () => {
    const summary = await list({ group_by: 'current_status', include_stopped_tracking: true }, 'summarize_containers');
    const counted = summary.groups.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    expect([counted, summary.truncated]).toEqual([summary.total, false]);
    const parties = await list({ limit: 1 }, 'list_parties');
    expect(parties).toMatchObject({
      total_matched: expect.any(Number),
      truncated: true,
      parties: [{ name: expect.any(String) }],
    });
    const me = await list({}, 'whoami');
    expect(me).toMatchObject({ kind: 'api_key', channel: 'mcp', account: { company_name: 'Sandbox' }, user: null });
  });

  test('reports an unknown id as not found', async () => {
    const { content } = await peer.call('get_container', { id: UNKNOWN });
    expect(content[0]?.text).toBe(`Nothing was found for the id ${UNKNOWN}.`);
  });
});
