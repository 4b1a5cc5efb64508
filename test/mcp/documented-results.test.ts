import { describe, expect, test } from 'vitest';
import type { SchemaMismatchEvent } from '../../src/index.ts';
import type { McpClient } from '../../src/mcp/index.ts';
import { connected, INITIALIZED, servedSandbox } from '../../support/mcp.ts';
import documents from '../../support/samples/mcp.examples.json' with { type: 'json' };
import { serve } from '../../support/server.ts';

/** The documented results of every edition of the endpoint, from a server that does not describe its tools. */
const ID = '11111111-1111-4111-8111-111111111111';

const CALLS: Record<string, (mcp: McpClient) => Promise<unknown>> = {
  'tools/call result': mcp => mcp.searchContainer({ query: 'SVQU2004170' }),
  'track_container, tracked already (infer_result form A)': mcp => mcp.trackContainer({ number: 'SVQU2004170' }),
  'track_container, created (infer_result form B: raw answer)': mcp => mcp.trackContainer({ number: 'SVQU2004170' }),
  'track_container, created directly (infer_result form C)': mcp => mcp.trackContainer({ number: 'SVQU2004170' }),
  'list_containers E3 result': mcp => mcp.listContainers(),
  'list_containers E3, last page (links without next)': mcp => mcp.listContainers(),
  'list_containers E1 result (nothing reported)': mcp => mcp.listContainers(),
  'get_shipment_details before the discharge port is known': mcp => mcp.getShipmentDetails({ id: ID }),
  'whoami result': async mcp => (await mcp.call('whoami')).result,
  'summarize_containers result': async mcp => (await mcp.call('summarize_containers')).result,
  'summarize_containers result (paging branch)': async mcp => (await mcp.call('summarize_containers')).result,
  'list_parties result': async mcp => (await mcp.call('list_parties')).result,
};

interface Result {
  content: unknown[];
  structuredContent: Record<string, unknown>;
}

const results = new Map(
  Object.entries(documents as Record<string, object>).flatMap(([name, document]): [string, Result][] => {
    const { result } = document as { result?: Partial<Result> };
    return result?.structuredContent ? [[name, result as Result]] : [];
  }),
);

test('every documented result of a tool is tested', () => {
  expect(Object.keys(CALLS).sort()).toEqual([...results.keys()].sort());
});

/** A server whose tools all return this result. */
async function answering(result: unknown) {
  const server = await serve((request, response) => {
    const { id, method } = JSON.parse(request.body || '{}');
    if (request.method === 'GET') return response.writeHead(405).end();
    if (method === 'server/discover') return response.writeHead(404).end('{}');
    if (id === undefined) return response.writeHead(202).end();
    const answers: Record<string, unknown> = { initialize: INITIALIZED, 'tools/list': { tools: [] } };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? result }));
  });
  return { mcpUrl: `${server.origin}/mcp` };
}

/**
 * A documented result, completed with the parts that its document leaves out. A shortened result has only the
 * attributes that matter in its document.
 */
async function complete(name: string): Promise<Result> {
  const { content, structuredContent } = results.get(name) as Result;
  if (!name.startsWith('track_container')) return { content, structuredContent };
  if ('tracking_request' in structuredContent)
    return { content, structuredContent: { _metadata: {}, ...structuredContent } };
  const { sandbox, server } = await servedSandbox();
  const [shipment] = sandbox.seedShipments(1);
  const number = shipment?.containers[0]?.number;
  const { result } = await (await connected(server)).call('track_container', { number });
  return { content, structuredContent: { ...result, ...structuredContent } };
}

describe.each(['strict', 'warn'] as const)('with validation: %s', validation => {
  test.each(Object.entries(CALLS))('%s is returned unchanged, without a mismatch', async (name, call) => {
    const result = await complete(name);
    const mismatches: SchemaMismatchEvent[] = [];
    const hooks = { onSchemaMismatch: (event: SchemaMismatchEvent) => mismatches.push(event) };
    const mcp = await connected(await answering(result), { validation, hooks });
    expect(await call(mcp)).toEqual(result.structuredContent);
    expect(mismatches).toEqual([]);
  });
});

test('a resource uses the template of the server, with any scheme', async () => {
  const { result } = documents["resources/templates/list result (scheme is the service's own)"];
  const server = await serve((request, response) => {
    const { id, method, params } = JSON.parse(request.body || '{}');
    if (request.method === 'GET') return response.writeHead(405).end();
    if (method === 'server/discover') return response.writeHead(404).end('{}');
    if (id === undefined) return response.writeHead(202).end();
    const text = JSON.stringify(result).replaceAll('tracking://', 'acme://');
    const answers: Record<string, unknown> = {
      initialize: { ...INITIALIZED, capabilities: { tools: {}, resources: {} } },
      'resources/templates/list': JSON.parse(text),
      'resources/read': { contents: [{ uri: params?.uri, mimeType: 'text/markdown', text: `# ${params?.uri}` }] },
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? {} }));
  });
  const mcp = await connected({ mcpUrl: `${server.origin}/mcp` }, { validation: 'strict' });
  expect(await mcp.containerSummary(ID)).toBe(`# acme://container/${ID}`);
});
