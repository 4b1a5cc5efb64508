import { expect, onTestFinished, test } from 'vitest';
import { createMcpHandler } from '../../src/mcp-server/index.ts';
import { httpPeer, type Json } from '../../support/mcp-peer.ts';
import { stillSandbox } from '../../support/sandbox.ts';

/** All texts with which a server describes itself, and the results of an empty account. */
async function textsOf(readOnly: boolean): Promise<string> {
  const sandbox = stillSandbox();
  const client = { baseUrl: 'https://service.example/v2', logger: false, fetch: sandbox.fetch } as const;
  const handler = createMcpHandler({ client, readOnly });
  onTestFinished(() => handler.close());
  const peer = httpPeer(handler.fetch);
  const clientInfo = { name: 'test', version: '1' };
  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const texts: Json[] = [await peer.request('initialize', initialize)];
  const { tools } = await peer.request('tools/list');
  texts.push(tools);
  const { resources } = await peer.request('resources/list');
  for (const { uri } of resources) texts.push(await peer.request('resources/read', { uri }));
  const { prompts } = await peer.request('prompts/list');
  texts.push(prompts);
  for (const prompt of prompts) {
    const args = Object.fromEntries(prompt.arguments.map((argument: Json) => [argument.name, 'MSCU1234566']));
    texts.push(await peer.request('prompts/get', { name: prompt.name, arguments: args }));
  }
  const required = { query: 'X', id: 'X', group_by: 'current_status' };
  for (const { name, inputSchema } of tools) {
    if (name === 'track_container') continue;
    const args = Object.entries(required).filter(([argument]) => argument in inputSchema.properties);
    texts.push(await peer.call(name, Object.fromEntries(args)));
  }
  return JSON.stringify(texts);
}

test('a read-only server does not mention a tool that it does not have', async () => {
  expect(await textsOf(true)).not.toMatch(/track_container|start(s)? to track/i);
});

test('a server that can write suggests track_container if nothing is found', async () => {
  expect(await textsOf(false)).toMatch(/track_container starts to track a number/);
});
