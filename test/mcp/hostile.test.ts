import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { ResponseFormatError, TrackingError } from '../../src/index.ts';
import { AuthorizationError, memoryTokenStore } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';
import { connected, INITIALIZED, person, servedSandbox, signedIn } from '../../support/mcp.ts';
import { startServer } from '../../support/server.ts';

const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };

type Reply = (id: number, response: ServerResponse, method: string | undefined) => unknown;

/** A server that opens the connection correctly, and sends `reply` to every other request. */
async function hostile(reply: Reply) {
  const server = await startServer((request, response) => {
    if (request.method === 'GET') return response.writeHead(405).end();
    const { id, method } = JSON.parse(request.body || '{}');
    if (method === 'server/discover') return response.writeHead(404).end('{}');
    if (id === undefined) return response.writeHead(202).end();
    if (method !== 'initialize') return reply(id, response, method);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { ...INITIALIZED, capabilities } }));
  });
  return { server, mcp: await connected({ mcpUrl: `${server.origin}/mcp` }, { retry: false }) };
}

function result(value: unknown): Reply {
  return (id, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: value }));
  };
}

const id = '11111111-1111-4111-8111-111111111111';

describe('every method rejects with a typed error for', () => {
  test.each<[string, unknown]>([
    ['nothing', {}],
    ['null', null],
    ['a text', 'x'],
    [
      'values that are not lists',
      {
        tools: 5,
        prompts: {},
        resources: 'x',
        resourceTemplates: null,
        contents: 1,
        messages: 2,
        content: 3,
        completion: { values: 'x' },
      },
    ],
    [
      'lists with null',
      {
        tools: [null],
        prompts: [1],
        resources: [null],
        resourceTemplates: ['x'],
        contents: [null],
        messages: [null],
        content: [null, 5],
        completion: { values: [null] },
      },
    ],
    ['an error without content', { isError: true }],
    ['an error with invalid content', { isError: true, content: [null, { type: 'text', text: 5 }, 'x'] }],
  ])('%s', async (_, value) => {
    const { mcp } = await hostile(result(value));
    const calls = {
      listTools: () => mcp.listTools(),
      listPrompts: () => mcp.listPrompts(),
      listResources: () => mcp.listResources(),
      listResourceTemplates: () => mcp.listResourceTemplates(),
      readResource: () => mcp.readResource('tracking://docs/x'),
      containerSummary: () => mcp.containerSummary(id),
      getPrompt: () => mcp.getPrompt('check-demurrage', { container_id: id }),
      complete: () => mcp.complete('track-shipment', 'carrier', 'm'),
      getContainer: () => mcp.getContainer({ id }),
      other: () => mcp.call('other'),
    };
    for (const [name, call] of Object.entries(calls)) {
      const outcome = await (call() as Promise<unknown>).then(
        given => given,
        error => error,
      );
      if (outcome instanceof Error) expect(outcome, `${name}: ${outcome.stack}`).toBeInstanceOf(TrackingError);
      else expect(name).toMatch(/^(other|complete)$/);
    }
  });
});

test('a list ends at a last page with an empty cursor', async () => {
  const { mcp, server } = await hostile(result({ tools: [], nextCursor: '' }));
  expect(await mcp.listTools()).toEqual([]);
  expect(server.requests.filter(({ body }) => body.includes('tools/list')).length).toBeLessThanOrEqual(2);
});

test('the error for a response that the official client cannot read is one line, and the rest is in its cause', async () => {
  const { mcp } = await hostile(result({ tools: [], nextCursor: null }));
  const error = await rejection(mcp.listTools());
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(String(error)).toMatch(/the response cannot be read: Invalid result for tools\/list$/);
  expect(error).toMatchObject({ cause: { message: expect.stringContaining('nextCursor') } });
});

test('a response that is too long is not read to its end', async () => {
  let written = 0;
  const { mcp } = await hostile((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = 'x'.repeat(1_000_000);
    const write = () => {
      while (!response.destroyed && written < 3e9) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    write();
  });
  expect(await rejection(mcp.listTools())).toBeInstanceOf(ResponseFormatError);
  expect(written).toBeLessThan(1e9);
});

test('a request that the server sends within its response receives a response', async () => {
  let answered = 0;
  let finish = () => {};
  const { mcp, server } = await hostile((id, response, method) => {
    if (method === undefined) {
      response.writeHead(202).end();
      answered += 1;
      if (answered === 3) finish();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    finish = () => {
      send({ id, result: { tools: [] } });
      response.end();
    };
    send({ id: 'q1', method: 'ping' });
    send({ id: 'q2', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } });
    send({ id: 'q3', method: 'roots/list' });
  });
  expect(await mcp.listTools()).toEqual([]);
  const answers = server.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
  expect(answers.filter(({ method }) => method === undefined)).toEqual([
    { jsonrpc: '2.0', id: 'q2', error: { code: -32601, message: 'Method not found' } },
    { jsonrpc: '2.0', id: 'q3', error: { code: -32601, message: 'Method not found' } },
    { jsonrpc: '2.0', id: 'q1', result: {} },
  ]);
});

test('an error of the protocol becomes an McpProtocolError, with any contents', async () => {
  for (const error of [
    { code: 1, message: 'x' },
    { code: 'x', message: 5 },
    'x',
    { code: -32603, message: 'x', data: { a: [1] } },
  ]) {
    const { mcp } = await hostile((id, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
    const thrown = await rejection(mcp.listTools({ deadline: 2000 }));
    expect(thrown).toBeInstanceOf(TrackingError);
  }
});

describe('an authorization server', () => {
  async function withMetadata(
    change: (document: Record<string, unknown>, origin: string) => void,
    more: Record<string, unknown> = {},
  ) {
    const opened: string[] = [];
    const server = await startServer((request, response) => {
      const origin = `http://${request.headers.host}`;
      const json = (status: number, body: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url.includes('protected-resource'))
        return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin], ...more });
      if (request.url.startsWith('/.well-known')) {
        const document = {
          issuer: origin,
          authorization_endpoint: `${origin}/a`,
          token_endpoint: `${origin}/t`,
          registration_endpoint: `${origin}/r`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        };
        change(document, origin);
        return json(200, document);
      }
      if (request.url === '/r') return json(201, { client_id: 'c', redirect_uris: ['http://127.0.0.1:1/callback'] });
      return response.writeHead(401, { 'www-authenticate': 'Bearer realm="mcp"' }).end();
    });
    const openBrowser = (url: URL) => {
      opened.push(url.href);
      throw new Error('stop here');
    };
    const error = await rejection(signedIn({ mcpUrl: `${server.origin}/mcp` }, { openBrowser }));
    return { error, opened, server };
  }

  test.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://plain.example/a',
    'ms-settings:x',
    'smb://host/x',
    'data:text/html,x',
    'not an address',
    5,
  ])('cannot make the client open a page at %s', async authorization_endpoint => {
    const { error, opened } = await withMetadata(document => Object.assign(document, { authorization_endpoint }));
    expect(opened).toEqual([]);
    expect(error).toBeInstanceOf(AuthorizationError);
  });

  test.each<[string, (document: Record<string, unknown>) => void]>([
    [
      'a registration without TLS',
      document => Object.assign(document, { registration_endpoint: 'http://plain.example/r' }),
    ],
    ['another issuer', document => Object.assign(document, { issuer: 'https://another.example' })],
    ['no support for PKCE', document => Object.assign(document, { code_challenge_methods_supported: ['plain'] })],
  ])('with %s is refused before it receives anything', async (_, change) => {
    const { error, opened } = await withMetadata(change);
    expect(error).toBeInstanceOf(AuthorizationError);
    expect(opened).toEqual([]);
  });

  test('that does not register the program causes an error with a remedy, and no page is opened', async () => {
    const { error, opened } = await withMetadata(document => {
      document.registration_endpoint = document.token_endpoint;
    });
    expect(error).toMatchObject({ reason: 'registration_failed', message: expect.stringContaining('oauth.client') });
    expect(opened).toEqual([]);
  });

  test('on another host receives no earlier token or secret if the MCP server names this authorization server only later', async () => {
    const { sandbox, server } = await servedSandbox();
    const store = memoryTokenStore();
    const opened: string[] = [];
    let isLater = false;
    const openBrowser = (url: URL) => {
      opened.push(url.origin);
      if (isLater) throw new Error('not there');
      return person()(url);
    };
    const mcp = await signedIn(server, { store, openBrowser }, { retry: false });
    const kept = await store.read(server.mcpUrl);
    const foreign = await startServer((request, response) => {
      const origin = `http://${request.headers.host}`;
      const about = { resource: server.mcpUrl, authorization_servers: [origin] };
      const endpoints = {
        authorization_endpoint: `${origin}/a`,
        token_endpoint: `${origin}/t`,
        registration_endpoint: `${origin}/r`,
      };
      const methods = { response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] };
      const registered = { client_id: 'c', redirect_uris: ['http://127.0.0.1:1/callback'] };
      const body = request.url.startsWith('/meta')
        ? about
        : request.url === '/r'
          ? registered
          : { issuer: origin, ...endpoints, ...methods };
      response
        .writeHead(request.url === '/r' ? 201 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    });
    isLater = true;
    const headers = { 'www-authenticate': `Bearer resource_metadata="${foreign.origin}/meta"` };
    sandbox.fail({ match: { path: '/mcp' }, status: 401, headers });
    expect(await rejection(mcp.listTools())).toBeInstanceOf(Error);
    expect(opened).toEqual([new URL(server.mcpUrl).origin, foreign.origin]);
    const seen = JSON.stringify(foreign.requests);
    for (const secret of [kept?.tokens?.accessToken, kept?.tokens?.refreshToken, kept?.client.client_id]) {
      expect(secret).toEqual(expect.any(String));
      expect(seen).not.toContain(secret);
    }
    expect(foreign.requests.map(({ url }) => url)).not.toContain('/t');
  });
});

test.each(['http://127.0.0.1:9', 'http://localhost:9', 'https://[::1]:9'])(
  'a remote server cannot cause a request to this machine by naming the authorization server %s',
  async local => {
    const urls: string[] = [];
    const remote: typeof fetch = async input => {
      const url = String(input);
      urls.push(url);
      if (!url.includes('.well-known')) return new Response('{}', { status: 401 });
      return Response.json({ resource: 'https://host.example/mcp', authorization_servers: [local] });
    };
    const connecting = signedIn({ mcpUrl: 'https://host.example/mcp' }, {}, { fetch: remote });
    const error = await rejection(connecting);
    expect(error).toBeInstanceOf(AuthorizationError);
    expect(urls.filter(url => !url.startsWith('https://host.example/'))).toEqual([]);
  },
);
