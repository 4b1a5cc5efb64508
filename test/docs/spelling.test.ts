import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const words = readFileSync(join(ROOT, 'words.txt'), 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'));

test('the dictionary is sorted and has each word once', () => {
  expect(words).toEqual([...new Set(words)].sort());
});

test('the dictionary has only words that are used', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'cspell.json'), 'utf8')) as { files: string[] };
  const paths = globSync(files, { cwd: ROOT, exclude: ['**/node_modules'] });
  const text = paths.map(path => readFileSync(join(ROOT, path), 'utf8').toLowerCase()).join('\n');
  expect(words.filter(word => !text.includes(word))).toEqual([]);
});
