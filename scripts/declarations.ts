import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Types of the web platform that declarations of ours name. A program without the DOM and without `@types/node` has none. */
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

/** The name of a source map at the end of a file. The builder writes it for the modules, and then to declarations, which have none. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=.*$/;

/**
 * Lets each entry refer to the main one. The compiler can then name a record that a user's own declaration needs: it is in a chunk,
 * which nobody can import, and the compiler looks for its public name in the files that it has read.
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
 * Begins each declaration file with an alias of each such type that it names. An alias of a type that the program does not have is
 * `any`; the name itself would be an error in our file. In other programs it is their own type.
 */
export function aliasGlobalTypes(directory: string): void {
  for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!/\.d\.c?ts$/.test(file)) continue;
    const path = join(directory, file);
    const text = readFileSync(path, 'utf8');
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    // Some files have a type of their own with such a name.
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
