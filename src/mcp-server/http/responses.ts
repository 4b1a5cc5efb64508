/** Responses that are sent before a request reaches the protocol. */

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  });
}

export function protocolError(
  status: number,
  code: number,
  message: string,
  headers?: Record<string, string>,
): Response {
  return json(status, { jsonrpc: '2.0', error: { code, message }, id: null }, headers);
}

/** The request headers that a page of an allowed origin may send. */
const HEADERS = 'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, last-event-id';

/** The response to a preflight; `undefined` for any other request. */
export function preflight(request: Request): Response | undefined {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return undefined;
  const headers = { 'access-control-allow-methods': 'POST', 'access-control-allow-headers': HEADERS };
  return new Response(null, { status: 204, headers });
}

/**
 * The same response with more headers. The headers allow a web page to read the response, if the page has the origin of
 * the request.
 */
export function readable(request: Request, response: Response): Response {
  const origin = request.headers.get('origin');
  if (!origin || response.headers.has('access-control-allow-origin')) return response;
  const headers = new Headers(response.headers);
  headers.set('access-control-allow-origin', origin);
  headers.append('vary', 'origin');
  headers.set('access-control-expose-headers', 'www-authenticate');
  const { status, body } = response;
  return new Response(body, { status, headers });
}
