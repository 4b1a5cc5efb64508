import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { textWidth } from '../../src/cli/output/text-width.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
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
  ])('says %s that there are more, beside the data', async (_, columns) => {
    terminal(columns);
    const { err, out } = await ct('containers', 'list', '--limit', '3');
    expect(err).toContain('There are more than 3. See --limit and --all.\n');
    expect(out).not.toContain('There are more');
  });

  test('says nothing where there are no more', async () => {
    expect((await ct('containers', 'list', '--all')).err).toBe('');
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

  test('takes a path, and spaces between paths', async () => {
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
  test.each([60, 80, 120, 300])('has at %i columns what the next command takes', async columns => {
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
  '%s get says of a number that nothing has it that it is not there',
  async group => {
    const { code, last } = await ct(group, 'get', 'MSCU0000001');
    expect({ code, last }).toEqual({
      code: 4,
      last: expect.stringContaining('with the id, number or reference MSCU0000001.'),
    });
  },
);

test('one record is shown with its references and tags, a webhook with its events', async () => {
  const [shipment] = (await client.shipments.list({ pageSize: 1 })).data;
  terminal(80);
  const number = shipment?.bill_of_lading_number ?? '';
  const { out } = await ct('shipments', 'update', number, '--ref', 'PO-1,PO-2', '--tag', 'urgent');
  expect(out).toMatch(/^References +PO-1, PO-2$/m);
  expect(out).toMatch(/^Tags +urgent$/m);
  const made = await ct('webhooks', 'create', '--url', 'https://app.example/two', '--event', 'container.updated');
  expect(made.out).toMatch(/^Events +container\.updated$/m);
  expect((await ct('webhooks', 'create', '--url', 'https://app.example/all')).out).toMatch(/^Events +all \d+ events$/m);
});

test('a search has the word of the commands for a container', async () => {
  const [container] = (await client.containers.list({ pageSize: 1 })).data;
  terminal(80);
  expect((await ct('search', container?.number ?? '')).out).toMatch(/^container +[A-Z]{4}/m);
});

test('an included record has its column beside the first', async () => {
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

test.each([
  [['containers', 'list', '--limit', '2.5'], '--limit must be a whole number, not 2.5.'],
  [
    ['containers', 'list', '--sort', 'arival'],
    'There is no --sort arival; did you mean arrival? There are: arrival, created_at, ',
  ],
  [['documents', 'upload', '.'], 'There is no file .'],
  [['webhooks', 'trigger', 'container.updted', '--url', 'https://app.example'], 'Did you mean container.updated?'],
  [['custom-fields', 'get', 'shipment', 'X'], 'There are no shipment, only shipments, containers, tracking-requests.'],
])('%j is refused before a request', async (args, message) => {
  const before = sandbox.requests.length;
  expect(await ct(...args)).toMatchObject({ code: 2, last: expect.stringContaining(message) });
  expect(sandbox.requests.length).toBe(before);
});

test('a tracking request is updated by its number', async () => {
  const [request] = (await client.trackingRequests.list({ pageSize: 1 })).data;
  const { code } = await ct('tracking-requests', 'update', request?.request_number ?? '', '--ref', 'PO-77');
  expect(code).toBe(0);
});

test('a service that ignores the number of a list has no record of that number', async () => {
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

test('custom fields are set by the number of a record, for each kind of owner', async () => {
  const [container] = (await client.containers.list({ pageSize: 1 })).data;
  const number = container?.number ?? '';
  expect((await ct('custom-fields', 'set', 'containers', number, 'weight=5')).json()).toMatchObject([{ value: 5 }]);
  expect((await ct('custom-fields', 'get', 'containers', number)).json()).toMatchObject([{ api_slug: 'weight' }]);
  // Its definition is of a Cargo, which is a container too.
  expect((await ct('custom-fields', 'set', 'containers', number, 'customs_cleared_on=2026-10-01')).code).toBe(0);
  const [request] = (await client.trackingRequests.list({ pageSize: 1 })).data;
  expect((await ct('custom-fields', 'get', 'tracking-requests', request?.request_number ?? '')).code).toBe(0);
});

describe('worklist', () => {
  test('has each container once in its table, the nearest last free day first', async () => {
    terminal(200);
    const { out } = await ct('worklist', '--within', '30');
    const [head = '', ...rows] = out.trimEnd().split('\n');
    expect(head).toMatch(/^NUMBER +DAYS LEFT +HOLDS +NEXT +LISTS/);
    const numbers = rows.map(row => row.split(' ')[0]);
    expect(new Set(numbers).size).toBe(numbers.length);
    const days = rows.map(row => row.slice(head.indexOf('DAYS LEFT')).split('  ')[0] ?? '');
    const left = days.map(text =>
      text === 'today'
        ? 0
        : text === '-'
          ? Number.POSITIVE_INFINITY
          : Number.parseInt(text, 10) * (text.endsWith('overdue') ? -1 : 1),
    );
    expect(left).toEqual(left.toSorted((one, other) => (one === other ? 0 : one - other)));
    expect(days.some(text => /^\d+ overdue$/.test(text))).toBe(true);
    expect(rows.some(row => /ready, demurrage|last-free-day, held/.test(row))).toBe(true);
    expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(200);
  });

  test('takes days with and without their unit', async () => {
    const [days, bare] = [
      await ct('worklist', 'last-free-day', '--within', '3d'),
      await ct('worklist', 'last-free-day', '--within', '3'),
    ];
    expect(days.json()).toHaveLength(bare.json().length);
    expect((await ct('worklist', '--within', 'soon')).last).toBe(
      '--within must be a whole number of days, at least 0, such as 3 or 3d, not soon.',
    );
  });

  test('takes the names of lists with commas too', async () => {
    const { json } = await ct('worklist', 'held,late');
    expect(new Set(json().map(({ list }) => list))).toEqual(new Set(['held', 'late']));
  });

  test('has for programs each row of each list, in the same order', async () => {
    const { json } = await ct('worklist');
    const rows = await client
      .worklist({
        ready: true,
        lastFreeDay: { within: 7 },
        demurrage: true,
        held: true,
        late: { days: 1 },
        silent: { days: 5 },
      })
      .toArray();
    const nameOf = ({ list, number }: { list: string; number: string }) => `${list} ${number}`;
    expect(json().map(nameOf).toSorted()).toEqual(rows.map(nameOf).toSorted());
    terminal(200);
    const { out } = await ct('worklist');
    const inTable = out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(row => row.split(' ')[0]);
    expect([...new Set(json().map(({ number }) => number))]).toEqual(inTable);
  });
});
