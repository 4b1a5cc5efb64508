import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

export interface Size {
  name: string;
  /** Bytes, minified and gzipped, with all that it imports but zod. */
  gzip: number;
}

/** What a bundler makes of the main entry: what is loaded at once, and what comes with the first need of it. */
export async function sizes(): Promise<Size[]> {
  const { outputFiles, metafile } = await build({
    entryPoints: [resolve(import.meta.dirname, '../dist/index.js')],
    bundle: true,
    splitting: true,
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
      .map(file => gzipSync(file?.contents ?? '').length)
      .reduce((sum, bytes) => sum + bytes, 0);
  const atOnce = closure(
    metafile,
    Object.keys(metafile.outputs).filter(path => path.endsWith('/index.js')),
  );
  const later = Object.keys(metafile.outputs).filter(path => !atOnce.has(path));
  return [
    { name: 'main entry', gzip: gzip(atOnce) },
    { name: 'loaded when needed: ky, schemas, uploads, recovery', gzip: gzip(later) },
  ];
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
