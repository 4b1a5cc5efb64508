import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ConfigurationError, type TrackingClient } from '../../src/index.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let client: TrackingClient;

beforeAll(async () => {
  server = await startServer({ body: { data: [] } });
  client = clientFor(server, { retry: false });
});
afterEach(() => expect(server.requests).toHaveLength(0));
afterAll(() => server.close());

type Group = 'containers' | 'shipments' | 'trackingRequests' | 'documents' | 'customFields' | 'parties';

/** The message of the error that refuses a list before a request. */
async function refusal(group: Group, options: object): Promise<string> {
  const list = client[group].list as (options: object) => PromiseLike<unknown>;
  const error = await rejection(list.call(client[group], options));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toHaveProperty('message', expect.not.stringContaining('\n'));
  return (error as Error).message;
}

describe('a filter of containers is refused', () => {
  test.each<[object, string]>([
    [{ created_at: 'yesterday' }, 'filter.created_at is "yesterday"; it must be a day such as'],
    [{ created_at: { start: 'today' } }, 'filter.created_at has no start; there are: gt, gte, lt, lte, or exists'],
    [{ pickup_lfd: new Date('2026-11-20') }, 'a Date; it must be a day such as'],
    [{ pickup_lfd: '2026-02-30' }, 'filter.pickup_lfd is "2026-02-30"'],
    [{ pickup_lfd: '2026-11-20T00:00:00Z' }, 'filter.pickup_lfd is "2026-11-20T00:00:00Z"'],
    [{ pickup_lfd: '>=2026-11-20' }, 'filter.pickup_lfd is ">=2026-11-20"'],
    [{ pickup_lfd: [] }, 'filter.pickup_lfd is empty; leave it out to get all'],
    [{ pickup_lfd: {} }, 'filter.pickup_lfd has no bound; leave it out to get all'],
    [{ pickup_lfd: { gte: undefined } }, 'filter.pickup_lfd has no bound'],
    [{ pickup_lfd: { gt: '2026-11-20', gte: '2026-11-20' } }, 'filter.pickup_lfd has both gt and gte'],
    [{ pickup_lfd: { gte: '2026-11-21', lte: '2026-11-20' } }, 'has nothing between 2026-11-21 and 2026-11-20'],
    [{ pickup_lfd: { gt: '2026-11-20', lt: '2026-11-21' } }, 'has nothing between 2026-11-20 and 2026-11-21'],
    [{ pickup_lfd: { gte: '2026-11-20', lt: '2026-11-20' } }, 'has nothing between'],
    [{ pickup_lfd: { gte: 'today', lte: '1.day.ago' } }, 'has nothing between today and 1.day.ago'],
    [{ pickup_lfd: { exists: true, gte: 'today' } }, 'filter.pickup_lfd has exists and gte; leave one out'],
    [{ pickup_lfd: { exists: 'yes' } }, 'filter.pickup_lfd.exists is "yes"; it must be true or false'],
    [{ current_status: 'availble' }, 'is "availble"; did you mean available? Known values: new, on_ship'],
    [{ current_status: ['new', 'lost'] }, 'For a new value, pass unknownValue("lost")'],
    [{ has_holds: 'true' }, 'filter.has_holds is "true"; it must be true or false'],
    [{ has_holds: null }, 'filter.has_holds is null'],
    [{ eta_changed_in_last_24h: false }, 'is false, which the service reads as true or ignores; leave it out'],
    [{ number: 'SVQU2004170,SVQU2004186' }, 'pass several values as an array'],
    [{ number: '' }, 'filter.number is blank'],
    [{ number: null }, 'For records without a value, pass { exists: false }'],
    [{ customer_name: 'Smith/Sons' }, 'in this filter the service reads only letters, digits, spaces and _ - . &.'],
    [{ number: '~SVQU' }, 'the service reads only letters'],
    [{ pod_eta_at: 'today' }, 'filter.pod_eta_at cannot be sent. The service fails (500). Use arrival'],
    [{ pod_ata_at: 'today' }, 'Use pod_arrived_at'],
    [{ pickuplfd: 'today' }, 'filter has no pickuplfd; did you mean pickup_lfd? There are: number, pol'],
    [{ hasHolds: true }, 'did you mean has_holds?'],
    [{ last_free_day_on: { gte: '2026-11-23' } }, 'filter.last_free_day_on needs two days'],
    [{ last_free_day_on: { gte: '2026-11-24', lte: '2026-11-23' } }, 'has nothing between'],
    [{ last_free_day_on: ['2026-11-23', '2026-11-29'] }, 'needs two days'],
    [{ parties: { shippr: 'x' } }, 'filter.parties has no shippr; did you mean shipper? There are: shipper, consignee'],
    [{ parties: ['x'] }, 'filter.parties is an array; it must be an object'],
    [{ custom_fields: { 'a]b': 'x' } }, 'filter.custom_fields has the key "a]b", which a query cannot hold'],
    [{ custom_fields: { due: { gte: 'today', lte: 'today' } } }, 'filter.custom_fields.due has two bounds'],
    [{ custom_fields: { weight: Number.NaN } }, 'filter.custom_fields.weight is NaN'],
    [{ tags_and: true }, 'tags_and has no effect without tags'],
    [{ tags: ['a,b'] }, 'pass several values as an array'],
    [{ search_by_ids: '\ud800' }, 'filter.search_by_ids is not well-formed text'],
  ])('in the form %j', async (filter, message) => {
    expect(await refusal('containers', { filter })).toContain(message);
  });

  test('also in the summary', async () => {
    const summary = client.containers.summary({ group_by: 'pod_terminal', filter: { created_at: 'yesterday' } });
    expect(await rejection(summary)).toBeInstanceOf(ConfigurationError);
    expect(await rejection(summary.asResponse())).toBeInstanceOf(ConfigurationError);
  });

  test('and onSettled is called once', async () => {
    const settled: unknown[] = [];
    const hooked = clientFor(server, {
      hooks: { onSettled: ({ error, attempts }) => settled.push([error, attempts]) },
    });
    const list = hooked.containers.list({ filter: { created_at: 'yesterday' } });
    const error = await rejection(list.toArray());
    expect(settled).toEqual([[error, 0]]);
  });
});

describe('a filter of shipments is refused', () => {
  test.each<[object, string]>([
    [
      { created_at: '2026-11-20' },
      'filter.created_at is "2026-11-20"; it must be a Date, or a time with Z or an offset',
    ],
    [{ created_at: '2026-11-20T00:00:00' }, 'a time with Z or an offset'],
    [{ created_at: ['2026-11-20T00:00:00Z'] }, 'filter.created_at is an array; pass one moment, or a range'],
    [{ created_at: { gte: new Date(Number.NaN) } }, 'filter.created_at.gte is an invalid Date'],
    [
      { created_at: { gte: '2026-11-20T02:00:00Z', lte: '2026-11-20T03:00:00+02:00' } },
      'has nothing between 2026-11-20T02:00:00Z and 2026-11-20T03:00:00+02:00',
    ],
    [{ pod_eta_changed_at: { lt: '2026-11-20T00:00:00Z' } }, 'filter.pod_eta_changed_at needs a lower bound'],
    [{ pod_eta_changed_at: '2026-11-20T00:00:00Z' }, 'filter.pod_eta_changed_at needs a lower bound'],
    [{ voyage_status: 'on_shp' }, 'did you mean on_ship?'],
    [{ actively_tracked: true, tracking_stopped: true }, 'are opposites of each other'],
    [{ actively_tracked: false, tracking_stopped: false }, 'are opposites of each other'],
    [{ voyage_status: 'arrived', pod_ata_at: { exists: false } }, 'voyage_status arrived means that pod_ata_at exists'],
    [{ voyage_status: 'on_ship', pod_ata_at: { exists: true } }, 'voyage_status on_ship means that pod_ata_at does'],
    [{ voyage_status: 'arrived', pod_eta_changed_at: { gt: '2026-11-20T00:00:00Z' } }, 'have not arrived'],
    [{ tracking_stopped: true, pod_eta_changed_at: { gt: '2026-11-20T00:00:00Z' } }, 'that are tracked'],
    [{ tag: 'a', tags: 'b' }, 'tag replaces tags'],
    [{ party_id: { any: ['x'] } }, 'filter.party_id is not an id, an array of ids, or { all: […] }'],
    [{ arriving_today: false }, 'leave it out'],
    [{ status: 'x' }, 'shipments.list: filter has no status; there are: q, number'],
  ])('in the form %j', async (filter, message) => {
    expect(await refusal('shipments', { filter })).toContain(message);
  });
});

test.each<[Group, object, string]>([
  ['trackingRequests', { filter: { created_at: { start: 'yesterday' } } }, 'filter.created_at.start is "yesterday"'],
  ['trackingRequests', { filter: { created_at: {} } }, 'filter.created_at has no bound'],
  [
    'trackingRequests',
    { filter: { updated_at: { start: '2026-11-21T00:00:00Z', end: '2026-11-20T00:00:00Z' } } },
    'filter.updated_at has nothing between',
  ],
  ['trackingRequests', { filter: { status: 'faild' } }, 'did you mean failed?'],
  ['customFields', { filter: { entity_type: 'shipment' } }, 'did you mean Shipment?'],
  ['documents', { sort: 'name' }, 'documents.list: sort has no name; there are: document_type, -document_type'],
  ['containers', { sort: 'createdAt' }, 'did you mean created_at?'],
  ['containers', { sort: 'pod_ata_at' }, 'sort has no pod_ata_at; did you mean'],
  [
    'containers',
    { sort: ['arrival', 'created_at', 'delivered_at', 'updated_at'] },
    'has 4 tokens; the service reads only 3',
  ],
  ['containers', { sort: ['arrival', '-arrival'] }, 'sort has arrival twice'],
  [
    'containers',
    { sort: ['attention_priority', 'arrival'] },
    'attention_priority cannot be combined with other tokens',
  ],
  ['containers', { sort: '-attention_priority' }, 'did you mean attention_priority?'],
  ['containers', { sort: [] }, 'sort is empty; leave it out'],
  ['containers', { sort: 5 }, 'sort is 5; it must be text'],
  ['shipments', { sort: 'created_at' }, 'sort cannot be created_at. The service still puts the newest first'],
  ['shipments', { sort: ['-created_at', 'pod_arrival'] }, 'has 2 tokens; the service reads only 1'],
  ['containers', { query: 'x' }, 'containers.list: query is "x"; it must be an object'],
  ['containers', { query: { 'page[size]': 5 } }, 'query cannot hold page[size]. Use pageNumber and pageSize'],
  ['parties', { query: { include: 'x' } }, 'query cannot hold include. Use include'],
])('%s.list() refuses %j', async (group, options, message) => {
  expect(await refusal(group, options)).toContain(message);
});

test('any value of a filter is either sent, or refused with a ConfigurationError', () => {
  const value = fc.oneof(
    fc.anything({ withDate: true, withMap: true, withNullPrototype: true, withBigInt: true }),
    fc.constantFrom('today', '1.days.ago', '2026-11-20', { gte: 'today' }, { exists: true }, '\ud800', ['x', null]),
  );
  const key = fc.constantFrom(
    'number',
    'pickup_lfd',
    'has_fees',
    'parties',
    'custom_fields',
    'tags',
    'last_free_day_on',
  );
  return fc.assert(
    fc.asyncProperty(key, value, async (name, given) => {
      const offline = clientFor(server, {
        retry: false,
        fetch: async () => new Response('{"data":[]}', { headers: { 'content-type': 'application/json' } }),
      });
      const list = offline.containers.list({ filter: { [name]: given } } as object);
      await list.then(
        page => expect(page.data).toEqual([]),
        error => expect(error).toBeInstanceOf(ConfigurationError),
      );
    }),
    { numRuns: 500 },
  );
});
