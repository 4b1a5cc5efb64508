import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox } from '../../support/sandbox.ts';
import { sandboxed, terminal } from './command-line.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const { sandbox, client, ct } = sandboxed({ shipments: 25 });

beforeAll(async () => {
  await client.customFieldDefinitions.create({
    entity_type: 'Container',
    api_slug: 'weight',
    display_name: 'Weight',
    data_type: 'number',
  });
});

describe('a list that ends at its limit', () => {
  test.each([
    ['in a pipe', undefined],
    ['on a terminal', 80],
  ])('prints the total number %s, outside the data', async (_, columns) => {
    const { total } = (await client.containers.list({ pageSize: 1 })).meta;
    terminal(columns);
    const { err, out } = await ct('containers', 'list', '--limit', '3');
    expect(err).toContain(`These are 3 of ${total}. See --limit and --all.\n`);
    expect(out).not.toContain('These are');
  });

  test.each([['3'], ['50']])('needs only one request with --limit %s', async limit => {
    const before = sandbox.requests.length;
    const { json } = await ct('containers', 'list', '--limit', limit);
    expect(json()).toHaveLength(Number(limit));
    expect(sandbox.requests.length - before).toBe(1);
  });

  test('prints only the data in a pipe if the list is complete, and prints also the number of records on a terminal', async () => {
    const { err, json } = await ct('containers', 'list', '--all');
    expect(err).toBe('');
    terminal(80);
    expect((await ct('containers', 'list', '--all')).err).toContain(`${json().length} containers.\n`);
  });
});

describe('--include', () => {
  test.each([
    [['containers', 'list', '--include', 'shipmnt'], 'Did you mean shipment?'],
    [['shipments', 'get', 'MEDU1', '--include', 'containers.transport_event'], 'Did you mean transport_events?'],
    [['containers', 'list', '--include', 'everything'], 'There are: party_roles, shipment, '],
  ])('%j is refused before a request', async (args, hint) => {
    const before = sandbox.requests.length;
    expect(await ct(...args)).toMatchObject({ code: 2, last: expect.stringContaining(hint) });
    expect(sandbox.requests.length).toBe(before);
  });

  test('accepts a path with two names, and a space between paths', async () => {
    const { code, json } = await ct(
      'shipments',
      'list',
      '--limit',
      '1',
      '--include',
      'containers.transport_events, destination',
    );
    expect(code).toBe(0);
    expect(json()[0].containers[0].transport_events.length).toBeGreaterThan(0);
  });
});

describe.each([
  ['shipments', 'BILL OF LADING'],
  ['containers', 'NUMBER'],
  ['tracking-requests', 'NUMBER'],
])('a table of %s', (group, heading) => {
  test.each([60, 80, 120, 300])('has whole numbers and ids for the next command at %i columns', async columns => {
    terminal(columns);
    const { out } = await ct(group, 'list', '--limit', '4');
    const [head = '', ...rows] = out.trimEnd().split('\n');
    const cellAt = (name: string, row: string) => row.slice(head.indexOf(name)).split('  ')[0] ?? '';
    expect(rows.length).toBeGreaterThan(0);
    terminal(undefined);
    for (const row of rows) {
      expect((await ct(group, 'get', cellAt(heading, row))).code).toBe(0);
      if (/ID$/.test(head)) expect(row.split('  ').at(-1)?.trim()).toMatch(UUID);
    }
  });
});

test.each(['containers', 'shipments', 'tracking-requests'])(
  '%s get says that it found nothing if no record has the number',
  async group => {
    const { code, last } = await ct(group, 'get', 'MSCU0000001');
    expect({ code, last }).toEqual({
      code: 4,
      last: expect.stringContaining('with the id, number or reference MSCU0000001.'),
    });
  },
);

test('a record is printed with its references and tags, and a webhook with its events', async () => {
  const [shipment] = (await client.shipments.list({ pageSize: 1 })).data;
  terminal(80);
  const number = shipment?.bill_of_lading_number ?? '';
  const { out } = await ct('shipments', 'update', number, '--ref', 'PO-1', '--ref', 'PO-2', '--tag', 'urgent');
  expect(out).toMatch(/^References +PO-1, PO-2$/m);
  expect(out).toMatch(/^Tags +urgent$/m);
  const made = await ct('webhooks', 'create', '--url', 'https://app.example/two', '--event', 'container.updated');
  expect(made.out).toMatch(/^Events +container\.updated$/m);
  const unknown = await ct('webhooks', 'create', '--url', 'https://app.example/new', '--event', 'foo');
  expect(unknown.err).toMatch(/does not know the event foo\. The help of the command lists the known events\.$/m);
  expect((await ct('webhooks', 'create', '--url', 'https://app.example/all')).out).toMatch(/^Events +all \d+ events$/m);
});

test('a search uses the same word for a container as the commands', async () => {
  const [container] = (await client.containers.list({ pageSize: 1 })).data;
  terminal(80);
  expect((await ct('search', container?.number ?? '')).out).toMatch(/^container +[A-Z]{4}/m);
});

test('the column of an included record is next to the first column', async () => {
  terminal(80);
  const { out } = await ct('containers', 'list', '--limit', '2', '--include', 'shipment');
  expect(out).toMatch(/^NUMBER +SHIPMENT +STATUS/);
});

test('a time of a route is never cut', async () => {
  const [container] = (await client.containers.list({ pageSize: 1 })).data;
  terminal(70);
  const { out } = await ct('containers', 'route', container?.number ?? '');
  expect(out).toMatch(/\d\d:\d\d [A-Z]/);
  expect(out).not.toMatch(/\d\d:\d\d [^ ]*…/);
});

test('a route names the vessel or the means of transport that brings the container to each place', async () => {
  const containers = await client.containers.list({ pageSize: 100 }).toArray();
  const inland = containers.find(({ current_status: status }) => status === 'on_rail');
  const { out } = await ct('containers', 'route', inland?.number ?? '', '--csv');
  const rows = out.trimEnd().split('\n');
  expect(rows[0]).toBe('place,arrives,leaves,state,brought_by');
  expect(rows[1]).toMatch(/,$/);
  expect(rows[2]).toMatch(/,[A-Z][A-Z ]+$/);
  expect(rows.at(-1)).toMatch(/,rail$/);
});

test.each([
  [['containers', 'list', '--limit', '2.5'], '--limit must be a whole number, not 2.5.'],
  [['containers', 'list', '--sort', 'arival'], 'There is no --sort arival. Did you mean arrival?'],
  [['containers', 'list', '--filter', 'nam=x'], 'There is no --filter nam. Did you mean customer_name or vessel_name?'],
  [['containers', 'list', '--filter', 'statuss=x'], 'There is no --filter statuss. Did you mean current_status?'],
  [['documents', 'upload', '.'], '. is a directory.'],
  [['webhooks', 'trigger', 'container.updted', '--url', 'https://app.example'], 'Did you mean container.updated?'],
  [['custom-fields', 'get', 'shipment', 'X'], 'There are no shipment, only shipments, containers, tracking-requests.'],
])('%j is refused before a request', async (args, message) => {
  const before = sandbox.requests.length;
  expect(await ct(...args)).toMatchObject({ code: 2, last: expect.stringContaining(message) });
  expect(sandbox.requests.length).toBe(before);
});

test('--filter suggests nothing for a short name that is not similar to any filter', async () => {
  const { code, last } = await ct('shipments', 'list', '--filter', 'foo=1');
  expect({ code, last }).toEqual({
    code: 2,
    last: expect.stringMatching(/^There is no --filter foo\. There are: q, number, /),
  });
  expect(last).not.toContain('id you mean');
});

test('a code of the service is printed as words for people, and as the code for programs', async () => {
  const [request] = (await ct('tracking-requests', 'list', '--limit', '1')).json();
  expect(request.request_type).toBe('bill_of_lading');
  expect((await ct('tracking-requests', 'list', '--columns', 'kind,status')).out).toMatch(/\nbill of lading +\w/);
  expect((await ct('tracking-requests', 'list', '--csv')).out).toContain(',bill_of_lading,');
});

describe('a webhook', () => {
  const url = 'https://app.example/hooks';

  test('is found by its address or its id, and is printed with yes or no for active', async () => {
    expect(await ct('webhooks', 'get', url)).toMatchObject({ code: 4, last: expect.stringContaining(url) });
    const { id } = await client.webhooks.create({ url, events: ['container.updated'], active: true });
    expect((await ct('webhooks', 'get', url)).json()).toMatchObject([{ id, url, active: true }]);
    terminal(80);
    expect((await ct('webhooks', 'get', url)).out).toMatch(/^Active +yes$/m);
    expect((await ct('webhooks', 'get', id)).out).toMatch(/^Active +yes$/m);
    terminal(undefined);
    expect((await ct('webhooks', 'list', '--csv')).out).toContain(`,true,`);
  });

  test('is not guessed if several webhooks have the same address', async () => {
    const several = await client.webhooks.create({ url, events: ['container.updated'], active: false });
    for (const args of [['get'], ['update', '--active', 'off'], ['delete', '--yes'], ['delete']]) {
      const { code, last } = await ct('webhooks', ...args, url, '--json');
      expect(code).toBe(2);
      expect(JSON.parse(last).candidates).toContainEqual({ type: 'webhook', id: several.id, url, active: false });
    }
  });

  test('is updated and deleted by its address too, if no other webhook has the address', async () => {
    const address = 'https://app.example/only';
    const { id } = await client.webhooks.create({ url: address, events: ['container.updated'], active: true });
    expect((await ct('webhooks', 'update', address, '--active', 'off')).json()).toMatchObject([{ id, active: false }]);
    const { code, last } = await ct('webhooks', 'delete', address);
    expect(code).toBe(2);
    expect(last).toContain(`Delete the webhook ${id} with the address ${address}?`);
    expect(await ct('webhooks', 'delete', address, '--yes')).toMatchObject({
      code: 0,
      last: expect.stringContaining(id),
    });
    expect(await ct('webhooks', 'delete', address, '--yes')).toMatchObject({
      code: 4,
      last: `There is no webhook with the address ${address}.`,
    });
  });
});

test('a tracking request is updated by its number', async () => {
  const [request] = (await client.trackingRequests.list({ pageSize: 1 })).data;
  const { code } = await ct('tracking-requests', 'update', request?.request_number ?? '', '--ref', 'PO-77');
  expect(code).toBe(0);
});

test('a number that no record has is not found, even if the service ignores the number and sends every record', async () => {
  const older = createSandbox({ shipments: 1, lists: 'older', rateLimit: false });
  const itsServer = await older.listen();
  onTestFinished(() => itsServer.close());
  for (const args of [
    ['shipments', 'stop', 'MSCU0000000', '--yes'],
    ['containers', 'refresh', 'MSCU0000000'],
  ]) {
    const { code, last } = await ct(...args, '--base-url', itsServer.baseUrl);
    expect({ code, last }).toEqual({ code: 4, last: expect.stringContaining('MSCU0000000') });
  }
  expect(older.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('custom fields are found by the number of their record, for containers and tracking requests', async () => {
  const [container] = (await client.containers.list({ pageSize: 1 })).data;
  const number = container?.number ?? '';
  expect((await ct('custom-fields', 'set', 'containers', number, 'weight=5')).json()).toMatchObject([{ value: 5 }]);
  expect((await ct('custom-fields', 'get', 'containers', number)).json()).toMatchObject([{ api_slug: 'weight' }]);
  // The definition of this field has the entity type `Cargo`, which also means a container.
  expect((await ct('custom-fields', 'set', 'containers', number, 'customs_cleared_on=2026-10-01')).code).toBe(0);
  const [request] = (await client.trackingRequests.list({ pageSize: 1 })).data;
  expect((await ct('custom-fields', 'get', 'tracking-requests', request?.request_number ?? '')).code).toBe(0);
});

test('shipments list shows the ETA at 60 columns', async () => {
  terminal(60);
  const { out } = await ct('shipments', 'list');
  expect(out.split('\n')[0]?.split(/ {2,}/)).toContain('ETA');
});

test('the message about an inbox that was not named says how to read the database of DATABASE_URL', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://db.example/tracking');
  for (const args of [['dead'], ['retry', '--all']]) {
    const { code, last } = await ct('inbox', ...args);
    expect({ code, last }).toEqual({ code: 2, last: expect.stringMatching(/DATABASE_URL, use --postgres env\.$/) });
  }
});
