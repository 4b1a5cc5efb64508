import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../support/mcp-ends-by-itself.ts');

test('1,000 calls leave no timer, listener or handle behind, and the process ends by itself', {
  timeout: 60_000,
}, async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 50_000 });
  const { before, after, warnings, waiting } = JSON.parse(stdout);
  expect({ ...after, warnings, waiting, stderr }).toEqual({ ...before, warnings: [], waiting: 0, stderr: '' });
});
