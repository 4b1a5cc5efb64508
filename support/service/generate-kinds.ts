import { description } from './description.ts';
import type { TypeNode } from './type-expression.ts';

/** The kind of each attribute, for columns. */
export function attributeKinds(): string {
  const rows = Array.from(description.records.values(), ({ type, attributes }) => {
    const kinds = attributes.map(attribute => `${attribute.name}: '${kindOf(attribute.type)}'`);
    return `${type}: { ${kinds.join(', ')} },`;
  });
  return `/** The kind of value of each attribute. A value that has parts, or may be of several kinds, is \`json\`. */
export const ATTRIBUTE_KINDS = {
${rows.join('\n')}
} as const;
`;
}

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  datetime: 'timestamp',
  date: 'date',
};

function kindOf(node: TypeNode): string {
  switch (node.kind) {
    case 'union':
      return unionKind(node.of);
    case 'values':
    case 'literal':
      return 'text';
    case 'name': {
      const type = description.types.get(node.name);
      if (type?.kind === 'values') return 'text';
      return type?.kind === 'alias' ? kindOf(type.type) : (KINDS[node.name] ?? 'json');
    }
    default:
      return 'json';
  }
}

/** The kind of a union: a time may come as a day, and coordinates as a number or as decimal text. */
function unionKind(of: readonly TypeNode[]): string {
  const kinds = new Set(of.filter(part => part.kind !== 'name' || part.name !== 'null').map(kindOf));
  if (kinds.has('timestamp')) kinds.delete('date');
  if (kinds.size === 2 && kinds.has('number') && kinds.has('text')) return 'number';
  const [only = 'json'] = kinds;
  return kinds.size === 1 ? only : 'json';
}
