import { describe, expect, onTestFinished, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type ToolResult } from '../../support/mcp-peer.ts';
import { createSandbox, type Fault } from '../../support/sandbox.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const SECRET = 'upstream-words at https://secret.example/internal?token=hidden';
const detail = 'Routing data feature is not enabled for this account';
const FAULTS: Record<string, Fault> = {
  '401': { status: 401, body: { errors: [{ title: SECRET }] } },
  '403': { status: 403, body: { errors: [{ title: SECRET }] } },
  '403 for a feature': { status: 403, body: { errors: [{ title: 'Forbidden', detail }] } },
  '404': { status: 404, body: { errors: [{ title: SECRET }] } },
  '422': { status: 422, body: { errors: [{ title: SECRET, source: { pointer: `/data/attributes/${SECRET}` } }] } },
  '429 with Retry-After': { retryAfter: 90 },
  '429 without': { status: 429, body: { errors: [{ title: SECRET }] } },
  '500': { status: 500, body: { errors: [{ title: SECRET }] } },
  'a page in place of JSON': { status: 200, body: `<html>${SECRET}`, headers: { 'content-type': 'text/html' } },
  'JSON of another kind': { status: 200, body: [SECRET, null] },
  'a document without data': { status: 200, body: { meta: { [SECRET]: 1 } } },
  'a body that breaks off': { drop: 'mid-body' },
  'a connection that breaks': { drop: 'before' },
  'a service that does not answer': { delayMs: 60_000 },
};

/** The errors for these faults. All other faults are `upstream`. */
const ERRORS: Record<string, string> = {
  '401': 'unauthorized',
  '403': 'forbidden',
  '403 for a feature': 'feature_not_enabled',
  '422': 'invalid_request',
  '429 with Retry-After': 'rate_limited, 90 s',
  '429 without': 'rate_limited, 60 s',
};

/** A 404 for an id means that the record does not exist. A 404 for a list means that the address of the service is wrong. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  '404': {
    get_container: 'not_found',
    get_shipment_details: 'not_found',
    get_container_transport_events: 'not_found',
    get_container_route: 'not_found',
    // An older service does not have this operation.
    summarize_containers: 'not_found',
    whoami: 'not_found',
  },
};

/** A call of each tool. */
const callsOf = (id: string, shipmentId: string): Record<string, object> => ({
  search_container: { query: 'X1' },
  track_container: { number: 'MAEU1', number_type: 'bill_of_lading', scac: 'MAEU' },
  get_container: { id },
  get_shipment_details: { id: shipmentId },
  get_container_transport_events: { id },
  get_supported_shipping_lines: {},
  get_container_route: { id },
  list_shipments: {},
  list_containers: {},
  list_changes: {},
  list_tracking_requests: {},
  summarize_containers: { group_by: 'pod_terminal' },
  list_parties: {},
  worklist: {},
  whoami: {},
});

describe.each(Object.keys(FAULTS))('%s', name => {
  test('causes the expected failure of each tool, before the deadline, without texts of the service', async () => {
    const sandbox = createSandbox({ rateLimit: false, features: { routing: true } });
    const [shipment] = sandbox.seedShipments(1);
    const id = shipment?.containers[0]?.id ?? '';
    const tools = callsOf(id, shipment?.id ?? '');
    const settings = { fetch: sandbox.fetch, logger: false, retry: false } as const;
    const mistakes: unknown[] = [];
    const outcomes: Record<string, unknown> = {};
    for (const [tool, args] of Object.entries(tools)) {
      // Each tool has its own host, because all clients of a host share one rate limit.
      const baseUrl = `https://${tool}.${Object.keys(FAULTS).indexOf(name)}.example/v2`.replaceAll('_', '-');
      const handler = createMcpHandler({
        client: { ...settings, baseUrl },
        deadline: 150,
        onError: error => mistakes.push(error),
      });
      const peer = httpPeer(handler.fetch);
      await peer.request('ping');
      const before = sandbox.requests.length;
      sandbox.fail({ ...FAULTS[name], times: 1_000 });
      const result = await peer.call(tool, args);
      await handler.close();
      sandbox.reset();
      sandbox.seedShipments(1);
      expect(JSON.stringify(result), tool).not.toMatch(/secret|upstream-words|hidden|https?:/);
      outcomes[tool] = said(result);
      expect(sandbox.requests.length - before, tool).toBeLessThanOrEqual(2);
    }
    const expected = Object.fromEntries(Object.keys(tools).map(tool => [tool, ERRORS[name] ?? 'upstream']));
    expect({ ...outcomes, mistakes }).toEqual({ ...expected, ...EXCEPTIONS[name], mistakes: [] });
  });
});

/** Calls that send other requests: with a number in place of an id, or with a filter that needs a search. */
const OTHER_CALLS: readonly [string, object][] = [
  ['get_container', { id: 'MSCU1234566' }],
  ['get_shipment_details', { id: 'MAEU1' }],
  ['list_containers', { customer: 'Acme' }],
  ['list_changes', { port: 'Long Beach' }],
  ['worklist', { lists: ['last_free_day'], skip: 1 }],
  ['worklist', { lists: ['held'], port: 'Long Beach' }],
];

describe('a long Retry-After causes the failure rate_limited immediately, in the first call and in later calls', () => {
  const calls = [...Object.entries(callsOf(ID, ID)), ...OTHER_CALLS];
  test.each(calls)('%s %j', async (tool, args) => {
    const sandbox = createSandbox({ rateLimit: false });
    const baseUrl = `https://limit-${calls.findIndex(call => call[0] === tool && call[1] === args)}.example/v2`;
    const handler = createMcpHandler({ client: { baseUrl, fetch: sandbox.fetch, logger: false } });
    onTestFinished(() => handler.close());
    const peer = httpPeer(handler.fetch);
    await peer.request('ping');
    sandbox.fail({ retryAfter: 120, times: 1_000 });
    for (const _ of ['first', 'second']) {
      expect(failureIn(await peer.call(tool, args))).toMatchObject({ error: 'rate_limited' });
      expect(failureIn(await peer.call(tool, args)).retry_after_seconds).toBeGreaterThan(100);
    }
    const uri = `tracking://container/${ID}`;
    await expect(peer.request('resources/read', { uri })).rejects.toThrow(/request budget is used up/);
    const ref = { type: 'ref/prompt', name: 'track-shipment' };
    const { completion } = await peer.request('completion/complete', {
      ref,
      argument: { name: 'carrier', value: 'm' },
    });
    expect(completion.values).toEqual([]);
  });

  test('and the calls cover every tool', async () => {
    const handler = createMcpHandler({ client: { fetch: createSandbox().fetch, baseUrl: 'https://all.example/v2' } });
    onTestFinished(() => handler.close());
    const { tools } = await httpPeer(handler.fetch).request('tools/list');
    const names = tools.map(({ name }: { name: string }) => name);
    expect(Object.keys(callsOf(ID, ID)).sort()).toEqual(names.sort());
  });
});

function said(result: ToolResult): string {
  const { error, retry_after_seconds: seconds } = failureIn(result);
  return seconds === undefined ? error : `${error}, ${seconds} s`;
}
