/** What a browser needs to let a page of another origin use the sandbox. Any page may: there is nothing to steal. */

/** The answer to a preflight, which browsers send before most requests. It is no request of the service. */
export function preflight({ headers }: Request): Response {
  const wanted = headers.get('access-control-request-headers');
  const isPrivate = headers.get('access-control-request-private-network') === 'true';
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE',
      // `*` would not cover Authorization.
      ...(wanted !== null && { 'access-control-allow-headers': wanted }),
      ...(isPrivate && { 'access-control-allow-private-network': 'true' }),
      'access-control-max-age': '600',
    },
  });
}

/** Headers of the answer to a page. */
export function corsHeaders({ headers }: Request): Record<string, string> {
  if (!headers.has('origin')) return {};
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
}
