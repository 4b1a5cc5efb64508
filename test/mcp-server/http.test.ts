import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { TrackingClient } from '../../src/index.ts';
import { type ClientSettings, createMcpHandler, type McpHandlerOptions } from '../../src/mcp-server/index.ts';
import { listening } from '../../support/listening.ts';
import { answerOf, failureIn, httpPeer, plainResult } from '../../support/mcp-peer.ts';
import { createSandbox, type SandboxOptions } from '../../support/sandbox.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const CLIENT = { baseUrl: 'https://service.example/v2', logger: false, retry: false } as const;

function setUp(options: McpHandlerOptions = {}, sandboxOptions: SandboxOptions = {}) {
  const sandbox = createSandbox({ rateLimit: false, ...sandboxOptions });
  const handler = createMcpHandler({
    ...options,
    client: { ...CLIENT, ...(options.client as ClientSettings), fetch: sandbox.fetch },
  });
  onTestFinished(() => handler.close());
  return { sandbox, handler };
}

function post(body: unknown, headers: Record<string, string> = {}, url = 'http://localhost/mcp'): Request {
  return new Request(url, {
    method: 'POST',
    headers: {
      authorization: 'Token sandbox',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('path', () => {
  test('is the only path that is served, except for the metadata; other paths get a 404 and cause no request', async () => {
    const oauth = {
      resource: 'http://localhost/mcp',
      authorizationServers: ['https://auth.example'],
      verify: async () => null,
    };
    const { handler, sandbox } = setUp({ path: '/mcp', oauth });
    const statusAt = async (path: string) =>
      (await handler.fetch(post(INITIALIZE, {}, `http://localhost${path}`))).status;
    for (const path of ['/', '/mcp/', '/mcp/x', '/MCP', '//mcp', '/v2/shipments'])
      expect(await statusAt(path), path).toBe(404);
    expect(sandbox.requests).toEqual([]);
    expect(await statusAt('/mcp')).toBe(200);
    expect(await statusAt('/mcp?a=b')).toBe(200);
    const { pathname } = new URL('http://localhost/.well-known/oauth-protected-resource/mcp');
    expect((await handler.fetch(new Request(`http://localhost${pathname}`))).status).toBe(200);
  });

  test.each(['mcp', '/mcp?x', 5])('may not be %s', path => {
    expect(() => createMcpHandler({ client: CLIENT, path: path as string })).toThrow('it must begin with /');
  });
});

describe('a body that is incomplete or too long', () => {
  test.each(['{"jsonrpc":"2.0","id":1,"meth', '', '['])('%j is a parse error of the protocol', async body => {
    const { handler } = setUp();
    const port = await listening(handler.node);
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, post(body));
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32_700 }, id: null }]);
  });

  test('is a parse error of the protocol if its stream breaks', async () => {
    const { handler } = setUp();
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('broken'));
      },
    });
    const request = new Request(post('').url, {
      ...post(''),
      method: 'POST',
      headers: post('').headers,
      body,
      duplex: 'half',
    } as RequestInit);
    const response = await handler.fetch(request);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32_700 }, id: null }]);
  });

  test.each(['content-length', 'chunked'])('does not delay the next request if it is too long, %s', async kind => {
    const { handler } = setUp();
    const socket = connect(await listening(handler.node), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const statuses: string[] = [];
    const answered = new Promise<void>(resolve => {
      socket.on('data', chunk => {
        statuses.push(...(String(chunk).match(/(?<=HTTP\/1.1 )\d+/g) ?? []));
        if (statuses.length === 2) resolve();
      });
    });
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token sandbox\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream';
    const long = 'a'.repeat(3_000_000);
    const body = kind === 'chunked' ? `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n` : long;
    const length = kind === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${long.length}`;
    socket.write(`${head}\r\n${length}\r\n\r\n${body}`);
    const next = JSON.stringify(INITIALIZE);
    socket.write(`${head}\r\nContent-Length: ${next.length}\r\n\r\n${next}`);
    await answered;
    expect(statuses).toEqual(['413', '200']);
  });
});

describe('the check of a caller', () => {
  test.each([
    ['no credential', {}, undefined],
    ['a key that the service refuses', { authorization: 'Token nobody' }, 'invalid_token'],
    ['an access token where only keys are taken', { authorization: 'Bearer nobody' }, 'invalid_token'],
    ['a scheme that does not exist', { authorization: 'Basic c2FuZGJveA==' }, undefined],
    ['a header that is no credential', { authorization: 'Token' }, undefined],
  ])('%s gets a 401 with a challenge', async (_, headers, error) => {
    const { handler } = setUp();
    const response = await handler.fetch(post(INITIALIZE, { authorization: '', ...headers }));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="mcp"${error ? `, error="${error}"` : ''}`);
    expect(await response.json()).toMatchObject({ error: 'Unauthorized', message: expect.any(String) });
  });

  test('a key may have the scheme Bearer, because many hosts only send this scheme', async () => {
    const { handler } = setUp();
    expect((await handler.fetch(post(INITIALIZE, { authorization: 'Bearer sandbox' }))).status).toBe(200);
  });

  test('a key is checked once, by one request, also for parallel calls', async () => {
    const { handler, sandbox } = setUp();
    const peer = httpPeer(handler.fetch);
    await Promise.all([1, 2, 3, 4].map(() => peer.request('ping')));
    await peer.request('ping');
    expect(sandbox.requests.map(({ path }) => path)).toEqual(['/shipping_lines']);
  });

  test('a key is checked again after five minutes; a key that was revoked in the meantime is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { handler, sandbox } = setUp();
    const peer = httpPeer(handler.fetch);
    await peer.request('ping');
    vi.setSystemTime(Date.now() + 299_000);
    await peer.request('ping');
    expect(sandbox.requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2_000);
    sandbox.fail({ status: 401 });
    expect((await handler.fetch(post(INITIALIZE))).status).toBe(401);
    vi.setSystemTime(Date.now() + 11_000);
    expect(await peer.request('ping')).toEqual({});
  });

  test('a refused key is not checked again immediately', async () => {
    const { handler, sandbox } = setUp();
    for (const _ of [1, 2, 3]) await handler.fetch(post(INITIALIZE, { authorization: 'Token nobody' }));
    expect(sandbox.requests).toHaveLength(1);
  });

  test('trying many keys causes at most 120 requests a minute, and does not lock out earlier callers', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { handler, sandbox } = setUp({}, { apiKeys: ['sandbox', 'late'] });
    expect((await handler.fetch(post(INITIALIZE))).status).toBe(200);
    const before = sandbox.requests.length;
    const tried = (key: string) => handler.fetch(post(INITIALIZE, { authorization: `Token ${key}` }));
    const keys = Array.from({ length: 200 }, (_, index) => `guess-${index}`);
    const half = await Promise.all(keys.slice(0, 100).map(tried));
    const statuses = [...half.map(({ status }) => status)];
    for (const key of keys.slice(100)) statuses.push((await tried(key)).status);
    expect(statuses).toEqual([...Array(120).fill(401), ...Array(80).fill(429)]);
    expect(sandbox.requests.length - before).toBe(120);
    const late = await tried('late');
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await handler.fetch(post(INITIALIZE))).status).toBe(200);
    vi.setSystemTime(Date.now() + 61_000);
    expect((await tried('late')).status).toBe(200);
  });

  test('a call is accepted if the service cannot check its key, and the next call makes the service check the key again', async () => {
    const { handler, sandbox } = setUp();
    const peer = httpPeer(handler.fetch);
    sandbox.fail({ status: 503 });
    expect(await peer.request('ping')).toEqual({});
    expect(await peer.request('ping')).toEqual({});
    expect(sandbox.requests).toHaveLength(2);
  });

  test('each caller reads with its own key, and has the rate limit of its key', async () => {
    const client = { ...CLIENT, rateLimit: { limits: { default: 3 } } };
    const { handler, sandbox } = setUp(
      { deadline: 200, client },
      { apiKeys: ['a', 'b'], rateLimit: { limits: { default: 3 } } },
    );
    const peers = ['a', 'b'].map(key => httpPeer(handler.fetch, { authorization: `Token ${key}` }));
    // One request of each caller is the check of its key.
    for (const peer of peers)
      for (const query of ['1', '2']) expect((await peer.call('search_container', { query })).isError).toBeUndefined();
    for (const peer of peers) {
      const failure = failureIn(await peer.call('search_container', { query: '3' }));
      expect(failure).toMatchObject({ error: 'rate_limited', retry_after_seconds: expect.any(Number) });
    }
    expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(sandbox.requests).toHaveLength(6);
  });

  test('the settings of a given client are used, but not its key', async () => {
    const sandbox = createSandbox({ rateLimit: false, apiKeys: ['sandbox', 'operator'] });
    const seen: (string | null)[] = [];
    const client = new TrackingClient({
      baseUrl: 'https://service.example/v2',
      apiKey: 'operator',
      fetch: (input, init) => {
        seen.push(new Headers(init?.headers).get('authorization'));
        return sandbox.fetch(input, init);
      },
    });
    const handler = createMcpHandler({ client });
    onTestFinished(() => handler.close());
    await httpPeer(handler.fetch).call('list_shipments');
    expect(seen).toEqual(['Token sandbox', 'Token sandbox']);
  });

  test('if there are too many callers, the caller that has been idle for the longest time is dropped', async () => {
    const { handler, sandbox } = setUp({ maxCallers: 2 }, { apiKeys: ['x', 'y', 'z'] });
    for (const key of ['x', 'y', 'z', 'z', 'y', 'x']) {
      await httpPeer(handler.fetch, { authorization: `Token ${key}` }).request('ping');
    }
    expect(sandbox.requests).toHaveLength(4);
  });
});

describe('with OAuth', () => {
  const oauth = {
    resource: 'https://mcp.example/',
    authorizationServers: ['https://auth.example/'],
    scopesSupported: ['openid'],
    async verify(token: string) {
      if (token === 'broken') throw new Error('secret words of the verifier');
      return token === 'good' ? { apiKey: 'sandbox' } : null;
    },
  };
  const METADATA = 'https://mcp.example/.well-known/oauth-protected-resource';

  test('the challenge has the address of the metadata, and the metadata have the authorization server', async () => {
    const { handler } = setUp({ oauth });
    const response = await handler.fetch(post(INITIALIZE, { authorization: '' }));
    expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="mcp", resource_metadata="${METADATA}"`);
    const metadata = await handler.fetch(new Request(METADATA, { headers: { origin: 'https://any.example' } }));
    expect(metadata.headers.get('access-control-allow-origin')).toBe('*');
    expect(await metadata.json()).toEqual({
      resource: 'https://mcp.example',
      authorization_servers: ['https://auth.example'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid'],
    });
  });

  test('the handler responds to OPTIONS for the metadata, and redirects requests for the metadata of the authorization server', async () => {
    const { handler } = setUp({ oauth });
    const options = await handler.fetch(new Request(METADATA, { method: 'OPTIONS' }));
    expect([options.status, options.headers.get('access-control-allow-methods')]).toEqual([200, 'GET, OPTIONS']);
    expect((await handler.fetch(new Request(METADATA, { method: 'DELETE' }))).status).toBe(405);
    const server = await handler.fetch(new Request('https://mcp.example/.well-known/oauth-authorization-server'));
    expect([server.status, server.headers.get('location')]).toEqual([
      302,
      'https://auth.example/.well-known/oauth-authorization-server',
    ]);
  });

  test('a valid token is used with the credential from the verifier, and keys still work', async () => {
    const { handler } = setUp({ oauth });
    for (const authorization of ['Bearer good', 'Token sandbox']) {
      const result = await httpPeer(handler.fetch, { authorization }).call('list_shipments');
      expect(plainResult(result).items).toEqual([]);
    }
  });

  test('an invalid token gets a 401, and an error of the verifier causes a 502 without a challenge and without the message of that error', async () => {
    const { handler } = setUp({ oauth });
    const bad = await handler.fetch(post(INITIALIZE, { authorization: 'Bearer bad' }));
    expect(bad.status).toBe(401);
    expect(bad.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const broken = await handler.fetch(post(INITIALIZE, { authorization: 'Bearer broken' }));
    expect([broken.status, broken.headers.get('www-authenticate')]).toEqual([502, null]);
    expect(await broken.text()).not.toContain('secret');
  });

  test('a request for the metadata gets a 404 without the option oauth', async () => {
    const { handler } = setUp();
    const response = await handler.fetch(new Request('http://localhost/.well-known/oauth-protected-resource'));
    expect(response.status).toBe(404);
  });
});

describe('the check of a request', () => {
  test.each([
    ['a foreign host', { host: 'evil.example' }],
    ['a foreign origin', { host: 'localhost:4011', origin: 'https://evil.example' }],
    ['an opaque origin', { host: 'localhost:4011', origin: 'null' }],
  ])('%s gets a 403, and no request is sent to the service', async (_, headers) => {
    const { handler, sandbox } = setUp();
    const port = await listening(handler.node);
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers }).end(JSON.stringify(INITIALIZE));
    const [response] = await once(sent, 'response');
    response.resume();
    expect(response.statusCode).toBe(403);
    expect(sandbox.requests).toEqual([]);
  });

  test('listed hosts and origins are accepted; if the option is false, all hosts and origins are accepted', async () => {
    for (const options of [{ allowedHosts: ['mcp.example'] }, { allowedHosts: false }] as const) {
      const { handler } = setUp(options);
      const headers = { host: 'mcp.example', origin: 'https://mcp.example' };
      expect((await handler.fetch(post(INITIALIZE, headers, 'http://mcp.example/mcp'))).status).toBe(200);
    }
  });

  test('a host with a port or a path is refused, because no request would have it', () => {
    for (const host of ['127.0.0.1:4584', 'mcp.example/mcp', ' '])
      expect(() => setUp({ allowedHosts: [host] })).toThrow(ConfigurationError);
  });

  test('a page of a listed origin may send requests and read responses, and a page of another origin may not', async () => {
    const { handler } = setUp({ allowedOrigins: ['https://app.example'] });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const preflight = (origin: string) =>
      handler.fetch(new Request('http://localhost/mcp', { method: 'OPTIONS', headers: { origin, ...asked } }));
    const allowed = await preflight('https://app.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example']);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization');
    const response = await handler.fetch(post(INITIALIZE, { origin: 'https://app.example' }));
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'https://app.example',
    ]);
    expect((await answerOf(response)).result.serverInfo.name).toBe('container-tracking');
    const other = await preflight('https://other.example');
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const without = await handler.fetch(post(INITIALIZE));
    expect(without.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s gets a 405', async method => {
    const { handler } = setUp();
    const response = await handler.fetch(new Request('http://localhost/mcp', { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a body above the limit gets a 413, and a body that is not JSON gets a 400', async () => {
    const { handler } = setUp({ maxBodyBytes: 1_000 });
    expect((await handler.fetch(post({ ...INITIALIZE, more: 'x'.repeat(1_000) }))).status).toBe(413);
    expect((await handler.fetch(post('{'))).status).toBe(400);
  });

  test('a header Host without a valid host gets a 400, and does not end the process', async () => {
    const { handler } = setUp();
    const port = await listening(handler.node);
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: { host: 'a b' } }).end('{}');
    const [response] = await once(sent, 'response');
    response.resume();
    expect(response.statusCode).toBe(400);
  });

  test('the same handler also serves the newest revision', async () => {
    const { handler } = setUp();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'list_shipments' };
    const params = { name: 'list_shipments', arguments: {}, _meta: meta };
    const response = await handler.fetch(post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers));
    expect(response.headers.get('content-type')).toContain('application/json');
    expect((await answerOf(response)).result.structuredContent.items).toEqual([]);
  });
});

test('the handler works in Express, also after a parser of bodies', async () => {
  for (const parser of [undefined, express.json()]) {
    const { handler } = setUp();
    const app = express();
    if (parser) app.use(parser);
    app.all('/mcp', handler.node);
    const url = `http://127.0.0.1:${await listening(app)}/mcp`;
    expect(plainResult(await httpPeer(fetch, { url }).call('list_shipments')).items).toEqual([]);
  }
});

test('a hundred concurrent callers each get their own response', async () => {
  const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
  const { handler, sandbox } = setUp({}, { apiKeys: keys });
  const results = await Promise.all(
    keys.map(key =>
      httpPeer(handler.fetch, { authorization: `Token ${key}` }).call('search_container', { query: key }),
    ),
  );
  expect(results.filter(({ isError }) => isError)).toEqual([]);
  expect(sandbox.requests).toHaveLength(200);
});

test.each([
  [
    'an unknown option',
    { readonly: true },
    'createMcpHandler has no readonly; did you mean readOnly? There are: readOnly',
  ],
  ['settings of a client that cannot work', { client: { baseUrl: 'ftp://x/v2' } }, 'ftp'],
  [
    'a verifier that is missing',
    { oauth: { resource: 'https://a.example', authorizationServers: ['https://b.example'] } },
    'oauth.verify',
  ],
  [
    'no authorization server',
    { oauth: { resource: 'https://a.example', authorizationServers: [], verify: async () => null } },
    'authorizationServers is empty',
  ],
  [
    'a resource that is no address',
    { oauth: { resource: 'a', authorizationServers: ['https://b.example'], verify: async () => null } },
    'which is no address',
  ],
  ['a limit that is none', { maxBodyBytes: 0 }, 'maxBodyBytes is 0'],
])('%s is refused when the handler is made', (_, options, message) => {
  expect(() =>
    createMcpHandler({ client: { baseUrl: 'https://service.example/v2' }, ...options } as McpHandlerOptions),
  ).toThrow(message);
});
