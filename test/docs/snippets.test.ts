import { beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../support/docs/check.ts';
import { nameOf, pathsOfPages, readPage } from '../../support/docs/pages.ts';
import { run } from '../../support/docs/run.ts';

const PAGES = pathsOfPages().map(readPage);
const snippets = PAGES.flatMap(page => page.snippets);
const named = snippets.map((snippet, index) => ({ name: nameOf(snippet), snippet, index }));

let complaints: string[][];
let outcomes: Awaited<ReturnType<typeof run>>;

beforeAll(async () => {
  const running = run(snippets);
  // The compiler blocks this process, so it starts after the first snippets, which run in other processes.
  complaints = check(snippets);
  outcomes = await running;
}, 300_000);

test('every fence has a known language, lines that fit its column, and a reason if it is not run', () => {
  expect(snippets.length).toBeGreaterThan(30);
  expect(PAGES.flatMap(page => page.complaints)).toEqual([]);
});

describe('the snippet compiles under strict:', () => {
  test.each(named.filter(({ snippet }) => snippet.isChecked))('$name', ({ index }) => {
    expect(complaints[index]).toEqual([]);
  });
});

describe('the snippet runs:', () => {
  test.each(named.filter(({ snippet }) => snippet.isRun))('$name', ({ snippet }) => {
    const { failure, output } = outcomes.get(snippet) ?? { failure: 'It was not run.', output: '' };
    expect(failure === undefined ? undefined : `${failure}\nIt has printed:\n${output}`).toBeUndefined();
  });
});
