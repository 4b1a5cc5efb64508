import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { linkTo, withSiteLinks } from './links.ts';
import { pageGroups, ROOT, START_PAGE } from './sections.ts';

/** The program that the first page of the site shows and runs. */
const JOURNEY = 'site/journey.ts';

export interface Journey {
  /** The lines of the output, when the program has ended. */
  printed: Promise<string[]>;
}

/**
 * Starts the program in Node. The page shows its output until the program has run in the browser, and if it cannot run there.
 * The program takes half a minute, during which the build continues.
 */
export async function startJourney(folder: string): Promise<Journey> {
  const outfile = join(folder, 'journey.mjs');
  await build({ absWorkingDir: ROOT, entryPoints: [JOURNEY], bundle: true, format: 'esm', platform: 'node', outfile });
  const { stdout } = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
  const printed = text(stdout).then(output => {
    const lines = output.trim().split('\n');
    if (lines.length < 10) throw new Error(`${JOURNEY} has printed ${lines.length} lines, which are too few.`);
    return lines;
  });
  return { printed };
}

/** Writes the first page: the journey, and links to the next pages. */
export function writeStartPage(folder: string, journey: readonly string[]): void {
  const { name, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, string>;
  const [first] = pageGroups()[0]?.pages ?? [];
  const actions = [
    ...(first ? [{ theme: 'brand', text: first.title, link: linkTo(first.path) }] : []),
    { theme: 'alt', text: 'Every public name', link: '/api/' },
  ];
  const matter = { layout: 'home', title: name, hero: { name, tagline: description, actions } };
  const code = readFileSync(join(ROOT, JOURNEY), 'utf8').trimEnd();
  const steps = JSON.stringify(journey).replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  const ways = pageGroups()
    .map(({ title, pages }) => {
      const links = pages.map(page => `- [${page.title}](${page.path.replace(/^docs\//, '')})`);
      return `<div>\n\n## ${title}\n\n${links.join('\n')}\n\n</div>\n`;
    })
    .join('\n');
  const page = `---
${JSON.stringify(matter)}
---

<Journey :steps='${steps}'>

\`\`\`ts
${code}
\`\`\`

</Journey>

\`\`\`sh
npm install ${name}
\`\`\`

<div class="ways">

${ways}
</div>

See also the [examples](../examples), the [changelog](../CHANGELOG.md) and the page about [security](../SECURITY.md).
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.md'), withSiteLinks(page, START_PAGE));
}
