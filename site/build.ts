/**
 * Builds the documentation site into `site/dist`, or serves it while its pages are edited.
 *
 * node site/build.ts [--serve]
 *
 * `SITE_BASE` is the path that the site is served from, if it is not `/`: `SITE_BASE=/docs/ npm run docs`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeBoard } from './board.ts';
import { writeBundles } from './bundles.ts';
import { placeOf, withSiteLinks } from './links.ts';
import { writeReference } from './reference.ts';
import { filesBelow, pageGroups, ROOT, START_PAGE } from './sections.ts';
import { clearPages, markdownOf, PAGES, stagePages } from './stage.ts';
import { startJourney, writeStartPage } from './start-page.ts';

const HERE = import.meta.dirname;
const VITEPRESS = join(HERE, 'node_modules/vitepress/bin/vitepress.js');

clearPages();
stagePages();
await writeBundles(join(PAGES, 'public/try'));
await writeBoard(join(PAGES, 'public/board'));
const journey = await startJourney(join(HERE, '.journey'));
writeReference(PAGES, join(HERE, '.temp'));
writeStartPage(PAGES, await journey.printed);
if (process.argv.includes('--serve')) serve();
else build();

function build(): void {
  const { status } = spawnSync(process.execPath, [VITEPRESS, 'build', HERE], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  writeForAgents(join(HERE, 'dist'));
}

function serve(): void {
  watch(join(ROOT, 'docs'), { recursive: true }, stagePages);
  spawn(process.execPath, [VITEPRESS, 'dev', HERE], { stdio: 'inherit' }).on('exit', code => process.exit(code ?? 0));
}

/** Writes `llms.txt`, the Markdown files that it links to, and one file with all guides. */
function writeForAgents(site: string): void {
  const paths = pageGroups().flatMap(({ pages }) => pages.map(({ path }) => path));
  const others = [...filesBelow(ROOT, 'skills'), START_PAGE, 'CHANGELOG.md', 'SECURITY.md'];
  const index = readFileSync(join(ROOT, 'llms.txt'), 'utf8');
  write('llms.txt', withSiteLinks(index, 'llms.txt'));
  for (const path of [...paths, ...others]) write(placeOf(path) ?? path, markdownOf(path));
  for (const place of filesBelow(PAGES, 'examples')) write(place, readFileSync(join(PAGES, place), 'utf8'));
  const words = paths.filter(path => !path.startsWith('docs/reference/'));
  write('llms-full.txt', words.map(markdownOf).join('\n'));

  function write(place: string, text: string): void {
    const target = join(site, place);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}
