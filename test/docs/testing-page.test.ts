import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A project of a reader, in which only the package and the test tools are installed. */
function project(): string {
  // The tests of the page use the build.
  expect(existsSync(join(ROOT, 'dist/index.js')), 'npm run build').toBe(true);
  const folder = mkdtempSync(join(tmpdir(), 'testing-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(ROOT, join(modules, 'container-tracking-sdk'));
  for (const name of ['vitest', 'msw']) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  return folder;
}

// The limit is only for a test that never ends. A slow test on a busy machine must not fail.
test('the test files on the page about testing pass in a project of a reader', { timeout: 300_000 }, async () => {
  const page = readFileSync(join(ROOT, 'docs/guides/testing.md'), 'utf8');
  const files = Array.from(page.matchAll(/^```ts.*\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  expect(files.length).toBeGreaterThanOrEqual(6);
  const folder = project();
  for (const [index, code] of files.entries()) writeFileSync(join(folder, `page-${index}.test.ts`), code);
  const report = join(folder, 'report.json');
  const options = [
    'run',
    '--root',
    folder,
    '--maxWorkers=1',
    '--testTimeout=60000',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...options];
  // The report also has the tests that fail.
  const ended = await run(process.execPath, vitest, { cwd: folder, env }).catch(error => error);
  expect(existsSync(report), `${ended.stdout}${ended.stderr}`).toBe(true);
  const { testResults, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  const failures = testResults.filter((file: { status: string }) => file.status !== 'passed');
  expect(failures).toEqual([]);
  expect(numFailedTests).toBe(0);
  // Each file has a test.
  expect(numPassedTests).toBeGreaterThanOrEqual(files.length);
});
