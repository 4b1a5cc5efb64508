import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionError, TimeoutError } from '../../src/index.ts';
import { connectMcp, type McpClient, type McpStdioOptions } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';

const PROGRAM = resolve(import.meta.dirname, 'stdio.worker.ts');
const KEY = 'k3y-Zq81-never-printed';

async function started(mode = 'serve', options: Partial<McpStdioOptions> = {}): Promise<McpClient> {
  const stdio = { command: process.execPath, args: [PROGRAM, mode], env: { TRACKING_API_KEY: KEY }, stderr: 'ignore' };
  const mcp = await connectMcp({ stdio, logger: false, ...options } as McpStdioOptions);
  onTestFinished(() => mcp.close());
  return mcp;
}

test('a program is started with the key in its environment, serves the same tools, and ends with close()', async () => {
  const mcp = await started();
  expect(mcp.protocolVersion).toBe('2026-07-28');
  expect(await mcp.listTools()).toHaveLength(10);
  expect((await mcp.getSupportedShippingLines({ search: 'MAEU' })).total_lines).toBe(1);
  expect(await rejection(mcp.getContainer({ id: '11111111-1111-4111-8111-111111111111' }))).toMatchObject({
    code: 'tool_failed',
  });
  const under = rejection(mcp.call('stall'));
  await mcp.close();
  expect(await under).toBeInstanceOf(ConnectionError);
});

test('a call ends when its signal aborts, and at its time limits', async () => {
  const mcp = await started();
  const late = await rejection(mcp.call('stall', {}, { timeout: 40 }));
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late).toMatchObject({ code: 'timeout', limitMs: 40 });
  expect(await rejection(mcp.call('stall', {}, { deadline: 40 }))).toMatchObject({ code: 'deadline' });
  const controller = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 20);
  expect(await rejection(mcp.call('stall', {}, { signal: controller.signal }))).toBe(reason);
  expect(await mcp.listTools()).toHaveLength(10);
});

test('a program that ends, or that does not exist, causes a ConnectionError that does not show the key', async () => {
  const mcp = await started();
  const error = await rejection(mcp.call('end'));
  expect(error).toBeInstanceOf(ConnectionError);
  const missing = await rejection(connectMcp({ stdio: { command: 'no-such-program-7', env: { KEY } }, logger: false }));
  expect(missing).toBeInstanceOf(ConnectionError);
  expect(`${JSON.stringify(error)} ${String(missing)}`).not.toContain(KEY);
});

test('an error names the program, but not its folder or its arguments', async () => {
  const mcp = await started();
  const stdio = { command: '/opt/hidden-folder/no-such-program', args: ['--token', 'hidden-argument'] };
  const errors = [
    await rejection(mcp.call('no_such_tool')),
    await rejection(mcp.call('stall', {}, { timeout: 20 })),
    await rejection(mcp.call('end')),
    await rejection(connectMcp({ stdio, logger: false })),
  ];
  for (const error of errors) {
    expect(inspect(error, { depth: 9, showHidden: true }).split('\n    at ')[0]).not.toMatch(/hidden-|stdio\.worker/);
    expect(JSON.stringify(error)).not.toMatch(/hidden-|stdio\.worker/);
  }
  expect(errors[0]).toMatchObject({ message: expect.stringMatching(/^stdio node: /) });
  expect(errors[3]).toMatchObject({ message: expect.stringMatching(/^stdio no-such-program: spawn .*ENOENT/) });
});
