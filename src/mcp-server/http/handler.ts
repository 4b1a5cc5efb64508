import { Caller } from '../caller.ts';
import { serverFor, surfaceOf } from '../create-server.ts';
import { type McpServer, serveProtocol, validateHostHeader, validateOriginHeader } from '../protocol.ts';
import { authenticate, metadataResponse } from './authenticate.ts';
import { Callers } from './callers.ts';
import { type NodeRequest, type NodeResponse, sendResponse, toRequest } from './node.ts';
import { checkHandlerOptions, type HandlerSettings, type McpHandlerOptions } from './options.ts';
import { json, preflight, protocolError, readable } from './responses.ts';

/**
 * Serves the tracking tools over HTTP to many callers. You can pass the functions `fetch` and `node` to a framework
 * without the object that contains them.
 */
export interface McpHandler {
  /** For Workers, Bun, Deno, Hono and frameworks with route handlers. */
  fetch(request: Request): Promise<Response>;
  /** For `http.createServer`, and as a handler of Express. */
  node(request: NodeRequest, response: NodeResponse): void;
  /** Ends the calls that are running, and rejects the calls that wait for the rate limit. */
  close(): Promise<void>;
}

/**
 * Serves the tools over streamable HTTP, without sessions, so any process can serve any request. A caller sends its API
 * key (`Authorization: Bearer <key>`). The handler checks the key with the service, and uses it for the caller's
 * requests. If `oauth` is set, a caller may send an access token instead.
 *
 * @throws {ConfigurationError} for an unknown option, or a value that cannot work.
 * @example
 * const handler = createMcpHandler({ client: { baseUrl: 'https://host.example/v2' }, allowedHosts: ['mcp.example'] });
 * export default { fetch: handler.fetch };
 * http.createServer(handler.node).listen(4011, '127.0.0.1');
 */
export function createMcpHandler(options: McpHandlerOptions = {}): McpHandler {
  const settings = checkHandlerOptions(options);
  const surface = surfaceOf(settings);
  return serveCallers(settings, (caller, hangUp) => serverFor(caller, surface, hangUp));
}

/** Serves each request of a caller with a new server. */
export function serveCallers(
  settings: HandlerSettings,
  serverOf: (caller: Caller, hangUp: AbortSignal | undefined) => McpServer,
): McpHandler {
  const callers = new Callers(settings.clientFor, settings.maxCallers);
  const protocol = serveProtocol(
    ({ authInfo, requestInfo }) => serverOf(authInfo?.extra?.caller as Caller, requestInfo?.signal),
    { maxRequestBodySize: settings.maxBodyBytes },
  );

  async function respond(request: Request, parsedBody?: unknown): Promise<Response> {
    if (request.method !== 'POST') return NOT_POST();
    const caller = await authenticate(request, callers, settings.oauth);
    if (!(caller instanceof Caller)) return caller;
    // The credential is not passed on, because the server does not need it.
    const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
    return protocol.fetch(request, { authInfo, ...(parsedBody !== undefined && { parsedBody }) });
  }

  async function safely(request: Request, parsedBody?: unknown): Promise<Response> {
    try {
      // A request for the metadata does not need a credential.
      const early = metadataResponse(request, settings.oauth) ?? refusalOf(request, settings);
      if (early) return early;
      return readable(request, preflight(request) ?? (await respond(request, parsedBody)));
    } catch (error) {
      if (!request.signal.aborted) settings.onError(error);
      return protocolError(500, -32_603, 'Internal server error');
    }
  }

  async function answerNode(incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
    const { request, dropRest } = toRequest(incoming, outgoing);
    const response = request ? await safely(request, incoming.body) : protocolError(400, -32_600, 'Bad request');
    await sendResponse(response, outgoing);
    await dropRest().catch(() => {});
  }

  return {
    fetch: request => safely(request),
    // An unhandled rejection would end the process.
    node: (incoming, outgoing) => void answerNode(incoming, outgoing).catch(() => outgoing.destroy()),
    async close() {
      callers.clear();
      await protocol.close();
    },
  };
}

/**
 * The response that refuses a request for another host, origin or path. A web page must not reach the server under a
 * host name that belongs to the page, or from another site.
 */
function refusalOf(request: Request, { allowedHosts, allowedOrigins, path }: HandlerSettings): Response | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  if (allowedHosts && !validateHostHeader(host, allowedHosts).ok) {
    return protocolError(403, -32_000, 'This host is not allowed: see the option allowedHosts.');
  }
  if (allowedOrigins && !validateOriginHeader(request.headers.get('origin'), allowedOrigins).ok) {
    return protocolError(403, -32_000, 'This origin is not allowed: see the option allowedOrigins.');
  }
  if (path !== undefined && new URL(request.url).pathname !== path) return json(404, { error: 'Not found' });
  return undefined;
}

const NOT_POST = () => protocolError(405, -32_000, 'Use POST.', { allow: 'POST' });
