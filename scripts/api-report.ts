/**
 * Writes `docs/reference/api.md` from the built declarations: every entry of the package, every exported name, and the short
 * form of its signature. A change of the public surface is then visible in a review. Needs `npm run build`.
 *
 * node scripts/api-report.ts
 */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import manifest from '../package.json' with { type: 'json' };
import { READER_COMPILER } from '../support/reader-compiler.ts';

const ROOT = resolve(import.meta.dirname, '..');
export const REPORT = resolve(ROOT, 'docs/reference/api.md');

/** The type of a schema repeats the type of its record, so only this number of characters is shown. */
const LONGEST_VALUE = 100;

const INTRODUCTION = `# Public surface

Every name that the package exports, by entry, without its documentation. \`scripts/api-report.ts\` writes this file from the
built declarations, and a test compares the two: run \`npm run build && node scripts/api-report.ts\` after a change, and look
at the difference. A name that several entries export is listed at the first one. Schemas are cut short: the compiler checks
that they agree with the records.
`;

export interface Entry {
  /** The name under which programs import the entry. */
  name: string;
  exports: Export[];
}

export interface Export {
  name: string;
  symbol: ts.Symbol;
  declarations: ts.Declaration[];
}

export interface Surface {
  checker: ts.TypeChecker;
  entries: Entry[];
  /** The declaration files of the package. */
  files: ts.SourceFile[];
}

/** The exports of the declarations in `dist/`, or of other declaration files, by the names under which they are imported. */
export function publicSurface(paths: Record<string, string> = builtDeclarations()): Surface {
  const program = ts.createProgram(Object.values(paths), READER_COMPILER);
  const checker = program.getTypeChecker();
  const entries = Object.entries(paths).map(([name, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is missing: npm run build`);
    const exports = checker
      .getExportsOfModule(module)
      .map(symbol => {
        const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        return { name: symbol.name, symbol: target, declarations: target.declarations ?? [] };
      })
      .sort((one, other) => compare(one.name, other.name));
    return { name, exports };
  });
  const folders = Object.values(paths).map(file => `${dirname(file)}/`);
  const files = program.getSourceFiles().filter(({ fileName }) => folders.some(folder => fileName.startsWith(folder)));
  return { checker, entries, files };
}

function builtDeclarations(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(manifest.exports).flatMap(([path, conditions]) =>
      typeof conditions === 'string' ? [] : [[join(manifest.name, path), resolve(ROOT, conditions.import.types)]],
    ),
  );
}

/** The text of `docs/reference/api.md`. */
export function apiReport(surface: Surface): string {
  const listed = new Map<ts.Symbol, string>();
  const sections = surface.entries.map(({ name, exports }) => {
    const lines = exports.flatMap(({ name: exported, symbol, declarations }) => {
      const earlier = listed.get(symbol);
      if (earlier) return [`// ${exported}: see ${earlier}`];
      listed.set(symbol, name);
      return declarations.map(declaration => shortForm(declaration, exported));
    });
    return section(name, lines);
  });
  const unexported = unexportedTypes(surface).flatMap(({ name, declarations }) =>
    declarations.map(declaration => shortForm(declaration, name)),
  );
  return [INTRODUCTION, ...sections, section('Types that are named above and not exported', unexported)].join('\n');
}

function section(title: string, lines: string[]): string {
  return `## ${title}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;
}

/** Types that a user sees in hovers and messages, although the package does not export them. */
export function unexportedTypes({ checker, entries, files }: Surface): Export[] {
  const ours = new Set(files);
  const exported = entries.flatMap(({ exports }) => exports);
  const seen = new Set(exported.map(({ symbol }) => symbol));
  const found: Export[] = [];
  const pending = exported.flatMap(({ declarations }) => declarations);
  for (let declaration = pending.pop(); declaration; declaration = pending.pop()) visit(declaration);
  return found.sort((one, other) => compare(one.name, other.name));

  function visit(node: ts.Node): void {
    if (ts.isClassDeclaration(node)) {
      for (const clause of node.heritageClauses ?? []) visit(clause);
      for (const parameter of node.typeParameters ?? []) visit(parameter);
      for (const member of publicMembers(node)) visit(member);
      return;
    }
    if (ts.isTypeReferenceNode(node)) add(node.typeName);
    if (ts.isExpressionWithTypeArguments(node)) add(node.expression);
    ts.forEachChild(node, visit);
  }

  function add(name: ts.Node): void {
    const named = checker.getSymbolAtLocation(name);
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    if (!symbol || seen.has(symbol)) return;
    seen.add(symbol);
    const declarations = (symbol.declarations ?? []).filter(
      declaration =>
        ours.has(declaration.getSourceFile()) && !ts.isTypeParameterDeclaration(declaration) && !isGlobal(declaration),
    );
    if (declarations.length === 0) return;
    found.push({ name: symbol.name, symbol, declarations });
    pending.push(...declarations);
  }
}

/** True for an alias that `declarations.ts` has written. */
function isGlobal(declaration: ts.Declaration): boolean {
  return ts.isTypeAliasDeclaration(declaration) && declaration.type.getText().startsWith('globalThis.');
}

/** A declaration without comments and bodies: each member on its own line, everything else on one line. */
function shortForm(declaration: ts.Declaration, name: string): string {
  if (ts.isVariableDeclaration(declaration)) {
    const text = declaration.type ? textOf(declaration.type) : textOf(declaration.initializer);
    return `const ${name}${declaration.type ? ':' : ' ='} ${cut(text)}`;
  }
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
    const kind = ts.isClassDeclaration(declaration) ? 'class' : 'interface';
    const parents = declaration.heritageClauses?.map(clause => ` ${textOf(clause)}`).join('') ?? '';
    const members = publicMembers(declaration).map(member => `  ${textOf(member)}`);
    const head = `${kind} ${name}${parametersOf(declaration)}${parents}`;
    return members.length > 0 ? `${head} {\n${members.join('\n')}\n}` : `${head} {}`;
  }
  return textOf(declaration).replace(/^(?:export )?(?:declare )?/, '');
}

/** The members that a caller can reach. */
export function publicMembers(declaration: ts.ClassDeclaration | ts.InterfaceDeclaration): ts.NamedDeclaration[] {
  return [...declaration.members].filter(member => {
    const isHidden = ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
    return !isHidden && !(member.name && ts.isPrivateIdentifier(member.name));
  });
}

function parametersOf({ typeParameters }: ts.ClassDeclaration | ts.InterfaceDeclaration): string {
  return typeParameters ? `<${typeParameters.map(textOf).join(', ')}>` : '';
}

const printer = ts.createPrinter({ removeComments: true });

/** The text of a node on one line, without the line breaks of the declaration file. */
function textOf(node: ts.Node | undefined): string {
  if (!node) return '';
  return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/\s+/g, ' ').trim();
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).trimEnd()} …` : text;
}

/** Compares two values. The result does not depend on the language of the machine. */
export function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

if (import.meta.main) {
  writeFileSync(REPORT, apiReport(publicSurface()));
}
