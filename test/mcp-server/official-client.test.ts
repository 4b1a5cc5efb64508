import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { createSandbox, type SandboxServer } from '../../support/sandbox.ts';

const MAIN = resolve(import.meta.dirname, '../../src/cli/main.ts');
const sandbox = createSandbox({ rateLimit: false, features: { routing: true } });
const [
  {
    id: shipmentId,
    containers: [box],
  } = { id: '', containers: [] },
] = sandbox.seedShipments(1);

let service: SandboxServer;
let url: URL;
let close: () => Promise<void>;

beforeAll(async () => {
  service = await sandbox.listen();
  const handler = createMcpHandler({ client: { baseUrl: service.baseUrl } });
  const server = createServer(handler.node).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  close = async () => {
    server.closeAllConnections();
    server.close();
    await handler.close();
    await service.close();
  };
});

afterAll(() => close());

const transports = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      env: { TRACKING_API_KEY: 'sandbox', TRACKING_BASE_URL: service.baseUrl },
    }),
  http: () => new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: 'Token sandbox' } } }),
};

describe.each(['2026-07-28', '2025-11-25'])('with the revision %s', revision => {
  test.each(['stdio', 'http'] as const)(
    'the official client calls every tool over %s, and checks each result',
    async transport => {
      const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(transports[transport]());
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      const { tools } = await client.listTools();
      const args: Record<string, Record<string, unknown>> = {
        search_container: { query: box?.number },
        track_container: { number: box?.number },
        get_shipment_details: { id: shipmentId },
        summarize_containers: { group_by: 'pod_terminal' },
      };
      for (const { name, inputSchema } of tools) {
        const needsId = Object.hasOwn(inputSchema.properties ?? {}, 'id');
        const result = await client.callTool({ name, arguments: args[name] ?? (needsId ? { id: box?.id } : {}) });
        expect(result.isError, name).toBeFalsy();
      }
      expect(tools).toHaveLength(15);
      await client.close();
    },
  );
});
