import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigurationError, type TrackingClient } from '../../src/index.ts';
import { LISTS } from '../../src/model/generated/filter-rules.ts';
import { clientFor, rejection } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const REQUEST = ['signal', 'timeout', 'deadline', 'headers', 'retry', 'priority'];
const LIST = ['pageNumber', 'pageSize', 'concurrency', 'query', 'from', 'onIncomplete', ...REQUEST];
const PORTS = { port_id: 'p2', previous_port_id: 'p1' };

type Call = (client: TrackingClient, options: object) => PromiseLike<unknown>;

/** Every method that reads, with the names of its options. */
const READS: Record<string, [call: Call, has: string[]]> = {
  'shipments.list': [(c, o) => c.shipments.list(o), ['filter', 'sort', 'flag', 'number', 'q', 'include', ...LIST]],
  'shipments.get': [(c, o) => c.shipments.get('1', o), ['flag', 'include', ...REQUEST]],
  'shipments.customFields.list': [(c, o) => c.shipments.customFields.list('1', o), ['include', ...LIST]],
  'shipments.partyRoles.list': [(c, o) => c.shipments.partyRoles.list('1', o), REQUEST],
  'containers.list': [(c, o) => c.containers.list(o), ['filter', 'sort', 'include', ...LIST]],
  'containers.get': [(c, o) => c.containers.get('1', o), ['include', ...REQUEST]],
  'containers.customFields.list': [(c, o) => c.containers.customFields.list('1', o), ['include', ...LIST]],
  'containers.partyRoles.list': [(c, o) => c.containers.partyRoles.list('1', o), REQUEST],
  'containers.transportEvents': [(c, o) => c.containers.transportEvents('1', o), ['include', ...LIST]],
  'containers.rawEvents': [(c, o) => c.containers.rawEvents('1', o), REQUEST],
  'containers.mapGeojson': [(c, o) => c.containers.mapGeojson('1', o), REQUEST],
  'containers.route': [(c, o) => c.containers.route('1', o), REQUEST],
  'trackingRequests.list': [(c, o) => c.trackingRequests.list(o), ['filter', 'q', 'include', ...LIST]],
  'trackingRequests.get': [(c, o) => c.trackingRequests.get('1', o), ['include', ...REQUEST]],
  'trackingRequests.customFields.list': [(c, o) => c.trackingRequests.customFields.list('1', o), ['include', ...LIST]],
  'trackingRequests.partyRoles.list': [(c, o) => c.trackingRequests.partyRoles.list('1', o), REQUEST],
  'webhooks.list': [(c, o) => c.webhooks.list(o), LIST],
  'webhooks.get': [(c, o) => c.webhooks.get('1', o), REQUEST],
  'webhooks.events': [(c, o) => c.webhooks.events(o), REQUEST],
  'webhooks.ips': [(c, o) => c.webhooks.ips(o), REQUEST],
  'webhookNotifications.list': [(c, o) => c.webhookNotifications.list(o), ['include', ...LIST]],
  'webhookNotifications.get': [(c, o) => c.webhookNotifications.get('1', o), ['include', ...REQUEST]],
  'webhookNotifications.examples': [
    (c, o) => c.webhookNotifications.examples({ event: 'container.updated', ...o }),
    ['event', ...REQUEST],
  ],
  me: [(c, o) => c.me(o), REQUEST],
  'accounts.list': [(c, o) => c.accounts.list(o), LIST],
  'accounts.customFieldDefinitions': [(c, o) => c.accounts.customFieldDefinitions('1', o), ['include', ...LIST]],
  'parties.list': [(c, o) => c.parties.list(o), LIST],
  'parties.get': [(c, o) => c.parties.get('1', o), REQUEST],
  'documents.list': [(c, o) => c.documents.list(o), ['filter', 'sort', 'include', ...LIST]],
  'documents.get': [(c, o) => c.documents.get('1', o), ['include', ...REQUEST]],
  'containers.summary': [
    (c, o) => c.containers.summary({ group_by: 'pod_terminal', ...o }),
    ['filter', 'group_by', ...REQUEST],
  ],
  'documents.type': [(c, o) => c.documents.type('1', o), REQUEST],
  'documents.types': [(c, o) => c.documents.types(o), REQUEST],
  'documents.downloadUrl': [(c, o) => c.documents.downloadUrl('1', o), REQUEST],
  'emailSubmissions.list': [(c, o) => c.emailSubmissions.list(o), ['include', ...LIST]],
  'emailSubmissions.get': [(c, o) => c.emailSubmissions.get('1', o), ['include', ...REQUEST]],
  'documentSchemas.get': [(c, o) => c.documentSchemas.get('1', o), REQUEST],
  'customFieldDefinitions.list': [(c, o) => c.customFieldDefinitions.list(o), ['filter', 'include', ...LIST]],
  'customFieldDefinitions.get': [(c, o) => c.customFieldDefinitions.get('1', o), REQUEST],
  'customFieldOptions.list': [(c, o) => c.customFieldOptions.list('1', o), LIST],
  'customFieldOptions.get': [(c, o) => c.customFieldOptions.get('1', '2', o), REQUEST],
  'customFields.list': [(c, o) => c.customFields.list(o), ['filter', ...LIST]],
  'customFields.get': [(c, o) => c.customFields.get('1', o), REQUEST],
  'shippingLines.list': [(c, o) => c.shippingLines.list(o), ['search', ...LIST]],
  'shippingLines.get': [(c, o) => c.shippingLines.get('1', o), REQUEST],
  'ports.get': [(c, o) => c.ports.get('1', o), REQUEST],
  'terminals.get': [(c, o) => c.terminals.get('1', o), REQUEST],
  'metroAreas.get': [(c, o) => c.metroAreas.get('1', o), REQUEST],
  'vessels.get': [(c, o) => c.vessels.get('1', o), ['show_positions', ...REQUEST]],
  'vessels.futurePositions': [
    (c, o) => c.vessels.futurePositions('1', { ...PORTS, ...o }),
    ['port_id', 'previous_port_id', ...REQUEST],
  ],
  'vessels.futurePositionsFromCoordinates': [
    (c, o) => c.vessels.futurePositionsFromCoordinates('1', { ...PORTS, latitude: 1, longitude: 2, ...o }),
    ['port_id', 'previous_port_id', 'latitude', 'longitude', ...REQUEST],
  ],
  search: [(c, o) => c.search('x', o), REQUEST],
};

let server: TestServer;
let sentBefore: number;
let client: TrackingClient;

beforeAll(async () => {
  server = await startServer({ body: { data: [] } });
  client = clientFor(server, { retry: false });
});
beforeEach(() => {
  sentBefore = server.requests.length;
});
afterAll(() => server.close());

/** The requests of one test. */
const sent = () => server.requests.slice(sentBefore);

/** The message of the error with which a call is refused before a request is sent. */
async function refusal(call: PromiseLike<unknown>): Promise<string> {
  const error = await rejection(call);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(sent()).toHaveLength(0);
  return (error as Error).message;
}

test('the table has every list and every get of the client', () => {
  const groups = Object.entries(client).flatMap(([name, group]): [string, object][] => [
    [name, group],
    ...Object.entries(group as object).map(([inner, value]): [string, object] => [`${name}.${inner}`, value]),
  ]);
  const reads = groups.flatMap(([name, group]) =>
    ['list', 'get'].filter(method => method in group).map(method => `${name}.${method}`),
  );
  expect(reads.length).toBeGreaterThan(25);
  expect(Object.keys(READS)).toEqual(expect.arrayContaining(reads));
});

/** Any text, including names of options and similar names. */
const name = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('numbr', 'filters', 'page', 'status', 'constructor', '__proto__', 'hasOwnProperty', 'toString'),
  fc.constantFrom(...new Set(Object.values(READS).flatMap(([, has]) => has.flatMap(path => path.split('.'))))),
);
const value = fc.constantFrom<unknown>('x', '', 0, false, null, ['x'], {}, { number: 'x' });

/** An object with this single property of its own, even if the key is `__proto__`. */
const single = (key: string, content: unknown) => Object.fromEntries([[key, content]]);

describe.each(Object.entries(READS))('%s', (operation, [call, has]) => {
  const top = new Set(has.map(path => path.split('.')[0] as string));

  test('refuses an unknown option, and lists the known options', () =>
    fc.assert(
      fc.asyncProperty(
        name.filter(given => !top.has(given)),
        value,
        async (given, content) => {
          const message = await refusal(call(client, single(given, content)));
          expect(message).toContain(`${operation} has no option ${given}; `);
          expect(message.slice(message.lastIndexOf(' are: ') + 6)).toBe(`${has.join(', ')}.`);
        },
      ),
    ));

  if (has.includes('filter'))
    test('refuses an unknown filter, even together with a known filter', () => {
      const names = Object.keys(LISTS[operation]?.filter?.keys ?? {});
      return fc.assert(
        fc.asyncProperty(
          name.filter(given => !names.includes(given) && !given.startsWith('pod_')),
          value,
          fc.boolean(),
          async (given, content, beside) => {
            const valid = beside
              ? { [names.find(known => /number|id$|name$|reference/.test(known)) as string]: 'x' }
              : {};
            const message = await refusal(call(client, { filter: { ...valid, ...single(given, content) } }));
            expect(message).toContain(`${operation}: filter has no ${given}; `);
            expect(message.slice(message.lastIndexOf(' are: ') + 6)).toBe(`${names.join(', ')}.`);
          },
        ),
      );
    });

  test('sends a request even if an unknown option is undefined', async () => {
    await Promise.resolve(call(client, { nothing: undefined })).catch(() => {});
    expect(sent()).toHaveLength(1);
  });
});

describe('a misspelt option is refused, and the error has the right name', () => {
  test.each<[Call, object, string]>([
    [(c, o) => c.shipments.get('1', o), { timeOut: 5 }, 'has no option timeOut; did you mean timeout? There are: '],
    [(c, o) => c.parties.list(o), { page_size: 5 }, 'has no option page_size; did you mean pageSize? There are: '],
    [(c, o) => c.containers.list(o), { number: 'x' }, 'has no option number; there are: filter, '],
    [
      (c, o) => c.trackingRequests.list(o),
      { filter: { requestNumber: 'x' } },
      'filter has no requestNumber; did you mean request_number? There are: request_number, ',
    ],
    [
      (c, o) => c.trackingRequests.list(o),
      { filter: { created_at: { from: 'x' } } },
      'filter.created_at has no from; there are: start, end.',
    ],
    [
      (c, o) => c.vessels.get('1', o),
      { show_positions: { from: new Date() } },
      'show_positions has no from; there are: from_timestamp, to_timestamp.',
    ],
  ])('%#', async (call, options, message) => {
    expect(await refusal(call(client, options))).toContain(message);
  });
});

test('a method that writes refuses query parameters', async () => {
  const writes: Call[] = [
    (c, o) => c.shipments.update('1', { tags: [] }, o),
    (c, o) => c.shipments.stopTracking('1', o),
    (c, o) => c.parties.create({ company_name: 'x' }, o),
    (c, o) => c.webhooks.delete('1', o),
    (c, o) => c.documents.rotate('1', { degrees: 90 }, o),
    (c, o) => c.containers.refresh('1', o),
  ];
  for (const write of writes) {
    expect(await refusal(write(client, { include: ['shipment'] }))).toContain(
      'has no option include; there are: signal',
    );
  }
});

test('request() accepts any query parameter', async () => {
  const query = { filter: { numbr: 'x' }, page_size: 5, 'x-new': true };
  await client.request({ path: '/shipments', query });
  expect(sent()[0]?.url).toBe('/v2/shipments?filter[numbr]=x&page_size=5&x-new=true');
});

test('request() refuses a misspelt option, because it would not be sent', async () => {
  const misspelt = { path: '/shipments', timeOut: 5 };
  expect(await refusal(client.request(misspelt))).toContain('request has no option timeOut; did you mean timeout?');
});
