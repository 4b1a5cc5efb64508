import { once } from 'node:events';
import { connect } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { AuthenticationError } from '../../src/index.ts';
import { AuthorizationError, memoryTokenStore, type SignIn, type TokenStore } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';
import { connected, MCP_KEY, person, servedSandbox, signedIn, tokenRequests } from '../../support/mcp.ts';
import { startServer } from '../../support/server.ts';

const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';
const METADATA = '/.well-known/oauth-authorization-server';

test('a person signs in once, and every request carries the access token as Bearer', async () => {
  const { sandbox, server } = await servedSandbox();
  const schemes = new Set<string>();
  let opened = 0;
  const store = memoryTokenStore();
  const openBrowser = (url: URL) => {
    opened += 1;
    return person()(url);
  };
  const spying: typeof fetch = (url, init) => {
    const { authorization } = Object(init?.headers);
    if (authorization) schemes.add(authorization.split(' ')[0]);
    return fetch(url, init);
  };
  const mcp = await signedIn(server, { store, openBrowser }, { fetch: spying });
  expect((await mcp.getSupportedShippingLines()).total_lines).toBeGreaterThan(0);
  const again = await signedIn(server, { store, openBrowser });
  expect((await again.listTools()).length).toBe(10);
  expect([opened, tokenRequests(sandbox)]).toEqual([1, 1]);
  expect([...schemes]).toEqual(['Bearer']);
});

test('twenty parallel calls refresh an expired token once, and receive their responses', async () => {
  const { sandbox, server } = await servedSandbox();
  const store = memoryTokenStore();
  const mcp = await signedIn(server, { store });
  const first = await store.read(server.mcpUrl);
  sandbox.advance({ hours: 2 });
  const calls = Array.from({ length: 20 }, () => mcp.getSupportedShippingLines({ search: 'MAEU' }));
  for (const { total_lines } of await Promise.all(calls)) expect(total_lines).toBe(1);
  expect(tokenRequests(sandbox)).toBe(2);
  const second = await store.read(server.mcpUrl);
  expect(second?.tokens?.refreshToken).not.toBe(first?.tokens?.refreshToken);
});

test('connections that share a store refresh the token once together', async () => {
  const { sandbox, server } = await servedSandbox();
  const store = memoryTokenStore();
  const connections = [await signedIn(server, { store }), await signedIn(server, { store })];
  sandbox.advance({ hours: 2 });
  await Promise.all(connections.map(mcp => mcp.getSupportedShippingLines()));
  expect(tokenRequests(sandbox)).toBe(2);
});

describe('the request budget', () => {
  const rateLimit = { windowMs: 60_000, limits: { default: 6 } };
  const keep = memoryTokenStore();
  // A store that a user might write for a database.
  const named = (id: string): TokenStore => ({ ...keep, id });
  const one = memoryTokenStore();

  test.each<[string, () => TokenStore]>([
    ['of the same store', () => one],
    ['of stores with the same id', () => named('a')],
  ])('is shared by connections %s, also after a refresh', async (_, store) => {
    const { sandbox, server } = await servedSandbox({ rateLimit });
    const connections = [
      await signedIn(server, { store: store() }, { rateLimit }),
      await signedIn(server, { store: store() }, { rateLimit }),
    ];
    sandbox.advance({ hours: 2 });
    const calls = Array.from({ length: 12 }, (_, index) =>
      connections[index % 2]?.listTools({ deadline: 1000 }).then(
        () => 'answered',
        error => error.code,
      ),
    );
    expect((await Promise.all(calls)).filter(outcome => outcome === 'deadline').length).toBeGreaterThan(0);
    expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
  });

  test('is separate for a sign-in of another store', async () => {
    const { server } = await servedSandbox();
    const stores = [memoryTokenStore(), memoryTokenStore(), named('x'), named('y')];
    for (const store of stores) {
      const mcp = await signedIn(server, { store }, { rateLimit: { windowMs: 60_000, limits: { default: 4 } } });
      expect(await mcp.listTools({ deadline: 1000 })).toHaveLength(10);
      expect(await mcp.listTools({ deadline: 1000 })).toHaveLength(10);
    }
  });
});

test('a token is renewed before it expires on the clock of this machine', async () => {
  const { sandbox, server } = await servedSandbox();
  const store = memoryTokenStore();
  await signedIn(server, { store });
  const kept = (await store.read(server.mcpUrl)) as SignIn;
  await store.write(server.mcpUrl, { ...kept, tokens: { ...kept.tokens, accessToken: 'old', renewAt: Date.now() } });
  const before = sandbox.requests.filter(({ path, status }) => path === '/mcp' && status === 401).length;
  const mcp = await signedIn(server, { store, openBrowser: undefined });
  await mcp.listTools();
  expect(tokenRequests(sandbox)).toBe(2);
  expect(sandbox.requests.filter(({ path, status }) => path === '/mcp' && status === 401)).toHaveLength(before);
});

test('a refresh token that is no longer valid causes one new sign-in', async () => {
  const { sandbox, server } = await servedSandbox();
  const store = memoryTokenStore();
  const mcp = await signedIn(server, { store });
  const kept = (await store.read(server.mcpUrl)) as SignIn;
  await store.write(server.mcpUrl, { ...kept, tokens: { ...kept.tokens, accessToken: 'x', refreshToken: 'gone' } });
  sandbox.advance({ hours: 2 });
  expect((await mcp.listTools()).length).toBe(10);
  // Three requests for a token: the sign-in, the refused refresh, and the second sign-in.
  expect(tokenRequests(sandbox)).toBe(3);
});

test.each([
  ['a token endpoint that responds 503', '/oauth/token', { status: 503 }, { status: 503 }],
  ['a token endpoint that responds 429', '/oauth/token', { retryAfter: 7 }, { status: 429, retryAfterMs: 7000 }],
  ['a token endpoint without a response', '/oauth/token', { drop: 'before' as const }, { code: 'connection' }],
  ['a missing document of the MCP server', PROTECTED_RESOURCE, { status: 503 }, { status: 503 }],
  [
    'a document of the MCP server without a response',
    PROTECTED_RESOURCE,
    { drop: 'before' as const },
    { code: 'connection' },
  ],
  ['a missing document of the authorization server', METADATA, { status: 503 }, { status: 503 }],
])('%s loses no token and causes no sign-in, and the next call refreshes', async (_, path, fault, expected) => {
  const { sandbox, server } = await servedSandbox();
  const store = memoryTokenStore();
  let opened = 0;
  const openBrowser = (url: URL) => {
    opened += 1;
    return person()(url);
  };
  const printed = vi.spyOn(console, 'warn');
  const mcp = await signedIn(server, { store, openBrowser });
  const { tokens } = (await store.read(server.mcpUrl)) as SignIn;
  sandbox.advance({ hours: 2 });
  sandbox.fail({ match: { path }, ...fault });
  expect(await rejection(mcp.listTools())).toMatchObject(expected);
  expect((await store.read(server.mcpUrl))?.tokens).toEqual(tokens);
  expect((await mcp.listTools()).length).toBe(10);
  expect([opened, printed.mock.calls]).toEqual([1, []]);
});

test('a token that is refused even after a refresh causes an AuthenticationError, and no sign-in', async () => {
  const { sandbox, server } = await servedSandbox();
  let opened = 0;
  const mcp = await signedIn(server, {
    openBrowser: url => {
      opened += 1;
      return person()(url);
    },
  });
  sandbox.fail({ match: { path: '/mcp' }, status: 401, times: 2 });
  expect(await rejection(mcp.listTools())).toBeInstanceOf(AuthenticationError);
  expect([opened, tokenRequests(sandbox)]).toEqual([1, 2]);
});

test('a missing scope leads to one sign-in, and not to a second sign-in if the scope is still missing', async () => {
  const { sandbox, server } = await servedSandbox();
  const scopes: (string | null)[] = [];
  const mcp = await signedIn(server, {
    openBrowser: url => {
      scopes.push(url.searchParams.get('scope'));
      return person()(url);
    },
  });
  const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="openid extra"' };
  sandbox.fail({ match: { path: '/mcp' }, status: 403, headers });
  expect((await mcp.listTools()).length).toBe(10);
  expect(scopes[1]?.split(' ').sort()).toEqual(['email', 'extra', 'offline_access', 'openid', 'profile']);
  sandbox.fail({ match: { path: '/mcp' }, status: 403, headers, times: 2 });
  for (const _ of [1, 2]) expect(await rejection(mcp.listTools())).toMatchObject({ status: 403 });
  expect(scopes).toHaveLength(2);
  // A scope in the response to an expired token must not cause a sign-in.
  sandbox.advance({ hours: 2 });
  const expired = { 'www-authenticate': 'Bearer scope="openid extra more"' };
  sandbox.fail({ match: { path: '/mcp' }, status: 401, headers: expired });
  expect((await mcp.listTools()).length).toBe(10);
  expect(scopes).toHaveLength(2);
});

test('a wrong API key causes an AuthenticationError, and no sign-in', async () => {
  const { sandbox, server } = await servedSandbox();
  const error = await rejection(connected(server, { auth: { apiKey: 'wrong-key-77' } }));
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401 });
  expect(sandbox.requests.map(({ path }) => path)).toEqual(['/mcp']);
});

test('an API key is not accepted as a Bearer token, and a token is not accepted as an API key', async () => {
  const { sandbox, server } = await servedSandbox();
  const mcp = await signedIn(server);
  await mcp.listTools();
  const ask = (authorization: string) =>
    fetch(server.mcpUrl, { method: 'POST', headers: { authorization }, body: '{}' }).then(({ status }) => status);
  const body = new URLSearchParams({ grant_type: 'refresh_token' });
  expect(await ask(`Bearer ${MCP_KEY}`)).toBe(401);
  expect(await ask('Token at-anything')).toBe(401);
  expect((await fetch(new URL('/oauth/token', server.mcpUrl), { method: 'POST', body })).status).toBe(400);
  expect(sandbox.requests.length).toBeGreaterThan(3);
});

describe('the parameters of the callback are accepted only if they belong to the request', () => {
  async function failing(change: (back: URL) => void) {
    const { server, sandbox } = await servedSandbox();
    // The browser of a person who follows a forged link.
    let comesBack: (url: URL) => void = () => {};
    const back = new Promise<URL>(resolve => {
      comesBack = resolve;
    });
    const redirect = { url: 'http://127.0.0.1:9/callback', received: () => back };
    const open = async (url: URL) => {
      const form = new URLSearchParams(url.searchParams);
      form.set('decision', 'allow');
      const target = new URL('/oauth/authorize', url);
      const response = await fetch(target, { method: 'POST', body: form, redirect: 'manual' });
      const address = new URL(response.headers.get('location') ?? '');
      change(address);
      comesBack(address);
    };
    const error = await rejection(signedIn(server, { openBrowser: open, redirect }));
    return { error, sandbox };
  }

  test.each<[string, string, (back: URL) => void]>([
    ['another state', 'state_mismatch', back => back.searchParams.set('state', 'another')],
    ['no state', 'state_mismatch', back => back.searchParams.delete('state')],
    ['another issuer', 'issuer_mismatch', back => back.searchParams.set('iss', 'https://other.example')],
    ['a missing issuer that is required', 'issuer_mismatch', back => back.searchParams.delete('iss')],
    ['no code', 'denied', back => back.searchParams.delete('code')],
    ['another code', 'token_refused', back => back.searchParams.set('code', 'code-of-somebody-else')],
  ])('%s', async (_, reason, change) => {
    const { error, sandbox } = await failing(change);
    expect(error).toBeInstanceOf(AuthorizationError);
    expect(error).toMatchObject({ code: 'authorization', reason });
    expect(tokenRequests(sandbox)).toBe(reason === 'token_refused' ? 1 : 0);
    expect(JSON.stringify(error)).not.toContain('code-of-somebody-else');
  });

  test('and their control characters do not reach a terminal', async () => {
    const { error } = await failing(back => {
      back.searchParams.delete('code');
      back.searchParams.set('error', 'no\u001b]0;title\u0007\u009b2J\nERROR: forged');
    });
    expect(error).toMatchObject({ message: expect.stringContaining('no ]0;title 2J ERROR: forged') });
    expect(inspect(error)).not.toMatch(/[^\P{Cc}\n]/u);
  });
});

test('no request of another program to the callback server ends the process', async () => {
  const { server } = await servedSandbox();
  const seen: string[] = [];
  const openBrowser = async (url: URL) => {
    const { port } = new URL(url.searchParams.get('redirect_uri') ?? '');
    for (const target of ['//', '//[', '*', 'http://127.0.0.1//', 'http://x:y'])
      seen.push(await statusOf(Number(port), target));
    await person()(url);
  };
  await signedIn(server, { openBrowser });
  expect(seen).toEqual(['404', '404', '404', '404', '404']);
});

/** The response to a request whose target cannot be part of a URL. */
async function statusOf(port: number, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${target === '*' ? 'OPTIONS' : 'GET'} ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer).split(' ')[1] ?? '';
}

test('a sign-in fails if the person refuses, does not respond, or cannot be reached', async () => {
  const { server } = await servedSandbox();
  const denied = await rejection(signedIn(server, { openBrowser: person('deny') }));
  expect(denied).toMatchObject({ reason: 'denied' });
  const late = await rejection(signedIn(server, { openBrowser: () => {}, signInTimeout: 30 }));
  expect(late).toMatchObject({ reason: 'timeout' });
  const nobody = await rejection(signedIn(server, { openBrowser: undefined }));
  expect(nobody).toMatchObject({ reason: 'no_browser' });
});

test('a call for which a person has to sign in ends at its deadline', async () => {
  const { sandbox, server } = await servedSandbox();
  const store = memoryTokenStore();
  let isThere = true;
  const openBrowser = (url: URL) => (isThere ? person()(url) : undefined);
  const mcp = await signedIn(server, { store, openBrowser });
  isThere = false;
  sandbox.advance({ hours: 2 });
  await store.write(server.mcpUrl, undefined);
  expect(await rejection(mcp.listTools({ deadline: 60 }))).toMatchObject({ code: 'deadline', limitMs: 60 });
});

test('a sign-in ends when its signal aborts', async () => {
  const { server } = await servedSandbox();
  const controller = new AbortController();
  const reason = new Error('enough');
  const openBrowser = () => controller.abort(reason);
  expect(await rejection(signedIn(server, { openBrowser }, { signal: controller.signal }))).toBe(reason);
});

test('documents of another server are refused', async () => {
  const impostor = await startServer((request, response) => {
    const { headers, url } = request;
    const origin = `http://${headers.host}`;
    if (!url.startsWith('/.well-known')) {
      response.writeHead(401, { 'www-authenticate': `Bearer realm="mcp"` }).end();
      return;
    }
    const isResource = url.includes('protected-resource');
    const document = isResource
      ? { resource: `${origin}/mcp`, authorization_servers: [origin] }
      : {
          issuer: 'https://somebody.else.example',
          authorization_endpoint: `${origin}/a`,
          token_endpoint: `${origin}/t`,
          response_types_supported: ['code'],
        };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const error = await rejection(signedIn({ mcpUrl: `${impostor.origin}/mcp` }));
  expect(error).toMatchObject({ reason: 'issuer_mismatch' });
  const other = await startServer({ body: { resource: 'https://another.example/mcp' } });
  expect(await rejection(signedIn({ mcpUrl: `${other.origin}/mcp` }))).toMatchObject({ reason: 'resource_mismatch' });
});

test('an authorization server that redirects is not followed', async () => {
  const { sandbox, server } = await servedSandbox();
  sandbox.fail({
    match: { path: '/oauth/register' },
    status: 307,
    headers: { location: 'https://elsewhere.example/register' },
    body: '',
  });
  const error = await rejection(signedIn(server));
  expect(String(error)).toContain('not followed');
});
