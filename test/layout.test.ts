import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** The relative imports of the files of a folder, and the files in their `new URL` expressions. */
function importsOf(folder: string): { from: string; to: string }[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter(file => file.endsWith('.ts') && !file.includes('node_modules'))
    .map(file => join(folder, file))
    .flatMap(from =>
      Array.from(
        readFileSync(join(ROOT, from), 'utf8').matchAll(/(?:\bfrom |\bimport\(?|\bnew URL\()\s*['"](\.[^'"]+)['"]/g),
        ([, target = '']) => ({ from, to: relative(ROOT, resolve(ROOT, dirname(from), target)) }),
      ),
    );
}

test.each([
  ['test', 'bench'],
  ['bench', 'test'],
  ['support', 'test'],
  ['support', 'bench'],
])('no file in %s/ imports from %s/: shared code is in support/', (folder, other) => {
  const imports = importsOf(folder);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter(({ to }) => to.startsWith(`${other}/`))).toEqual([]);
});

test('test/ has no folder of helpers: the helpers are in support/', () => {
  expect(['test/support', 'test/fixtures'].filter(folder => existsSync(join(ROOT, folder)))).toEqual([]);
});
