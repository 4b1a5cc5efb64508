import { readFile } from 'node:fs/promises';
import MagicString from 'magic-string';
import type { Rolldown } from 'tsdown';
import { licensesOf } from './licenses.ts';

const isPackage = (id: string) => id.includes('/node_modules/');

/**
 * Marks the calls that create constants as pure, so that bundlers can drop unused constants. At import, our modules
 * only create values.
 */
export const pure: Rolldown.Plugin = {
  name: 'pure',
  transform(code, id) {
    if (isPackage(id) || !/\.ts(\?own)?$/.test(id) || id.endsWith('.d.ts')) return null;
    const marked = new MagicString(code);
    for (const node of this.parse(code, { lang: 'ts' }).body) {
      const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      if (declaration?.type !== 'VariableDeclaration') continue;
      for (const { init } of declaration.declarations) {
        if (init?.type === 'CallExpression' || init?.type === 'NewExpression')
          marked.appendLeft(init.start, '/* @__PURE__ */ ');
      }
    }
    return { code: marked.toString(), map: marked.generateMap({ hires: 'boundary' }) };
  },
};

/** `modules` are modules that are used only by the main entry and by one part of the workflows; `of` is this part. */
const OWNED = [
  { of: /\/src\/worklist\//, modules: /\/src\/domain\// },
  { of: /\/src\/(custom-fields|tracking)\//, modules: /\/src\/(custom-fields\/errors|tracking\/tracking-errors)\.ts$/ },
];

/**
 * Gives the workflows their own copies of helpers and errors. Otherwise every client would load these modules: if an
 * entry exports a module and a chunk uses it, some bundlers load the module together with the entry. `instanceof` also
 * works with copied errors.
 */
export const ownHelpers: Rolldown.Plugin = {
  name: 'own-helpers',
  async resolveId(source, importer = '') {
    if (!source.startsWith('.') || importer.endsWith('.d.ts')) return null;
    const path = importer.replace('?own', '');
    const owned = OWNED.filter(({ of, modules }) => of.test(path) || (path !== importer && modules.test(path)));
    if (owned.length === 0) return null;
    const found = await this.resolve(source, path, { skipSelf: true });
    return found && owned.some(({ modules }) => modules.test(found.id)) ? `${found.id}?own` : found;
  },
  load: id =>
    id.endsWith('?own') ? readFile(id.replace('?own', ''), 'utf8').then(code => ({ code, moduleType: 'ts' })) : null,
};

/**
 * Removes the sources of packages from the source maps, because these sources are larger than the sources of this
 * project.
 */
export const ownSourcesOnly: Rolldown.Plugin = {
  name: 'own-sources-only',
  transform: (code, id) => (isPackage(id) ? { code, map: { mappings: '' } } : null),
};

/** Writes the licences of the bundled packages to a file beside the bundle. */
export const licenses: Rolldown.Plugin = {
  name: 'licenses',
  generateBundle(_, bundle) {
    const files = Object.values(bundle).flatMap(file => (file.type === 'chunk' ? file.moduleIds : []));
    const source = licensesOf(files.filter(isPackage));
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
  },
};
