import { json } from './answers.ts';
import type { OAuthOptions } from './options.ts';

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';
const SERVER_PATH = '/.well-known/oauth-authorization-server';

const ANY_ORIGIN = { 'access-control-allow-origin': '*' };

/** Where a client reads how to get a token. The challenge of a 401 names it. */
export function metadataUrl({ resource }: OAuthOptions): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${RESOURCE_PATH}${pathname === '/' ? '' : pathname}`;
}

/** The answer to a question for metadata; `undefined` for any other request. */
export function metadataAnswer(request: Request, oauth: OAuthOptions | undefined): Response | undefined {
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
