import { beforeAll, describe, expect, test } from 'vitest';
import { TrackingClient, type WorklistOptions } from '../../src/index.ts';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { Snapshots } from '../../src/mcp-server/snapshots.ts';
import { leftText } from '../../src/mcp-server/views/deadline.ts';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { failureIn, httpPeer, type Json, type McpPeer, plainResult } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
let peer: McpPeer;
let client: TrackingClient;

beforeAll(() => {
  // About 300 containers.
  sandbox = stillSandbox({ shipments: 145, seed: 5 });
  const { fetch } = sandbox;
  const options = { baseUrl: 'https://service.example/v2', logger: false, rateLimit: false, fetch } as const;
  client = new TrackingClient({ ...options, apiKey: 'sandbox' });
  peer = httpPeer(createMcpHandler({ client: options, now: () => sandbox.now() } as never).fetch);
});

/** A server for an account that had no news for ten days. */
function silentPeer(): McpPeer {
  const later = () => new Date(sandbox.now().getTime() + 10 * 86_400_000);
  const { fetch } = sandbox;
  const options = { baseUrl: 'https://silent.example/v2', logger: false, rateLimit: false, fetch } as const;
  return httpPeer(createMcpHandler({ client: options, now: later }).fetch);
}

const LISTS = {
  demurrage: { demurrage: true },
  last_free_day: { lastFreeDay: { within: 7 } },
  held: { held: true },
  ready: { ready: true },
  late: { late: { days: 1 } },
  silent: { silent: { days: 5 } },
} as const;

/** The containers of a result, each with the values of its group. */
const listed = ({ groups }: Json): Json[] =>
  groups.flatMap(({ containers, ...group }: Json) => containers.map((container: Json) => ({ ...group, ...container })));

function tally(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** The references of containers in the service, by container number. */
async function references(): Promise<Map<unknown, unknown>> {
  const containers = await client.containers.list({ include: ['shipment'] }).toArray();
  return new Map(containers.map(({ number, shipment }) => [number, shipment?.ref_numbers ?? []]));
}

test('a row of list_containers has the references of its shipment, whether or not the container can be picked up', async () => {
  const known = await references();
  const { items }: Json = plainResult(await peer.call('list_containers', { page_size: 50 }));
  expect(new Set(items.map(({ pickup }: Json) => pickup)).size).toBeGreaterThan(1);
  for (const { number, ref_numbers = [] } of items) expect([number, ref_numbers]).toEqual([number, known.get(number)]);
});

test.each(['ready', 'held'])('a container that is %s has its bill of lading and its references', async name => {
  const known = await references();
  const rows = listed(plainResult(await peer.call('worklist', { lists: [name] })));
  expect(rows.length).toBeGreaterThan(5);
  for (const { number, bill_of_lading, ref_numbers = [] } of rows) {
    expect(bill_of_lading).toBeTruthy();
    expect([number, ref_numbers]).toEqual([number, known.get(number)]);
  }
});

describe('worklist', () => {
  test.each(Object.keys(LISTS) as (keyof typeof LISTS)[])(
    '%s has the containers of the library, on pages that the results propose',
    async name => {
      const options: WorklistOptions = { ...LISTS[name], now: sandbox.now() };
      const rows = await client.worklist(options).toArray();
      const seen: Json[] = [];
      let next: object | null = { lists: [name], ...(name === 'late' && { late_by: 1 }) };
      while (next) {
        const result: Json = plainResult(await peer.call('worklist', next));
        expect(result).toMatchObject({ total: rows.length, counts: { [name]: rows.length } });
        seen.push(...listed(result));
        next = result.next;
      }
      expect(seen.map(({ number }) => number).toSorted()).toEqual(rows.map(({ number }) => number).toSorted());
      expect(seen.every(({ lists, next_step }) => lists[0] === name && next_step)).toBe(true);
    },
  );

  test('with only a limit of days has only the list to which this limit belongs', async () => {
    for (const [limit, lists] of [
      ['late_by', ['late']],
      ['silent_for', ['silent']],
      ['within', ['demurrage', 'last_free_day', 'held', 'ready']],
    ] as const) {
      const { counts } = plainResult(await peer.call('worklist', { [limit]: 5 }));
      expect(Object.keys(counts).toSorted()).toEqual(lists.toSorted());
    }
  });

  test('refuses a limit of days without its list', async () => {
    expect(failureIn(await peer.call('worklist', { lists: ['held'], late_by: 5 }))).toEqual({
      error: 'invalid_request',
      message: 'late_by is for the list late: add this list to lists, or leave late_by out.',
    });
  });

  test('has the most urgent containers first, and each container once, with all its lists', async () => {
    const items = listed(plainResult(await peer.call('worklist', { lists: Object.keys(LISTS) })));
    expect(new Set(items.map(({ number }) => number)).size).toBe(items.length);
    const ranks = items.map(({ lists, days_left = 999 }) => Object.keys(LISTS).indexOf(lists[0]) * 1_000 + days_left);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(items.some(({ lists }) => lists.length > 1)).toBe(true);
  });

  test('counts the containers of all pages by list and by days left', async () => {
    const options = { demurrage: true, lastFreeDay: { within: 7 }, held: true, ready: true, now: sandbox.now() };
    const rows = await client.worklist(options).toArray();
    const { counts, days_left } = plainResult(await peer.call('worklist', { skip: 3 }));
    const names = { demurrage: 'demurrage', lastFreeDay: 'last_free_day', held: 'held', ready: 'ready' };
    expect(counts).toEqual(tally(rows.map(({ list }) => names[list])));
    const near = rows.flatMap(row => (row.list === 'lastFreeDay' ? row.deadline.daysLeft : []));
    expect(days_left).toEqual(tally(near));
  });

  test('has the same facts as text and as data, and the data is less than twice as long as the text', async () => {
    const { content, structuredContent } = await peer.call('worklist', {
      lists: ['demurrage', 'last_free_day', 'late'],
    });
    const text = content[0]?.text ?? '';
    const data = JSON.stringify(structuredContent);
    for (const { next_step, last_free_day, last_free_day_at, set_by, days_left, days_late, number } of listed(
      structuredContent,
    )) {
      const line = text.split('\n').find(part => part.startsWith(`${number}|`)) ?? '';
      expect(line).not.toBe('');
      if (days_late) expect(line.split('|')).toContain(String(days_late));
      const heading = text
        .slice(0, text.indexOf(line))
        .split('\n')
        .findLast(part => part.startsWith('## '));
      expect(heading).toContain(next_step);
      if (last_free_day)
        expect(heading).toContain(
          `last free day ${last_free_day} (${set_by}, ${last_free_day_at}), ${leftText(days_left)}`,
        );
    }
    expect(text).toContain(`; next: worklist ${JSON.stringify(structuredContent.next)}\n`);
    expect(data.length).toBeLessThan(2 * text.length);
    expect(text.length).toBeLessThan(data.length);
  });

  test('accepts 0 for `within`, which means today, and 0 for `skip`', async () => {
    const { days_left } = plainResult(await peer.call('worklist', { lists: ['last_free_day'], within: 0, skip: 0 }));
    expect(Object.keys(days_left)).toEqual(['0']);
  });

  test('does not suggest a method of the library as a next step', async () => {
    const { content } = await silentPeer().call('worklist', { lists: ['silent'] });
    expect(content[0]?.text).toContain('Ask the shipping line.\nnumber|');
    expect(content[0]?.text).toContain('days_silent');
  });

  test('has the near deadlines of 300 containers in two results of at most 5,000 tokens each, as text and as data', async () => {
    const total = (await client.containers.list({ pageSize: 1 })).meta.total ?? 0;
    expect(total).toBeGreaterThanOrEqual(290);
    let [args, listings]: [object | null, Json[][]] = [{ lists: ['demurrage', 'last_free_day'] }, []];
    while (args) {
      const { content, structuredContent } = await peer.call('worklist', args);
      // Each token has at least 2.6 characters on average: bench/mcp-tokens.ts counts the tokens.
      expect(content[0]?.text.length).toBeLessThan(10_000);
      expect(JSON.stringify(structuredContent).length).toBeLessThan(13_200);
      listings = [...listings, listed(structuredContent)];
      args = structuredContent.next;
    }
    expect(listings).toHaveLength(2);
    expect(listings.flat()).toHaveLength(85);
  });

  test('refuses a list that does not exist', async () => {
    const { isError, content } = await peer.call('worklist', { lists: ['urgent'] });
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/must be one of: demurrage, last_free_day/);
  });
});

describe('the pages of a worklist', () => {
  /** A server for the account, with its clock and the number of its requests. */
  function countingPeer() {
    const counted = { requests: 0, now: sandbox.now().getTime() };
    const fetch = (input: RequestInfo | URL, init?: RequestInit) => {
      counted.requests += 1;
      return sandbox.fetch(input as Request, init);
    };
    const options = { baseUrl: 'https://counted.example/v2', logger: false, rateLimit: false, fetch } as const;
    const handler = createMcpHandler({ client: options as never, now: () => new Date(counted.now) });
    return { peer: httpPeer(handler.fetch), counted };
  }

  test('come from the same reading for a minute, in any order of the arguments', async () => {
    const { peer, counted } = countingPeer();
    const args = { lists: ['late', 'ready'], late_by: 1 };
    const first = plainResult(await peer.call('worklist', args));
    const afterFirst = counted.requests;
    counted.now += 60_000;
    const second = plainResult(await peer.call('worklist', first.next));
    await peer.call('worklist', { skip: 10, late_by: 1, lists: args.lists });
    expect(counted.requests).toBe(afterFirst);
    const numbers = [...listed(first), ...listed(second)].map(({ number }) => number);
    expect(new Set(numbers).size).toBe(numbers.length);

    counted.now += 1;
    await peer.call('worklist', first.next);
    expect(counted.requests).toBeGreaterThan(afterFirst);
  });

  test('with other arguments do not come from the reading of the first call', async () => {
    const { peer } = countingPeer();
    await peer.call('worklist', { lists: ['late'] });
    const { total } = plainResult(await peer.call('worklist', { lists: ['held'], skip: 1 }));
    expect(total).toBe(plainResult(await peer.call('worklist', { lists: ['held'] })).total);
  });
});

test.each([
  [-2, '2 days too late'],
  [-1, '1 day too late'],
  [0, '0 days left'],
  [1, '1 day left'],
])('the words for %i days to the last free day are: %s', (days, words) => expect(leftText(days)).toBe(words));

test('a list with more rows than the limit of a caller is not stored', async () => {
  const snapshots = new Snapshots();
  const now = new Date(0);
  const listOf = (length: number) => async () => ({ rows: Array.from({ length }, () => 0) });
  await snapshots.list({ tool: 'a' }, { anew: true, now }, listOf(15_000));
  await snapshots.list({ tool: 'b' }, { anew: true, now }, listOf(15_000));
  const again = async (tool: string) => (await snapshots.list({ tool }, { anew: false, now }, listOf(1))).rows.length;
  expect([await again('b'), await again('a')]).toEqual([15_000, 1]);
  await snapshots.list({ tool: 'c' }, { anew: true, now }, listOf(20_001));
  expect(await again('c')).toBe(1);
});

test('late containers are grouped by stage: in each group, expected containers come before arrived containers, and the longest delay comes first', async () => {
  const options = { late: { days: 1 }, now: sandbox.now() };
  const rows = new Map((await client.worklist(options).toArray()).map(row => [row.number, row]));
  let [args, groups]: [object | null, Json[]] = [{ lists: ['late'] }, []];
  while (args) {
    const result: Json = plainResult(await peer.call('worklist', args));
    groups = [...groups, ...result.groups];
    args = result.next;
  }
  const items = groups.flatMap(({ containers }) => containers);
  const isArrived = items.map(item => Object.keys(item).some(name => name.startsWith('arrived_')));
  expect(isArrived).toEqual(isArrived.toSorted((a, b) => Number(a) - Number(b)));
  expect(new Set(isArrived).size).toBe(2);
  expect(new Set(groups.map(({ stage }) => stage)).size).toBeGreaterThan(2);
  for (const { stage, late_at, containers } of groups) {
    const days = containers.map(({ days_late }: Json) => days_late);
    expect(days).toEqual(days.toSorted((a: number, b: number) => b - a));
    for (const item of containers) {
      const row = rows.get(item.number);
      expect([stage, late_at]).toEqual([row?.state.stage, row?.at]);
      const arrival = `${row?.delay.isActual ? 'arrived' : 'expected'}_${row?.at === 'port' ? 'at_port' : 'inland'}`;
      const [first, latest] = [row?.since, row?.arrival].map(
        local => local && [local.date, local.time, local.offset].filter(Boolean).join(' '),
      );
      expect(item).toMatchObject({ first_estimate: first, [arrival]: latest });
      expect(Boolean(item.customer ?? item.ref_numbers)).toBe(true);
    }
  }
  const bound = items.filter(({ expected_at_port, expected_inland }) => expected_at_port && expected_inland);
  expect(bound.length).toBeGreaterThan(0);
});

test('the containers of every list have their port and their customer', async () => {
  const rows = await client
    .worklist({ demurrage: true, lastFreeDay: { within: 7 }, late: { days: 1 }, now: sandbox.now() })
    .toArray();
  const shipments = new Map(rows.map(({ container }) => [container.number, container.shipment]));
  for (const list of ['demurrage', 'last_free_day', 'late']) {
    const containers = listed(plainResult(await peer.call('worklist', { lists: [list] })));
    expect(containers.length).toBeGreaterThan(0);
    for (const { number, port, customer } of containers) {
      const shipment = shipments.get(number);
      expect([shipment?.port_of_discharge_locode, shipment?.destination_locode]).toContain(port);
      expect(customer).toBe(shipment?.customer_name ?? undefined);
    }
  }
});

test('the hint of a list of containers with fees says that worklist has the fees that are due now', async () => {
  const { hint } = plainResult(await peer.call('list_containers', { has_fees: true }));
  expect(hint).toBe('has_fees also finds containers that were picked up: worklist adds up what is due now.');
});

test('the argument `lists` may be a text with one list', async () => {
  const { counts } = plainResult(await peer.call('worklist', { lists: 'ready' }));
  expect(Object.keys(counts)).toContain('ready');
  expect(counts).not.toHaveProperty('late');
});

test('a container with demurrage has the average cost of one day, and all fees are added up', async () => {
  const { groups, fees_due } = plainResult(await peer.call('worklist', { lists: ['demurrage'] }));
  const rows = await client.worklist({ demurrage: true, now: sandbox.now() }).toArray();
  expect(rows.length).toBeGreaterThan(1);
  expect(fees_due).toEqual({ USD: rows.flatMap(({ fees }) => fees).reduce((sum, { amount }) => sum + amount, 0) });
  const containers = new Map(listed({ groups }).map(container => [container.number, container]));
  for (const { number, demurrage, days } of rows)
    expect(containers.get(number)?.demurrage_a_day_so_far).toBe(`${Math.round((demurrage[0]?.amount ?? 0) / days)}USD`);
});

test('the late containers of each customer are counted, with the longest delay', async () => {
  const { late_by_customer } = plainResult(await peer.call('worklist', { lists: ['late'], skip: 3 }));
  const rows = await client.worklist({ late: { days: 1 }, now: sandbox.now() }).toArray();
  const customers = new Set(rows.map(({ customer }) => customer ?? 'unknown'));
  expect(new Set(Object.keys(late_by_customer))).toEqual(customers);
  for (const name of customers) {
    const days = rows.filter(({ customer }) => (customer ?? 'unknown') === name).map(({ delay }) => delay.days);
    expect(late_by_customer[name]).toBe(`${days.length}, up to ${Math.max(...days)} days`);
  }
  expect(plainResult(await peer.call('worklist', { lists: ['ready'] }))).not.toHaveProperty('late_by_customer');
});

test('a held container has the day of its discharge, and the hint says that the service does not report the time of a hold', async () => {
  const { groups, hint } = plainResult(await peer.call('worklist', { lists: ['held'] }));
  expect(hint).toContain('does not report the time of a hold');
  for (const { discharged } of listed({ groups })) expect(discharged).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('a container that goes by rail has its pickup place inland, even while it is at the port', async () => {
  const rows = await client.worklist({ late: { days: 1 }, ready: true, held: true, now: sandbox.now() }).toArray();
  const inland = rows.find(({ container }) => container.final_destination_timezone && container.pickup_facility);
  const [row] = plainResult(await peer.call('list_containers', { number: inland?.number })).items;
  expect(row.pickup_place).toBe(inland?.container.pickup_facility?.name);
  expect(row.pickup_place).not.toBe(inland?.container.pod_terminal?.name);
});

test('the hint of an empty worklist suggests other lists', async () => {
  const { hint, groups } = plainResult(await peer.call('worklist', { lists: ['silent'], silent_for: 365 }));
  expect(groups).toEqual([]);
  expect(hint).toMatch(/smaller silent_for, or the lists demurrage/);
  const behind = plainResult(await peer.call('worklist', { lists: ['held'], skip: 99_999 }));
  expect(behind.hint).toContain('behind the last');
});

test('a container that can be picked up has the data for its driver, and a next step that fits this data', async () => {
  const { groups } = plainResult(await peer.call('worklist', { lists: ['ready'] }));
  for (const { next_step, last_free_day, days_left, containers } of groups)
    for (const { fees_due, appointment, bill_of_lading, pickup_place } of containers) {
      expect(bill_of_lading && pickup_place).toBeTruthy();
      expect(next_step.startsWith('Pay the fees, then collect it')).toBe(fees_due !== undefined);
      const isLater = appointment?.slice(0, 10) > last_free_day && days_left >= 0;
      expect(next_step.includes('the appointment is later')).toBe(isLater);
    }
  const rows = await client.worklist({ ready: true, now: sandbox.now() }).toArray();
  const steps = rows.map(({ next }) => next).join('\n');
  expect(steps).toMatch(/^Pay \d+ USD, then collect it by [\d-]+; the appointment is later: /m);
  expect(steps).toMatch(/^Collect it by [\d-]+; the appointment is on [\d-]+ \d\d:\d\d [A-Z]+\.$/m);
});
