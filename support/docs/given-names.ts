/** Finds the names that a snippet uses and does not declare, and the module in `given/` that exports each name. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { ROOT, type Snippet } from './pages.ts';

const FOR_ALL_PAGES = 'support/docs/given.ts';
/**
 * The compiler's error codes for an unknown name. Some codes are for well-known names; their messages contain advice.
 */
const UNKNOWN_NAME = [2304, 2503, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2693, 18004];

/** The names that a snippet imports from a module in `given/`. */
export interface Given {
  module: string;
  names: { name: string; isType: boolean }[];
}

/** The imports that each snippet needs, in one line. `from` returns the import specifier of a module. */
export function importsFor(snippets: readonly Snippet[], from: (module: string) => string): string[] {
  return givenFor(snippets).map(given =>
    given
      .map(({ module, names }) => {
        const list = names.map(({ name, isType }) => (isType ? `type ${name}` : name));
        return `import { ${list.join(', ')} } from '${from(module)}';`;
      })
      .join(' '),
  );
}

/** The names that each snippet uses and does not declare, by the module that exports them. */
export function givenFor(snippets: readonly Snippet[]): Given[][] {
  const unknown = unknownNames(snippets.map(({ code }) => code));
  return snippets.map((snippet, index) => {
    if (snippet.language === 'cjs') return [];
    const names = unknown[index] ?? new Set();
    return [`support/docs/given/${basename(snippet.page, '.md').toLowerCase()}.ts`, FOR_ALL_PAGES].flatMap(module => {
      const used = [...exportsOf(module)].filter(([name]) => names.delete(name));
      return used.length === 0 ? [] : { module, names: used.map(([name, isType]) => ({ name, isType })) };
    });
  });
}

/** The names that each module uses and does not declare. The compiler has no other files, so it reports these names. */
function unknownNames(codes: readonly string[]): Set<string>[] {
  const files = new Map(codes.map((code, index) => [`/${index}.tsx`, `${code}\nexport {};`]));
  const options: ts.CompilerOptions = { noLib: true, noResolve: true, types: [], jsx: ts.JsxEmit.Preserve };
  const host = ts.createCompilerHost(options);
  host.getSourceFile = path => {
    const code = files.get(path);
    return code === undefined ? undefined : ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return Array.from(files, ([path, code]) => {
    const found = program.getSemanticDiagnostics(program.getSourceFile(path));
    const names = found
      .filter(({ code }) => UNKNOWN_NAME.includes(code))
      .map(({ start = 0, length = 0 }) => code.slice(start, start + length));
    return new Set(names);
  });
}

const known = new Map<string, Map<string, boolean>>();

/** The names that a module exports. The value is `true` if the name is only a type. */
function exportsOf(module: string): Map<string, boolean> {
  const names = known.get(module) ?? new Map<string, boolean>();
  const path = join(ROOT, module);
  if (known.has(module) || !existsSync(path)) return names;
  known.set(module, names);
  for (const node of ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext).statements) {
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause)) {
      for (const { name, isTypeOnly } of node.exportClause.elements)
        names.set(name.text, node.isTypeOnly || isTypeOnly);
    }
    const isExported = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isExport);
    if (!isExported) continue;
    if (ts.isVariableStatement(node)) {
      for (const { name } of node.declarationList.declarations) if (ts.isIdentifier(name)) names.set(name.text, false);
    } else if (ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) {
      if (node.name) names.set(node.name.text, false);
    } else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      names.set(node.name.text, true);
    }
  }
  return names;
}

function isExport({ kind }: ts.ModifierLike): boolean {
  return kind === ts.SyntaxKind.ExportKeyword;
}
