/** Parses JavaScript. acorn is imported only here. */
import { type AnyNode, type Pattern, type Program, parse as parseWith } from 'acorn';
import { simple } from 'acorn-walk';

export interface Range {
  start: number;
  end: number;
}

export interface Parsed {
  /** The specifiers of imported modules, with their quotes. */
  specifiers: (Range & { value: string })[];
  /** Names that the module declares or imports at its top level. */
  names: Set<string>;
  /** The names of its constants and variables. */
  variables: string[];
  /** The expression at the end of the module. */
  last: Range | undefined;
}

export function parse(code: string): Parsed {
  const tree: Program = parseWith(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const specifiers: Parsed['specifiers'] = [];
  const add = ({ source }: { source?: AnyNode | null }) => {
    if (source?.type === 'Literal' && typeof source.value === 'string') {
      specifiers.push({ start: source.start, end: source.end, value: source.value });
    }
  };
  simple(tree, {
    ImportDeclaration: add,
    ImportExpression: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
  });
  const names = new Set<string>();
  const variables: string[] = [];
  for (const each of tree.body) {
    const node = each.type === 'ExportNamedDeclaration' ? each.declaration : each;
    if (node?.type === 'ImportDeclaration') for (const { local } of node.specifiers) names.add(local.name);
    if (node?.type === 'FunctionDeclaration' || node?.type === 'ClassDeclaration') names.add(node.id.name);
    if (node?.type === 'VariableDeclaration') {
      variables.push(...node.declarations.flatMap(({ id }) => namesOf(id)));
    }
  }
  for (const name of variables) names.add(name);
  const end = tree.body.at(-1);
  return { specifiers, names, variables, last: end?.type === 'ExpressionStatement' ? end.expression : undefined };
}

function namesOf(pattern: Pattern): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'AssignmentPattern') return namesOf(pattern.left);
  if (pattern.type === 'RestElement') return namesOf(pattern.argument);
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap(each => (each ? namesOf(each) : []));
  if (pattern.type === 'ObjectPattern') {
    return pattern.properties.flatMap(each => namesOf(each.type === 'Property' ? each.value : each));
  }
  return [];
}
