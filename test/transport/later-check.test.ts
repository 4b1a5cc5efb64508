import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Hooks, SchemaMismatch } from '../../src/index.ts';
import { clientFor, clientOn, PARTY } from '../../support/client.ts';
import { serve, startServer } from '../../support/server.ts';

const ODD = { data: { type: 'party', id: '1', attributes: { company_name: 5 } } };

/** What is reported, in the order of the reports. */
function reports() {
  const mismatches: SchemaMismatch[] = [];
  const order: string[] = [];
  const hooks: Hooks = {
    onSchemaMismatch: ({ mismatch }) => {
      mismatches.push(mismatch);
      order.push('mismatch');
    },
  };
  return { mismatches, order, hooks, paths: () => mismatches.map(({ path }) => path) };
}

/** The schemas are loaded, as in every program after its first response. */
beforeAll(async () => {
  const server = await startServer({ body: PARTY });
  const client = clientFor(server);
  await client.parties.get('1');
  await client.close();
  await server.close();
});

afterEach(() => vi.unstubAllGlobals());

describe('warn: a response is checked after its value', () => {
  test.each(['get', 'list', 'withResponse'])('%s', async how => {
    const { order, hooks } = reports();
    const { parties } = clientFor(await serve({ body: how === 'list' ? { data: [ODD.data] } : ODD }), { hooks });
    const call = {
      get: () => parties.get('1'),
      list: () => parties.list(),
      withResponse: () => parties.get('1').withResponse(),
    };
    await call[how as keyof typeof call]();
    order.push('value');
    await expect.poll(() => order, { interval: 1 }).toEqual(['value', 'mismatch']);
  });

  test('a change of the record in the next line does not change what is reported', async () => {
    const { hooks, paths } = reports();
    const attributes = {
      number: 5,
      holds_at_pod_terminal: [{ name: 7, status: 'hold', description: null }],
      fees_at_pod_terminal: [],
    };
    const relationships = { shipment: { data: { type: 'shipment', id: '7' } } };
    const data = { type: 'container', id: '1', attributes, relationships, links: { self: '/containers/1' } };
    const client = clientFor(await serve({ body: { data } }), { hooks });
    const container = await client.containers.get('1');
    // What did not match is made right, and what did match is made wrong.
    Object.assign(container, { number: 'MSCU1234565', id: 1, type: 2 });
    Object.assign(container.holds_at_pod_terminal?.[0] as object, { name: 'customs', status: 3 });
    (container.fees_at_pod_terminal as unknown[]).push('free');
    Object.assign(container.shipment as object, { type: 'vessel' });
    await client.close();
    expect(paths().toSorted()).toEqual(['attributes.holds_at_pod_terminal.*.name', 'attributes.number']);
  });

  test('nor does a change of plain JSON', async () => {
    const { hooks, paths } = reports();
    const client = clientFor(await serve({ body: { message: 5 } }), { hooks });
    Object.assign(await client.containers.refresh('1'), { message: 'Done.' });
    await client.close();
    expect(paths()).toEqual(['message']);
  });

  test('nor does a change of an included record, at each of its places', async () => {
    const { hooks, paths } = reports();
    const port = { data: { type: 'port', id: '9' } };
    const data = {
      type: 'shipment',
      id: '1',
      attributes: {},
      relationships: { port_of_lading: port, port_of_discharge: port },
    };
    const included = [{ type: 'port', id: '9', attributes: { name: 5 } }];
    const client = clientFor(await serve({ body: { data, included } }), { hooks });
    const shipment = await client.shipments.get('1', { include: ['port_of_lading', 'port_of_discharge'] });
    for (const place of [shipment.port_of_lading, shipment.port_of_discharge])
      Object.assign(place as object, { name: 'A' });
    await client.close();
    expect(paths()).toEqual(['attributes.name']);
  });
});

test('warn: of 1,000 calls in flight, no more than eight wait for their check, and all are reported', async () => {
  const fetch = async (url: string) => Response.json({ data: { type: url.split('/').at(-1), id: '1' } });
  const { mismatches, hooks } = reports();
  const client = clientOn(fetch, { hooks });
  let values = 0;
  let most = 0;
  const calls = Array.from({ length: 1000 }, async (_, index) => {
    await client.parties.get(`kind-${index}`);
    values += 1;
    most = Math.max(most, values - mismatches.length);
  });
  await Promise.all(calls);
  await client.close();
  expect(mismatches).toHaveLength(1000);
  expect(most).toBe(8);
});

describe('warn: close() waits for the checks', () => {
  test('that are due', async () => {
    const { hooks, paths } = reports();
    const client = clientFor(await serve({ body: ODD }), { hooks });
    await client.parties.get('1');
    expect(paths()).toEqual([]);
    await client.close();
    expect(paths()).toEqual(['attributes.company_name']);
  });

  test('and for the schemas, where they are not loaded yet', async () => {
    vi.resetModules();
    const { TrackingClient } = await import('../../src/index.ts');
    const { baseUrl } = await serve({ body: ODD });
    const { hooks, paths } = reports();
    const client = new TrackingClient({ baseUrl, apiKey: 'key', rateLimit: false, logger: false, hooks });
    await client.parties.get('1');
    await client.close();
    expect(paths()).toEqual(['attributes.company_name']);
  });
});

test('warn: a program that ends right after its value reports before it ends', async () => {
  const { baseUrl } = await serve({ body: ODD });
  const program = fileURLToPath(new URL('../../support/ends-after-value.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, baseUrl], { timeout: 60_000 });
  expect(stdout.split('\n')).toEqual([
    'first value',
    'first client: attributes.company_name',
    'second value',
    'second client: attributes.company_name',
    '',
  ]);
});

describe('warn: where a later turn may not come, the value waits for its check', () => {
  test.each([
    ['in Workers', () => vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })],
    ['without setImmediate', () => vi.stubGlobal('setImmediate', undefined)],
  ])('%s', async (_, enter) => {
    const server = await serve({ body: ODD });
    enter();
    const { hooks, paths } = reports();
    await clientFor(server, { hooks }).parties.get('1');
    expect(paths()).toEqual(['attributes.company_name']);
  });
});
