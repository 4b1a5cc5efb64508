import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type Json, plainResult } from '../../support/mcp-peer.ts';
import { createSandbox } from '../../support/sandbox.ts';

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

test.each<[string, object, string]>([
  ['get_container', { id, inclde: [] }, 'get_container takes no argument inclde; it takes: id, include.'],
  [
    'get_container',
    { id, include: ['vessel'] },
    'include.0 must be one of: shipment, pod_terminal, transport_events, documents.',
  ],
  ['get_container', { id, include: 7 }, 'include must be a list.'],
  ['get_container', { id: ' ' }, 'id must not be empty.'],
  ['get_container', {}, 'id is missing.'],
  ['search_container', { query: '  ' }, 'query must not be empty.'],
  ['search_container', { query: 'y'.repeat(201) }, 'query must be at most 200 characters long.'],
  ['search_container', { query: 5 }, 'query must be a text.'],
  ['worklist', { within: -1 }, 'within must be a whole number of at least 0.'],
  ['list_shipments', { page: 0 }, 'page must be a whole number of at least 1.'],
  ['list_shipments', { page: '2nd' }, 'page must be a whole number.'],
  ['worklist', { within: '7.5' }, 'within must be a whole number.'],
  ['list_shipments', { include_containers: 'yes' }, 'include_containers must be true or false.'],
  ['list_tracking_requests', { filters: {} }, 'list_tracking_requests takes no argument filters; it takes: '],
  ['list_tracking_requests', { request_type: 'container' }, 'takes no argument request_type; it takes: '],
  ['list_containers', { include: {} }, 'include must be a list.'],
  ['worklist', { lists: 'all' }, 'lists.0 must be one of: demurrage, last_free_day, held, ready, late, silent.'],
  ['worklist', { lists: 'redy' }, 'lists.0 has no value redy. Did you mean ready? It must be one of: demurrage, '],
  ['list_containers', { sort: 'foo' }, 'sort has no foo. It takes: arrival, created_at, updated_at, '],
  ['list_containers', { sort: '-pod_eta' }, 'sort has no -pod_eta. Did you mean pod_eta_at? It takes: arrival, '],
  ['list_containers', { sort: 'last_free_day' }, 'Did you mean pickup_lfd? It takes: '],
  ['list_containers', { include: ['route'] }, 'include.0 must be one of: shipment, pod_terminal, pickup_facility.'],
  [
    'list_containers',
    { status: 'avail' },
    'status has no value avail. Did you mean available? It must be one of: new, ',
  ],
  ['list_containers', { pickup_lfd: 'soon' }, 'pickup_lfd is "soon'],
  ['list_containers', { pickup_lfd: '>=today until friday' }, 'pickup_lfd must be a day or bounds, such as 2026-11-23'],
  ['list_containers', { updated_after: '2026-11-23T10h' }, 'updated_after is "2026-11-23T10h'],
  ['summarize_containers', { group_by: 'pod_terminal', status: 'available,new' }, 'status must be one of: '],
  ['list_containers', { sort: 'color' }, 'sort has no color'],
  ['list_containers', { status: ['new', 'loaded'] }, 'status takes one value, not a list. It must be one of: new, '],
  ['whoami', { x: 1 }, 'whoami takes no arguments.'],
  ['worklist', { limit: 0 }, 'limit must be a whole number of at least 1.'],
  ['list_containers', { page_size: 101 }, 'page_size must be at most 100.'],
  ['list_shipments', { status: 'x' }, 'list_shipments takes no argument status; it takes: number, port, '],
  ['list_shipments', { carrier: 'MAEU', updated_after: 'x' }, 'takes no argument carrier, updated_after; it takes: '],
  ['summarize_containers', { group_by: 'color' }, 'group_by must be one of: pod_terminal, current_status, '],
  ['list_parties', { limit: 51 }, 'limit must be at most 50.'],
  ['list_containers', { page: 1_000_001 }, 'page must be at most 1000000.'],
  ['list_tracking_requests', { status: 'x' }, 'status must be one of: pending, awaiting_manifest, created, '],
  ['list_tracking_requests', { created_after: 'soon' }, 'created_after is soon; it must be a day such as'],
  ['list_shipments', { number: long }, 'number must be at most 200 characters long.'],
  ['list_shipments', { number: 'A\u0000B' }, 'number must not have control characters.'],
  ['search_container', { query: 'half \ud83d' }, 'query must not have control characters.'],
  ['track_container', { number: long }, 'number must be at most 200 characters long.'],
  [
    'track_container',
    { containerNumber: 'X' },
    'number is missing. track_container takes no argument containerNumber; it takes: number, ',
  ],
  [
    'track_container',
    { bookingNumber: 'X' },
    'number is missing. track_container takes no argument bookingNumber; it takes: number, ',
  ],
  ['track_container', { number: 'X', scac: long }, 'scac must be at most 200 characters long.'],
  ['track_container', { number: 'X', ref_numbers: [long] }, 'ref_numbers.0 must be at most 200 characters long.'],
  ['track_container', { number: 'X', ref_numbers: Array(101).fill('x') }, 'ref_numbers must have at most 100 items.'],
  ['track_container', {}, 'number is missing'],
  ['track_container', { number: '  ' }, 'number must not be empty.'],
  ['track_container', { number: 'X', number_type: 'parcel' }, 'number_type must be one of: container, bill_of_lading'],
])('%s with %o fails with the reason, and no request is sent', async (name, args, message) => {
  await peer.request('ping');
  const before = sandbox.requests.length;
  const failure = failureIn(await peer.call(name, args));
  expect(failure).toEqual({ error: 'invalid_request', message: expect.stringContaining(message) });
  expect(sandbox.requests).toHaveLength(before);
});

test('a value in another form is accepted if it can have only one meaning', async () => {
  const forms: [string, object, object][] = [
    ['worklist', { lists: 'Last-Free-Day', within: '3' }, { lists: ['last_free_day'], within: 3 }],
    ['list_shipments', { include_containers: 'true', page: '1' }, { include_containers: true, page: 1 }],
    ['list_containers', { status: 'picked up', page_size: '2' }, { status: 'picked_up', page_size: 2 }],
    ['list_containers', { status: ['available'], carrier: ['MAEU'] }, { status: 'available', carrier: 'MAEU' }],
  ];
  for (const [name, written, meant] of forms)
    expect(await peer.call(name, written)).toEqual(await peer.call(name, meant));
});

test('no tool and no prompt accepts a list or an object of unlimited size', async () => {
  const { tools } = await peer.request('tools/list');
  const unlimited = (path: string, schema: Json): string[] => {
    const { type, items, properties = {}, additionalProperties } = schema;
    const own = {
      // The limits of a text and of a number are not in the schema, which a host sends with every conversation.
      string: true,
      integer: true,
      array: schema.maxItems ?? items?.enum,
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
  for (const { name, inputSchema } of tools)
    for (const [argument, { type, items, enum: known }] of Object.entries<Json>(inputSchema.properties ?? {})) {
      const isText = type === 'string' && !known;
      const isTexts = items?.type === 'string' && !items.enum;
      if (!isText && !isTexts) continue;
      const { isError, content } = await peer.call(name, { [argument]: isText ? long : [long] });
      expect(isError).toBe(true);
      expect(content[0]?.text).toMatch(new RegExp(`${argument}${isText ? '' : '[.]0'} must be at most`));
    }
  const args = { container_number: long };
  await expect(peer.request('prompts/get', { name: 'track-shipment', arguments: args })).rejects.toThrow('at most 200');
});

test('arguments of any shape get a result or a refusal, and never an internal error', async () => {
  const { tools } = await peer.request('tools/list');
  const names = tools.map(({ name }: Json) => name).filter((name: string) => name !== 'track_container');
  const keys = [
    'id',
    'query',
    'page',
    'page_size',
    'limit',
    'pickup_lfd',
    'group_by',
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

test.each<[string, object, object]>([
  [
    'list_containers',
    {
      status: 'available',
      port: 'USLAX, usoak',
      carrier: 'maeu',
      updated_after: '1.days.ago',
      pickup_lfd: '>=today <=3.days.from_now',
      arrival: '2026-11-23',
      has_holds: true,
      tags: 'a,b',
      sort: 'pickup_lfd,-created_at',
    },
    {
      'filter[current_status]': 'available',
      'filter[pod_code]': 'USLAX,USOAK',
      'filter[shipping_line_scac]': 'MAEU',
      'filter[updated_at]': '>=1.days.ago',
      'filter[pickup_lfd][]': '<=3.days.from_now',
      'filter[arrival]': '2026-11-23',
      'filter[has_holds]': 'true',
      'filter[tags]': 'a,b',
      sort: 'pickup_lfd,-created_at',
    },
  ],
  [
    'list_shipments',
    {
      number: 'X1',
      port: 'uslax',
      pol_code: 'cnsha',
      pod_arrival: '<=today',
      tracking_stopped: true,
      sort: 'pod_arrival',
    },
    {
      number: 'X1',
      'filter[pod_code]': 'USLAX',
      'filter[pol_code]': 'CNSHA',
      'filter[pod_arrival]': '<=today',
      'filter[tracking_stopped]': 'true',
      sort: 'pod_arrival',
    },
  ],
  ['summarize_containers', { group_by: 'pod_terminal', carrier: 'MAEU' }, { 'filter[shipping_line_scac]': 'MAEU' }],
  [
    'list_tracking_requests',
    { status: 'failed', scac: 'MAEU', request_number: 'X1', created_after: '2026-01-01', created_before: '2026-02-01' },
    {
      'filter[status]': 'failed',
      'filter[scac]': 'MAEU',
      'filter[request_number]': 'X1',
      'filter[created_at][start]': '2026-01-01',
      'filter[created_at][end]': '2026-02-01',
    },
  ],
])('%s sends %o as the same filters of the service, and the result names these filters', async (name, given, sent) => {
  const result = await peer.call(name, given);
  expect(sandbox.requests.at(-1)?.query).toMatchObject(sent);
  const { sort, group_by, ...filters } = given as Json;
  const codes = ['port', 'carrier', 'pol_code'].flatMap(name =>
    filters[name] ? [[name, filters[name].toUpperCase().replace(' ', '')]] : [],
  );
  expect(plainResult(result).applied_filters).toEqual({ ...filters, ...Object.fromEntries(codes) });
});

test('the text of a list names the arguments that filter the list, or says that the list has no filter', async () => {
  const textOf = async (args: object) => (await peer.call('list_containers', args)).content[0]?.text;
  expect(await textOf({ port: 'USLAX', has_holds: false })).toMatch(/containers; by port USLAX, has_holds; /);
  expect(await textOf({})).toMatch(/^3 of 3 containers; no filter; no more\n/);
});

test.each([
  ['list_containers', 'arrival'],
  ['list_shipments', 'pod_arrival'],
])(
  'the hint of %s says that %s is compared as a day in UTC, because the rows have local days',
  async (name, argument) => {
    const { hint } = plainResult(await peer.call(name, { [argument]: '>=2020-01-01' }));
    expect(hint).toContain(`${argument} is compared as a day in UTC`);
  },
);

test('if the carrier is not certain, the failure has the likely carriers, and nothing is created', async () => {
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

test('a number of an unclear kind is refused with the possible kinds, even if the call has the carrier', async () => {
  sandbox.fail({
    match: { path: '/tracking_requests/infer_number' },
    status: 200,
    body: { data: { id: 'x', type: 'infer_number_result', attributes: { number_type: null, shipping_line: null } } },
  });
  const { message } = failureIn(await peer.call('track_container', { number: '123456789', scac: 'MAEU' }));
  expect(message).toBe(
    'The kind does not follow from the number for certain. Ask the user, and call again with number_type: container, bill_of_lading, booking_number.',
  );
});

test('a read-only server has no tool that writes', async () => {
  const reading = createMcpHandler({ readOnly: true, client: { baseUrl, fetch: sandbox.fetch } });
  const { tools } = await httpPeer(reading.fetch).request('tools/list');
  expect(tools).toHaveLength(14);
  await expect(httpPeer(reading.fetch).call('track_container', { number: 'X1' })).rejects.toThrow('not found');
});

test('names are in snake_case, and the names of the hosted endpoint are accepted for the same arguments', async () => {
  const { tools } = await peer.request('tools/list');
  expect(JSON.stringify(tools)).toContain('"number_type"');
  const namesIn = (schema: Json): string[] =>
    [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})]
      .filter(Boolean)
      .flatMap(namesIn)
      .concat(Object.keys(schema.properties ?? {}), schema.required ?? []);
  const names = tools.flatMap(({ inputSchema, outputSchema }: Json) => [inputSchema, outputSchema].flatMap(namesIn));
  expect(names.filter((name: string) => !/^_?[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
  const args = { number: 'MAEU-ATSEA-9', numberType: 'bill_of_lading', scac: 'MAEU', refNumbers: ['PO-9'] };
  expect(plainResult(await peer.call('track_container', args))).toMatchObject({
    tracking_request: { number_type: 'bill_of_lading' },
  });
  const { items } = plainResult(await peer.call('list_tracking_requests', { requestNumber: 'MAEU-ATSEA-9' }));
  expect(items).toMatchObject([{ request_number: 'MAEU-ATSEA-9', ref_numbers: ['PO-9'] }]);
  const both = await peer.call('track_container', { ...args, number_type: 'container' });
  expect(both.content[0]?.text).toContain(
    'track_container takes no argument numberType; it takes: number, number_type,',
  );
});

test.each([
  ['yesterday', '1.days.ago'],
  ['tomorrow', '1.days.from_now'],
  ['2 days ago', '2.days.ago'],
  ['2d ago', '2.days.ago'],
  ['2 weeks ago', '14.days.ago'],
  ['in 3 days', '3.days.from_now'],
  ['3 days from now', '3.days.from_now'],
  ['3.days.from_now', '3.days.from_now'],
  ['today', 'today'],
])('the day %s means %s in every argument with a day', async (written, sent) => {
  for (const [name, argument, filter] of [
    ['list_containers', 'updated_after', 'updated_at'],
    ['list_containers', 'pickup_lfd', 'pickup_lfd'],
    ['list_containers', 'arrival', 'arrival'],
    ['summarize_containers', 'arrival', 'arrival'],
    ['list_shipments', 'pod_arrival', 'pod_arrival'],
  ] as const) {
    const group = name === 'summarize_containers' && { group_by: 'current_status' };
    plainResult(await peer.call(name, { ...group, [argument]: written }));
    expect(sandbox.requests.at(-1)?.query[`filter[${filter}]`]?.replace('>=', '')).toBe(sent);
  }
  plainResult(await peer.call('list_tracking_requests', { created_after: written }));
  expect(sandbox.requests.at(-1)?.query['filter[created_at][start]']).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test.each(['7 days', '2d', 'last 2 weeks', '<=7 days', '>=today <=7d'])(
  'a filter for days refuses %j, which may be in the past or in the future',
  async written => {
    for (const [tool, argument] of [
      ['list_containers', 'pickup_lfd'],
      ['list_containers', 'arrival'],
      ['list_shipments', 'pod_arrival'],
    ] as const) {
      const { error, message } = failureIn(await peer.call(tool, { [argument]: written }));
      expect({ error, message }).toEqual({
        error: 'invalid_request',
        message: expect.stringMatching(`^${argument}: .* may be in the past or in the future\\. Write "in 7 days" or`),
      });
    }
    plainResult(await peer.call('list_containers', { updated_after: '2d' }));
  },
);

test('a list that is empty because of a filter for days says that the days are days in UTC', async () => {
  for (const [tool, argument] of [
    ['list_containers', 'arrival'],
    ['list_shipments', 'pod_arrival'],
  ] as const) {
    const { content } = await peer.call(tool, { [argument]: '2031-01-01' });
    expect(content[0]?.text).toMatch(`${argument} is compared as a day in UTC`);
  }
});

test('null and an empty text count as missing arguments, and known words may be separated by commas', async () => {
  const none = { port: null, limit: null, customer: '', carrier: '' };
  const words = plainResult(await peer.call('worklist', { lists: 'ready, held', ...none }));
  expect(words).toEqual(plainResult(await peer.call('worklist', { lists: ['ready', 'held'] })));
  expect(failureIn(await peer.call('get_container', { id: null })).message).toBe('id is missing.');
});

test('a bound may be a day in words', async () => {
  await peer.call('list_containers', { arrival: '>= yesterday' });
  expect(sandbox.requests.at(-1)?.query['filter[arrival]']).toBe('>=1.days.ago');
});
