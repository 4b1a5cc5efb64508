import { givenFor } from '../support/docs/given-names.ts';
import { type Page, pathsOfPages, readPage, type Snippet } from '../support/docs/pages.ts';
import { reasonNotToRun } from './runnable.ts';

/** The snippets of the hand-written pages, by the path of the page. */
const PAGES: ReadonlyMap<string, Page> = new Map(
  pathsOfPages()
    .filter(path => path !== 'README.md')
    .map(path => [path, readPage(path)]),
);
const SNIPPETS = [...PAGES.values()].flatMap(({ snippets }) => snippets);
const GIVEN = new Map(givenFor(SNIPPETS).map((given, index) => [SNIPPETS[index], given]));

/**
 * The Markdown of a page, with a `<Snippet>` around each fence. This component runs the code, or shows the reason why
 * the code cannot run.
 */
export function withRunButtons(markdown: string, path: string): string {
  const byLine = new Map(PAGES.get(path)?.snippets.map(snippet => [snippet.line - 1, snippet]));
  const lines = markdown.split('\n');
  let end = -1;
  return lines
    .flatMap((line, index) => {
      if (index === end) return [line, '', `${indentOf(line)}</Snippet>`, ''];
      const snippet = byLine.get(index);
      if (!snippet) return [line];
      end = lines.findIndex((other, at) => at > index && other.trim() === /`+/.exec(line)?.[0]);
      // For VitePress, the words after the language have another meaning.
      return ['', `${indentOf(line)}<Snippet ${attributesOf(snippet)}>`, '', line.replace(/(`+\w+).*/, '$1')];
    })
    .join('\n');
}

function attributesOf(snippet: Snippet): string {
  const given = GIVEN.get(snippet) ?? [];
  const reason = reasonNotToRun(snippet, given);
  if (reason) return `why-not=${JSON.stringify(reason.replaceAll('"', '&quot;'))}`;
  const modules = given.flatMap(({ module, names }) => {
    const values = names.filter(({ isType }) => !isType).map(({ name }) => name);
    const name = module.slice('support/docs/'.length, -'.ts'.length);
    return values.length ? `${name}:${values.join(',')}` : [];
  });
  return [...(modules.length ? [`given="${modules.join(' ')}"`] : []), ...(snippet.isEndless ? ['endless'] : [])].join(
    ' ',
  );
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? '';
}
