import { onTestFinished } from 'vitest';
import { connectMcp, type McpClient, type McpHttpOptions, type OAuthOptions } from '../src/mcp/index.ts';
import type { Sandbox, SandboxServer } from '../src/sandbox/index.ts';
import { stillSandbox } from './sandbox.ts';

/** The key that the sandbox of these tests accepts. */
export const MCP_KEY = 'k3y-Zq81-never-printed';

/** The first response of a server with the revision before the newest one. */
export const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

/** A sandbox over a socket, whose clock does not advance by itself. It is closed at the end of the test. */
export async function servedSandbox(
  options: Parameters<typeof stillSandbox>[0] = {},
): Promise<{ sandbox: Sandbox; server: SandboxServer }> {
  const sandbox = stillSandbox({ apiKeys: [MCP_KEY], ...options });
  const server = await sandbox.listen({ port: 0 });
  onTestFinished(() => server.close());
  return { sandbox, server };
}

/** A connection with an API key, without a rate limit, and with retries that do not wait. */
export async function connected(
  { mcpUrl }: { mcpUrl: string },
  options: Partial<McpHttpOptions> = {},
): Promise<McpClient> {
  const mcp = await connectMcp({
    url: mcpUrl,
    auth: { apiKey: MCP_KEY },
    rateLimit: false,
    retry: { minDelay: 0 },
    logger: false,
    ...options,
  } as McpHttpOptions);
  onTestFinished(() => mcp.close());
  return mcp;
}

/** A person who clicks on a page of the sandbox's authorization server, and the browser that follows the redirect. */
export function person(decision: 'allow' | 'deny' = 'allow'): (url: URL) => Promise<void> {
  return async url => {
    const form = new URLSearchParams(url.searchParams);
    form.set('decision', decision);
    const page = await fetch(url);
    const html = await page.text();
    if (!html.includes(`value="${decision}"`)) throw new Error(`There is nothing to click: ${page.status} ${html}`);
    const clicked = await fetch(new URL('/oauth/authorize', url), { method: 'POST', body: form });
    await clicked.text();
  };
}

/** A connection for which a person signs in. */
export function signedIn(
  server: { mcpUrl: string },
  oauth: OAuthOptions = {},
  options: Partial<McpHttpOptions> = {},
): Promise<McpClient> {
  return connected(server, { auth: { oauth: { openBrowser: person(), ...oauth } }, ...options });
}

/** Number of requests for tokens. */
export function tokenRequests({ requests }: Sandbox): number {
  return requests.filter(({ method, path }) => method === 'POST' && path === '/oauth/token').length;
}
