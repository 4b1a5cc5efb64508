import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Types of the web platform in our declarations. A program without the DOM and without `@types/node` does not have them. */
const NAMES = [
  'AbortSignal',
  'Blob',
  'Headers',
  'ReadableStream',
  'Request',
  'RequestInit',
  'Response',
  'URL',
  'URLSearchParams',
];
const PARAMETERS: Readonly<Record<string, [declared: string, passed: string]>> = {
  ReadableStream: ['<R>', '<R>'],
};

/**
 * A reference to a source map. The builder puts this reference into modules. It also puts it into declarations, although
 * declarations have no source map.
 */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=.*$/;

/**
 * Makes each entry refer to the main entry. A user's own declaration can need the name of a record, which is declared in a chunk
 * that cannot be imported. The compiler looks for the public name of the record in the files that the compiler has
 * read.
 */
export function referToMainEntry(directory: string, entries: readonly string[]): void {
  for (const entry of entries.filter(name => name !== 'index')) {
    const main = `${'../'.repeat(entry.split('/').length - 1) || './'}index`;
    for (const extension of ['js', 'cjs']) {
      const path = join(directory, `${entry}.d.${extension === 'js' ? 'ts' : 'cts'}`);
      const reference = `import type {} from "${main}.${extension}";\n`;
      const text = existsSync(path) ? readFileSync(path, 'utf8') : reference;
      if (!text.includes(reference)) writeFileSync(path, reference + text);
    }
  }
}

/**
 * Adds aliases to the beginning of each declaration file, one for each of these types that the file uses. In a program
 * without the type, the alias is `any`, while the name itself would be an error in our file. In a program that has the
 * type, the alias is this type.
 */
export function aliasGlobalTypes(directory: string): void {
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!/\.d\.c?ts$/.test(file)) continue;
    const path = join(directory, file);
    const text = readFileSync(path, 'utf8');
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    // Some files declare their own type with such a name.
    const used = NAMES.filter(
      name =>
        new RegExp(`(?<![.\\w$'"])${name}\\b(?![$'"?:])`).test(code) &&
        !new RegExp(`\\b(?:interface|type|class) ${name}\\b`).test(code),
    );
    writeFileSync(path, [...used.map(alias), text.replace(SOURCE_MAP, '')].join('\n'));
  }
}

function alias(name: string): string {
  const [declared, passed] = PARAMETERS[name] ?? ['', ''];
  return `/** @ts-ignore */\ntype ${name}${declared} = globalThis.${name}${passed};`;
}
