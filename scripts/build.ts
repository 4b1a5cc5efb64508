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
import { type GetModuleInfo, type Plugin, type PreRenderedChunk, rollup } from 'rollup';
import { entries } from '../tsup.config.ts';
import { licensesOf } from './licenses.ts';

const ROOT = resolve(import.meta.dirname, '..');
const DIST = resolve(ROOT, 'dist');
const TARGET = 'es2022';
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

const MAIN = resolve(ROOT, entries.index);
const CLIENT = resolve(ROOT, 'src/client.ts');
/** What goes over several groups of resources: loaded with the first call of such a method. */
const WORKFLOWS = [
  'tracking/index',
  'recovery/recover',
  'webhooks/registration/ensure',
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
}

/** The files of packages that went into it. */
async function writeModules(): Promise<Set<string>> {
  const files = new Set<string>();
  const input = { ...entries, cli: 'src/cli/main.ts' };
  const bundle = await rollup({
    input,
    plugins: [typescript(files)],
    // As package.json says: what nobody uses has no effects.
    treeshake: { moduleSideEffects: false },
    onwarn(warning) {
      // A comment of a package that says nothing to the bundler is no mistake of ours.
      if (!['CIRCULAR_DEPENDENCY', 'INVALID_ANNOTATION'].includes(warning.code ?? '')) throw new Error(warning.message);
    },
  });
  const common = { dir: DIST, manualChunks, hoistTransitiveImports: false, minifyInternalExports: false } as const;
  await bundle.write({
    ...common,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: chunk => `chunks/${chunkName(chunk)}.js`,
  });
  await bundle.write({
    ...common,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: chunk => `chunks/${chunkName(chunk)}.cjs`,
    exports: 'named',
    esModule: true,
    interop: 'esModule',
  });
  await bundle.close();
  return files;
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

/**
 * Sources without their types, and packages, all without spaces and what can be said shorter. Names stay:
 * classes print under them, and a stack trace can be read without a source map.
 */
function typescript(packageFiles: Set<string>): Plugin {
  return {
    name: 'typescript',
    resolveId(source, importer) {
      if (!importer) return resolve(ROOT, source);
      if (source.startsWith('.')) return resolve(dirname(importer), source);
      if (BUNDLED.includes(source)) return fileURLToPath(import.meta.resolve(source));
      return { id: source, external: true };
    },
    async load(id) {
      if (!id.includes('/node_modules/')) {
        const { code } = await transform(await readFile(id, 'utf8'), { loader: 'ts', target: TARGET });
        return (id === CLIENT ? FIRST : '') + code.replaceAll(TOP_LEVEL_CALL, '$&/* @__PURE__ */ ');
      }
      packageFiles.add(id);
      if (!id.includes(`/node_modules/${COMMON_JS}/`)) return readFile(id, 'utf8');
      const { metafile, outputFiles } = await build({
        entryPoints: [id],
        bundle: true,
        format: 'esm',
        target: TARGET,
        write: false,
        metafile: true,
      });
      for (const file of Object.keys(metafile.inputs)) packageFiles.add(file);
      return outputFiles[0]?.text ?? null;
    },
    async renderChunk(code) {
      const { code: minified } = await transform(markPure(code), {
        target: TARGET,
        minifyWhitespace: true,
        minifySyntax: true,
        legalComments: 'none',
        lineLimit: LINE_LIMIT,
      });
      return { code: unmarkPure(minified), map: null };
    },
  };
}

/** Comments go with the spaces: what they say is a call meanwhile. */
function markPure(code: string): string {
  return code
    .replaceAll(/\/\* ?@__PURE__ ?\*\/ new ([\w$.]+)/g, 'new (__PURE__($1))')
    .replaceAll(/\/\* ?@__PURE__ ?\*\/ ([\w$.]+)(?=\()/g, '__PURE__($1)');
}

function unmarkPure(code: string): string {
  const unmarked = code
    .replaceAll(/new\(\s*__PURE__\(([\w$.\s]+)\)\s*\)/g, (_, name: string) => `/* @__PURE__ */new ${joined(name)}`)
    .replaceAll(/__PURE__\(([\w$.\s]+)\)/g, (_, name: string) => `/* @__PURE__ */${joined(name)}`);
  if (unmarked.includes('__PURE__(')) throw new Error('A mark is left in the code.');
  return unmarked;
}

/** A name that stands on two lines. */
function joined(name: string): string {
  return name.replaceAll(/\s/g, '');
}
