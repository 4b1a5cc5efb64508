import { beforeAll, describe, expect, test } from 'vitest';
import { containerState, TrackingClient } from '../../src/index.ts';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { testOf } from '../../src/mcp-server/tools/narrowing.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { failureIn, httpPeer, type Json, type McpPeer, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const LISTS = ['demurrage', 'last_free_day', 'held', 'ready', 'late'];

let sandbox: Sandbox;
let client: TrackingClient;

beforeAll(() => {
  sandbox = stillSandbox({ shipments: 145, seed: 5 });
  client = new TrackingClient({
    baseUrl: 'https://service.example/v2',
    apiKey: 'sandbox',
    logger: false,
    rateLimit: false,
    fetch: sandbox.fetch,
  });
});

/** A server without stored lists, and the number of its requests. */
function countingPeer(): { peer: McpPeer; counted: { requests: number } } {
  const counted = { requests: 0 };
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => {
    counted.requests += 1;
    return sandbox.fetch(input as Request, init);
  };
  const options = { baseUrl: 'https://narrow.example/v2', logger: false, rateLimit: false, fetch } as const;
  const handler = createMcpHandler({ client: options as never, now: () => sandbox.now() });
  return { peer: httpPeer(handler.fetch), counted };
}

/** The changes of all containers, each with the number of its container. */
const changesOf = ({ groups }: Json): Json[] =>
  groups.flatMap(({ containers }: Json) =>
    containers.flatMap(({ number, changes }: Json) => changes.map((change: Json) => ({ number, ...change }))),
  );

/** The containers of all pages. */
async function all(peer: McpPeer, args: object): Promise<Json[]> {
  const containers: Json[] = [];
  for (let next: object | null = args; next; ) {
    const result: Json = plainResult(await peer.call('worklist', next));
    containers.push(...result.groups.flatMap((group: Json) => group.containers));
    next = result.next;
  }
  return containers;
}

const numbersOf = (rows: readonly Json[]) => rows.map(({ number }) => number).toSorted();

/** The containers of the lists, with their shipments, from the worklist of the library. */
async function listed() {
  const options = { demurrage: true, lastFreeDay: { within: 7 }, held: true, ready: true, late: { days: 1 } };
  const rows = await client.worklist({ ...options, now: sandbox.now() }).toArray();
  return [...new Map(rows.map(({ container }) => [container.id, container])).values()];
}

const isInland = (container: object) =>
  ['on_rail', 'arrived_inland', 'at_inland'].includes(containerState(container).stage);

describe('the filters of worklist', () => {
  test.each(['USLAX', 'uslax', 'LAX', 'Los Angeles'])('accept %s as the port', async port => {
    const { peer } = countingPeer();
    const expected = (await listed()).filter(
      container => container.shipment?.port_of_discharge_locode === 'USLAX' && !isInland(container),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(numbersOf(await all(peer, { lists: LISTS, port }))).toEqual(numbersOf(expected));
  });

  test('accept several values with commas, and keep only the containers that match every filter', async () => {
    const { peer } = countingPeer();
    const containers = await listed();
    const [scac] = containers.flatMap(({ shipment }) => shipment?.shipping_line_scac ?? []);
    const expected = containers.filter(
      container =>
        ['USLAX', 'USCHS'].includes(container.shipment?.port_of_discharge_locode ?? '') &&
        !isInland(container) &&
        container.shipment?.shipping_line_scac === scac,
    );
    expect(numbersOf(await all(peer, { lists: LISTS, port: 'USLAX, USCHS', carrier: scac }))).toEqual(
      numbersOf(expected),
    );
  });

  test('count a container that has gone inland at its destination, not at its port', async () => {
    const { peer } = countingPeer();
    const [inland] = (await listed()).filter(isInland);
    const { destination_locode, port_of_discharge_locode } = inland?.shipment ?? {};
    expect(numbersOf(await all(peer, { lists: LISTS, port: destination_locode }))).toContain(inland?.number);
    expect(numbersOf(await all(peer, { lists: LISTS, port: port_of_discharge_locode }))).not.toContain(inland?.number);
  });

  test('find containers by a part of a reference, a bill of lading or a terminal', async () => {
    const { peer } = countingPeer();
    const [container] = (await listed()).filter(({ shipment }) => (shipment?.ref_numbers ?? []).length > 0);
    const { ref_numbers, bill_of_lading_number } = container?.shipment ?? {};
    for (const reference of [ref_numbers?.[0]?.slice(1), bill_of_lading_number?.slice(0, -1), container?.number])
      expect(numbersOf(await all(peer, { lists: LISTS, reference }))).toContain(container?.number);
    const wando = await all(peer, { lists: ['ready'], terminal: 'wando' });
    expect(new Set(wando.map(({ pickup_place }) => pickup_place))).toEqual(new Set(['Wando Welch Terminal']));
  });

  test('need no request after a call without filters, and the counts include only the remaining containers', async () => {
    const { peer, counted } = countingPeer();
    await peer.call('worklist', { lists: LISTS });
    const { requests } = counted;
    const { total, counts, days_left } = plainResult(await peer.call('worklist', { lists: LISTS, port: 'USLAX' }));
    expect(counted.requests).toBe(requests);
    const containers = await all(peer, { lists: LISTS, port: 'USLAX' });
    expect(containers).toHaveLength(total);
    expect(counts.last_free_day).toBe(Object.values<number>(days_left).reduce((sum, count) => sum + count, 0));
  });

  test('refuse a value that no container has, and name the most similar values', async () => {
    const { peer } = countingPeer();
    const { error, message } = failureIn(await peer.call('worklist', { lists: LISTS, port: 'Los Angelos' }));
    expect(error).toBe('invalid_request');
    expect(message).toMatch(
      /^port: nothing in these lists matches «Los Angelos»\..* The lists have: «USLAX Los Angeles», /,
    );
    expect(message.length).toBeLessThan(600);
  });

  test('refuse a value with a special message if no container has any value for this filter', async () => {
    const values = { port: [], terminal: [], carrier: [], customer: [], reference: [] };
    await expect(testOf([{ values }], { customer: 'Acme' }, async () => [])).rejects.toThrow(
      'customer: nothing in these lists matches Acme. If it is spelled right, there is none. No row has a customer.',
    );
    expect((await testOf([], { customer: 'Acme' }, async () => []))({ values })).toBe(false);
  });

  test('return no rows for a port of the account that is not on these lists, and count the containers of this port on the other lists', async () => {
    const { peer } = countingPeer();
    const rows = await client.worklist({ ready: true, held: true, now: sandbox.now() }).toArray();
    const portsOf = (list: string) =>
      new Set(rows.flatMap(row => (row.list === list && !isInland(row.container) ? (row.port ?? []) : [])));
    const ready = portsOf('ready');
    const port = [...portsOf('held')].find(name => !ready.has(name));
    expect(port).toBeDefined();
    const { total, hint } = plainResult(await peer.call('worklist', { lists: ['ready'], port }));
    expect(total).toBe(0);
    expect(hint).toMatch(
      /^0 ready with port \S.*\. Containers of the account that match: \d+; on other lists: .*held: \d+/,
    );
  });
});

test('list_changes has the filters of worklist, and its filter by port also finds an earlier change at this port', async () => {
  const { peer } = countingPeer();
  const everything: Json[] = [];
  for (let next: object | null = {}; next; ) {
    const result: Json = plainResult(await peer.call('list_changes', next));
    everything.push(...changesOf(result));
    next = result.next;
  }
  const result = plainResult(await peer.call('list_changes', { port: 'USCHS' }));
  const { counts, total } = result;
  const changes = changesOf(result);
  expect(changes).toHaveLength(total);
  expect(Object.values<number>(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
  const there = everything.filter(({ place }) => place === 'USCHS');
  expect(there.length).toBeGreaterThan(0);
  for (const change of there) expect(changes).toContainEqual(change);
  expect(total).toBeLessThan(everything.length);
  expect(failureIn(await peer.call('list_changes', { carrier: 'Nobody' })).message).toMatch(/The lists have: /);
  const { counts: kinds } = plainResult(await peer.call('list_changes', { what: 'free day' }));
  expect(Object.keys(kinds).every(kind => kind.startsWith('Last free day'))).toBe(true);
  expect(Object.keys(kinds).length).toBeGreaterThan(1);
});

describe('the filter `what` of list_changes', () => {
  test.each([
    'events',
    'estimate',
    'last_free_days',
    'last free day',
    'Appointments',
    'new containers',
    'new_container',
  ])('accepts the group %s', async what => {
    const { peer } = countingPeer();
    const { isError } = await peer.call('list_changes', { since: '7d', what });
    expect(isError).not.toBe(true);
  });

  test('returns only changes of the group', async () => {
    const { peer } = countingPeer();
    const { counts } = plainResult(await peer.call('list_changes', { since: '7d', what: 'estimates' }));
    expect(Object.keys(counts).length).toBeGreaterThan(0);
    expect(Object.keys(counts).every(kind => kind.endsWith('expected'))).toBe(true);
  });

  test('returns no rows for a known kind without a recorded change', async () => {
    const { peer } = countingPeer();
    const { total, hint } = plainResult(await peer.call('list_changes', { what: 'Feeder arrived: withdrawn' }));
    expect(total).toBe(0);
    expect(hint).toBe('No recorded change: name an earlier since.');
  });

  test('is refused for a misspelt kind, and the most similar kind comes first', async () => {
    const { peer } = countingPeer();
    const { message } = failureIn(await peer.call('list_changes', { what: 'Last free dya' }));
    expect(message).toMatch(
      /^what has no value «Last free dya»\. Did you mean Last free day\? It must be one of: last_free_days, /,
    );
  });

  test('is refused for holds, and the error names the groups and explains that holds have no history', async () => {
    const { peer } = countingPeer();
    const { message } = failureIn(await peer.call('list_changes', { what: 'holds' }));
    expect(message).toMatch(/ It must be one of: last_free_days, availability, .*Holds and fees have no history/);
  });
});

test('list_changes returns no rows for a value if a container of the account has this value, but no change has it', async () => {
  const { peer } = countingPeer();
  const [container] = await client.containers.list({ sort: 'updated_at', include: ['shipment'] }).toArray({ limit: 1 });
  const reference = container?.number;
  const { total, hint } = plainResult(await peer.call('list_changes', { since: '1m', reference }));
  expect(total).toBe(0);
  expect(hint).toContain(`Containers of the account that match reference ${reference}: 1.`);
});
