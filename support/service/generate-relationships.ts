import { description, type Relationship } from './description.ts';

/**
 * The relationships of each type, in two files. Every program loads the first file, which has the number of related
 * records. Only the sandbox and sync load the second file, which has the names of the types of these records.
 */
export function relationshipTables(): Record<string, string> {
  const counts = table(({ cardinality }) => (cardinality === 'many' ? "'many'" : "'one'"));
  const types = table(({ types }) => `[${types.map(type => `'${type}'`).join(', ')}]`);
  return {
    'relationships.ts': `/** The number of records that each relationship leads to: one or many. */
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
