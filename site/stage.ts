import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { placeOf, withSiteLinks } from './links.ts';
import { filesBelow, ROOT, START_PAGE } from './sections.ts';
import { withRunButtons } from './snippets.ts';

/**
 * The folder that VitePress reads. Its files are copies: the pages of `docs/` themselves are not changed.
 */
export const PAGES = join(import.meta.dirname, '.pages');

const BOARD = 'examples/board';
/**
 * The site contains the board. The link has a target, so that the browser, and not the router of the site, opens the
 * board.
 */
const OPEN_BOARD =
  '**[Open the board](/board/){target="_self"}**: it runs in your browser, with the sandbox in its page.\n\n';

const IMAGES = new Set(['.png', '.svg', '.jpg', '.webp']);
const SOURCES = new Set(['.ts', '.tsx', '.mts', '.js', '.mjs', '.html', '.css', '.json', '.md', '.toml']);

/** Copies the files of the site to {@link PAGES}. Does not change the reference and the first page in that folder. */
export function stagePages(): void {
  for (const path of [...filesBelow(ROOT, 'docs'), ...filesBelow(ROOT, 'skills')]) stage(path);
  stage('CHANGELOG.md');
  stage('SECURITY.md');
  stageExamples();
  copy('src/sandbox/page/browser/icon.svg', 'public/icon.svg');
}

/** Removes the files of an earlier build. */
export function clearPages(): void {
  rmSync(PAGES, { recursive: true, force: true });
}

function stage(path: string): void {
  const place = placeOf(path);
  if (!place) throw new Error(`${path} has no place on the site.`);
  if (place.startsWith('api/')) return;
  if (path === START_PAGE) return;
  if (extname(path) === '.md') write(place, withRunButtons(markdownOf(path), path));
  // VitePress bundles images with the pages that show them, and serves other files unchanged.
  else copy(path, IMAGES.has(extname(path)) ? place : `public/${place}`);
}

/** A page of the package, with links that work on the site, and without the markers of measured figures. */
export function markdownOf(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8').replace(/<!-- \/?figure.*?-->/g, '');
  return withSiteLinks(text, path);
}

/** Each file or folder of `examples/` is a page that shows its sources. */
function stageExamples(): void {
  const files = new Map<string, string[]>();
  for (const path of filesBelow(ROOT, 'examples')) {
    const place = placeOf(path);
    if (place && SOURCES.has(extname(path)) && basename(path) !== 'package-lock.json') {
      files.set(place, [...(files.get(place) ?? []), path]);
    }
  }
  const titles = [...files].map(([place, paths]) => {
    const name = paths[0]?.split('/').slice(0, 2).join('/') ?? place;
    const readme = paths.find(path => path === `${name}/README.md`);
    const introduction = readme ? `${markdownOf(readme).replace(/^# .+\n/, '')}\n` : '';
    const sources = paths.filter(path => path !== readme).map(path => sourceOf(path, paths.length > 1));
    write(place, `# ${name}\n\n${name === BOARD ? OPEN_BOARD : ''}${introduction}${sources.join('\n')}`);
    return `- [${name}](./${basename(place)})`;
  });
  write('examples/index.md', `# Examples\n\nPrograms to copy. They are in the package too.\n\n${titles.join('\n')}\n`);
}

function sourceOf(path: string, isOneOfMany: boolean): string {
  const text = readFileSync(join(ROOT, path), 'utf8').trimEnd();
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length + 1)));
  const block = `${fence}${extname(path).slice(1)}\n${text}\n${fence}\n`;
  return isOneOfMany ? `::: details ${path.split('/').slice(2).join('/')}\n${block}:::\n` : block;
}

function copy(path: string, place: string): void {
  const target = join(PAGES, place);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(ROOT, path), target);
}

function write(place: string, text: string): void {
  const target = join(PAGES, place);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}
