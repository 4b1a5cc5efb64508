import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const folders = '{src,test,support,scripts,examples,site,bench,conformance,runtimes}';
const files = globSync(`${folders}/**/*.{ts,tsx}`, { cwd: ROOT }).filter(
  path => !/node_modules|\/dist\/|\.d\.ts$/.test(path),
);

/** The comments of a source, without their marks. Lines that follow each other are one comment. */
function commentsOf(source: string): string[] {
  const found = source.matchAll(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm);
  return [...found].map(([comment]) => comment.replace(/^[ \t]*(?:\/\*\*?|\*\/?|\/\/) ?|\*\/$/gm, '').trim());
}

const comments = files.flatMap(path =>
  commentsOf(readFileSync(join(ROOT, path), 'utf8')).map(text => ({ path, text })),
);

function share(pattern: RegExp): { share: number; examples: string[] } {
  const hits = comments.filter(({ text }) => pattern.test(text));
  return {
    share: hits.length / comments.length,
    examples: hits.slice(0, 20).map(({ path, text }) => `${path}: ${text}`),
  };
}

test('the comments of the sources are found', () => {
  expect(comments.length).toBeGreaterThan(5000);
});

test('at most 1.5 % of the comments begin with a question word', () => {
  const { share: found, examples } = share(/^(?:What|How|Who|Whose|Whether|Where|Which)\b/);
  expect(found, examples.join('\n')).toBeLessThanOrEqual(0.015);
});

test('at most 1 % of the comments have a form of "tell" or "ask", or the words "is no"', () => {
  const { share: found, examples } = share(/\b(?:told|tells?|asked|asks?|is no)\b(?! longer)/);
  expect(found, examples.join('\n')).toBeLessThanOrEqual(0.01);
});
