import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { failureIn, httpPeer, type McpPeer, plainResult, type StdioPeer, stdioPeer } from '../../support/mcp-peer.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';

const SECRET = 'upstream-words at https://secret.example/internal?token=hidden';
const LONG_WAITS = ['stdio', 'http'].flatMap(transport => [60, 150].map(seconds => [transport, seconds] as const));
const apiKeys = ['sandbox', ...LONG_WAITS.map(parts => `limited-${parts.join('-')}`)];
const sandbox = createSandbox({ rateLimit: false, features: { routing: true }, apiKeys });
const [
  {
    id: shipmentId,
    containers: [box],
  } = { id: '', containers: [] },
] = sandbox.seedShipments(1);
const id = box?.id ?? '';

let service: SandboxServer;
let stdio: StdioPeer;
let url: string;
let close: () => Promise<unknown>;
const peers: Record<string, McpPeer> = {};

beforeAll(async () => {
  service = await sandbox.listen();
  stdio = await stdioPeer(service.baseUrl);
  const client = { baseUrl: service.baseUrl, logger: false, retry: { minDelay: 0 } } as const;
  const handler = createMcpHandler({ client, deadline: 5_000 });
  const server = createServer(handler.node).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  Object.assign(peers, { stdio, http: httpPeer(fetch, { url }) });
  await peers.http?.request('tools/list');
  close = async () => {
    server.closeAllConnections();
    server.close();
    await handler.close();
  };
});

beforeEach(() => {
  before = sandbox.requests.length;
});
let before = 0;
const requestsMade = () => sandbox.requests.length - before;

afterAll(async () => {
  await stdio?.close();
  await close?.();
  await service?.close();
});

describe.each(['stdio', 'http'])('over %s', transport => {
  const peer = () => peers[transport] as McpPeer;
  const body = { errors: [{ title: SECRET, detail: SECRET }] };

  test.each([
    [401, 'unauthorized', 1],
    [403, 'forbidden', 1],
    [404, 'not_found', 1],
    [422, 'invalid_request', 1],
    [400, 'invalid_request', 1],
    [409, 'upstream', 1],
    [500, 'upstream', 5],
  ])('a %i of the service causes the failure %s with our own message', async (status, error, requests) => {
    sandbox.fail({ match: { path: `/containers/${id}` }, status, body, times: requests });
    const failure = failureIn(await peer().call('get_container', { id }));
    expect(failure).toMatchObject({ error, message: expect.stringMatching(/\w/) });
    expect(JSON.stringify(failure)).not.toMatch(/secret|upstream-words|hidden|http/);
    expect(requestsMade()).toBe(requests);
  });

  test('the message for a refused key says what a key of a free plan can do', async () => {
    sandbox.fail({ match: { path: `/containers/${id}` }, status: 401, body });
    expect(failureIn(await peer().call('get_container', { id })).message).toContain('With a free plan');
  });

  test('a missing paid feature causes the failure feature_not_enabled', async () => {
    const detail = 'Routing data feature is not enabled for this account';
    const notEnabled = { status: 403, body: { errors: [{ title: 'Forbidden', detail }] } };
    sandbox.fail({ match: { path: `/containers/${id}/route` }, ...notEnabled });
    const route = await peer().call('get_container_route', { id });
    expect(failureIn(route)).toEqual({
      error: 'feature_not_enabled',
      message: expect.stringContaining('get_container_transport_events'),
    });
    sandbox.fail({ match: { path: `/containers/${id}` }, ...notEnabled });
    expect(failureIn(await peer().call('get_container', { id }))).toMatchObject({ error: 'feature_not_enabled' });
  });

  test('a 404 for the events is not a failure if the container itself has the events', async () => {
    sandbox.fail({ match: { path: `/containers/${id}/transport_events` }, status: 404 });
    const result = plainResult(await peer().call('get_container_transport_events', { id }));
    expect(result._metadata).toMatchObject({ source: 'container_include_fallback', container_found: true });
    expect(result.total_events).toBeGreaterThan(0);
  });

  test('a response that is not JSON causes the failure upstream; a broken connection causes it too', async () => {
    sandbox.fail({ match: { path: `/shipments/${shipmentId}` }, status: 200, body: `<html>${SECRET}` });
    expect(failureIn(await peer().call('get_shipment_details', { id: shipmentId }))).toMatchObject({
      error: 'upstream',
    });
    sandbox.fail({ match: { path: `/shipments/${shipmentId}` }, drop: 'before', times: 5 });
    expect(failureIn(await peer().call('get_shipment_details', { id: shipmentId }))).toMatchObject({
      error: 'upstream',
    });
  });

  test('a list without links and without meta is one page without a total', async () => {
    const data: unknown[] = [];
    sandbox.fail({ match: { path: '/containers' }, status: 200, body: { data, links: { next: null } } });
    const result = await peer().call('list_containers');
    expect(plainResult(result)).toEqual({ items: [], next: null, hint: expect.stringContaining('track_container') });
    expect(result.content[0]?.text).toMatch(/^0 of the containers; no filter; no more\nThe account has none yet/);
  });

  test('an unknown tool is an error of the protocol', async () => {
    await expect(peer().call('delete_everything')).rejects.toMatchObject({ code: -32_602 });
  });

  test('a container that does not exist cannot be read as a resource', async () => {
    const uri = 'tracking://container/00000000-0000-4000-8000-000000000000';
    await expect(peer().request('resources/read', { uri })).rejects.toThrow(/not found/i);
    await expect(peer().request('resources/read', { uri: 'tracking://container/none' })).rejects.toThrow(/not found/i);
  });
});

/** Each case has a separate key, because a wait applies to all clients with the same key. */
test.each(LONG_WAITS)(
  'over %s, a 429 with a Retry-After of %i seconds causes the failure rate_limited in the first call',
  async (transport, seconds) => {
    const key = `limited-${transport}-${seconds}`;
    const stdio = transport === 'stdio' ? await stdioPeer(service.baseUrl, { key }) : undefined;
    const peer = stdio ?? httpPeer(fetch, { url, authorization: `Token ${key}` });
    await peer.request('ping');
    before = sandbox.requests.length;
    sandbox.fail({ match: { path: '/search' }, retryAfter: seconds });
    expect(failureIn(await peer.call('search_container', { query: 'X1' }))).toEqual({
      error: 'rate_limited',
      retry_after_seconds: seconds,
      message: expect.stringContaining(`${seconds} seconds`),
    });
    const next = failureIn(await peer.call('search_container', { query: 'X1' }));
    expect(next.error).toBe('rate_limited');
    expect(next.retry_after_seconds).toBeGreaterThan(seconds - 20);
    expect(requestsMade()).toBe(1);
    await stdio?.close();
  },
);

test.each(['stdio', 'http'])(
  'over %s, a service that never responds causes the failure upstream at the deadline',
  async transport => {
    const { asked, ended, baseUrl, close } = await stalled();
    const started = transport === 'stdio' ? await stdioPeer(baseUrl, { args: ['--deadline', '300'] }) : undefined;
    const handler = createMcpHandler({ client: { baseUrl, logger: false }, deadline: 300 });
    const peer = started ?? httpPeer(handler.fetch);
    await peer.request('ping');
    const failure = failureIn(await peer.call('get_container', { id }));
    expect(failure).toEqual({ error: 'upstream', message: expect.stringContaining('did not respond in time') });
    await Promise.all([asked, ended]);
    expect(await peer.request('ping')).toEqual({});
    await started?.close();
    await handler.close();
    close();
  },
);

/** A service that never responds in time. `ended` resolves when the client has ended its request. */
async function stalled(): Promise<{ asked: Promise<void>; ended: Promise<void>; baseUrl: string; close(): void }> {
  let [isAsked, hasEnded] = [() => {}, () => {}];
  const asked = new Promise<void>(resolve => {
    isAsked = resolve;
  });
  const ended = new Promise<void>(resolve => {
    hasEnded = resolve;
  });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/v2/shipping_lines')) return void response.end('{"data":[]}');
    request.socket.on('close', hasEnded);
    isAsked();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { asked, ended, baseUrl: `http://127.0.0.1:${port}/v2`, close };
}

describe('a call that is cancelled ends its request to the service', () => {
  test('by a notification, over stdio', async () => {
    const { asked, ended, baseUrl, close } = await stalled();
    const peer = await stdioPeer(baseUrl);
    void peer.call('get_container', { id }).catch(() => {});
    await asked;
    peer.notify('notifications/cancelled', { requestId: peer.lastId(), reason: 'changed my mind' });
    await ended;
    expect(await peer.request('ping')).toEqual({});
    expect(await peer.close()).toBe(0);
    close();
  });

  test('by the end of stdin', async () => {
    const { asked, ended, baseUrl, close } = await stalled();
    const peer = await stdioPeer(baseUrl);
    void peer.call('get_container', { id }).catch(() => {});
    await asked;
    expect(await peer.close()).toBe(0);
    await ended;
    close();
  });

  test('by a closed connection, over HTTP', async () => {
    const { asked, ended, baseUrl, close } = await stalled();
    const handler = createMcpHandler({ client: { baseUrl, logger: false } });
    const server = createServer(handler.node).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const hungUp = new AbortController();
    const call = httpPeer(fetch, { url: `http://127.0.0.1:${port}/mcp` }).request(
      'tools/call',
      { name: 'get_container', arguments: { id } },
      { signal: hungUp.signal },
    );
    await asked;
    hungUp.abort();
    await expect(call).rejects.toThrow();
    await ended;
    server.closeAllConnections();
    server.close();
    await handler.close();
    close();
  });
});
