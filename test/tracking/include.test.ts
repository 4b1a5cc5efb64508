import { describe, expect, test } from 'vitest';
import { ConfigurationError, type TrackItem, type TrackingClient } from '../../src/index.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { clientFor, clientOn } from '../../support/client.ts';
import { createSandbox } from '../../support/sandbox.ts';

const JOURNEY = ['port_of_discharge', 'containers.transport_events'] as const;
const WINDOW = { windowMs: 3000, limits: { default: 1000, createTrackingRequest: 1000 } } as const;

function setUp(options: SandboxOptions = {}): { sandbox: Sandbox; client: TrackingClient } {
  const sandbox = createSandbox({ rateLimit: false, ...options });
  return { sandbox, client: clientOn(sandbox.fetch, { rateLimit: WINDOW }) };
}

const bills = (count: number, prefix = 'MAEU7'): TrackItem[] =>
  Array.from({ length: count }, (_, n) => ({
    number: `${prefix}${String(n).padStart(8, '0')}`,
    scac: 'MAEU',
    type: 'bill_of_lading',
  }));

const sent = ({ requests }: Sandbox) =>
  requests.map(({ method, path }) => `${method} ${path.replace(/\/[\w-]{36}$/, '/{id}')}`);

async function trackAll(client: TrackingClient, items: readonly TrackItem[]) {
  let events = 0;
  const failed: unknown[] = [];
  for await (const result of client.trackMany(items, { include: JOURNEY })) {
    if (!result.ok) failed.push(result.error);
    else events += result.shipment.containers.flatMap(({ transport_events }) => transport_events).length;
  }
  return { events, failed };
}

describe('tracking with include', () => {
  test('returns the journey with the shipment, with one additional request, over a socket', async () => {
    const sandbox = createSandbox({ rateLimit: false });
    const server = await sandbox.listen({ port: 0 });
    const client = clientFor(server, { apiKey: 'sandbox', rateLimit: WINDOW });
    const { shipment } = await client.track({
      number: 'MAEU-ATSEA-1',
      scac: 'MAEU',
      type: 'bill_of_lading',
      include: JOURNEY,
    });
    expect(shipment.port_of_discharge?.name).toMatch(/\w/);
    expect(shipment.containers[0]?.transport_events[0]?.event).toMatch(/^container\.transport\./);
    expect(sent(sandbox).filter(call => call.includes('/shipments'))).toEqual(['GET /shipments/{id}']);
    expect(await client.shipments.get(shipment.id, { include: JOURNEY })).toEqual(shipment);
    await server.close();
  });

  test.each(['containers', [1], [''], { containers: true }])('refuses %j before a number is tracked', async include => {
    const { sandbox, client } = setUp();
    const options = { include: include as never };
    await expect(client.track({ number: 'MAEU1', scac: 'MAEU', ...options })).rejects.toThrow(ConfigurationError);
    await expect(client.trackMany(bills(2), options).next()).rejects.toThrow(ConfigurationError);
    expect(sandbox.requests).toEqual([]);
  });

  test('returns the shipment of a container number, and of a number that is already tracked', async () => {
    const { client } = setUp();
    const { shipment } = await client.track({ ...bills(1)[0], include: ['containers'] } as TrackItem & {
      include: ['containers'];
    });
    const number = shipment.containers[0]?.number as string;
    const items: TrackItem[] = [{ number, scac: 'MAEU', type: 'container' }, ...bills(1)];
    const ids: string[] = [];
    for await (const result of client.trackMany(items, { include: ['containers'] })) {
      if (!result.ok) throw result.error;
      expect(result.shipment.containers.map(each => each.number)).toContain(number);
      ids.push(result.shipment.id);
    }
    expect(ids).toHaveLength(2);
  });
});

describe('a file of 200 numbers with their journeys', () => {
  test.each(['current', 'older'] as const)(
    'takes at most 1.1 times the requests of tracking without journeys if lists are %s',
    { timeout: 60_000 },
    async lists => {
      const alone = setUp({ lists });
      for await (const { ok } of alone.client.trackMany(bills(200))) expect(ok).toBe(true);
      const { sandbox, client } = setUp({ lists });
      const { events, failed } = await trackAll(client, bills(200));
      expect(failed).toEqual([]);
      expect(events).toBeGreaterThan(2000);
      // The number of polls depends on the machine, so both sides of the comparison use the same number.
      const polls = (all: readonly string[]) => all.filter(call => call.startsWith('GET /tracking_requests')).length;
      const before = sent(alone.sandbox);
      const after = sent(sandbox);
      const requests = after.length - polls(after) + polls(before);
      expect(before.length).toBeGreaterThan(200);
      expect(requests).toBeGreaterThan(before.length);
      expect(requests / before.length).toBeLessThanOrEqual(1.1);
    },
  );

  test.each([400, 422])('has each journey even if the list cannot be read (%i)', async status => {
    const { sandbox, client } = setUp();
    sandbox.fail({ route: 'GET /shipments', status });
    const { failed } = await trackAll(client, bills(6));
    expect(failed).toEqual([]);
    expect(sent(sandbox).filter(call => call === 'GET /shipments/{id}')).toHaveLength(6);
    expect(sent(sandbox).filter(call => call === 'GET /shipments')).toHaveLength(1);
  });

  test('fails for each number if the key is refused', async () => {
    const { sandbox, client } = setUp();
    sandbox.fail({ route: 'GET /shipments', status: 401 });
    const { failed } = await trackAll(client, bills(3));
    expect(failed).toEqual([1, 2, 3].map(() => expect.objectContaining({ name: 'AuthenticationError' })));
  });

  test('reads the remaining shipments one by one after a list that has none of these shipments', async () => {
    const { sandbox, client } = setUp({ lists: 'older' });
    for await (const { ok } of client.trackMany(bills(4))) expect(ok).toBe(true);
    // Now the shipments are not on the first page of a list that ignores the filter.
    sandbox.seedShipments(320);
    const before = sandbox.requests.length;
    const { failed } = await trackAll(client, bills(4));
    expect(failed).toEqual([]);
    const after = sent(sandbox).slice(before);
    expect(after.filter(call => call === 'GET /shipments')).toHaveLength(3);
    expect(after.filter(call => call === 'GET /shipments/{id}')).toHaveLength(4);
  });

  test('rejects with the reason of the signal while shipments wait to be read together', async () => {
    const { client } = setUp();
    const stopping = new AbortController();
    const items = [...bills(2), { number: 'MAEU-MANIFEST-1', scac: 'MAEU', type: 'bill_of_lading' } as const];
    const results = client.trackMany(items, {
      include: JOURNEY,
      signal: stopping.signal,
      onProgress: ({ trackingRequest: { status } }) => status === 'created' && stopping.abort('enough'),
    });
    await expect(results.next()).rejects.toBe('enough');
  });

  test('leaves no timer behind, so that a program can end after its numbers or after a break', async () => {
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const { client } = setUp();
    for await (const { ok } of client.trackMany(bills(2))) expect(ok).toBe(true);
    const before = timers();
    const { failed } = await trackAll(client, bills(3));
    expect(failed).toEqual([]);
    expect(timers()).toBeLessThanOrEqual(before);
    const items = [...bills(2), { number: 'MAEU-MANIFEST-1', scac: 'MAEU', type: 'bill_of_lading' } as const];
    for await (const _ of client.trackMany(items, { include: JOURNEY })) break;
    expect(timers()).toBeLessThanOrEqual(before);
  });

  test('does not wait for a slow number before it yields the results of the other numbers', async () => {
    const { client } = setUp();
    const items = [...bills(2), { number: 'MAEU-MANIFEST-1', scac: 'MAEU', type: 'bill_of_lading' } as const];
    const results = client.trackMany(items, { include: JOURNEY });
    const found = [await results.next(), await results.next()].map(({ value }) => value?.ok && value.item.number);
    expect(found.sort()).toEqual(bills(2).map(({ number }) => number));
    await results.return();
  });
});
