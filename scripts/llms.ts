/**
 * Writes the two tables of contents of the documentation, from the pages themselves: `docs/README.md` for people, and
 * `llms.txt` for programs that read documentation (llmstxt.org). A test compares them with the pages.
 *
 * node scripts/llms.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { filesBelow, type Page, pageGroups, ROOT, START_PAGE } from '../site/sections.ts';

const LLMS = 'llms.txt';

/** The text of each file that this script writes, by its path. */
export function tablesOfContents(root = ROOT): Record<string, string> {
  return { [START_PAGE]: startPage(root), [LLMS]: llms(root) };
}

function startPage(root: string): string {
  const sections = pageGroups(root).map(({ title, pages }) => {
    const rows = pages.map(page => `| [${page.title}](${relative('docs', page.path)}) | ${summaryOf(root, page)} |`);
    return `## ${title}\n\n| Page | Content |\n|---|---|\n${rows.join('\n')}\n`;
  });
  return `# ${manifest.name}

${manifest.description}

\`\`\`sh
npm install ${manifest.name}
\`\`\`

${sections.join('\n')}
See also the [examples](../examples), the [changelog](../CHANGELOG.md) and the page about [security](../SECURITY.md).
`;
}

function llms(root: string): string {
  const sections = pageGroups(root).map(
    ({ title, pages }) => `## ${title}\n\n${pages.map(page => line(root, page)).join('\n')}\n`,
  );
  const examples = filesBelow(root, 'examples').filter(path =>
    /^examples\/(?:[^/]+|upload-form\/form)\.ts$/.test(path),
  );
  return `# ${manifest.name}

> ${manifest.description}

Install it with \`npm install ${manifest.name}\`. Node ${manifest.engines.node.replace('>=', '')} or newer, Bun, Deno, Workers and
browsers. Every file that is listed here is in the package. No key is needed to try it: \`container-tracking-sdk/sandbox\`
emulates the service.

- [How to use this SDK, for coding agents](skills/${manifest.name}/SKILL.md): the main jobs, and what not to do

${sections.join('\n')}
## Examples

${examples.map(path => `- [${path}](${path})`).join('\n')}

## Optional

- [README](README.md): the overview
- [Changelog](CHANGELOG.md)
- [Security](SECURITY.md)
`;
}

function line(root: string, page: Page): string {
  const summary = summaryOf(root, page);
  return `- [${page.title}](${page.path})${summary && `: ${summary}`}`;
}

/** The first sentence of a page, or its headings if it begins with a heading. Links are left out, since their base differs. */
function summaryOf(root: string, { path }: Page): string {
  const text = readFileSync(join(root, path), 'utf8');
  const [, first = ''] = text.split(/\n{2,}/);
  if (!/^[\p{L}`[*]/u.test(first))
    return Array.from(text.matchAll(/^## (.+)$/gm), ([, heading]) => heading).join(' · ');
  const plain = first
    .replaceAll('\n', ' ')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '');
  const sentence = /^.*?\.(?=\s|$)/.exec(plain)?.[0] ?? plain;
  // Guides begin with "After this page, you can …". A list does not need these words.
  return sentence.replace(/^After this page,? (?:you can )?(.)/, (_, letter: string) => letter.toUpperCase());
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(tablesOfContents())) writeFileSync(join(ROOT, path), text);
}
