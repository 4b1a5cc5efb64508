import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ROOT } from '../../site/sections.ts';
import { pathsOfPages } from '../../support/docs/pages.ts';

const PAGE = `skills/${manifest.name}/SKILL.md`;

test('the skill is short, and has the words by which an agent finds it', () => {
  const text = readFileSync(join(ROOT, PAGE), 'utf8');
  const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const fields = new Map(Array.from(front.matchAll(/^(\w+): (.+)$/gm), ([, name, value]) => [name, value]));
  expect([...fields.keys()]).toEqual(['name', 'description']);
  expect(fields.get('name')).toBe(manifest.name);
  expect(fields.get('description')?.length).toBeLessThan(1024);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('the snippets of the skill are among the snippets that are compiled and run', () => {
  expect(pathsOfPages()).toContain(PAGE);
});
