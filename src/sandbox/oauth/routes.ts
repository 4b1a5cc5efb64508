import { isRecord } from '../../jsonapi/document.ts';
import { type Call, readBody } from '../http/call.ts';
import { pageHeaders } from '../http/page-headers.ts';
import type { Reply } from '../http/replies.ts';
import type { Route } from '../http/router.ts';
import type { CodeRequest, Grants } from './grants.ts';
import { AUTHORIZE_PATH, ISSUER_PATHS, metadataRoutes, resourceOf, SCOPES } from './metadata.ts';

/** The authorization server of the MCP endpoint. */
export function oauthRoutes(grants: Grants, accounts: readonly string[]): Route[] {
  return [
    ...metadataRoutes,
    { method: 'POST', path: '/oauth/register', signed: true, handle: call => register(call, grants) },
    ...ISSUER_PATHS.map(issuer => issuer + AUTHORIZE_PATH).flatMap((path): Route[] => [
      { method: 'GET', path, signed: true, handle: call => ask(call, grants, accounts) },
      { method: 'POST', path, signed: true, handle: call => decide(call, grants, accounts) },
    ]),
    { method: 'POST', path: '/oauth/token', signed: true, handle: call => token(call, grants) },
  ];
}

const MAX_BYTES = 65_536;
const JSON_HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' };

async function register(call: Call, grants: Grants): Promise<Reply> {
  const body = await call.json().catch(() => undefined);
  const { redirect_uris: uris, client_name: name } = isRecord(body) ? body : {};
  if (!Array.isArray(uris) || uris.length === 0 || !uris.every(uri => typeof uri === 'string' && URL.canParse(uri))) {
    return refusal('invalid_redirect_uri', 'redirect_uris must be a list of addresses');
  }
  const client = grants.register(typeof name === 'string' ? name : 'A program', uris);
  return {
    status: 201,
    headers: JSON_HEADERS,
    body: {
      ...(body as object),
      client_id: client.id,
      client_id_issued_at: Math.floor(call.backend.now / 1000),
      token_endpoint_auth_method: 'none',
    },
  };
}

/** Shows a page on which a person allows or refuses the access that a program requests. */
function ask(call: Call, grants: Grants, accounts: readonly string[]): Reply {
  const read = readRequest(call, call.query, grants, accounts);
  return 'refused' in read ? read.refused : page(200, signInPage(read.request, call.query, accounts), read.request);
}

/** Sends the browser back to the program, with the decision of the person. */
async function decide(call: Call, grants: Grants, accounts: readonly string[]): Promise<Reply> {
  const form = await readForm(call);
  const read = readRequest(call, form, grants, accounts);
  if ('refused' in read) return read.refused;
  const answer =
    form.get('decision') === 'allow'
      ? { code: grants.allow(read.request, call.backend.now) }
      : { error: 'access_denied', error_description: 'The person has refused.' };
  return back(call, read.request.redirectUri, form.get('state'), answer);
}

function readRequest(
  call: Call,
  query: URLSearchParams,
  grants: Grants,
  accounts: readonly string[],
): { request: CodeRequest } | { refused: Reply } {
  const client = grants.client(query.get('client_id') ?? '');
  const redirectUri = query.get('redirect_uri') ?? '';
  // The browser must not be sent to an address that was not registered.
  if (client === undefined) return { refused: page(400, errorPage('This program is not registered.')) };
  if (!client.redirectUris.some(uri => isSameAddress(uri, redirectUri))) {
    return { refused: page(400, errorPage('The program has not registered this redirect_uri.')) };
  }
  const refuse = (error: string, error_description: string) => ({
    refused: back(call, redirectUri, query.get('state'), { error, error_description }),
  });
  if (query.get('response_type') !== 'code') return refuse('unsupported_response_type', 'response_type must be code');
  const challenge = query.get('code_challenge') ?? '';
  if (challenge === '' || query.get('code_challenge_method') !== 'S256') {
    return refuse('invalid_request', 'a code_challenge with the method S256 is required');
  }
  const resource = query.get('resource') ?? resourceOf(call);
  if (resource !== resourceOf(call)) return refuse('invalid_target', `resource must be ${resourceOf(call)}`);
  const scope = query.get('scope') ?? SCOPES.join(' ');
  // The page names the accounts only if there are several.
  const account = accounts.find(name => name === query.get('account')) ?? accounts[0] ?? '';
  return { request: { client, redirectUri, challenge, resource, scope, account } };
}

/** A program on the person's machine may listen on a different port each time, so the port is not compared. */
function isSameAddress(registered: string, given: string): boolean {
  if (registered === given) return true;
  if (!URL.canParse(given)) return false;
  const [a, b] = [new URL(registered), new URL(given)];
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(a.hostname);
  return isLoopback && a.protocol === b.protocol && a.hostname === b.hostname && a.pathname === b.pathname;
}

async function token(call: Call, grants: Grants): Promise<Reply> {
  const form = await readForm(call);
  const resource = form.get('resource') ?? resourceOf(call);
  if (resource !== resourceOf(call)) return refusal('invalid_target', `resource must be ${resourceOf(call)}`);
  const { now } = call.backend;
  if (form.get('grant_type') === 'refresh_token') {
    const tokens = grants.refresh(form.get('refresh_token') ?? '', form.get('client_id') ?? '', now);
    return tokens ? issued(tokens) : refusal('invalid_grant', 'the refresh token is not valid');
  }
  if (form.get('grant_type') !== 'authorization_code') {
    return refusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
  const request = grants.takeCode(form.get('code') ?? '', now);
  const isTheirs =
    request?.client.id === form.get('client_id') &&
    request?.redirectUri === form.get('redirect_uri') &&
    request?.challenge === (await s256(form.get('code_verifier') ?? ''));
  return request && isTheirs ? issued(grants.issue(request, now)) : refusal('invalid_grant', 'the code is not valid');
}

async function s256(verifier: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

async function readForm({ request }: Call): Promise<URLSearchParams> {
  const bytes = await readBody(request, MAX_BYTES);
  return new URLSearchParams(new TextDecoder().decode(bytes ?? new Uint8Array()));
}

function back({ url }: Call, redirectUri: string, state: string | null, answer: Record<string, string>): Reply {
  const target = new URL(redirectUri);
  const parameters = {
    ...answer,
    ...(state !== null && { state }),
    iss: url.origin + url.pathname.slice(0, -AUTHORIZE_PATH.length),
  };
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return { status: 302, headers: { location: target.href } };
}

function issued(tokens: object): Reply {
  return { status: 200, headers: JSON_HEADERS, body: tokens };
}

function refusal(error: string, error_description: string): Reply {
  return { status: 400, headers: JSON_HEADERS, body: { error, error_description } };
}

/**
 * @param request The form on the page leads to a redirect to the `redirectUri` of this request. Browsers apply the
 * policy `form-action` to such a redirect too.
 */
function page(status: number, html: string, request?: CodeRequest): Reply {
  const targets = ["'self'", ...(request ? sourceOf(new URL(request.redirectUri)) : [])];
  const headers = {
    ...pageHeaders([`form-action ${targets.join(' ')}`]),
    // With no-referrer, browsers would send the form with `Origin: null`.
    'referrer-policy': 'same-origin',
    'content-type': 'text/html; charset=utf-8',
  };
  return { status, headers, body: new TextEncoder().encode(html) };
}

/**
 * The source that allows an address in a policy. Returns no source if the host has characters that could change the
 * policy.
 */
function sourceOf({ protocol, host, origin }: URL): string[] {
  if (!/^https?:$/.test(protocol)) return [protocol];
  return /^[\w.:[\]-]+$/.test(host) ? [origin] : [];
}

/** The page on which a person allows or refuses the access that a program requests. */
function signInPage(
  { client, scope, resource }: CodeRequest,
  query: URLSearchParams,
  accounts: readonly string[],
): string {
  const fields = Array.from(query, ([name, value]) => {
    return `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;
  });
  return html(
    'Sign in',
    `<p><b>${escaped(client.name)}</b> wants to use <code>${escaped(resource)}</code> for you.</p>
<p>Requested access: ${escaped(scope)}</p>
<form method="post">
${fields.join('\n')}
${accounts.length > 1 ? choice(accounts) : ''}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
  );
}

function choice(accounts: readonly string[]): string {
  const options = accounts.map(name => `<option>${escaped(name)}</option>`);
  return `<p><label>Account <select name="account">${options.join('')}</select></label></p>`;
}

function errorPage(problem: string): string {
  return html('Not possible', `<p>${escaped(problem)}</p>`);
}

function html(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${title} · sandbox</title></head>
<body><h1>${title}</h1>
${body}
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
