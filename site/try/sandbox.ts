/** The sandbox of the package for a worker of a page. It reports its requests, and `listen` needs no server. */
import { createSandbox as create, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import type { Report } from './protocol.ts';

export * from '../../src/sandbox/index.ts';

/** The handlers of the requests, by origin. */
export const hosts: Map<string, Sandbox['fetch']> = new Map();

export function createSandbox(options?: SandboxOptions): Sandbox {
  const sandbox = create(options);
  const { fetch: answer, pageToken } = sandbox;
  sandbox.fetch = async (input, init) => {
    const started = performance.now();
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const report = (status?: number) => {
      const ms = Math.round(performance.now() - started);
      const path = `${pathname}${decodeURIComponent(search)}`;
      postMessage({ kind: 'request', method, path, status, ms } satisfies Report);
    };
    try {
      const response = await answer(input, init);
      report(response.status);
      return response;
    } catch (error) {
      report();
      throw error;
    }
  };
  sandbox.listen = async ({ port = 0 } = {}) => {
    const origin = `http://localhost:${port || 4010 + hosts.size}`;
    hosts.set(origin, sandbox.fetch);
    const ticks = setInterval(() => sandbox.flush(), 100);
    return {
      baseUrl: `${origin}/v2`,
      mcpUrl: `${origin}/mcp`,
      pageUrl: `${origin}/#token=${pageToken}`,
      async close() {
        clearInterval(ticks);
        hosts.delete(origin);
      },
    };
  };
  return sandbox;
}
