import { type HttpHandler, HttpResponse, http } from 'msw';
import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import type { Sandbox } from './index.ts';

/** The options of `handlers`. */
export interface HandlersOptions {
  /**
   * The base URL of the client under test: a host, followed by `/v2`. The MCP endpoint and its authorization server are
   * at the same origin.
   * @default the path `/v2` of every host
   */
  baseUrl?: string | undefined;
}

/**
 * Returns msw request handlers that pass requests to the sandbox, for tests that already use msw.
 *
 * @throws {ConfigurationError} for a base URL with another path, because the sandbox has only `/v2`.
 * @example
 * const sandbox = createSandbox();
 * const server = setupServer(...handlers(sandbox, { baseUrl: 'https://host.example/v2' }));
 */
export function handlers(sandbox: Sandbox, { baseUrl = '*/v2' }: HandlersOptions = {}): HttpHandler[] {
  const base = String(baseUrl).replace(/\/+$/, '');
  if (!BASE.test(base)) {
    throw new ConfigurationError(
      `baseUrl is ${describeValue(baseUrl)}; it must have /v2 directly after the host, such as https://host.example/v2.`,
    );
  }
  const origin = base.replace(/\/v2$/, '');
  const paths = [`${base}/*`, ...OUTSIDE.map(path => `${origin}${path}`)];
  return paths.map(path =>
    http.all(path, async ({ request }) => {
      try {
        return await sandbox.fetch(request);
      } catch {
        // A fault has dropped the connection.
        return HttpResponse.error();
      }
    }),
  );
}

/** Matches a base URL. Its host may be an msw pattern. */
const BASE = /^(?:\*[^/]*|[^/]+:\/\/[^/]+)?\/v2$/;

/** The MCP endpoint and its authorization server. */
const OUTSIDE = [
  '/mcp',
  '/mcp/oauth/*',
  '/oauth/*',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/*',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/*',
];
