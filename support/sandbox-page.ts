import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { formatted } from './formatted.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BROWSER = 'src/sandbox/page/browser';
const PATH = 'src/sandbox/page/generated/texts.ts';
const MARK = `// Written by \`npm run generate\` from ${BROWSER}/. Do not edit.\n\n`;

/**
 * A module with the texts of the files of the sandbox page. The key is the path of the module in the repository. With
 * this module, the sandbox serves its page from the sources, from the package, and in runtimes without files.
 */
export function sandboxPageFiles(): Record<string, string> {
  const constants = {
    DOCUMENT: readFileSync(resolve(ROOT, BROWSER, 'index.html'), 'utf8'),
    ICON: readFileSync(resolve(ROOT, BROWSER, 'icon.svg'), 'utf8'),
    SCRIPT: bundled('script/main.ts'),
    STYLE: bundled('style.css'),
  };
  const declared = Object.entries(constants).map(([name, text]) => `export const ${name} = ${literal(text)};\n`);
  return { [PATH]: formatted(PATH, MARK + declared.join('\n')) };
}

/** A script or a style sheet, bundled with all its imports. */
function bundled(file: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: resolve(ROOT, BROWSER),
    entryPoints: [file],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** A text as a template literal with line breaks, so that its changes can be reviewed. */
function literal(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\``;
}
