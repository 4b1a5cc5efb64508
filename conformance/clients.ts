import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createMcpHandler } from '../src/mcp-server/index.ts';
import { createSandbox } from '../src/sandbox/index.ts';

const MAIN = resolve(import.meta.dirname, '../src/cli/main.ts');

/** The folder of each version's modules. The HTTP transport exists since 1.10. */
const CLIENTS: Readonly<Record<string, string>> = {
  'sdk-1.0': 'dist/client',
  'sdk-1.11': 'dist/esm/client',
  'sdk-1.17': 'dist/esm/client',
  'sdk-1.32': 'dist/esm/client',
};

/** Makes official clients of earlier versions call every tool of our server, over stdio and HTTP. Returns the failures. */
export async function checkWithClients(): Promise<string[]> {
  const sandbox = createSandbox({ rateLimit: false, features: { routing: true } });
  const [shipment] = sandbox.seedShipments(2);
  const service = await sandbox.listen();
  const handler = createMcpHandler({ client: { baseUrl: service.baseUrl } });
  const http = createServer(handler.node).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const env = { TRACKING_API_KEY: 'sandbox', TRACKING_BASE_URL: service.baseUrl };
  const [box] = shipment?.containers ?? [];
  const failures: string[] = [];
  for (const [name, folder] of Object.entries(CLIENTS)) {
    const load = (file: string) => import(resolve(import.meta.dirname, 'node_modules', name, folder, file));
    const transports = {
      stdio: async () =>
        new (await load('stdio.js')).StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env }),
      http: async () =>
        new (await load('streamableHttp.js')).StreamableHTTPClientTransport(url, {
          requestInit: { headers: { authorization: 'Token sandbox' } },
        }),
    };
    const { Client } = await load('index.js');
    for (const transport of name === 'sdk-1.0' ? (['stdio'] as const) : (['stdio', 'http'] as const)) {
      const client = new Client({ name: 'old', version: '1' }, { capabilities: {} });
      const problems = await client
        .connect(await transports[transport]())
        .then(() => callAll(client, box, shipment?.id))
        .catch((error: Error) => [error.message]);
      console.log(`${name}, ${transport}: ${problems.length} problems`);
      failures.push(...problems.map((problem: string) => `${name}, ${transport}: ${problem}`));
      await client.close();
    }
  }
  http.closeAllConnections();
  http.close();
  await handler.close();
  await service.close();
  return failures;
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: { properties?: object } }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<{ isError?: boolean; content: unknown }>;
  readResource(resource: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<unknown>;
}

/** Calls every tool. A client refuses a result that its version does not support. */
async function callAll(client: AnyClient, box: { id: string; number: string } | undefined, shipmentId = '') {
  const args: Record<string, object> = {
    search_container: { query: box?.number },
    track_container: { number: box?.number },
    get_shipment_details: { id: shipmentId },
    summarize_containers: { group_by: 'pod_terminal' },
  };
  const { tools } = await client.listTools();
  const problems: string[] = tools.length === 15 ? [] : [`${tools.length} tools`];
  for (const { name, inputSchema } of tools) {
    const needsId = Object.hasOwn(inputSchema.properties ?? {}, 'id');
    const result = await client.callTool({ name, arguments: args[name] ?? (needsId ? { id: box?.id } : {}) });
    if (result.isError) problems.push(`${name}: ${JSON.stringify(result.content)}`);
  }
  await client.readResource({ uri: `tracking://container/${box?.id}` });
  await client.listPrompts();
  return problems;
}
