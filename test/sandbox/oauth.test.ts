import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';

const ORIGIN = 'http://service.example';
const REDIRECT = 'http://127.0.0.1:4711/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-one-0123456789';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

const JSON_TYPE = { 'content-type': 'application/json' };

const at = (sandbox: Sandbox, path: string, init?: RequestInit) => sandbox.fetch(ORIGIN + path, init);

async function registered(sandbox: Sandbox): Promise<string> {
  const body = JSON.stringify({ client_name: '<b>Program</b>', redirect_uris: [REDIRECT] });
  const response = await at(sandbox, '/oauth/register', { method: 'POST', headers: JSON_TYPE, body });
  expect(response.status).toBe(201);
  const { client_id, token_endpoint_auth_method } = await response.json();
  expect(token_endpoint_auth_method).toBe('none');
  return client_id;
}

function question(client: string, changes: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 's',
    scope: 'openid offline_access',
    resource: `${ORIGIN}/mcp`,
    ...changes,
  });
}

async function decided(sandbox: Sandbox, form: URLSearchParams, decision = 'allow'): Promise<URL> {
  form.set('decision', decision);
  const response = await at(sandbox, '/oauth/authorize', { method: 'POST', body: form });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

async function token(sandbox: Sandbox, form: Record<string, string>) {
  const response = await at(sandbox, '/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: await response.json() };
}

async function codeFor(sandbox: Sandbox, client: string): Promise<string> {
  return (await decided(sandbox, question(client))).searchParams.get('code') ?? '';
}

const exchange = (client: string, code: string) => ({
  grant_type: 'authorization_code',
  client_id: client,
  code,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
  resource: `${ORIGIN}/mcp`,
});

const refresh = (client: string, refresh_token: string) => ({
  grant_type: 'refresh_token',
  client_id: client,
  refresh_token,
});

async function mcpStatus(sandbox: Sandbox, accessToken: string): Promise<number> {
  const headers = { ...JSON_TYPE, authorization: `Bearer ${accessToken}` };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  return (await at(sandbox, '/mcp', { method: 'POST', headers, body })).status;
}

test('the metadata documents contain all addresses, every page can read them, and no request can change them', async () => {
  const sandbox = stillSandbox();
  for (const path of ['', '/mcp']) {
    const response = await at(sandbox, `/.well-known/oauth-protected-resource${path}`);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ resource: `${ORIGIN}/mcp`, authorization_servers: [ORIGIN] });
  }
  const server = await (await at(sandbox, '/.well-known/oauth-authorization-server')).json();
  expect(server).toMatchObject({ issuer: ORIGIN, code_challenge_methods_supported: ['S256'] });
  const post = await at(sandbox, '/.well-known/oauth-authorization-server', { method: 'POST', body: '' });
  expect([post.status, await post.json()]).toEqual([405, { error: 'Method not allowed' }]);
});

test('the document of an issuer with a path is at /.well-known/…/path, and responses name the issuer (RFC 8414, RFC 9207)', async () => {
  const sandbox = stillSandbox();
  const client = await registered(sandbox);
  for (const issuer of [ORIGIN, `${ORIGIN}/mcp`]) {
    const { pathname } = new URL(issuer);
    const path = `/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
    const server = await (await at(sandbox, path)).json();
    expect(server).toMatchObject({ issuer, token_endpoint: `${ORIGIN}/oauth/token` });
    const form = question(client);
    const shown = await sandbox.fetch(`${server.authorization_endpoint}?${form}`);
    expect(await shown.text()).toContain('<form method="post">');
    form.set('decision', 'allow');
    const answer = await sandbox.fetch(server.authorization_endpoint, { method: 'POST', body: form });
    const { searchParams } = new URL(answer.headers.get('location') ?? '');
    expect(searchParams.get('iss')).toBe(issuer);
    expect((await token(sandbox, exchange(client, searchParams.get('code') ?? ''))).status).toBe(200);
  }
  expect((await at(sandbox, '/.well-known/oauth-authorization-server/other')).status).toBe(404);
  expect((await at(sandbox, '/mcp/.well-known/oauth-authorization-server')).status).toBe(404);
});

test('the sign-in page shows the program and the requested access, but no script from the request', async () => {
  const sandbox = stillSandbox();
  const client = await registered(sandbox);
  const response = await at(sandbox, `/oauth/authorize?${question(client, { state: '"><script>' })}`);
  const html = await response.text();
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(html).toContain('value="allow"');
  expect(html).not.toMatch(/<script>|<b>Program/);
});

test.each([
  [200, {}, "'self' http://127.0.0.1:4711"],
  [400, { client_id: 'unknown' }, "'self'"],
])(
  'the sign-in page with status %d allows no script and no frame, and its form can only go to the right addresses',
  async (status, changes, targets) => {
    const sandbox = stillSandbox();
    const client = await registered(sandbox);
    const response = await at(sandbox, `/oauth/authorize?${question(client, changes)}`);
    expect(response.status).toBe(status);
    const policy = response.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      `form-action ${targets}`,
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  },
);

test('the policy allows the form to redirect to an address with a private scheme, but the policy contains only the scheme of that address', async () => {
  const sandbox = stillSandbox();
  const uri = "my-app:/back;script-src *, default-src 'self'";
  const body = JSON.stringify({ redirect_uris: [uri, 'http://a;script-src/'] });
  const { client_id } = await (
    await at(sandbox, '/oauth/register', { method: 'POST', headers: JSON_TYPE, body })
  ).json();
  for (const [redirect_uri, target] of [
    [uri, 'my-app:'],
    ['http://a;script-src/', ''],
  ] as const) {
    const response = await at(sandbox, `/oauth/authorize?${question(client_id, { redirect_uri })}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(new RegExp(`; form-action 'self' ?${target}$`));
  }
});

test('a code can be used only once, only by the program that requested it, and only with the right verifier', async () => {
  const sandbox = stillSandbox();
  const client = await registered(sandbox);
  const back = await decided(sandbox, question(client));
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 's', iss: ORIGIN });
  const code = back.searchParams.get('code') ?? '';
  const { status, body } = await token(sandbox, exchange(client, code));
  expect([status, body.token_type, body.expires_in]).toEqual([200, 'Bearer', 3600]);
  expect(await mcpStatus(sandbox, body.access_token)).toBe(200);
  expect((await token(sandbox, exchange(client, code))).body.error).toBe('invalid_grant');
  for (const change of [
    { code_verifier: 'another' },
    { client_id: 'another' },
    { redirect_uri: 'http://127.0.0.1:1/callback' },
  ]) {
    const wrong = { ...exchange(client, await codeFor(sandbox, client)), ...change };
    expect((await token(sandbox, wrong)).body.error).toBe('invalid_grant');
  }
  const late = await codeFor(sandbox, client);
  sandbox.advance({ minutes: 11 });
  expect((await token(sandbox, exchange(client, late))).body.error).toBe('invalid_grant');
});

test('an access token expires on the clock of the sandbox, and a refresh token can be used only once', async () => {
  const sandbox = stillSandbox();
  const client = await registered(sandbox);
  const { body: first } = await token(sandbox, exchange(client, await codeFor(sandbox, client)));
  sandbox.advance({ minutes: 59 });
  expect(await mcpStatus(sandbox, first.access_token)).toBe(200);
  sandbox.advance({ minutes: 2 });
  expect(await mcpStatus(sandbox, first.access_token)).toBe(401);
  const { body: second } = await token(sandbox, refresh(client, first.refresh_token));
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect(await mcpStatus(sandbox, second.access_token)).toBe(200);
  // A person who uses the old token again may have stolen it, so all tokens of this sign-in are revoked.
  expect((await token(sandbox, refresh(client, first.refresh_token))).body.error).toBe('invalid_grant');
  expect(await mcpStatus(sandbox, second.access_token)).toBe(401);
  expect((await token(sandbox, refresh(client, second.refresh_token))).body.error).toBe('invalid_grant');
});

describe('a wrong request to the authorization server', () => {
  test('gets an error page if the client or its redirect address is unknown', async () => {
    const sandbox = stillSandbox();
    const client = await registered(sandbox);
    for (const changes of [{ client_id: 'unknown' }, { redirect_uri: 'https://evil.example/callback' }]) {
      const response = await at(sandbox, `/oauth/authorize?${question(client, changes as never)}`);
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    }
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('sends the browser back with the reason: %j', async (changes, error) => {
    const sandbox = stillSandbox();
    const client = await registered(sandbox);
    const response = await at(sandbox, `/oauth/authorize?${question(client, changes as never)}`);
    const back = new URL(response.headers.get('location') ?? '');
    expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([error, 's']);
  });

  test('is refused by the registration and by the token endpoint, and the person can refuse access', async () => {
    const sandbox = stillSandbox();
    const client = await registered(sandbox);
    expect((await decided(sandbox, question(client), 'deny')).searchParams.get('error')).toBe('access_denied');
    const refused = await at(sandbox, '/oauth/register', {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"redirect_uris":["no address"]}',
    });
    expect([refused.status, (await refused.json()).error]).toEqual([400, 'invalid_redirect_uri']);
    expect((await token(sandbox, { grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
    expect((await token(sandbox, { resource: 'https://other.example' })).body.error).toBe('invalid_target');
  });
});

test('a program on loopback may use another port in its redirect address', async () => {
  const sandbox = stillSandbox();
  const client = await registered(sandbox);
  const elsewhere = 'http://127.0.0.1:9999/callback';
  const back = await decided(sandbox, question(client, { redirect_uri: elsewhere }));
  expect(back.port).toBe('9999');
});

test('reset() removes all sign-ins', async () => {
  const sandbox = stillSandbox();
  const client = await registered(sandbox);
  const { body } = await token(sandbox, exchange(client, await codeFor(sandbox, client)));
  sandbox.reset();
  expect(await mcpStatus(sandbox, body.access_token)).toBe(401);
});
