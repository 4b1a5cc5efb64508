/**
 * Writes `dist/`: every entry as an ECMAScript and a CommonJS module, the licences of what is bundled into them, and the
 * declarations, which tsup makes.
 *
 * node scripts/build.ts [--no-types]
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import MagicString from 'magic-string';
import { type GetModuleInfo, type OutputChunk, type Plugin, type PreRenderedChunk, rollup } from 'rollup';
import { entries } from '../tsup.config.ts';
import { aliasGlobalTypes } from './global-types.ts';
import { licensesOf } from './licenses.ts';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = resolve(ROOT, 'dist');
const TARGET = 'es2022';
/** What the names of sources begin with in the source maps. */
const SOURCE_ROOT = 'container-tracking-sdk:///';
/** Node prints the line that has thrown above an error that nobody catches: a whole file, were it one line. */
const LINE_LIMIT = 160;
/**
 * Some are ESM only, and a CommonJS build that requires those breaks where Node cannot; the rest is small, or is so once
 * what we do not use is left out: the module graph of zod took 33 ms to load. It stays a dependency for its types.
 */
const BUNDLED = ['ky', 'p-retry', 'is-network-error', 'zod/mini', 'ipaddr.js'];
/** Not an ECMAScript module, so that it is converted as a whole. */
const COMMON_JS = 'ipaddr.js';
/**
 * Nothing of ours does anything at import but make values. Bundlers leave out a value that nobody uses only if they are told
 * so, since a call might do more.
 */
const TOP_LEVEL_CALL = /^(?:export )?const [\w$]+ = (?=(?:new )?[\w$.]+\()/gm;

/** The mark before a class or a function. */
const MARKED = /\/\* ?@__PURE__ ?\*\/ (?:new ([\w$.]+)|([\w$.]+)(?=\())/g;
/** The call that it is while comments are removed. */
const MARK = /new\(\s*__PURE__\(([\w$.\s]+)\)\s*\)|__PURE__\(([\w$.\s]+)\)/g;

const MAIN = resolve(ROOT, entries.index);
const CLIENT = resolve(ROOT, 'src/client.ts');
/** What goes over several groups of resources: loaded with the first call of such a method. */
const WORKFLOWS = [
  'tracking/index',
  'recovery/recover',
  'webhooks/registration/ensure',
  'webhooks/registration/rotate',
  'webhooks/registration/self-check',
].map(name => resolve(ROOT, `src/${name}.ts`));
/**
 * What every call goes through stands before the resources, and these together: compression finds what is alike no more than
 * 32 KiB apart, which saves half a KiB.
 */
const FIRST = "import './transport/create.ts';";
/** The entries of programs that may have no client: they do not load it. */
const WITHOUT_CLIENT = [entries.webhooks, entries['webhooks/sqlite'], entries.schemas].map(entry =>
  resolve(ROOT, entry),
);

rmSync(DIST, { recursive: true, force: true });
const packageFiles = await writeModules();
writeFileSync(resolve(DIST, 'THIRD-PARTY-LICENSES.txt'), licensesOf(packageFiles));
chmodSync(resolve(DIST, 'cli.js'), 0o755);
if (!process.argv.includes('--no-types')) {
  const { status } = spawnSync('tsup', ['--silent'], { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
  aliasGlobalTypes(DIST);
}

/** The files of packages that went into it. */
async function writeModules(): Promise<Set<string>> {
  const files = new Set<string>();
  const input = { ...entries, cli: 'src/cli/main.ts' };
  const bundle = await rollup({
    input,
    plugins: [load(files), typescript(), pure(), minify()].flat(),
    // As package.json says: what nobody uses has no effects.
    treeshake: { moduleSideEffects: false },
    onwarn(warning) {
      // A comment of a package that says nothing to the bundler is no mistake of ours.
      if (!['CIRCULAR_DEPENDENCY', 'INVALID_ANNOTATION'].includes(warning.code ?? '')) throw new Error(warning.message);
    },
  });
  const common = {
    dir: DIST,
    manualChunks,
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  } as const;
  await bundle.write({
    ...common,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: chunk => `chunks/${chunkName(chunk)}.js`,
    // With the sources in them, under names that nobody takes for files of the package. In one format only: they are as large
    // as all the rest.
    sourcemap: true,
    sourcemapPathTransform: path => `${SOURCE_ROOT}${path.replace(/^(\.\.\/)+/, '')}`,
  });
  const { output } = await bundle.write({
    ...common,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: chunk => `chunks/${chunkName(chunk)}.cjs`,
    exports: 'named',
    esModule: true,
    interop: 'esModule',
  });
  removeCommand(output.filter(file => file.type === 'chunk'));
  await bundle.close();
  return files;
}

/** The command is run as an ECMAScript module, so that nobody loads these. */
function removeCommand(chunks: OutputChunk[]): void {
  const used = new Set<string>();
  const visit = (name: string) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (!chunk || used.has(name)) return;
    used.add(name);
    for (const other of [...chunk.imports, ...chunk.dynamicImports]) visit(other);
  };
  for (const { fileName, name, isEntry } of chunks) if (isEntry && name !== 'cli') visit(fileName);
  for (const { fileName } of chunks) if (!used.has(fileName)) rmSync(resolve(DIST, fileName));
}

/**
 * A file more costs half a millisecond at import, and some hundred bytes more after compression, so there are few: `shared`
 * is what entries without a client need too, `client` the rest of the main entry; `workflows` is loaded on first use, and
 * `delivery` is what it shares with `/webhooks`. One class is one module in each format: without it `instanceof` would differ
 * between the entries.
 */
function manualChunks(id: string, { getModuleInfo }: { getModuleInfo: GetModuleInfo }): string | undefined {
  const users = usersOf(id, getModuleInfo);
  const withoutClient = WITHOUT_CLIENT.some(entry => users.has(entry));
  // The entry itself only names what the others hold.
  if (id === MAIN) return undefined;
  if (users.has(MAIN)) return withoutClient ? 'shared' : 'client';
  if (WORKFLOWS.some(file => users.has(file))) return withoutClient ? 'delivery' : 'workflows';
  return undefined;
}

/** What loads on first use is called after its package or folder, rather than `index2`. */
function chunkName({ name, facadeModuleId }: PreRenderedChunk): string {
  if (name !== 'index') return name;
  const path = facadeModuleId ?? '';
  return /node_modules\/([^/]+)/.exec(path)?.[1] ?? /src\/([\w-]+)\/index\.ts$/.exec(path)?.[1] ?? 'client';
}

/** What loads a module at once: entries and workflows. */
function usersOf(id: string, getModuleInfo: GetModuleInfo, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(id)) return found;
  seen.add(id);
  const { isEntry = false, importers = [] } = getModuleInfo(id) ?? {};
  if (isEntry || WORKFLOWS.includes(id)) found.add(id);
  for (const importer of importers) {
    for (const user of usersOf(importer, getModuleInfo, seen)) found.add(user);
  }
  return found;
}

/** Finds the files. What comes from a package is in no source map: its sources would be larger than ours. */
function load(packageFiles: Set<string>): Plugin {
  return {
    name: 'load',
    resolveId(source, importer) {
      if (!importer) return resolve(ROOT, source);
      if (source.startsWith('.')) return resolve(dirname(importer), source);
      if (BUNDLED.includes(source)) return fileURLToPath(import.meta.resolve(source));
      return { id: source, external: true };
    },
    async load(id) {
      if (isOurs(id)) return readFile(id, 'utf8');
      packageFiles.add(id);
      const map = { mappings: '' } as const;
      if (!id.includes(`/node_modules/${COMMON_JS}/`)) return { code: await readFile(id, 'utf8'), map };
      const { metafile, outputFiles } = await build({
        entryPoints: [id],
        bundle: true,
        format: 'esm',
        target: TARGET,
        write: false,
        metafile: true,
      });
      for (const file of Object.keys(metafile.inputs)) packageFiles.add(file);
      return { code: outputFiles[0]?.text ?? '', map };
    },
  };
}

function isOurs(id: string): boolean {
  return !id.includes('/node_modules/');
}

/** Sources without their types. */
function typescript(): Plugin {
  return {
    name: 'typescript',
    async transform(text, id) {
      if (!isOurs(id)) return null;
      const { code, map } = await transform(text, {
        loader: 'ts',
        target: TARGET,
        sourcemap: 'external',
        sourcefile: id,
      });
      return { code, map };
    },
  };
}

/** Tells bundlers what they may leave out. */
function pure(): Plugin {
  return {
    name: 'pure',
    transform(code, id) {
      if (!isOurs(id)) return null;
      const marked = replaced(code, TOP_LEVEL_CALL, found => `${found}/* @__PURE__ */ `);
      if (id === CLIENT) marked.prepend(FIRST);
      return mapped(marked);
    },
  };
}

/**
 * All without spaces and what can be said shorter. Names stay: classes print under them, and a stack trace can be read without a
 * source map. Comments go with the spaces: what a mark says is a call meanwhile.
 */
function minify(): Plugin[] {
  const marks: Plugin = {
    name: 'mark',
    renderChunk(code) {
      const marked = replaced(code, MARKED, (_, created = '', called = '') =>
        created ? `new (__PURE__(${created}))` : `__PURE__(${called})`,
      );
      return mapped(marked);
    },
  };
  const minified: Plugin = {
    name: 'minify',
    renderChunk: (code, { fileName }) =>
      transform(code, {
        target: TARGET,
        minifyWhitespace: true,
        minifySyntax: true,
        legalComments: 'none',
        lineLimit: LINE_LIMIT,
        sourcemap: 'external',
        sourcefile: fileName,
      }),
  };
  const unmarks: Plugin = {
    name: 'unmark',
    renderChunk(code) {
      const unmarked = replaced(code, MARK, (_, created = '', called = '') =>
        created ? `/* @__PURE__ */new ${joined(created)}` : `/* @__PURE__ */${joined(called)}`,
      );
      if (unmarked.toString().includes('__PURE__(')) throw new Error('A mark is left in the code.');
      return mapped(unmarked);
    },
  };
  return [marks, minified, unmarks];
}

function replaced(code: string, pattern: RegExp, by: (found: string, ...groups: string[]) => string): MagicString {
  return new MagicString(code).replaceAll(pattern, by);
}

function mapped(code: MagicString) {
  return { code: code.toString(), map: code.generateMap({ hires: 'boundary' }) };
}

/** A name that stands on two lines. */
function joined(name: string): string {
  return name.replaceAll(/\s/g, '');
}
