import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '..');
const run = (command: string, args: string[]) => spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
const check = (...tag: string[]) => run(process.execPath, ['scripts/check-release.ts', ...tag]);

test('a tag with the version of the package may be released: the changelog has a section with a date for it', () => {
  expect(check(`v${manifest.version}`)).toMatchObject({ status: 0, stderr: '' });
});

test.each([[], [manifest.version], ['v99.0.0']])('the tag %s may not be released', (...tag) => {
  const { status, stderr } = check(...tag);
  expect(status).toBe(1);
  expect(stderr).toContain(`package.json has the version ${manifest.version}`);
});

test('npm corrects nothing in package.json when the package is published', () => {
  const { status, stderr } = run('npm', [
    'publish',
    '--dry-run',
    '--provenance',
    '--access',
    'public',
    '--ignore-scripts',
  ]);
  expect(status).toBe(0);
  expect(stderr).toContain(`${manifest.name}-${manifest.version}.tgz`);
  expect(stderr).not.toMatch(/auto-corrected|errors corrected/);
});

test('the changelog has a section for the next changes above the versions, and the newest version comes first', () => {
  const changelog = readFileSync(resolve(ROOT, 'CHANGELOG.md'), 'utf8');
  const headings = Array.from(changelog.matchAll(/^## \[(.+?)\]( - \d{4}-\d{2}-\d{2})?$/gm), ([, name]) => name);
  expect(headings.slice(0, 2)).toEqual(['Unreleased', manifest.version]);
});
