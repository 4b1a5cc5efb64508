import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { entries } from '../../scripts/entries.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');

/** A public class of errors. */
export interface ErrorClass {
  name: string;
  /** The class that it extends; `undefined` for the root. */
  parent: string | undefined;
  /** The entries that export the class, as in an import: `container-tracking-sdk/sync`. */
  entries: string[];
  /** Its public fields, without the inherited fields. */
  fields: string[];
}

/** The texts of all sources that can construct an error of the package. */
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !/^(sandbox|schemas|cli)\/|\/generated\//.test(file))
  .map(file => readFileSync(join(SRC, file), 'utf8'));

/** The codes in the sources: in `code: 'x'`, the default of a parameter, or an argument of `APIError`. All are in lower case. */
export function sourceCodes(): string[] {
  const pattern = /\bcode(?:: string)?(?::| =) *(?:\S+ \?\?? )?'([a-z]\w*)'(?: : '(\w+)')?|super\(details, '(\w+)'/g;
  const codes = sources.flatMap(source => Array.from(source.matchAll(pattern), ([, ...found]) => found).flat());
  return [...new Set(codes.filter(code => code !== undefined))];
}

/** The classes of errors that the entries export, each after the class that it extends. */
export async function errorClasses(): Promise<ErrorClass[]> {
  const classes = new Map<unknown, ErrorClass>();
  for (const [name, file] of Object.entries(entries)) {
    const exported: Record<string, unknown> = await import(join(ROOT, file));
    const entry = join(manifest.name, name === 'index' ? '.' : name).replace(/\/$/, '');
    for (const type of Object.values(exported)) {
      const { brand } = Object(type);
      if (typeof brand !== 'string') continue;
      const known = classes.get(type) ?? { ...declarationOf(brand), entries: [] };
      classes.set(type, known);
      known.entries.push(entry);
    }
  }
  const all = [...classes.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const below = (parent?: string): ErrorClass[] =>
    all.filter(type => type.parent === parent).flatMap(type => [type, ...below(type.name)]);
  return below();
}

function declarationOf(name: string): Omit<ErrorClass, 'entries'> {
  const pattern = new RegExp(`^export class ${name} extends (\\w+) \\{\\n([^]*?)^\\}`, 'm');
  const [, parent = '', body = ''] = sources.map(source => pattern.exec(source)).find(Boolean) ?? [];
  const fields = Array.from(body.matchAll(/^ {2}(?:declare )?readonly (\w+)/gm), ([, field = '']) => field);
  return { name, parent: parent === 'Error' ? undefined : parent, fields };
}
