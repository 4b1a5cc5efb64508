import { description, type Relationship } from './description.ts';

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
    'linked-types.ts': `/** The types of the records that each relationship leads to. Empty if any type is possible. */
export const LINKED_TYPES = ${types} as const;
`,
  };
}

function table(write: (relationship: Relationship) => string): string {
  const lines = Array.from(description.records.values(), ({ type, relationships }) => {
    const entries = relationships.map(relationship => `${relationship.name}: ${write(relationship)}`);
    return `${type}: {${entries.join(', ')}},`;
  });
  return `{\n${lines.join('\n')}\n}`;
}
