import { defineConfig } from 'tsup';

/** The public entries; `package.json` exports the same names. */
const entries = {
  index: 'src/index.ts',
  schemas: 'src/schemas/index.ts',
  webhooks: 'src/webhooks/index.ts',
  'webhooks/sqlite': 'src/node/sqlite-inbox.ts',
  sandbox: 'src/sandbox/index.ts',
  'sandbox/msw': 'src/sandbox/msw.ts',
  redis: 'src/redis/index.ts',
  bottleneck: 'src/bottleneck/index.ts',
};

export default defineConfig({
  entry: { ...entries, cli: 'src/cli/main.ts' },
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  // One class, one module: without it `instanceof` would differ between the entries.
  splitting: true,
  dts: { entry: entries },
  clean: true,
  // They are ESM only, and a CommonJS build that requires them breaks where Node cannot.
  // zod is none of them, but its module graph has every language of its messages, some 90 files of which a fraction is used:
  // to load them took 33 ms at the first answer that was checked. It stays a dependency for its types.
  noExternal: ['ky', 'p-retry', 'is-network-error', /^zod(\/|$)/],
});
