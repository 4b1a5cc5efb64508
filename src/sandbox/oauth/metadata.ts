import type { Call } from '../http/call.ts';
import type { Reply } from '../http/replies.ts';
import type { Route } from '../http/router.ts';

export const SCOPES = ['openid', 'profile', 'email', 'offline_access'];

const RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/**
 * The paths of the issuers at the origin. A client that knows only the address of the MCP endpoint may use this address
 * as the issuer. The metadata of an issuer with a path is at the well-known address, followed by this path (RFC 8414).
 */
export const ISSUER_PATHS = ['', '/mcp'];

/**
 * The path of the authorization endpoint, after the path of its issuer. With this path, the response can name the
 * issuer.
 */
export const AUTHORIZE_PATH = '/oauth/authorize';

/** The address for which access tokens are valid. */
export function resourceOf({ url }: Call): string {
  return `${url.origin}/mcp`;
}

/** The header of a response to a caller who has not signed in. */
export function challenge({ url }: Call): Record<string, string> {
  return { 'www-authenticate': `Bearer realm="mcp", resource_metadata="${url.origin}${RESOURCE_PATH}"` };
}

/** The documents that describe the sign-in to a program. */
export const metadataRoutes: Route[] = [
  ...[RESOURCE_PATH, `${RESOURCE_PATH}/mcp`].flatMap(path =>
    metadata(path, call => ({
      resource: resourceOf(call),
      authorization_servers: [call.url.origin],
      bearer_methods_supported: ['header'],
      scopes_supported: SCOPES,
    })),
  ),
  ...ISSUER_PATHS.flatMap(issuer =>
    metadata(`/.well-known/oauth-authorization-server${issuer}`, ({ url: { origin } }) => ({
      issuer: origin + issuer,
      authorization_endpoint: `${origin}${issuer}${AUTHORIZE_PATH}`,
      token_endpoint: `${origin}/oauth/token`,
      registration_endpoint: `${origin}/oauth/register`,
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })),
  ),
];

/** The routes of a document that every web page may read. The response to all methods other than GET is 405. */
function metadata(path: string, documentOf: (call: Call) => object): Route[] {
  const headers = { 'content-type': 'application/json', 'access-control-allow-origin': '*' };
  const refuse = (): Reply => ({ status: 405, headers, body: { error: 'Method not allowed' } });
  return [
    { method: 'GET', path, signed: true, handle: call => ({ status: 200, headers, body: documentOf(call) }) },
    ...(['POST', 'PATCH', 'PUT', 'DELETE'] as const).map(
      (method): Route => ({ method, path, signed: true, handle: refuse }),
    ),
  ];
}
