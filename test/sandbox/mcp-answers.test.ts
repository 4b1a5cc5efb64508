import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkToolResult } from '../../src/schemas/tool-results.ts';
import { httpPeer } from '../../support/mcp-peer.ts';
import { accountStates, callAll, sandboxIn } from '../../support/mcp-states.ts';

test("every answer of the sandbox's endpoint fits the schema of our client, in every state of the account", {
  timeout: 60_000,
}, async () => {
  const answered = new Set<string>();
  await fc.assert(
    fc.asyncProperty(accountStates, async state => {
      const { sandbox, numbers } = await sandboxIn(state);
      const peer = httpPeer(request => sandbox.fetch(request), { url: 'https://service.example/mcp' });
      await callAll(peer, numbers, (name, { isError, structuredContent }) => {
        if (isError) return expect(structuredContent).toBeUndefined();
        answered.add(name);
        expect({ [name]: checkToolResult(name, structuredContent) }).toEqual({ [name]: [] });
      });
    }),
    { numRuns: 25 },
  );
  expect(answered.size).toBe(10);
});
