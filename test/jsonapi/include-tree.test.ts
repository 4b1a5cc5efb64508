import { describe, expect, test } from 'vitest';
import { ConfigurationError, dynamicInclude } from '../../src/index.ts';
import { includePaths, includeTree } from '../../src/jsonapi/include.ts';
import { clientOf, type ScriptedServer, serveScript } from '../../support/paged-server.ts';

describe('the paths of a tree', () => {
  test.each([
    [[], []],
    [['containers'], ['containers']],
    [['containers.pod_terminal.port'], ['containers', 'containers.pod_terminal', 'containers.pod_terminal.port']],
    [
      ['containers.pod_terminal', 'port_of_lading', 'containers', 'containers.shipment', 'containers.pod_terminal'],
      ['containers', 'containers.pod_terminal', 'containers.shipment', 'port_of_lading'],
    ],
    [
      ['__proto__.constructor', 'toString'],
      ['__proto__', '__proto__.constructor', 'toString'],
    ],
  ])('of %j are %j, each once, and parents before children', (paths, expected) => {
    expect(includePaths(includeTree(paths))).toEqual(expected);
  });

  test('are different for places with the same name', () => {
    const tree = includeTree(['containers.pod_terminal', 'pod_terminal']);
    expect(includePaths(tree)).toEqual(['containers', 'containers.pod_terminal', 'pod_terminal']);
  });
});

describe('the include of a call', () => {
  test('is sent with the parents of its paths, and with unencoded commas and dots', async () => {
    const { server, client } = await setUp({ type: 'shipment', id: 's1' });
    await client.shipments.get('s1', { include: ['containers.transport_events.location', 'port_of_lading'] });
    expect(searchOf(server)).toBe(
      '?include=containers,containers.transport_events,containers.transport_events.location,port_of_lading',
    );
  });

  test('is not sent if it is empty', async () => {
    const { server, client } = await setUp({ type: 'shipment', id: 's1' });
    await client.shipments.get('s1', { include: [] });
    await client.shipments.get('s1', { include: undefined });
    await client.shipments.get('s1', {});
    expect(server.requests.map(({ url }) => url.search)).toEqual(['', '', '']);
  });

  test('is not checked if it is a dynamicInclude', async () => {
    const { server, client } = await setUp({ type: 'shipment', id: 's1' });
    const shipment = await client.shipments.get('s1', { include: dynamicInclude(['something_new', 'containers']) });
    expect(searchOf(server)).toBe('?include=something_new,containers');
    expect(shipment).toEqual({ type: 'shipment', id: 's1', something_new: null, containers: [] });
  });

  test.each([
    [['portOfLading'], 'include has no portOfLading; did you mean port_of_lading? There are: port_of_lading, '],
    [['container'], 'include has no container; did you mean containers? There are: port_of_lading, '],
    [
      ['port_of_lading', 'containers.pod_termnal'],
      'include: containers has no pod_termnal; did you mean pod_terminal? There are: ',
    ],
    [
      ['containers.pod_terminl'],
      'include: containers has no pod_terminl; did you mean pod_terminal? There are: party_roles, shipment, pod_terminal, pickup_facility, transport_events, raw_events, others',
    ],
    [['containers.accounts'], 'include: containers has no accounts; there are: party_roles, shipment, '],
    [['destination.everything'], 'include: destination has no everything; there are: '],
    [['something_new'], 'include has no something_new; there are: '],
    [['constructor'], 'include has no constructor; there are: '],
  ])('refuses the unknown path %j, and nothing is sent', async (include, said) => {
    const { server, client } = await setUp({ type: 'shipment', id: 's1' });
    const options = { include } as object;
    const calls = [
      () => client.shipments.get('s1', options),
      () => client.shipments.list(options),
      () => client.shipments.list(options).toArray(),
      () => client.shipments.watch(options).next(),
      () => client.track({ number: 'MAEU123456789', scac: 'MAEU', ...options }),
      () => client.trackMany([{ number: 'MAEU123456789', scac: 'MAEU' }], options as { include: [] }).next(),
    ];
    for (const call of calls) {
      const error = await Promise.resolve(call()).catch(error => error);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error.message).toContain(said);
      expect(error.message).toContain('others by dynamicInclude().');
    }
    expect(server.requests).toHaveLength(0);
  });

  test('is not checked in a feed or in track if it is a dynamicInclude', async () => {
    const { server, client } = await setUp([{ type: 'shipment', id: 's1' }]);
    const include = dynamicInclude(['something_new']);
    await client.shipments.watch({ include }).next();
    expect(searchOf(server)).toContain('include=something_new');
    const tracked = client.track({ number: 'MAEU123456789', scac: 'MAEU', include, waitTimeout: 1 });
    await expect(tracked).rejects.not.toBeInstanceOf(ConfigurationError);
  });

  test.each([
    ['a string', 'containers'],
    ['a set', new Set(['containers'])],
    ['a path with a comma', ['containers,port_of_lading']],
    ['a path with a space', ['containers, port_of_lading']],
    ['an empty path', ['']],
    ['an empty segment', ['containers..shipment']],
    ['a dot at the end', ['containers.']],
    ['a star', ['containers.*']],
    ['null in the list', ['containers', null]],
    ['null', null],
  ])('rejects %s, and nothing is sent', async (_, include) => {
    const { server, client } = await setUp({ type: 'shipment', id: 's1' });
    const options = { include } as object;
    await expect(client.shipments.get('s1', options)).rejects.toThrow(ConfigurationError);
    await expect(client.shipments.list(options)).rejects.toThrow(ConfigurationError);
    expect(server.requests).toHaveLength(0);
  });

  test('is the default tree of the service if the call includes nothing', async () => {
    const { server, client } = await setUp(
      {
        type: 'tracking_request',
        id: 'r1',
        relationships: {
          tracked_object: { data: { type: 'shipment', id: 's1' } },
          customer: { data: { type: 'party', id: 'p1' } },
        },
      },
      [
        { type: 'shipment', id: 's1', attributes: { bill_of_lading_number: 'BL1' } },
        { type: 'party', id: 'p1', attributes: { company_name: 'ACME' } },
      ],
    );
    const unasked = await client.trackingRequests.get('r1');
    expect(unasked.tracked_object).toEqual({ type: 'shipment', id: 's1', bill_of_lading_number: 'BL1' });
    expect(unasked.customer).toEqual({ type: 'party', id: 'p1' });

    const asked = await client.trackingRequests.get('r1', { include: ['customer'] });
    expect(asked.tracked_object).toEqual({ type: 'shipment', id: 's1' });
    expect(asked.customer?.company_name).toBe('ACME');

    const nothing = await client.trackingRequests.get('r1', { include: [] });
    expect(nothing.tracked_object).toEqual({ type: 'shipment', id: 's1' });
    expect(server.requests.map(({ url }) => url.search)).toEqual(['', '?include=customer', '']);
  });

  test('is reported once to onSchemaMismatch if the service does not send it', async () => {
    const mismatches: string[] = [];
    const { client } = await setUp({ type: 'shipment', id: 's1' }, [], {
      hooks: { onSchemaMismatch: ({ mismatch }) => mismatches.push(`${mismatch.resourceType} ${mismatch.path}`) },
    });
    await client.shipments.get('s1', { include: ['containers'] });
    await client.shipments.get('s1', { include: ['containers'] });
    await client.trackingRequests.get('s1');
    expect(mismatches).toEqual(['shipment relationships.containers']);
  });

  test('may be missing in the response without an error, even in strict mode', async () => {
    const relationships = { tracked_object: { data: null }, customer: { data: { type: 'party', id: 'p1' } } };
    const attributes = {
      request_number: 'BL1',
      request_type: 'bill_of_lading',
      scac: 'MAEU',
      ref_numbers: [],
      status: 'pending',
      failed_reason: null,
      created_at: '2026-03-09T03:04:40Z',
      updated_at: '2026-03-09T03:04:40Z',
    };
    const record = { type: 'tracking_request', id: 'r1', attributes, relationships };
    const { client } = await setUp(record, [], { validation: 'strict' });
    const request = await client.trackingRequests.get('r1', { include: ['customer', 'user'] });
    expect(request.customer).toEqual({ type: 'party', id: 'p1' });
    expect(request.user).toBeNull();
  });
});

async function setUp(data: object, included: object[] = [], options: Parameters<typeof clientOf>[1] = {}) {
  const server = await serveScript(() => ({ body: { data, included } }));
  return { server, client: clientOf(server, options) };
}

/** The unchanged query of the last request. */
function searchOf(server: ScriptedServer): string {
  return server.requests.at(-1)?.url.search ?? '';
}
