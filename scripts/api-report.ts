/**
 * Writes `docs/api.md`: every entry of the package, every name that it exports and the short form of its signature, from the
 * built declarations. A change of what users can write then shows in review. Needs `npm run build`.
 *
 * node scripts/api-report.ts
 */
import { writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import manifest from '../package.json' with { type: 'json' };

const ROOT = resolve(import.meta.dirname, '..');
export const REPORT = resolve(ROOT, 'docs/api.md');

/** A schema's type repeats the record's, which is in the report: this much of it names it. */
const LONGEST_VALUE = 100;

const INTRODUCTION = `# Public surface

Every name that the package exports, by entry, without its documentation. \`scripts/api-report.ts\` writes this file from the
built declarations, and a test compares the two: run \`npm run build && node scripts/api-report.ts\` after a change, and look
at the difference. A name that several entries export is listed at the first one. Schemas are cut short: the compiler checks
that they agree with the records.
`;

export interface Entry {
  /** As it is imported. */
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

/** What the declarations in `dist/` export, or other declaration files, by the names that they are imported by. */
export function publicSurface(paths: Record<string, string> = builtDeclarations()): Surface {
  const program = ts.createProgram(Object.values(paths), {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  });
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
  const folders = new Set(Object.values(paths).map(file => dirname(file)));
  const files = program.getSourceFiles().filter(({ fileName }) => folders.has(dirname(fileName)));
  return { checker, entries, files };
}

function builtDeclarations(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(manifest.exports).flatMap(([path, conditions]) =>
      typeof conditions === 'string' ? [] : [[join(manifest.name, path), resolve(ROOT, conditions.import.types)]],
    ),
  );
}

/** The text of `docs/api.md`. */
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

/** Types of the package that a user sees in hovers and messages, though they cannot be imported. */
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
      declaration => ours.has(declaration.getSourceFile()) && !ts.isTypeParameterDeclaration(declaration),
    );
    if (declarations.length === 0) return;
    found.push({ name: symbol.name, symbol, declarations });
    pending.push(...declarations);
  }
}

/** The public names that no comment says anything about, such as `container-tracking-sdk: Page.nextPage`. */
export function undocumented({ checker, entries, files }: Surface): string[] {
  const ours = new Set(files);
  const seen = new Set<ts.Declaration>();
  const missing = entries.flatMap(({ name: entry, exports }) =>
    exports.flatMap(({ name, symbol, declarations }) => {
      const members = declarations.flatMap(declaration => [...membersOf(declaration)]);
      const names = members.filter(member => isMissing(member)).map(member => `${name}.${pathOf(member)}`);
      return [...(isMissing(symbol) ? [name] : []), ...names].map(missing => `${entry}: ${missing}`);
    }),
  );
  return missing.sort(compare);

  /** Those of an interface include what it has from types that cannot be imported. */
  function membersOf(declaration: ts.Declaration): ts.Symbol[] {
    const inherited =
      ts.isInterfaceDeclaration(declaration) && ![...STAND_INS, ...MAPS].includes(declaration.name.text)
        ? checker.getTypeAtLocation(declaration).getProperties()
        : [];
    return [...inherited, ...Array.from(membersWithin(declaration), member => member.symbol)];
  }

  function isMissing(symbol: ts.Symbol): boolean {
    // One of a generic interface is another symbol for each use, and the same declaration.
    const [declaration] = symbol.declarations ?? [];
    if (!declaration || seen.has(declaration) || !ours.has(declaration.getSourceFile())) return false;
    seen.add(declaration);
    if (speaksForItself(declaration)) return false;
    const isDeprecated = symbol.getJsDocTags(checker).some(({ name, text }) => name === 'deprecated' && text);
    return !isDeprecated && symbol.getDocumentationComment(checker).length === 0;
  }
}

/** The parts of objects of other packages that are used: those say what they mean. */
const STAND_INS = [
  'BottleneckLike',
  'FastifyScope',
  'LambdaEvent',
  'LambdaResult',
  'NodeRequest',
  'NodeResponse',
  'SubjectClient',
];
/** From names of resource types to types that have a comment of their own. */
const MAPS = ['RecordTypes', 'Resources'];

type Member = ts.NamedDeclaration & { symbol: ts.Symbol };

/** The fields, options and methods of a declaration, those of object types within it too. */
function* membersWithin(node: ts.Node): Generator<Member> {
  // What a schema has is what its record has; errors are made by the client alone.
  if (ts.isVariableDeclaration(node) || ts.isConstructorDeclaration(node)) return;
  // What a method takes and gives is told by its comment.
  if (ts.isParameter(node) || (ts.isFunctionLike(node.parent) && node.parent.type === node)) return;
  if (ts.isInterfaceDeclaration(node) && [...STAND_INS, ...MAPS].includes(node.name.text)) return;
  const children = ts.isClassDeclaration(node) ? publicMembers(node) : childrenOf(node);
  for (const child of children) {
    if (ts.isPropertySignature(child) || ts.isMethodSignature(child)) yield child as unknown as Member;
    if (ts.isPropertyDeclaration(child) || ts.isMethodDeclaration(child)) yield child as unknown as Member;
    if (ts.isAccessor(child)) yield child as unknown as Member;
    yield* membersWithin(child);
  }
}

/** A member that the language names, and one that has a single value, such as `ok: true`. */
function speaksForItself(declaration: ts.Declaration): boolean {
  const { name, type } = declaration as ts.PropertySignature;
  return (name && ts.isComputedPropertyName(name)) || (type !== undefined && ts.isLiteralTypeNode(type));
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, child => {
    children.push(child);
  });
  return children;
}

/** `limits.default`, in terms of the declaration that it is in. */
function pathOf({ declarations }: ts.Symbol): string {
  const names: string[] = [];
  for (let node: ts.Node | undefined = declarations?.[0]; node && !ts.isSourceFile(node); node = node.parent) {
    if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node)) break;
    const { name } = node as ts.NamedDeclaration;
    if (name && !ts.isParameter(node)) names.unshift(name.getText());
  }
  return names.join('.');
}

/** A declaration without comments and bodies: members on lines of their own, all else on one. */
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

/** Without those that no caller can reach. */
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

/** On one line, whatever the declaration file does about lines. */
function textOf(node: ts.Node | undefined): string {
  if (!node) return '';
  return printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/\s+/g, ' ').trim();
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).trimEnd()} …` : text;
}

/** Not by the language of the machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Takes whatever the user's own iterator returns at its end: nobody is given that. */
const ITERABLES = ['Iterable', 'AsyncIterable'];

/** Where the declarations say `any`, or leave a parameter out whose default is that. */
export function anyTypes({ checker, files }: Surface): string[] {
  return files.flatMap(file => [...within(file)]);

  function* within(node: ts.Node): Generator<string> {
    const isAny = node.kind === ts.SyntaxKind.AnyKeyword;
    if (isAny || (ts.isTypeReferenceNode(node) && defaultsToAny(node))) {
      const file = node.getSourceFile();
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      yield `${basename(file.fileName)}:${line + 1}: ${node.parent.getText().slice(0, 100)}`;
    }
    for (const child of childrenOf(node)) yield* within(child);
  }

  function defaultsToAny(node: ts.TypeReferenceNode): boolean {
    if (ITERABLES.includes(node.typeName.getText())) return false;
    const { aliasTypeArguments, typeArguments } = checker.getTypeFromTypeNode(node) as ts.TypeReference;
    return (aliasTypeArguments ?? typeArguments ?? []).some(({ flags }) => flags & ts.TypeFlags.Any);
  }
}

if (import.meta.main) {
  writeFileSync(REPORT, apiReport(publicSurface()));
}
