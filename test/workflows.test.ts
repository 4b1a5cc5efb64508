import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const runner = read('.ci/run');

test.each(globSync('.github/workflows/*.yml', { cwd: ROOT }))('%s pins each action by the hash of a commit', path => {
  const actions = [...read(path).matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40}$/);
});

test('the jobs of a pull request are the parts of .ci/run, except the part `all`', () => {
  const jobs = read('.github/workflows/ci.yml')
    .match(/part: \[(.+)\]/)?.[1]
    ?.split(', ');
  const parts = [...runner.matchAll(/^ {2}([a-z]+)\) /gm)].map(([, part]) => part);
  expect(parts).toEqual(['all', ...(jobs ?? [])]);
});

test('each script that .ci/run calls is in package.json', () => {
  const scripts = [...runner.matchAll(/\) run ([a-z: ]+?) (?:;;|&&)/g)].flatMap(([, names]) => names?.split(' '));
  expect(scripts).toContain('docs:check');
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(scripts));
});

test('.ci/run refuses an unknown part before it installs anything', () => {
  const { status, stderr } = spawnSync('bash', ['.ci/run', 'lint'], { cwd: ROOT, encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('check, unit, databases');
});
