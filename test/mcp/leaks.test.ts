import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { memoryTokenStore } from '../../src/mcp/index.ts';
import { connected, servedSandbox, signedIn } from '../../support/mcp.ts';

/** Handles that keep a process alive, except those of the test runner. */
function handles(): string[] {
  return process.getActiveResourcesInfo().filter(name => /Timeout|TCPServer/.test(name));
}

test('a thousand calls with one signal leave no listener, and the connection leaves no timer', {
  timeout: 60_000,
}, async () => {
  const { server } = await servedSandbox();
  const mcp = await connected(server);
  const { signal } = new AbortController();
  const before = handles().length;
  for (let batch = 0; batch < 50; batch += 1) {
    await Promise.all(Array.from({ length: 20 }, () => mcp.getSupportedShippingLines({ search: 'MAEU' }, { signal })));
  }
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
  await mcp.close();
  expect(handles().length).toBeLessThanOrEqual(before);
});

test('a sign-in leaves no server behind, even if it fails', async () => {
  const { server } = await servedSandbox();
  const servers = () => handles().filter(name => /TCPServer/.test(name)).length;
  const before = servers();
  const store = memoryTokenStore();
  await (await signedIn(server, { store })).close();
  await signedIn(server, { openBrowser: () => Promise.reject(new Error('no browser here')) }).catch(() => {});
  await signedIn(server, { openBrowser: () => {}, signInTimeout: 20 }).catch(() => {});
  expect(servers()).toBe(before);
});
