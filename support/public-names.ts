import { basename } from 'node:path';
import ts from 'typescript';
import { compare, publicMembers, type Surface } from '../scripts/api-report.ts';

/** The public names without a comment, such as `container-tracking-sdk: Page.nextPage`. */
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

  /** The members of an interface include the members from types that cannot be imported. */
  function membersOf(declaration: ts.Declaration): ts.Symbol[] {
    const inherited =
      ts.isInterfaceDeclaration(declaration) && ![...STAND_INS, ...MAPS].includes(declaration.name.text)
        ? checker.getTypeAtLocation(declaration).getProperties()
        : [];
    return [...inherited, ...Array.from(membersWithin(declaration), member => member.symbol)];
  }

  function isMissing(symbol: ts.Symbol): boolean {
    // Each use of a generic interface has its own symbols, but they have the same declaration.
    const [declaration] = symbol.declarations ?? [];
    if (!declaration || seen.has(declaration) || !ours.has(declaration.getSourceFile())) return false;
    seen.add(declaration);
    if (speaksForItself(declaration)) return false;
    const isDeprecated = symbol.getJsDocTags(checker).some(({ name, text }) => name === 'deprecated' && text);
    return !isDeprecated && symbol.getDocumentationComment(checker).length === 0;
  }
}

/** Types that describe the used parts of objects of other packages. Those packages document them. */
const STAND_INS = [
  'BottleneckLike',
  'FastifyScope',
  'LambdaEvent',
  'LambdaResult',
  'NodeRequest',
  'NodeResponse',
  'SubjectClient',
];
/** Types that map names of resource types to other types. These other types have separate comments. */
const MAPS = ['RecordTypes', 'RelationshipTypes', 'Resources'];

type Member = ts.NamedDeclaration & { symbol: ts.Symbol };

/** The fields, options and methods of a declaration, also those of object types within it. */
function* membersWithin(node: ts.Node): Generator<Member> {
  // A schema has the members of its record, and only the client constructs errors.
  if (ts.isVariableDeclaration(node) || ts.isConstructorDeclaration(node)) return;
  // The comment of a method describes its arguments and its result.
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

/** True for a member whose name is part of the language, and for a member with a single value, such as `ok: true`. */
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

/** The path of a member within its declaration, such as `limits.default`. */
function pathOf({ declarations }: ts.Symbol): string {
  const names: string[] = [];
  for (let node: ts.Node | undefined = declarations?.[0]; node && !ts.isSourceFile(node); node = node.parent) {
    if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node)) break;
    const { name } = node as ts.NamedDeclaration;
    if (name && !ts.isParameter(node)) names.unshift(name.getText());
  }
  return names.join('.');
}

/** Types whose type argument for a return value is not checked: no caller receives this value. */
const ITERABLES = ['Iterable', 'AsyncIterable'];

/** The places where the declarations have `any`, or leave out a type argument whose default is `any`. */
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
