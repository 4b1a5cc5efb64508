import { describe, expect, test } from 'vitest';
import {
  APIError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
  TimeoutError,
  TrackingClient,
  ValidationError,
} from '../../src/index.ts';
import { connectMcp, McpProtocolError } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';
import { connected, INITIALIZED, MCP_KEY, servedSandbox } from '../../support/mcp.ts';
import { startServer } from '../../support/server.ts';

const at = { match: { path: '/mcp' } };

describe('every status has its own error', () => {
  test.each([
    [401, AuthenticationError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [422, ValidationError],
    [500, ServerError],
  ])('%i', async (status, type) => {
    const { sandbox, server } = await servedSandbox();
    const mcp = await connected(server, { retry: false });
    sandbox.fail({ ...at, status, headers: { 'x-request-id': 'r-1' } });
    const error = await rejection(mcp.listTools());
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status, method: 'POST', path: '/mcp', attempts: 1, requestId: 'r-1' });
  });

  test('a 429 error has its Retry-After, and the call is repeated after that time', async () => {
    const { sandbox, server } = await servedSandbox();
    const mcp = await connected(server, { retry: false });
    sandbox.fail({ ...at, retryAfter: 7 });
    const error = await rejection(mcp.trackContainer({ number: 'MAEU-ATSEA-1' }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, retryAfterMs: 7000 });
    const patient = await connected(server);
    sandbox.fail({ ...at, retryAfter: 0 });
    expect(await patient.trackContainer({ number: 'MAEU-ATSEA-1', scac: 'MAEU' })).toMatchObject({
      tracking_request_created: true,
    });
  });
});

test('a call is repeated after a failure only if the call changes nothing', async () => {
  const { sandbox, server } = await servedSandbox();
  const mcp = await connected(server);
  sandbox.fail({ ...at, status: 503, times: 2 });
  expect((await mcp.listShipments()).items).toEqual([]);
  sandbox.fail({ ...at, status: 503 });
  expect(await rejection(mcp.trackContainer({ number: 'MAEU-ATSEA-2' }))).toMatchObject({ status: 503, attempts: 1 });
  sandbox.fail({ ...at, drop: 'mid-body' });
  expect(await rejection(mcp.call('some_other_tool'))).toBeInstanceOf(ConnectionError);
});

test('the timeout covers the body, and the deadline covers the whole call', async () => {
  const stalling = await startServer((request, response) => {
    const { id, method } = JSON.parse(request.body || '{}');
    if (method === 'server/discover') return response.writeHead(404).end('{}');
    if (id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    if (method !== 'initialize') return response.write('{"jsonrpc"');
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: INITIALIZED }));
  });
  const mcp = await connected({ mcpUrl: `${stalling.origin}/mcp` });
  const late = await rejection(mcp.listTools({ timeout: 60, retry: false }));
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late).toMatchObject({ code: 'timeout', limitMs: 60 });
  expect(await rejection(mcp.listTools({ deadline: 60 }))).toMatchObject({ code: 'deadline', limitMs: 60 });
  const controller = new AbortController();
  const reason = new Error('enough');
  const aborted = rejection(mcp.listTools({ signal: controller.signal }));
  setTimeout(() => controller.abort(reason), 20);
  expect(await aborted).toBe(reason);
});

test('a call with an aborted signal sends no request', async () => {
  const { sandbox, server } = await servedSandbox();
  const mcp = await connected(server);
  const before = sandbox.requests.length;
  const reason = new Error('never mind');
  expect(await rejection(mcp.listTools({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(sandbox.requests).toHaveLength(before);
});

test('the newest revision is negotiated, or the previous revision if the server has no newer revision', async () => {
  const { server } = await servedSandbox();
  const versions: (string | undefined)[] = [];
  const fetching: typeof fetch = (url, init) => {
    versions.push(new Headers(init?.headers).get('mcp-protocol-version') ?? undefined);
    return fetch(url, init);
  };
  const modern = await connected(server, { fetch: fetching });
  expect(modern.protocolVersion).toBe('2026-07-28');
  expect(modern.serverInfo?.name).toBe('container-tracking');
  expect(modern.instructions).toContain('track_container');
  await modern.listTools();
  expect(versions).toEqual(['2026-07-28', '2026-07-28']);

  versions.length = 0;
  const older: typeof fetch = async (url, init) => {
    if (String(init?.body).includes('server/discover')) return new Response('{}', { status: 404 });
    return fetching(url, init);
  };
  const legacy = await connected(server, { fetch: older });
  expect(legacy.protocolVersion).toBe('2025-11-25');
  expect((await legacy.listTools()).length).toBe(10);
  // The requests after the first: the notification `initialized`, the stream of this revision, and the list of tools.
  expect(versions.slice(1)).toEqual(['2025-11-25', '2025-11-25', '2025-11-25']);
});

describe('a 4xx with an error of the protocol causes an McpProtocolError', () => {
  const refusal = (id: unknown) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32001, message: 'Session not found', data: { a: 1 } },
  });
  const expected = {
    rpcCode: -32001,
    data: { a: 1 },
    message: expect.stringMatching(/^POST \/mcp: .*Session not found/),
  };

  test.each([400, 404, 409, 422])('of the newest revision: %i', async status => {
    const { sandbox, server } = await servedSandbox();
    const mcp = await connected(server, { retry: false });
    // Some servers omit the id of the refused request.
    sandbox.fail({ ...at, status, body: refusal(null) });
    const error = await rejection(mcp.listTools());
    expect(error).toBeInstanceOf(McpProtocolError);
    expect(error).toMatchObject(expected);
    expect(mcp.protocolVersion).toBe('2026-07-28');
  });

  test.each([400, 404])('of the previous revision: %i', async status => {
    const server = await startServer((request, response) => {
      const { id, method } = JSON.parse(request.body || '{}');
      if (method === 'server/discover') return response.writeHead(400).end(JSON.stringify(refusal(id)));
      if (id === undefined) return response.writeHead(202).end();
      const isFirst = method === 'initialize';
      const body = isFirst ? { jsonrpc: '2.0', id, result: INITIALIZED } : refusal(id);
      return response
        .writeHead(isFirst ? 200 : status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    });
    const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { retry: false });
    const error = await rejection(mcp.listTools());
    expect(error).toBeInstanceOf(McpProtocolError);
    expect(error).toMatchObject(expected);
  });

  test('at the opening of the connection', async () => {
    const server = await startServer((request, response) => {
      const { id, method } = JSON.parse(request.body || '{}');
      const body = method === 'server/discover' ? {} : refusal(id);
      return response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const error = await rejection(connected({ mcpUrl: `${server.origin}/mcp` }, { retry: false }));
    expect(error).toBeInstanceOf(McpProtocolError);
    expect(error).toMatchObject(expected);
  });

  test.each([
    ['no message', { error: { code: 5 } }],
    ['an invalid code', { error: { code: 1.5, message: 'no' } }],
    ['a text', { error: 'no' }],
  ])('unless its protocol error is invalid: the status then decides the error (%s)', async (_, body) => {
    const { sandbox, server } = await servedSandbox();
    const mcp = await connected(server, { retry: false });
    sandbox.fail({ ...at, status: 404, body });
    expect(await rejection(mcp.listTools())).toBeInstanceOf(NotFoundError);
  });

  test('even if the body has other members than the error', async () => {
    const { sandbox, server } = await servedSandbox();
    const mcp = await connected(server, { retry: false });
    sandbox.fail({ ...at, status: 400, body: { ...refusal(7), request_id: 'r-1' } });
    expect(await rejection(mcp.listTools())).toMatchObject(expected);
  });
});

test('a redirect is not followed, and the credential is not sent elsewhere', async () => {
  const elsewhere = await startServer({ body: {} });
  const { sandbox, server } = await servedSandbox();
  const mcp = await connected(server);
  const headers = { location: `${elsewhere.origin}/mcp` };
  sandbox.fail({ ...at, status: 307, headers, body: '' });
  const error = await rejection(mcp.listTools());
  expect(error).toBeInstanceOf(APIError);
  expect(String(error)).toContain('not followed');
  expect(elsewhere.requests).toEqual([]);
});

test('a response outside the protocol is a ResponseFormatError', async () => {
  const { sandbox, server } = await servedSandbox();
  const mcp = await connected(server);
  for (const body of ['<html>', '{"jsonrpc":"2.0","id":999,"result":{}}', '[]', '']) {
    sandbox.fail({ ...at, status: 200, body });
    expect(await rejection(mcp.listTools()), body).toBeInstanceOf(ResponseFormatError);
  }
});

test('a client of the REST interface and a connection with the same key share one budget', async () => {
  const { sandbox, server } = await servedSandbox({ rateLimit: { windowMs: 60_000, limits: { default: 6 } } });
  const rateLimit = { windowMs: 60_000, limits: { default: 6 } };
  const rest = new TrackingClient({ baseUrl: server.baseUrl, apiKey: MCP_KEY, rateLimit, logger: false });
  const mcp = await connected(server, { rateLimit });
  for (let call = 0; call < 3; call += 1) await mcp.listTools();
  for (let call = 0; call < 2; call += 1) await rest.shippingLines.list({ search: 'MAEU' });
  const refused = [rest.shippingLines.list({ deadline: 1000 }), mcp.listTools({ deadline: 1000 })];
  for (const error of await Promise.all(refused.map(rejection))) expect(error).toMatchObject({ code: 'deadline' });
  expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(sandbox.requests).toHaveLength(6);
});

test('the key is not in any error, log line or text of the connection', async () => {
  const { sandbox, server } = await servedSandbox();
  const said: unknown[] = [];
  const log = (message: string, details?: unknown) => said.push(message, JSON.stringify(details));
  const logger = { debug: log, info: log, warn: log, error: log };
  const mcp = await connected(server, { logger });
  const { inspect } = await import('node:util');
  const echo = { error: MCP_KEY, message: `Token ${MCP_KEY}` };
  for (const fault of [
    { status: 500, body: echo },
    { status: 400, body: { jsonrpc: '2.0', id: 0, error: { code: -32602, message: MCP_KEY, data: echo } } },
    { status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: MCP_KEY, data: echo } } },
  ]) {
    sandbox.fail({ ...at, times: 5, ...fault });
    const error = await rejection(mcp.listTools({ retry: false }));
    said.push(inspect(error, { depth: 9 }), JSON.stringify(error));
    sandbox.reset();
  }
  const content = [{ type: 'text', text: `no: ${MCP_KEY}` }];
  const body = { jsonrpc: '2.0', id: 3, result: { resultType: 'complete', isError: true, content } };
  sandbox.fail({ ...at, status: 200, headers: { 'content-type': 'application/json' }, body });
  said.push(inspect(await rejection(mcp.call('get_container_route', { id: '1' })), { depth: 9 }));
  said.push(inspect(mcp, { depth: 9, showHidden: true }), JSON.stringify(mcp), String(mcp));
  expect(said.length).toBeGreaterThan(8);
  expect(said.join('\n')).not.toContain(MCP_KEY);
});

test('close() leaves nothing open, and later calls are refused', async () => {
  const { server } = await servedSandbox();
  const mcp = await connected(server);
  await mcp.listTools();
  await mcp.close();
  expect(await rejection(mcp.listTools())).toBeInstanceOf(ConfigurationError);
  await mcp.close();
});

test('close() ends open calls', async () => {
  const { sandbox, server } = await servedSandbox();
  const mcp = await connected(server);
  sandbox.fail({ ...at, delayMs: 60_000 });
  const under = rejection(mcp.listTools());
  await new Promise(resolve => setTimeout(resolve, 20));
  await mcp.close();
  expect(await under).toBeInstanceOf(ConnectionError);
});

describe('options that cannot work are refused before anything is sent', () => {
  const url = 'https://host.example/mcp';
  test.each<[string, object, string]>([
    ['no auth', { url }, 'auth'],
    ['two kinds of auth', { url, auth: { apiKey: 'k', oauth: {} } }, 'exactly one'],
    ['an invalid address', { url: 'host', auth: { apiKey: 'k' } }, 'absolute URL'],
    ['plain http', { url: 'http://host.example/mcp', auth: { apiKey: 'k' } }, 'https'],
    ['a password in the address', { url: 'https://a:b@host.example', auth: { apiKey: 'k' } }, 'password'],
    ['a misspelt option', { url, auth: { apiKey: 'k' }, timout: 1 }, 'timout'],
    ['a misspelt option of OAuth', { url, auth: { oauth: { browser: 1 } } }, 'openBrowser'],
    ['an invalid store', { url, auth: { oauth: { store: {} } } }, 'store'],
    ['no program', { stdio: {} }, 'stdio.command'],
    ['a key with a line break', { url, auth: { apiKey: 'a\nb' } }, 'apiKey'],
  ])('%s', async (_, options, said) => {
    const error = await rejection(connectMcp(options as never));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain(said);
  });
});
