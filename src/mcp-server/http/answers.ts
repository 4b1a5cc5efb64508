/** Answers that are given before the protocol is reached. */

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
