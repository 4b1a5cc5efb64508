import { readFileSync } from 'node:fs';

/** `docs/service/service.json`: every operation and every type of record of the service. */
export const description: Description = JSON.parse(
  readFileSync(new URL('../../docs/service/service.json', import.meta.url), 'utf8'),
);

interface Description {
  operations: Record<string, Operation>;
  /** By the name of the resource type. */
  records: Record<
    string,
    { attributes: Fields; relationships: Record<string, string>; identity?: 'optional' | 'open' }
  >;
  /** What the types of fields name: the values of an enumeration, the fields of an object, or another type. */
  types: Record<string, string[] | Fields | string>;
}

/** From names to types. A name that ends in `?` may be missing; `*` stands for all other names. */
export type Fields = Record<string, string>;

export interface Operation {
  /** Method and path: `GET /shipments/{id}`. */
  request: string;
  query?: Fields;
  /** The relationships that `include` accepts. */
  include?: string[];
  /** The relationships that are included without `include`. */
  includedByDefault?: string[];
  body?: {
    /** `record`: a JSON:API document. `plain`: a JSON object. `bytes`: a file. */
    form: 'record' | 'plain' | 'bytes';
    type?: string;
    attributes?: Fields;
    relationships?: Record<string, string>;
    mediaType?: string;
  };
  /** The statuses of success. */
  status: number[];
  /** A type of record, `list of` or `array of` it, `json` and a type, or `nothing`. */
  answer: string;
  /** The keys that the document's links may have. If left out, not known. */
  links?: string[];
  meta?: string[];
  errors?: number[];
  bucket?: string;
  feature?: string;
  note?: string;
}

export interface Answer {
  shape: 'one' | 'list' | 'array' | 'json' | 'nothing';
  /** The type of the records, or the type of the JSON. */
  type: string;
  mayBeEmpty: boolean;
}

export function answerOf({ answer }: Operation): Answer {
  const [, shape = 'one', type = '', orNothing] =
    /^(?:(list|array|json)(?: of)? )?([\w]+)(, or nothing)?$/.exec(answer) ?? [];
  if (answer === 'nothing') return { shape: 'nothing', type: '', mayBeEmpty: true };
  return { shape: shape as Answer['shape'], type, mayBeEmpty: orNothing !== undefined };
}

export const operations = Object.entries(description.operations).map(([name, operation]) => {
  const [method = '', path = ''] = operation.request.split(' ');
  return { name, method, path, ...operation };
});

/** The path of an operation as a pattern for paths of requests. A parameter is one segment. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);
}

/** A type as it is written in the description. */
export type TypeNode =
  | { kind: 'union'; of: TypeNode[] }
  | { kind: 'array'; of: TypeNode }
  | { kind: 'tuple'; of: TypeNode[] }
  | { kind: 'literal'; text: string }
  | { kind: 'name'; name: string };

/** Reads `(string | null)[]`, `[number, number]`, `'Point'`, `terminal_hold`. */
export function parseType(text: string): TypeNode {
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
    return { kind: 'name', name: token };
  }
  const node = union();
  if (at < tokens.length) throw new Error(`${text}: more than a type`);
  return node;
}

/** `ref_numbers?` as a name and whether it may be missing. */
export function fieldName(key: string): { name: string; optional: boolean } {
  return key.endsWith('?') ? { name: key.slice(0, -1), optional: true } : { name: key, optional: false };
}

/** The types of record that a relationship leads to, and to how many. */
export function relationshipOf(text: string): { types: string[]; cardinality: 'one' | 'oneOrNull' | 'many' } {
  const node = parseType(text);
  const parts = (node.kind === 'array' ? [node.of] : [node]).flatMap(part =>
    part.kind === 'union' ? part.of : [part],
  );
  const names = parts.map(part => (part.kind === 'name' ? part.name : ''));
  const types = names.filter(name => name !== 'null' && name !== 'unknown');
  const cardinality = node.kind === 'array' ? 'many' : names.includes('null') ? 'oneOrNull' : 'one';
  return { types, cardinality };
}
