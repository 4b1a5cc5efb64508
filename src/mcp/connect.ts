import { McpClient } from './client.ts';
import type { ConnectMcpOptions } from './options.ts';

/**
 * Connects to the service's MCP endpoint, or to a program that serves MCP.
 *
 * Requests over HTTP keep to the rate limit, are repeated where that is safe, and fail with the same errors as those of
 * `TrackingClient`. With the API key of a `TrackingClient` for the same host, both share one budget.
 *
 * Needs the package `@modelcontextprotocol/client`.
 *
 * @throws {ConfigurationError} for options that cannot work, and without that package.
 * @example
 * const mcp = await connectMcp({ url: 'https://host.example/mcp', auth: { apiKey } });
 * const { containers } = await mcp.searchContainer({ query: 'MSCU1234565' });
 * await mcp.close();
 */
export function connectMcp(options: ConnectMcpOptions): Promise<McpClient> {
  return McpClient.connect(options);
}
