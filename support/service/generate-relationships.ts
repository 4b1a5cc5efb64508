import { description, relationshipOf } from './description.ts';

/**
 * The relationships of each type. How many records one leads to is a file of its own, because every program loads that, and
 * the names of the types only the sandbox and sync.
 */
export function relationshipTables(): Record<string, string> {
  const counts = table(({ cardinality }) => (cardinality === 'many' ? "'many'" : "'one'"));
  const types = table(({ types }) => `[${types.map(type => `'${type}'`).join(', ')}]`);
  return {
    'relationships.ts': `/** To how many records each relationship leads. */
export const RELATIONSHIPS = ${counts} as const;
`,
    'linked-types.ts': `/** The types of the records that each relationship leads to. Empty where any type is possible. */
export const LINKED_TYPES = ${types} as const;
`,
  };
}

function table(write: (relationship: ReturnType<typeof relationshipOf>) => string): string {
  const lines = Object.entries(description.records).map(([type, { relationships }]) => {
    const entries = Object.entries(relationships).map(([name, target]) => `${name}: ${write(relationshipOf(target))}`);
    return `${type}: {${entries.join(', ')}},`;
  });
  return `{\n${lines.join('\n')}\n}`;
}
