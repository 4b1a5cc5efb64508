/** The recipes, the other files of a reader's project, and the command with which each framework builds them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tool } from '../support/packed.ts';
import { recoversAfterOutage } from './next-recovers.ts';

export interface Framework {
  /** The page with the files of the reader, unless it is the recipe with the name of the build. */
  page?: string;
  /** The heading of a variant: without this heading, its snippets are not written. */
  leavesOut?: string;
  /** The files that the framework itself requires, by path. */
  files: Record<string, string>;
  /** The arguments of the build, for the files of the recipe. */
  command(files: readonly string[]): string[];
  /** The files that the build may leave, in the root of the project. */
  output: string[];
  /** A check of the built project. Rejects if it fails. */
  check?(cwd: string): Promise<unknown>;
}

const NODE_MODULES = join(import.meta.dirname, 'node_modules');

const COMPILED: Framework = {
  files: {
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        module: 'nodenext',
        outDir: 'dist',
        rootDir: '.',
        strict: true,
        skipLibCheck: true,
        rewriteRelativeImportExtensions: true,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        types: ['node'],
      },
    }),
  },
  command: () => [tool('tsc')],
  output: ['dist'],
};

const BUNDLED_BY_BUN: Framework = {
  files: {},
  command: files => [tool('bun'), 'build', '--target=bun', '--outdir=dist', ...files],
  output: ['dist'],
};

const bundledByEsbuild = (...options: string[]): Framework => ({
  files: {},
  command: files => [tool('esbuild'), '--bundle', '--format=esm', '--outdir=dist', ...options, ...files],
  output: ['dist'],
});

const builtByNext = (options: Record<string, boolean>): Framework => ({
  files: {
    'app/layout.tsx': `import type { ReactNode } from 'react';
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
    // The folder above has our lock files, which Next.js would use as the lock files of the project.
    'next.config.mjs': `export default ${JSON.stringify({ ...options, turbopack: { root: join(import.meta.dirname, '..') } })};\n`,
  },
  command: () => [join(NODE_MODULES, '.bin/next'), 'build'],
  output: ['.next', 'next-env.d.ts', 'tsconfig.json'],
  check: recoversAfterOutage,
});

const builtByVite = (variant: Partial<Framework>): Framework => ({
  page: 'docs/guides/react.md',
  files: {
    'index.html': '<div id="root"></div><script type="module" src="/src/main.tsx"></script>\n',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'dom'],
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'react-jsx',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        types: [],
      },
      files: ['src/shipment.tsx'],
    }),
  },
  command: () => [join(NODE_MODULES, '.bin/vite'), 'build'],
  output: ['dist'],
  // Vite removes the types without checking them.
  check: cwd => promisify(execFile)(tool('tsc'), [], { cwd }),
  ...variant,
});

export const FRAMEWORKS: Record<string, Framework> = {
  // A new app has these options, an older one does not.
  nextjs: builtByNext({ cacheComponents: true, partialPrefetching: true }),
  'nextjs-without-cache-components': { ...builtByNext({}), page: 'docs/recipes/nextjs.md' },
  remix: {
    files: {
      'app/root.tsx': `import { Outlet, Scripts } from 'react-router';
export default function Root() {
  return <html lang="en"><body><Outlet /><Scripts /></body></html>;
}
`,
      'app/routes/home.tsx': 'export default function Home() { return <h1>Shipments</h1>; }\n',
      'app/routes.ts': `import { index, route } from '@react-router/dev/routes';
export default [
  index('routes/home.tsx'),
  route('shipments/:id', 'routes/shipments.$id.ts'),
  route('webhooks/tracking', 'routes/webhooks.tracking.ts'),
];
`,
      // To render a page, the build imports the server with all its routes.
      'react-router.config.ts': "export default { prerender: ['/'] };\n",
      'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite';
export default { plugins: [reactRouter()] };
`,
    },
    command: () => [join(NODE_MODULES, '.bin/react-router'), 'build'],
    output: ['.react-router', 'build'],
  },
  react: builtByVite({ leavesOut: 'With an access token' }),
  'react-with-token': builtByVite({}),
  express: COMPILED,
  fastify: COMPILED,
  nestjs: COMPILED,
  bun: BUNDLED_BY_BUN,
  hono: BUNDLED_BY_BUN,
  deno: { files: {}, command: files => [tool('deno'), 'check', ...files], output: [] },
  lambda: bundledByEsbuild('--platform=node'),
  workers: bundledByEsbuild('--conditions=workerd,worker,browser'),
};
