/**
 * The headers with which a browser allows a page of another origin to use the sandbox. Every page may use it, since it has no
 * real data.
 */

/** The answer to a preflight, the `OPTIONS` request that browsers send before most requests to another origin. */
export function preflight({ headers, url }: Request): Response {
  // The service has its own answer for what tells how to sign in.
  const isMetadata = new URL(url).pathname.startsWith('/.well-known/oauth-');
  const requestedHeaders = headers.get('access-control-request-headers');
  const isPrivate = headers.get('access-control-request-private-network') === 'true';
  return new Response(null, {
    status: isMetadata ? 200 : 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': isMetadata ? 'GET, OPTIONS' : 'GET, POST, PATCH, PUT, DELETE',
      // `*` would not include Authorization.
      ...(requestedHeaders !== null && { 'access-control-allow-headers': requestedHeaders }),
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
      'access-control-max-age': '600',
    },
  });
}

/** The headers that an answer to another origin needs. */
export function corsHeaders({ headers }: Request): Record<string, string> {
  if (!headers.has('origin')) return {};
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
}
