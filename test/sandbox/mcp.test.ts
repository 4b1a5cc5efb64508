import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { stillSandbox } from '../../support/sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any property of a body
type Body = any;

interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

async function post(sandbox: Sandbox, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await sandbox.fetch('http://service.example/mcp', {
    method: 'POST',
    headers: { authorization: 'Token sandbox', 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const callTool = (name: string, args: object) => rpc('tools/call', { name, arguments: args });
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

test('the endpoint supports the newest revision without a handshake, and older revisions with a handshake', async () => {
  const sandbox = stillSandbox();
  const { body } = await post(sandbox, rpc('server/discover', { _meta: META }), {
    'mcp-protocol-version': '2026-07-28',
  });
  expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
  expect(body.result.supportedVersions).toContain('2025-11-25');
  for (const [asked, given] of [
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    const answer = await post(sandbox, rpc('initialize', { protocolVersion: asked, capabilities: {} }));
    expect(answer.body.result.protocolVersion).toBe(given);
    expect(answer.body.result).not.toHaveProperty('resultType');
  }
  expect(await post(sandbox, { jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({ status: 202 });
});

test('the endpoint refuses messages that do not follow the protocol, with the errors of the protocol', async () => {
  const sandbox = stillSandbox();
  expect(await post(sandbox, '{')).toMatchObject({ status: 400, body: { id: null, error: { code: -32700 } } });
  expect(await post(sandbox, [1])).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
  expect(await post(sandbox, rpc('no/such'))).toMatchObject({ status: 200, body: { id: 1, error: { code: -32601 } } });
  expect(await post(sandbox, rpc('ping'), { 'mcp-protocol-version': '2031-01-01' })).toMatchObject({
    status: 400,
    body: { error: { code: -32022, data: { supported: expect.arrayContaining(['2026-07-28']) } } },
  });
  expect(await post(sandbox, rpc('ping', { _meta: META }), { 'mcp-protocol-version': '2025-11-25' })).toMatchObject({
    status: 400,
    body: { error: { code: -32020 } },
  });
  expect(await post(sandbox, callTool('get_container', { id: 'x' }))).toMatchObject({
    body: { error: { code: -32602 } },
  });
  const get = await sandbox.fetch('http://service.example/mcp', { headers: { authorization: 'Token sandbox' } });
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
});

test('the endpoint sends the sign-in address to a caller whose credential is missing, wrong or has the wrong scheme', async () => {
  const sandbox = stillSandbox();
  for (const authorization of ['', 'Token wrong', 'Bearer sandbox', 'Basic sandbox']) {
    const { status, headers, body } = await post(sandbox, rpc('ping'), { authorization });
    expect([status, body.error]).toEqual([401, 'Unauthorized']);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="mcp", resource_metadata="http://service.example/.well-known/oauth-protected-resource"',
    );
  }
});

test('the rate limit counts the requests of a key to the REST API and to the MCP endpoint together', async () => {
  const sandbox = stillSandbox({ rateLimit: { windowMs: 60_000, limits: { default: 2 } } });
  await post(sandbox, rpc('ping'));
  await sandbox.fetch('http://service.example/v2/shipping_lines', { headers: { authorization: 'Token sandbox' } });
  const { status, headers } = await post(sandbox, rpc('ping'));
  expect([status, headers.get('retry-after')]).toEqual([429, '60']);
});

describe('an unknown id', () => {
  const id = '11111111-1111-4111-8111-111111111111';

  test.each(['get_container', 'get_shipment_details', 'get_container_transport_events'])(
    'of %s is reported as not found in editions that give reasons',
    async name => {
      const { body } = await post(stillSandbox({ mcpEdition: '2026-10' }), callTool(name, { id }));
      expect(body.result).toEqual({
        isError: true,
        content: [{ type: 'text', text: `Nothing was found for the id ${id}.` }],
      });
      const older = await post(stillSandbox(), callTool(name, { id }));
      expect(older.body.result).toEqual({
        isError: true,
        content: [{ type: 'text', text: `The tool ${name} has failed. Try again later.` }],
      });
    },
  );
});

describe('tools', () => {
  test('are read-only, except track_container', async () => {
    const { body } = await post(stillSandbox(), rpc('tools/list'));
    const writing = body.result.tools.filter((tool: Body) => tool.annotations.readOnlyHint !== true);
    expect(writing.map(({ name }: Body) => name)).toEqual(['track_container']);
    expect(body.result.tools).toHaveLength(10);
  });

  test('ignore an unknown argument, as in the service', async () => {
    const { body } = await post(stillSandbox(), callTool('list_shipments', { limit: 3 }));
    expect(body.result.structuredContent.items).toEqual([]);
  });

  test('fail if the plan of the account refuses their REST calls, but the list of tools still works', async () => {
    const sandbox = stillSandbox();
    const isError = async () => (await post(sandbox, callTool('list_shipments', {}))).body.result.isError ?? false;
    expect(await isError()).toBe(false);
    for (const plan of ['free_plan', 'locked'] as const) {
      sandbox.account().settings.plan = plan;
      expect(await isError()).toBe(true);
      expect((await post(sandbox, rpc('tools/list'))).body.result.tools).toHaveLength(10);
    }
  });

  test('report a failure without details of the REST call that the tool makes', async () => {
    const { body } = await post(stillSandbox(), callTool('track_container', { number: '-' }));
    expect(body.result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    expect(body.result).not.toHaveProperty('structuredContent');
    expect(JSON.stringify(body)).not.toMatch(/422|service\.example|sandbox/);
  });

  test('also return the result as text, without `_response_contract`, and return hints in the last block', async () => {
    const sandbox = stillSandbox();
    sandbox.seedShipments(2);
    const { body } = await post(sandbox, callTool('list_containers', { page_size: 1000 }));
    const { content, structuredContent } = body.result;
    const { _response_contract: contract, ...result } = structuredContent;
    expect(JSON.parse(content[0].text)).toEqual(result);
    expect(content.at(-1).annotations).toEqual({ audience: ['assistant'] });
    expect(contract.total_is_reliable).toBe(true);
    expect(content).toHaveLength(2 + result.items.length);
  });

  test('compute the urgency of a last free day from calendar days at the port', async () => {
    const sandbox = stillSandbox();
    const [shipment] = sandbox.seedShipments(1, { phase: 'available' });
    const id = shipment?.containers[0]?.id;
    const { body } = await post(sandbox, callTool('get_container', { id }));
    const { demurrage } = body.result.structuredContent;
    const { pickup_lfd, days_until_lfd, urgency, urgency_suppressed } = demurrage;
    if (pickup_lfd === null) expect([days_until_lfd, urgency]).toEqual([null, 'unknown']);
    else if (!urgency_suppressed) {
      expect(urgency).toBe(days_until_lfd < 0 ? 'overdue' : days_until_lfd <= 3 ? 'imminent' : 'none');
    }
    sandbox.advance({ days: 200 });
    const later = await post(sandbox, callTool('get_container', { id }));
    expect(later.body.result.structuredContent.demurrage).toMatchObject({
      urgency: 'unknown',
      urgency_suppressed: true,
    });
  });
});

test('a fault applies to the MCP endpoint in the same way as to any other endpoint', async () => {
  const sandbox = stillSandbox();
  sandbox.fail({ match: { path: '/mcp' }, status: 503, retryAfter: 2 });
  const { status, headers } = await post(sandbox, rpc('ping'));
  expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  expect((await post(sandbox, rpc('ping'))).status).toBe(200);
});

test('two sandboxes with the same seed give the same responses', async () => {
  const answers = await Promise.all(
    [1, 2].map(async () => {
      const sandbox = stillSandbox({ seed: 7 });
      sandbox.seedShipments(3);
      return JSON.stringify((await post(sandbox, callTool('list_containers', {}))).body);
    }),
  );
  expect(answers[0]).toBe(answers[1]);
});
