import { beforeAll, expect, test } from 'vitest';
import { readPage } from '../../support/docs/pages.ts';
import { run } from '../../support/docs/run.ts';

const { snippets } = readPage('docs/guides/from-camel-case.md');
const headings = [...new Set(snippets.map(({ heading }) => heading))];

let outcomes: Awaited<ReturnType<typeof run>>;

beforeAll(async () => {
  outcomes = await run(snippets);
}, 60_000);

test('the page has five programs in both styles', () => {
  expect(headings).toHaveLength(5);
});

test.each(headings)('both programs have the same output: %s', heading => {
  const [before, after] = snippets
    .filter(snippet => snippet.heading === heading)
    .map(snippet => outcomes.get(snippet) ?? { failure: 'It was not run.', output: '' });

  expect([before?.failure, after?.failure]).toEqual([undefined, undefined]);
  expect(before?.output).not.toBe('');
  expect(after?.output).toBe(before?.output);
});
