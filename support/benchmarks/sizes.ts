import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

export interface Size {
  name: string;
  /** Bytes, minified and gzipped. */
  gzip: number;
  /** Upper bound in bytes. A larger bundle is an error. */
  limit: number;
  /** The desired size in bytes. */
  goal: number;
  /** The parts of the bundle: minified bytes of each source file, the largest first. */
  sources: [file: string, bytes: number][];
}

const MAIN = 'container-tracking-sdk';
const WEBHOOKS = 'container-tracking-sdk/webhooks';
const KIB = 1024;

/**
 * Sizes of a bundle of the published files: the part that is loaded at the start, or all parts that can ever be loaded.
 */
export async function sizes({ published = true } = {}): Promise<Size[]> {
  const all = { published, external: [] };
  const client = await bundle(`export { TrackingClient } from '${MAIN}'`, { published });
  const resource = await bundle(`export { Shipments, createTransport } from '${MAIN}'`, { published });
  const everything = await bundle(`export { TrackingClient } from '${MAIN}'`, all);
  const inOneFile = { published, splitting: false };
  const verifying = await bundle(`export { verifyWebhook } from '${WEBHOOKS}'`, inOneFile);
  const working = await bundle(
    `export { createReceiver, createRouter, createWorker, verifyWebhook } from '${WEBHOOKS}'`,
    inOneFile,
  );
  return [
    { name: 'TrackingClient, at once', ...client.atOnce, limit: 27.3 * KIB, goal: 24 * KIB },
    { name: 'one resource with createTransport, at once', ...resource.atOnce, limit: 23.15 * KIB, goal: 18 * KIB },
    {
      name: 'everything that TrackingClient can ever load, zod included',
      ...everything.all,
      limit: 109.1 * KIB,
      goal: 60 * KIB,
    },
    { name: 'verifyWebhook', ...verifying.atOnce, limit: 3 * KIB, goal: 3 * KIB },
    // Includes two engines for digests, messages about refused, lost and late notifications, and the names of all options.
    { name: 'verifyWebhook, receiver, router, worker', ...working.atOnce, limit: 8.9 * KIB, goal: 7 * KIB },
  ];
}

type Measured = Pick<Size, 'gzip' | 'sources'>;

async function bundle(
  contents: string,
  {
    published,
    external = ['zod/mini'],
    splitting = true,
  }: { published: boolean; external?: string[]; splitting?: boolean },
): Promise<{ atOnce: Measured; all: Measured }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: resolve(import.meta.dirname, '../..') },
    bundle: true,
    splitting,
    minify: true,
    format: 'esm',
    write: false,
    outdir: 'out',
    metafile: true,
    external,
    // With the paths of the project's own tsconfig.json, the bundle would be made from the sources.
    ...(published && { tsconfigRaw: '{}' }),
    legalComments: 'none',
    logLevel: 'error',
  });
  const measured = (paths: string[]): Measured => ({
    gzip: paths
      .map(path => outputFiles.find(file => file.path.endsWith(path)))
      .map(file => gzipSync(file?.contents ?? '', { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes, 0),
    sources: sourcesOf(metafile, paths),
  });
  const all = Object.keys(metafile.outputs);
  const atOnce = closure(
    metafile,
    all.filter(path => path.endsWith('/stdin.js')),
  );
  return { atOnce: measured([...atOnce]), all: measured(all) };
}

function sourcesOf({ outputs }: Metafile, paths: string[]): Size['sources'] {
  const bytes = new Map<string, number>();
  for (const path of paths) {
    for (const [file, { bytesInOutput }] of Object.entries(outputs[path]?.inputs ?? {})) {
      bytes.set(file, (bytes.get(file) ?? 0) + bytesInOutput);
    }
  }
  return [...bytes].filter(([, count]) => count > 0).toSorted(([, one], [, other]) => other - one);
}

/** The files and all that they import statically. */
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
