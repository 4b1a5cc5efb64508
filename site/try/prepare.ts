import { parse } from './parse.ts';
import type { Given } from './protocol.ts';
import { stripTypes } from './strip-types.ts';

/** Number of lines before the first line of the snippet. */
export const LINES_BEFORE = 1;
/** The function that a prepared snippet calls at its end, with the values of the snippet. */
export const SHOW = '__show';
/** The function that a prepared snippet calls at its beginning. */
export const BEGIN = '__begin';
const RESULT = '__result';

/**
 * Converts a snippet to a browser module: without types, with imports of the `given` names, and with modules from
 * `urlOf`.
 *
 * @throws {Error} if the snippet imports another package.
 */
export function prepare(snippet: string, given: readonly Given[], urlOf: (specifier: string) => string): string {
  const code = stripTypes(snippet);
  const { specifiers, names, variables, last } = parse(code);
  const missing = specifiers.find(({ value }) => !/^container-tracking-sdk(\/|$)/.test(value));
  if (missing)
    throw new Error(`This page has no module "${missing.value}". Import container-tracking-sdk or one of its entries.`);
  const edits = specifiers.map(({ start, end, value }) => ({ start, end, text: JSON.stringify(urlOf(value)) }));
  if (last) {
    edits.push({ start: last.start, end: last.start, text: `globalThis.${RESULT} = (` });
    edits.push({ start: last.end, end: last.end, text: ')' });
  }
  let text = code;
  for (const { start, end, text: replacement } of edits.sort((one, other) => other.start - one.start)) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  const imports = given.flatMap(each => {
    // The reader's own declarations replace the names of the page.
    const needed = each.names.filter(name => !names.has(name));
    return needed.length ? `import { ${needed.join(', ')} } from ${JSON.stringify(urlOf(each.module))};` : [];
  });
  const result = last ? `result: globalThis.${RESULT}` : '';
  return `${imports.join(' ')} ${BEGIN}();\n${text}\n;${SHOW}({ ${[...variables, result].filter(Boolean).join(', ')} });\n`;
}
