import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

export interface Size {
  name: string;
  /** Bytes, minified and gzipped, with all that it imports but zod. */
  gzip: number;
}

/** What a bundler makes of the main entry. The chunks that are loaded later are counted apart. */
export async function sizes(): Promise<Size[]> {
  const { outputFiles } = await build({
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
  });
  const label = (path: string) =>
    path.endsWith('/index.js')
      ? 'main entry'
      : path.includes('distribution')
        ? 'ky, with the first request'
        : path.includes('check')
          ? 'schema check, with the first answer'
          : 'shared chunk';
  return outputFiles.map(({ path, contents }) => ({ name: label(path), gzip: gzipSync(contents).length }));
}
