import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MCP_EDITIONS } from '../../src/sandbox/mcp/editions.ts';
import { checkToolResult } from '../../src/schemas/tool-results.ts';
import { httpPeer } from '../../support/mcp-peer.ts';
import { accountStates, callAll, sandboxIn } from '../../support/mcp-states.ts';

/** Arguments for the earlier editions, which drop unknown arguments. */
const LISTS = { containers: { include: 'transport_events' }, shipments: { include_containers: true, status: 'x' } };
/** Arguments for the later editions, which refuse unknown arguments. */
const STRICT_LISTS = { containers: { include: ['shipment', 'pod_terminal'] }, shipments: { include_containers: true } };

test.each(MCP_EDITIONS)(
  'in every state of an account, every response of the MCP endpoint fits the schema of the client: %s',
  {
    timeout: 60_000,
  },
  async mcpEdition => {
    const answered = new Set<string>();
    const isStrict = mcpEdition === '2026-10' || mcpEdition === '2026-11';
    await fc.assert(
      fc.asyncProperty(accountStates, async state => {
        const { sandbox, numbers } = await sandboxIn(state, { mcpEdition });
        const peer = httpPeer(request => sandbox.fetch(request), { url: 'https://service.example/mcp' });
        const check: Parameters<typeof callAll>[2] = (name, { isError, structuredContent }) => {
          if (isError) return expect(structuredContent).toBeUndefined();
          answered.add(name);
          expect({ [name]: checkToolResult(name, structuredContent) }).toEqual({ [name]: [] });
        };
        await callAll(peer, numbers, check, isStrict ? STRICT_LISTS : LISTS);
      }),
      { numRuns: 10 },
    );
    expect(answered.size).toBeGreaterThanOrEqual(10);
  },
);
