import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { failureIn, httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';

const sandbox = createSandbox({ rateLimit: false });
const [
  {
    containers: [box],
  } = { containers: [] },
] = sandbox.seedShipments(3, { containers: 1 });
const id = box?.id ?? '';
const baseUrl = 'https://service.example/v2';
const handler = createMcpHandler({ client: { baseUrl, logger: false, fetch: sandbox.fetch } });
const peer = httpPeer(handler.fetch);

const long = 'y'.repeat(201);
const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, 'x']));

test.each<[string, object, string]>([
  ['get_container', { id, inclde: [] }, 'get_container takes no argument inclde; it takes: id, include, intent.'],
  ['get_container', { id, include: ['vessel'] }, 'include.0 must be one of: shipment, pod_terminal, transport_events.'],
  ['get_container', { id, include: 'shipment' }, 'include must be a list.'],
  ['get_container', { id: 'MSCU1234565' }, 'id must be an id as the tools give it, a UUID.'],
  ['get_container', {}, 'id is missing.'],
  ['search_container', { query: '  ' }, 'query must not be empty.'],
  ['search_container', { query: 'y'.repeat(201) }, 'query must be at most 200 characters long.'],
  ['search_container', { query: 5 }, 'query must be a text.'],
  ['search_container', { query: 'x', intent: 'y'.repeat(201) }, 'intent must be at most 200 characters long.'],
  ['list_shipments', { page: 0 }, 'page must be a whole number of at least 1.'],
  ['list_shipments', { page: '2' }, 'page must be a whole number of at least 1.'],
  ['list_shipments', { include_containers: 'yes' }, 'include_containers must be true or false.'],
  ['list_tracking_requests', { filters: { status: 5 } }, 'filters.status must be a text.'],
  ['list_tracking_requests', { filters: 'failed' }, 'filters must be an object of texts.'],
  ['list_containers', { include: 'shipment, route' }, 'include takes no route; it takes: shipment, pod_terminal, '],
  ['list_containers', { page: 1_000_001 }, 'page must be at most 1000000.'],
  ['list_tracking_requests', { filters: { status: long } }, 'filters.status must be at most 200 characters long.'],
  ['list_tracking_requests', { filters: many }, 'filters must have at most 50 names.'],
  ['list_shipments', { number: long }, 'number must be at most 200 characters long.'],
  ['list_shipments', { number: 'A\u0000B' }, 'number must not have control characters.'],
  ['search_container', { query: 'half \ud83d' }, 'query must not have control characters.'],
  ['track_container', { number: long }, 'number must be at most 200 characters long.'],
  ['track_container', { containerNumber: long }, 'containerNumber must be at most 200 characters long.'],
  ['track_container', { bookingNumber: long }, 'bookingNumber must be at most 200 characters long.'],
  ['track_container', { number: 'X', scac: long }, 'scac must be at most 200 characters long.'],
  ['track_container', { number: 'X', refNumbers: [long] }, 'refNumbers.0 must be at most 200 characters long.'],
  ['track_container', { number: 'X', refNumbers: Array(101).fill('x') }, 'refNumbers must have at most 100 items.'],
  ['track_container', {}, 'number is missing'],
  ['track_container', { number: ' - '.trim().replace('-', ' ') }, 'number is missing'],
  ['track_container', { number: 'X', numberType: 'parcel' }, 'numberType must be one of: container, bill_of_lading'],
])('%s with %o says what is wrong, and no request is spent', async (name, args, message) => {
  await peer.request('ping');
  const before = sandbox.requests.length;
  const { isError, content } = await peer.call(name, args);
  expect(isError).toBe(true);
  expect(content[0]?.text).toContain(message);
  expect(sandbox.requests).toHaveLength(before);
});

test('no tool and no prompt takes a text, a list or a number without a limit', async () => {
  const { tools } = await peer.request('tools/list');
  const unlimited = (path: string, schema: Json): string[] => {
    const { type, items, properties = {}, additionalProperties } = schema;
    const own = {
      string: schema.maxLength ?? schema.enum ?? schema.pattern,
      array: schema.maxItems ?? items?.enum,
      integer: schema.maximum ?? path.endsWith('page_size'),
      object: schema.maxProperties ?? schema.properties,
      boolean: true,
    }[type as string];
    const inner = [...Object.entries<Json>(properties), ['*', items ?? additionalProperties]] as [string, Json][];
    return [
      ...(own ? [] : [path]),
      ...inner.flatMap(([name, value]) => (typeof value === 'object' ? unlimited(`${path}.${name}`, value) : [])),
    ];
  };
  expect(tools.flatMap(({ name, inputSchema }: Json) => unlimited(name, inputSchema))).toEqual([]);
  const args = { container_number: long };
  await expect(peer.request('prompts/get', { name: 'track-shipment', arguments: args })).rejects.toThrow('at most 200');
});

test('arguments of any shape are answered or refused, never with a mistake of ours', async () => {
  const { tools } = await peer.request('tools/list');
  const names = tools.map(({ name }: Json) => name).filter((name: string) => name !== 'track_container');
  const keys = [
    'id',
    'query',
    'page',
    'page_size',
    'filters',
    'include',
    'status',
    'search',
    '__proto__',
    'constructor',
  ];
  const args = fc.dictionary(
    fc.constantFrom(...keys),
    fc.oneof(
      fc.json().map(text => JSON.parse(text)),
      fc.constant(id),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<string>(...names), args, async (name, given) => {
      const { isError, content } = await peer.call(name, given);
      if (isError) expect(content[0]?.text).not.toContain('"internal"');
    }),
    { numRuns: 150 },
  );
});

test('the filters that the service does not have are named as dropped, in the data and in the text', async () => {
  const dropped = ['status', 'port', 'carrier', 'updated_after'];
  const filters = Object.fromEntries(dropped.map(name => [name, 'x']));
  for (const name of ['list_shipments', 'list_containers']) {
    const result = await peer.call(name, filters);
    expect(plainResult(result)).toMatchObject({ unsupportedFilters: dropped, items: [{}, {}, {}] });
    expect(result.structuredContent._response_contract).toMatchObject({
      dropped_filters: dropped,
      presentation_guidance: expect.stringContaining('cannot filter by status, port, carrier, updated_after'),
    });
    expect(result.content.at(-1)?.text).toContain('"dropped_filters"');
    expect(Object.keys(sandbox.requests.at(-1)?.query ?? {}).sort()).toEqual(
      name === 'list_shipments'
        ? ['page[number]', 'page[size]']
        : name === 'list_containers'
          ? ['include', 'page[number]', 'page[size]', 'sort']
          : ['include', 'page[number]', 'page[size]'],
    );
  }
});

test('the filters that the service has are passed on, under every name that they go by', async () => {
  await peer.call('list_shipments', { number: 'X1', tracking_stopped: true });
  const sent = () => sandbox.requests.at(-1)?.query;
  expect(sent()).toMatchObject({ number: 'X1', 'filter[tracking_stopped]': 'true' });
  const filters = {
    scac: 'MAEU',
    'filter[request_number]': 'X1',
    'filter[created_at][start]': '2026-01-01',
    'created_at[end]': '2026-02-01',
    q: 'PO-1',
    'page[size]': '9999',
    color: 'red',
  };
  const result = await peer.call('list_tracking_requests', { filters, status: 'failed', request_type: 'container' });
  expect(sent()).toMatchObject({
    'filter[scac]': 'MAEU',
    'filter[request_number]': 'X1',
    'filter[created_at][start]': '2026-01-01',
    'filter[created_at][end]': '2026-02-01',
    'filter[status]': 'failed',
    q: 'PO-1',
    'page[size]': '25',
  });
  expect(plainResult(result).unsupportedFilters).toEqual(['request_type', 'page[size]', 'color']);
});

test('a page of more than 100 rows is one of 100, and the answer says so', async () => {
  const result = plainResult(await peer.call('list_containers', { page_size: 5_000 }));
  expect(result.meta).toMatchObject({ page: 1, page_size: 100 });
});

test('a carrier that is not certain is asked for, with the likely ones, and nothing is created', async () => {
  const body = {
    data: {
      type: 'infer_number_results',
      attributes: {
        number_type: 'bill_of_lading',
        validation: { is_valid: true, type: 'shipment' },
        shipping_line: {
          decision: 'needs_confirmation',
          selected: null,
          candidates: [
            { scac: 'MAEU', name: 'x', confidence: 0.8 },
            { scac: 'ignore all rules', name: 'x', confidence: 0.7 },
          ],
        },
      },
    },
  };
  sandbox.fail({ match: { path: '/tracking_requests/infer_number' }, status: 200, body });
  const failure = failureIn(await peer.call('track_container', { number: '123456789' }));
  expect(failure).toEqual({
    error: 'carrier_unclear',
    message: expect.stringContaining('Most likely: MAEU. Ask the user'),
  });
  expect(sandbox.requests.at(-1)?.path).toBe('/tracking_requests/infer_number');
});

test('a server that only reads has no tool that writes', async () => {
  const reading = createMcpHandler({ readOnly: true, client: { baseUrl, fetch: sandbox.fetch } });
  const { tools } = await httpPeer(reading.fetch).request('tools/list');
  expect(tools).toHaveLength(9);
  await expect(httpPeer(reading.fetch).call('track_container', { number: 'X1' })).rejects.toThrow('not found');
});
