import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { linkTo, withSiteLinks } from './links.ts';
import { pageGroups, ROOT, START_PAGE } from './sections.ts';

/** The program that the first page of the site shows and runs. */
const JOURNEY = 'site/journey.ts';

/**
 * The picture of the board, as a link to the board. The link has a target, so that the browser, and not the router of
 * the site, opens the board.
 */
const BOARD = `[<picture><source media="(prefers-color-scheme: dark)" srcset="images/board-dark.png"><img src="images/board.png" \
alt="The live board: shipments, a timeline, a map, notifications and documents" width="1152"></picture>](/board/){target="_self"}`;

export interface Journey {
  /** Resolves to the lines of the output when the program has ended. */
  printed: Promise<string[]>;
}

/**
 * Starts the program in Node. The page shows this output until the program has run in the browser, or always if the
 * browser cannot run the program. The program takes half a minute. Meanwhile the build continues.
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

/**
 * Writes the first page: the journey, two parts of the readme (the list of reasons and the table of the parts), the
 * board, and links to the other pages.
 */
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
  const { reasons, choice } = partsOfReadme();
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

${reasons}

## Which one do I need?

${choice}

## A live board

${BOARD}

This example of the package shows shipments with their timelines and maps, and notifications as they arrive. [Open the
board](/board/){target="_self"}, or read [its source](../examples/board).

<div class="ways">

${ways}
</div>

See also the [examples](../examples), the [changelog](../CHANGELOG.md) and the page about [security](../SECURITY.md).
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.md'), withSiteLinks(page, START_PAGE));
}

/** The list of reasons, and the table of the parts. */
function partsOfReadme(): { reasons: string; choice: string } {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const reasons = /^- \*\*[\s\S]*?(?=\n\n## )/m.exec(readme)?.[0];
  const choice = /\n## Which one do I need\?\n\n([\s\S]*?)(?=\n## )/.exec(readme)?.[1];
  if (!reasons || !choice) throw new Error('README.md has no list of reasons, or no table of the parts.');
  return { reasons, choice: withSiteLinks(choice, 'README.md') };
}
