import type { Field } from './description.ts';

export const SCALARS = [
  'string',
  'number',
  'integer',
  'boolean',
  'datetime',
  'date',
  'json',
  'unknown',
  'null',
  'undefined',
];

/** A type in the notation of the description: `(string | null)[]`, `[number, number]`, `'Point'`, `list_result(row)`. */
export type TypeNode =
  | { kind: 'union'; of: TypeNode[] }
  | { kind: 'array'; of: TypeNode }
  | { kind: 'tuple'; of: TypeNode[] }
  /** `change(string | null)`: the value before and the value after. */
  | { kind: 'change'; of: TypeNode }
  | { kind: 'literal'; text: string }
  /** Text with known values. The service may extend them, unless they are `closed`. With `open`, the caller may extend them too. */
  | { kind: 'values'; values: readonly string[]; closed: boolean; open?: boolean }
  | ({ kind: 'object' } & Shape)
  | { kind: 'name'; name: string }
  /** A type that has a parameter, with its argument. */
  | { kind: 'applied'; name: string; of: TypeNode };

/** The members of an object: the fields of its bases, and its own fields. */
export interface Shape {
  bases: TypeNode[];
  fields: Field[];
}

/** @param leaves Types that replace `string` and `object`, if the field is more exact. */
export function parseType(text: string, leaves: { string?: TypeNode; object?: TypeNode } = {}): TypeNode {
  const tokens = text.match(/'[^']*'|\w+|\[\]|[[\](),|]/g) ?? [];
  let at = 0;
  const take = (expected: string) => {
    if (tokens[at] !== expected) throw new Error(`${text}: ${expected} is missing`);
    at += 1;
  };
  function union(): TypeNode {
    const of = [postfix()];
    while (tokens[at] === '|') {
      at += 1;
      of.push(postfix());
    }
    return of.length === 1 ? (of[0] as TypeNode) : { kind: 'union', of };
  }
  function postfix(): TypeNode {
    let node = primary();
    while (tokens[at] === '[]') {
      at += 1;
      node = { kind: 'array', of: node };
    }
    return node;
  }
  function primary(): TypeNode {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '(') {
      const inner = union();
      take(')');
      return inner;
    }
    if (token === 'change' && tokens[at] === '(') return { kind: 'change', of: primary() };
    if (token === '[') {
      const of = [union()];
      while (tokens[at] === ',') {
        at += 1;
        of.push(union());
      }
      take(']');
      return { kind: 'tuple', of };
    }
    if (/^(?:'|\d|true$|false$)/.test(token)) return { kind: 'literal', text: token };
    if (!/^\w+$/.test(token)) throw new Error(`${text}: a type is missing`);
    if (tokens[at] === '(') return { kind: 'applied', name: token, of: primary() };
    return (token === 'string' || token === 'object' ? leaves[token] : undefined) ?? { kind: 'name', name: token };
  }
  const node = union();
  if (at < tokens.length) throw new Error(`${text}: more than a type`);
  return node;
}

/** The names of types in a type. */
export function namesIn(node: TypeNode): string[] {
  switch (node.kind) {
    case 'union':
    case 'tuple':
      return node.of.flatMap(namesIn);
    case 'array':
    case 'change':
      return namesIn(node.of);
    case 'object':
      return namesOf(node);
    case 'applied':
      return [node.name, ...namesIn(node.of)];
    case 'name':
      return [node.name];
    default:
      return [];
  }
}

/** The names of types in an object. */
export function namesOf({ bases, fields }: Shape): string[] {
  return [...bases, ...fields.map(({ type }) => type)].flatMap(namesIn);
}

/** A type in which another type replaces a name. */
export function replaced(node: TypeNode, name: string, by: TypeNode): TypeNode {
  switch (node.kind) {
    case 'union':
    case 'tuple':
      return { ...node, of: node.of.map(part => replaced(part, name, by)) };
    case 'array':
    case 'change':
    case 'applied':
      return { ...node, of: replaced(node.of, name, by) };
    case 'name':
      return node.name === name ? by : node;
    default:
      return node;
  }
}

/** True if a type allows `null`. */
export function isNullable(node: TypeNode): boolean {
  return node.kind === 'union' ? node.of.some(isNullable) : node.kind === 'name' && node.name === 'null';
}
