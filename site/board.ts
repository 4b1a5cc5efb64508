import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { entries } from '../scripts/entries.ts';
import { ROOT } from './sections.ts';

const BOARD = 'examples/board';
const PACKAGE = 'container-tracking-sdk';

/**
 * Writes the board of the examples. The page of the board contains the sandbox. The page of the board has a stricter
 * policy than the other pages of the site.
 */
export async function writeBoard(folder: string): Promise<void> {
  const sources = Object.entries(entries).map(([name, path]) => [
    name === 'index' ? PACKAGE : `${PACKAGE}/${name}`,
    path,
  ]);
  await build({
    absWorkingDir: ROOT,
    entryPoints: { board: `${BOARD}/src/main.ts`, style: `${BOARD}/src/style/board.css` },
    outdir: folder,
    alias: Object.fromEntries(sources.map(([name, path]) => [name, join(ROOT, path ?? '')])),
    define: { 'import.meta.env.MODE': '"production"' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
  });
  const page = readFileSync(join(ROOT, BOARD, 'index.html'), 'utf8');
  const built = page
    .replace('./src/main.ts', './board.js')
    .replace('./src/style/board.css', './style.css')
    .replace('<div class="clock">', `<a href="../">Docs</a>\n      $&`);
  writeFileSync(join(folder, 'index.html'), built);
  // A service worker controls only its own folder.
  const worker = 'mockServiceWorker.js';
  copyFileSync(createRequire(import.meta.url).resolve(`msw/${worker}`), join(folder, worker));
}
