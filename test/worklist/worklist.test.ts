import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lastFreeDays, localTime } from '../../src/domain/index.ts';
import { ConfigurationError, type Container, type TrackingClient, type WorklistOptions } from '../../src/index.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { checked } from '../../src/worklist/options.ts';
import { preselections } from '../../src/worklist/preselection.ts';
import { clientFor, clientOn } from '../../support/client.ts';
import { call, stillSandbox } from '../../support/sandbox.ts';
import { planOf } from '../../support/worklist-truth.ts';

const DAY = 86_400_000;
const ALL = {
  ready: true,
  lastFreeDay: { within: 7 },
  demurrage: true,
  held: true,
  late: { days: 1 },
  silent: { days: 5 },
} as const satisfies WorklistOptions;

function setUp(options: SandboxOptions = { shipments: 40 }): { sandbox: Sandbox; client: TrackingClient } {
  const sandbox = stillSandbox(options);
  return { sandbox, client: clientOn(sandbox.fetch) };
}

const filtersOf = ({ requests }: Sandbox) =>
  requests.map(({ query }) =>
    Object.keys(query)
      .filter(name => name.startsWith('filter'))
      .map(name => name.replace(/^filter\[|\].*$/g, ''))
      .filter(name => !/^(actively_tracked|delivered_at|empty_returned_at|final_destination_full_out_at)$/.test(name)),
  );

describe('a worklist', () => {
  test('sends nothing before the first row is requested, and then sends one request per 50 containers', async () => {
    const { sandbox, client } = setUp();
    const list = client.worklist({ ...ALL, now: sandbox.now() });
    expect(sandbox.requests).toEqual([]);
    const { requests, containers } = await list.estimate();
    expect(sandbox.requests).toHaveLength(1);
    const rows = await list.toArray();
    expect(sandbox.requests).toHaveLength(requests as number);
    expect(requests).toBe(Math.ceil((containers as number) / 50));
    expect(new Set(rows.map(row => row.list))).toEqual(new Set(['ready', 'lastFreeDay', 'demurrage', 'held', 'late']));
  });

  test('yields all its lists in one reading, with the same rows as each list alone', async () => {
    const { sandbox, client } = setUp();
    const now = sandbox.now();
    const all = await client.worklist({ ...ALL, now }).toArray();
    for (const name of Object.keys(ALL) as (keyof typeof ALL)[]) {
      const alone = await client.worklist({ [name]: ALL[name], now } as WorklistOptions).toArray();
      expect(all.filter(({ list }) => list === name)).toEqual(alone);
    }
    const numbers = all.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].flatMap(number => numbers.filter(other => other === number)));
  });

  test('starts again with each iteration, with the current records', async () => {
    const { sandbox, client } = setUp();
    const list = client.worklist({ held: true });
    const before = await list.toArray();
    sandbox.advance({ days: 4 });
    expect((await list.toArray()).length).toBeLessThan(before.length);
    expect(await list.toArray({ limit: 1 })).toHaveLength(1);
  });

  test('has names and sentences for people in its rows', async () => {
    const { sandbox, client } = setUp();
    const [row] = await client.worklist({ held: true, now: sandbox.now() }).toArray();
    expect(row).toMatchObject({
      list: 'held',
      number: expect.stringMatching(/^[A-Z]{4}\d{7}$/),
      shipmentNumber: expect.stringMatching(/\w/),
      shippingLine: expect.stringMatching(/\w/),
      port: expect.stringMatching(/^[A-Z][a-z]/),
      terminal: expect.stringMatching(/\w/),
      reason: expect.stringMatching(/^It is held by (freight|customs)/),
      next: expect.stringMatching(
        /^Have the (freight|customs)( and customs)? holds? released( and pay \d+ USD)?, then collect it( by 2026-03-\d\d)?\.$/,
      ),
    });
  });

  test('works over a socket, and throws the reason of the signal after an abort', async () => {
    const sandbox = stillSandbox({ shipments: 30 });
    const server = await sandbox.listen({ port: 0 });
    const client = clientFor(server, { apiKey: 'sandbox' });
    const rows = await client.worklist({ ...ALL, now: sandbox.now() }).toArray();
    expect(rows).toEqual(
      await clientOn(sandbox.fetch)
        .worklist({ ...ALL, now: sandbox.now() })
        .toArray(),
    );

    const stopping = new AbortController();
    async function leave(): Promise<void> {
      for await (const _ of client.worklist({ ...ALL, signal: stopping.signal })) stopping.abort('enough');
    }
    await expect(leave()).rejects.toBe('enough');
    await server.close();
  });

  test('accepts malformed holds or fees in a record, and yields all other rows', async () => {
    const { sandbox, client } = setUp();
    const options = { ...ALL, now: sandbox.now() };
    const rows = await client.worklist(options).toArray();
    const malformed = [[null], 'x', { type: 'demurrage' }, [[null, 'x']], null];
    const odd = clientOn(
      async (...request) => {
        const response = await sandbox.fetch(...request);
        const body = await response.json();
        for (const [index, { attributes }] of body.data.entries()) {
          attributes.fees_at_pod_terminal = malformed[index % malformed.length];
          attributes.holds_at_pod_terminal = malformed[(index + 1) % malformed.length];
        }
        return Response.json(body, response);
      },
      { validation: 'off' },
    );
    const survived = await odd.worklist(options).toArray();
    const others = (all: typeof rows) =>
      all.filter(({ list }) => list !== 'held' && list !== 'ready').map(({ list, number }) => [list, number]);
    expect(others(survived)).toEqual(others(rows));
    expect(survived.some(({ list }) => list === 'demurrage')).toBe(true);
  });

  test('leaves out containers that are no longer tracked or were removed from the account', async () => {
    const { sandbox, client } = setUp();
    const [row] = await client.worklist({ held: true, now: sandbox.now() }).toArray();
    const id = row?.container.shipment?.id as string;
    await client.shipments.stopTracking(id);
    for (const lists of ['current', 'older'] as const) {
      sandbox.account().lists = lists;
      const rows = await client.worklist({ ...ALL, now: sandbox.now() }).toArray();
      expect(rows.map(({ container }) => container.shipment?.id)).not.toContain(id);
    }
  });
});

describe('the latest news of a container', () => {
  /** The carrier and the terminal of every third shipment have not responded since a certain time. */
  function silenced(sandbox: Sandbox, since: string): typeof sandbox.fetch {
    return async (...args) => {
      const response = await sandbox.fetch(...args);
      const body = await response.json();
      for (const { type, attributes } of [...body.data, ...(body.included ?? [])]) {
        if (type === 'shipment' && Number(attributes.bill_of_lading_number.slice(-1)) % 3 === 0) {
          attributes.line_tracking_last_succeeded_at = since;
        }
        if (type === 'container') attributes.terminal_checked_at = null;
      }
      return Response.json(body, response);
    };
  }

  test('is the last response of a source or the last event, and decides if a container is silent', async () => {
    const { sandbox } = setUp({ shipments: 60 });
    sandbox.advance({ days: 10 });
    const since = new Date(sandbox.now().getTime() - 6.5 * DAY).toISOString();
    const client = clientOn(silenced(sandbox, since));
    const rows = await client.worklist({ silent: { days: 6 }, now: sandbox.now() }).toArray();
    expect(rows.length).toBeGreaterThan(3);
    for (const { days, since: heard, reason, container } of rows) {
      expect(Number(container.shipment?.bill_of_lading_number.slice(-1)) % 3).toBe(0);
      const zone = container.final_destination_timezone ?? container.pod_timezone;
      expect({ days, heard }).toEqual({ days: 6, heard: localTime(since, zone) });
      expect(reason).toBe(`Nothing was heard of it for 6 days, since ${heard.text}.`);
    }
    const happened = (container: Container) =>
      Object.entries(container).some(
        ([name, at]) =>
          name.endsWith('_at') &&
          /^(pol|pod|ind)_.*(in|loaded|departed|arrived|discharged|ata|unloaded)_at$/.test(name) &&
          typeof at === 'string' &&
          at > since,
      );
    const all = await client.containers.list({ include: ['shipment'], filter: { actively_tracked: true } }).toArray();
    const third = all.filter(({ shipment }) => Number(shipment?.bill_of_lading_number.slice(-1)) % 3 === 0);
    const isGone = (container: Container) => container.pod_full_out_at ?? container.final_destination_full_out_at;
    const expected = third.filter(container => !happened(container) && !isGone(container)).map(({ id }) => id);
    expect(rows.map(({ container }) => container.id).sort()).toEqual(expected.sort());
    expect(await client.worklist({ silent: { days: 7 }, now: sandbox.now() }).toArray()).toEqual([]);
  });
});

describe('the filters of the service', () => {
  test('preselect the deadlines of each source, if this takes fewer requests than reading all containers', async () => {
    const options = { shipments: 500, seed: 1 };
    const { sandbox, client } = setUp(options);
    const plan = planOf(options);
    for (let step = 0; step < 3; step += 1) {
      const now = sandbox.now();
      const before = sandbox.requests.length;
      const list = client.worklist({ lastFreeDay: { within: 0 }, now });
      const { requests } = await list.estimate();
      const rows = await list.toArray();
      expect(sandbox.requests.length - before).toBe(requests);
      const today = Object.entries(plan.truth().lastFreeDay).filter(([, { daysLeft }]) => daysLeft === 0);
      expect(rows.map(({ container }) => container.id).sort()).toEqual(today.map(([id]) => id).sort());
      sandbox.advance({ hours: 7 });
      plan.advance(7 * 3_600_000);
    }
    expect(new Set(filtersOf(sandbox).flat())).toEqual(
      new Set([
        'pickup_lfd',
        'pickup_lfd_line_on',
        'pickup_lfd_line_effective_on',
        'pickup_lfd_terminal_on',
        'pickup_lfd_terminal_effective_on',
        'pickup_lfd_rail_on',
      ]),
    );
  });

  test.each(['current', 'older'] as const)(
    'are replaced by a full reading if they select too many containers (lists of the account: %s)',
    async lists => {
      const options = { shipments: 500, seed: 1 };
      const { sandbox, client } = setUp({ ...options, lists });
      const list = client.worklist({ demurrage: true, lastFreeDay: { within: 30 }, held: true, now: sandbox.now() });
      const { requests, containers } = await list.estimate();
      const rows = await list.toArray();
      expect(sandbox.requests).toHaveLength(requests as number);
      expect(requests).toBeLessThan(1.5 * ((containers as number) / 50 + 1));
      const truth = planOf(options).truth();
      const count = ['demurrage', 'lastFreeDay', 'held'] as const;
      expect(rows).toHaveLength(count.reduce((sum, name) => sum + Object.keys(truth[name]).length, 0));
    },
  );

  test('select only held containers for the list of held containers', async () => {
    const { sandbox, client } = setUp();
    await client.worklist({ held: true, now: sandbox.now() }).toArray();
    expect(filtersOf(sandbox)).toEqual([['has_holds']]);
  });

  const ZONES = [
    'Pacific/Auckland',
    'Pacific/Kiritimati',
    'Asia/Kolkata',
    'Europe/Lisbon',
    'America/St_Johns',
    'Pacific/Pago_Pago',
  ];
  const NO_DEADLINES = { pickup_lfd_line: null, pickup_lfd_terminal: null, pickup_lfd_rail: null };
  const FIELDS = ['pickup_lfd_line', 'pickup_lfd_terminal', 'pickup_lfd_rail'] as const;

  test('select every container whose deadline belongs in the list, in any time zone, on any day', () => {
    const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(
        fc.record({
          now: instants,
          offset: fc.integer({ min: -40, max: 20 }),
          zone: fc.constantFrom(...ZONES),
          field: fc.constantFrom(...FIELDS),
          isPlain: fc.boolean(),
          within: fc.nat(14),
          isOver: fc.boolean(),
        }),
        ({ now, offset, zone, field, isPlain, within, isOver }) => {
          const day = new Date(now.getTime() + offset * DAY).toISOString().slice(0, 10);
          const at = isPlain ? day : midnightOf(day, zone);
          const place = field === 'pickup_lfd_rail' ? { final_destination_timezone: zone } : { pod_timezone: zone };
          const container = { ...place, import_deadlines: { ...NO_DEADLINES, [field]: at } };
          const { earliest } = lastFreeDays(container, { now });
          const { daysLeft } = earliest as NonNullable<typeof earliest>;
          const isOn = isOver ? daysLeft < 0 : daysLeft >= 0 && daysLeft <= within;
          const wanted = checked(isOver ? { demurrage: true } : { lastFreeDay: { within } });
          const filter = preselections(wanted, now).find(each => `${field}_on` in each);
          const { gte = '0000', lte = '9999' } =
            (filter as Record<string, { gte?: string; lte?: string }>)[`${field}_on`] ?? {};
          const isSelected = at.slice(0, 10) >= gte && at.slice(0, 10) <= lte;
          expect(isOn && !isSelected).toBe(false);
        },
      ),
      { numRuns: 3000 },
    );
  });

  /** The beginning of a day at a place, in UTC. */
  function midnightOf(day: string, zone: string): string {
    for (let minutes = -15 * 60; minutes <= 15 * 60; minutes += 15) {
      const at = new Date(Date.parse(day) + minutes * 60_000).toISOString();
      const local = localTime(at, zone);
      if (local?.date === day && local.time === '00:00') return at;
    }
    throw new Error(`${day} has no midnight in ${zone}`);
  }
});

describe('invalid options', () => {
  test.each<[string, unknown, RegExp]>([
    ['none', undefined, /The argument of worklist\(\) is undefined/],
    ['no list', {}, /has no list to give/],
    ['only lists that are set to false', { ready: false, held: undefined }, /has no list to give/],
    ['an unknown name', { ready: true, hold: true }, /has no hold; did you mean held\? There are: ready/],
    ['a misspelt list', { reddy: true }, /has no reddy; did you mean ready\?/],
    ['a text', { ready: 'yes' }, /ready is "yes"; it must be true or false/],
    ['a list that needs a number', { late: true }, /late is true; it must be an object such as { days: 7 }/],
    ['no number', { silent: {} }, /silent.days is undefined/],
    ['half a day', { lastFreeDay: { within: 0.5 } }, /lastFreeDay.within is 0.5/],
    ['more than 100 years', { lastFreeDay: { within: 1e9 } }, /lastFreeDay.within is 1000000000; it must be at most/],
    ['zero days late', { late: { days: 0 } }, /late.days is 0; it must be a whole number of at least 1/],
    ['another name', { lastFreeDay: { days: 3 } }, /lastFreeDay has no days; there are: within/],
    ['an invalid date', { ready: true, now: new Date('x') }, /now is .*; it must be a valid Date/],
    ['no signal', { ready: true, signal: {} }, /signal is an object/],
  ])('are refused before a request: %s', async (_, options, message) => {
    const { sandbox, client } = setUp();
    const list = client.worklist(options as WorklistOptions);
    const refused = await list.toArray().catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(ConfigurationError);
    expect((refused as Error).message).toMatch(message);
    await expect(list.estimate()).rejects.toThrow(ConfigurationError);
    await expect(list[Symbol.asyncIterator]().next()).rejects.toThrow(ConfigurationError);
    expect(sandbox.requests).toEqual([]);
  });
});

test('a worklist has no estimate if the service sends no total', async () => {
  const { sandbox } = setUp();
  const client = clientOn(async (...args) => {
    const response = await sandbox.fetch(...args);
    const { meta: _, ...body } = await response.json();
    return Response.json(body, response);
  });
  const list = client.worklist({ ready: true, held: true, now: sandbox.now() });
  expect(await list.estimate()).toEqual({ requests: null, containers: null });
  expect((await list.toArray()).length).toBeGreaterThan(5);
  expect(await client.worklist({ demurrage: true, now: sandbox.now() }).toArray()).not.toEqual([]);
  expect((await call(sandbox, 'GET', '/containers')).body.meta.total).toBeGreaterThan(50);
});
