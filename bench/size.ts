import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

export interface Size {
  name: string;
  /** Bytes, minified and gzipped, with all that it imports but zod. */
  gzip: number;
  /** A bound that the project has set itself, in bytes. */
  limit?: number;
}

const WEBHOOKS = 'container-tracking-sdk/webhooks';

/** What a bundler makes of an import: what is loaded at once, and what comes with the first need of it. */
export async function sizes(): Promise<Size[]> {
  const main = await bundle(`export * from 'container-tracking-sdk'`, { splitting: true });
  const verifying = await bundle(`export { verifyWebhook } from '${WEBHOOKS}'`);
  const working = await bundle(
    `export { createReceiver, createRouter, createWorker, verifyWebhook } from '${WEBHOOKS}'`,
  );
  return [
    { name: 'main entry', gzip: main.atOnce },
    { name: 'loaded when needed: ky, schemas, uploads, recovery', gzip: main.later },
    { name: 'verifyWebhook', gzip: verifying.atOnce, limit: 3 * 1024 },
    { name: 'verifyWebhook, receiver, router, worker', gzip: working.atOnce, limit: 7 * 1024 },
  ];
}

async function bundle(contents: string, { splitting = false } = {}): Promise<{ atOnce: number; later: number }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '..') },
    bundle: true,
    splitting,
    minify: true,
    format: 'esm',
    write: false,
    outdir: 'out',
    metafile: true,
    external: ['zod/mini'],
    legalComments: 'none',
    logLevel: 'error',
  });
  const gzip = (paths: Iterable<string>) =>
    Array.from(paths, path => outputFiles.find(file => file.path.endsWith(path)))
      .map(file => gzipSync(file?.contents ?? '', { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes, 0);
  const atOnce = closure(
    metafile,
    Object.keys(metafile.outputs).filter(path => path.endsWith('/stdin.js')),
  );
  const later = Object.keys(metafile.outputs).filter(path => !atOnce.has(path));
  return { atOnce: gzip(atOnce), later: gzip(later) };
}

/** The files and all that they import, dynamic imports excepted. */
function closure({ outputs }: Metafile, paths: string[], found = new Set<string>()): Set<string> {
  for (const path of paths) {
    if (found.has(path)) continue;
    found.add(path);
    const imports =
      outputs[path]?.imports.filter(({ kind, external }) => kind === 'import-statement' && !external) ?? [];
    closure(
      { inputs: {}, outputs },
      imports.map(({ path }) => path),
      found,
    );
  }
  return found;
}
