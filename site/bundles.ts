import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { ROOT } from './sections.ts';

const PACKAGE = 'container-tracking-sdk';
const GIVEN = 'support/docs';
const TRY = 'site/try';

/** The modules that snippets can import in the page, by their names. */
const MODULES: Record<string, string> = {
  [PACKAGE]: 'src/index.ts',
  [`${PACKAGE}/schemas`]: 'src/schemas/index.ts',
  [`${PACKAGE}/webhooks`]: 'src/webhooks/index.ts',
  [`${PACKAGE}/sandbox`]: `${TRY}/sandbox.ts`,
  zod: 'node_modules/zod/index.js',
  'zod/mini': 'node_modules/zod/mini/index.js',
};

export const MODULE_NAMES: readonly string[] = Object.keys(MODULES);

/** Writes the scripts that run snippets in the page. They are not loaded before the first run. */
export async function writeBundles(folder: string): Promise<void> {
  const given = globSync(`${GIVEN}/{given.ts,given/*.ts}`, { cwd: ROOT });
  const common = { absWorkingDir: ROOT, bundle: true, minify: true, format: 'esm', target: 'es2022' } as const;
  const { metafile } = await build({
    ...common,
    metafile: true,
    entryPoints: Object.fromEntries([
      ...Object.entries(MODULES),
      ...given.map(path => [path.slice(GIVEN.length + 1, -'.ts'.length), path]),
      ['worker', `${TRY}/worker.ts`],
    ]),
    outdir: folder,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'warning',
    // Keeps the names of classes for the errors of the page.
    keepNames: true,
    plugins: [inThePage],
  });
  // Not all browsers support modules as service workers.
  const entryPoints = { 'service-worker': `${TRY}/service-worker.ts` };
  const paths = Object.keys(metafile.outputs).map(path => relative(folder, join(ROOT, path)));
  const define = { MODULE_PATHS: JSON.stringify(paths) };
  await build({ ...common, entryPoints, outdir: folder, format: 'iife', define });
}

/** Replaces the surroundings in the modules of `support/docs/given` by the surroundings of the page. */
const inThePage: Plugin = {
  name: 'in the page',
  setup({ onResolve }) {
    onResolve({ filter: /(^|\/)surroundings\.ts$/ }, () => ({ path: join(ROOT, TRY, 'surroundings.ts') }));
    onResolve({ filter: /^container-tracking-sdk\/sandbox$/ }, () => ({ path: join(ROOT, TRY, 'sandbox.ts') }));
    onResolve({ filter: /^(redis|node:.*)$/ }, ({ importer }) =>
      importer.startsWith(join(ROOT, GIVEN)) ? { path: join(ROOT, TRY, 'absent.ts') } : undefined,
    );
  },
};
