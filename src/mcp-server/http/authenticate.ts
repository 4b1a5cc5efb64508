import type { Caller } from '../caller.ts';
import { getOAuthProtectedResourceMetadataUrl } from '../protocol.ts';
import type { Callers } from './callers.ts';
import type { OAuthOptions, ServiceCredential } from './options.ts';
import { json } from './responses.ts';

/**
 * The caller that the header `Authorization` identifies, or the response that refuses the request. The scheme must be
 * `Token` for an API key, and `Bearer` for an access token. Without OAuth, `Bearer` also stands for an API key, because
 * many hosts only send this scheme.
 */
export async function authenticate(
  request: Request,
  callers: Callers,
  oauth: OAuthOptions | undefined,
): Promise<Caller | Response> {
  const [, scheme = '', credential = ''] =
    /^([a-z]+) +([\x21-\x7e]+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  switch (scheme.toLowerCase()) {
    case 'token':
      return withKey(credential, callers, oauth);
    case 'bearer':
      return oauth ? withToken(credential, request, callers, oauth) : withKey(credential, callers, oauth);
    default:
      return unauthorized(oauth ? 'Send an access token, or an API key as Token.' : KEY_MISSING, oauth);
  }
}

const KEY_MISSING = 'Send the header "Authorization: Bearer <API key>".';

async function withKey(key: string, callers: Callers, oauth: OAuthOptions | undefined): Promise<Caller | Response> {
  const caller = await callers.withKey(key);
  if (caller === 'too_many')
    return json(429, { error: 'Too many unknown API keys. Try again.' }, { 'retry-after': '60' });
  return caller === 'refused' ? unauthorized('The API key is not valid.', oauth, 'invalid_token') : caller;
}

async function withToken(token: string, request: Request, callers: Callers, oauth: OAuthOptions) {
  let credential: ServiceCredential | null;
  try {
    credential = await oauth.verify(token, { resource: oauth.resource, signal: request.signal });
  } catch {
    // The response has no challenge, because the token may be valid.
    return json(502, { error: 'The access token cannot be checked now. Try again.' });
  }
  if (!credential) return unauthorized('The access token is not valid.', oauth, 'invalid_token');
  return callers.trusted(
    'apiKey' in credential ? { apiKey: credential.apiKey } : { accessToken: credential.accessToken },
  );
}

function unauthorized(message: string, oauth: OAuthOptions | undefined, error?: string): Response {
  const challenge = [
    'Bearer realm="mcp"',
    error && `error="${error}"`,
    oauth && `resource_metadata="${getOAuthProtectedResourceMetadataUrl(new URL(oauth.resource))}"`,
  ];
  return json(401, { error: 'Unauthorized', message }, { 'www-authenticate': challenge.filter(Boolean).join(', ') });
}

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';

const ANY_ORIGIN = { 'access-control-allow-origin': '*' };

/** The response to a request for metadata; `undefined` for any other request. */
export function metadataResponse(request: Request, oauth: OAuthOptions | undefined): Response | undefined {
  const { pathname } = new URL(request.url);
  const isResource = pathname === RESOURCE_PATH || pathname.startsWith(`${RESOURCE_PATH}/`);
  const isServer = pathname === SERVER_PATH || pathname.startsWith(`${SERVER_PATH}/`);
  if (!isResource && !isServer) return undefined;
  if (!oauth) return json(404, { error: 'This server takes API keys only.' }, ANY_ORIGIN);
  if (request.method === 'OPTIONS') {
    return new Response(null, {
      status: 200,
      headers: { ...ANY_ORIGIN, 'access-control-allow-methods': 'GET, OPTIONS' },
    });
  }
  if (request.method !== 'GET')
    return json(405, { error: 'Method not allowed' }, { ...ANY_ORIGIN, allow: 'GET, OPTIONS' });
  if (isResource) return json(200, documentOf(oauth), ANY_ORIGIN);
  const location = `${oauth.authorizationServers[0]}${SERVER_PATH}`;
  return new Response(null, { status: 302, headers: { ...ANY_ORIGIN, location } });
}

function documentOf({ resource, authorizationServers, scopesSupported = [] }: OAuthOptions) {
  return {
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
    ...(scopesSupported.length > 0 && { scopes_supported: scopesSupported }),
  };
}
