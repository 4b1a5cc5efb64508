import { defineConfig } from 'tsdown';
import { licenses, ownHelpers, ownSourcesOnly, pure } from './scripts/build-plugins.ts';
import { chunkGroups } from './scripts/chunks.ts';
import { aliasGlobalTypes, referToMainEntry } from './scripts/declarations.ts';
import { entries } from './scripts/entries.ts';

/** Each entry as an ECMAScript and a CommonJS module, with its declarations. */
export default defineConfig({
  entry: entries,
  format: {
    // Nobody requires the command.
    esm: { entry: { ...entries, cli: 'src/cli/main.ts' }, sourcemap: true },
    cjs: {},
  },
  platform: 'neutral',
  target: 'es2022',
  hash: false,
  dts: { entry: Object.values(entries), sourcemap: false },
  deps: {
    neverBundle: [/^node:/],
    // A dependency for its types only: to load its whole module graph took 33 ms.
    alwaysBundle: ['zod/mini'],
    // Small, or ECMAScript modules only, which CommonJS cannot require in every Node.
    onlyBundle: ['ky', 'p-retry', 'is-network-error', 'zod', 'ipaddr.js', 'csv-parse', 'get-east-asian-width'],
    dts: { alwaysBundle: [], neverBundle: true },
  },
  // As package.json says: what nobody uses has no effects.
  treeshake: { moduleSideEffects: false },
  plugins: [ownHelpers, pure, ownSourcesOnly, licenses],
  inputOptions: {
    // As `package.json` of ipaddr.js names its file.
    resolve: { mainFields: ['main'] },
    // No entry exports what only the command takes from it.
    preserveEntrySignatures: 'strict',
  },
  outputOptions: (options, format) => ({
    ...options,
    chunkFileNames: `chunks/[name].${format === 'cjs' ? 'cjs' : 'js'}`,
    comments: { legal: false, jsdoc: false, annotation: true },
    codeSplitting: { groups: chunkGroups },
    // Under names that nobody takes for files of the package.
    sourcemapPathTransform: path => `container-tracking-sdk:///${path.replace(/^(\.\.\/)+|\?own$/g, '')}`,
  }),
  logLevel: 'warn',
  failOnWarn: true,
  checks: { legacyCjs: false, bundlerTimings: false },
  hooks: {
    'build:done': ({ options }) => {
      aliasGlobalTypes(options.outDir);
      referToMainEntry(options.outDir, Object.keys(entries));
    },
  },
});
