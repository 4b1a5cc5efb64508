export const SCALARS = ['string', 'number', 'integer', 'boolean', 'datetime', 'date', 'json', 'unknown', 'null'];

/** A type as the description has it: `(string | null)[]`, `[number, number]`, `'Point'`, `terminal_hold`. */
export type TypeNode =
  | { kind: 'union'; of: TypeNode[] }
  | { kind: 'array'; of: TypeNode }
  | { kind: 'tuple'; of: TypeNode[] }
  /** `change(string | null)`: the value before and the value after. */
  | { kind: 'change'; of: TypeNode }
  | { kind: 'literal'; text: string }
  /** Text with known values. The service may extend them, unless they are `closed`. */
  | { kind: 'values'; values: readonly string[]; closed: boolean }
  | { kind: 'name'; name: string };

/** @param known The values of `string`, where they are known. */
export function parseType(text: string, known?: readonly string[]): TypeNode {
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
    if (/^(?:'|\d)/.test(token)) return { kind: 'literal', text: token };
    if (!/^\w+$/.test(token)) throw new Error(`${text}: a type is missing`);
    if (token === 'string' && known) return { kind: 'values', values: known, closed: false };
    return { kind: 'name', name: token };
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
    case 'name':
      return [node.name];
    default:
      return [];
  }
}

/** Whether a type allows `null`. */
export function isNullable(node: TypeNode): boolean {
  return node.kind === 'union' ? node.of.some(isNullable) : node.kind === 'name' && node.name === 'null';
}
