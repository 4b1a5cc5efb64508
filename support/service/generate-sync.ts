import { historyViews } from '../../src/sync/sql/history-views.ts';
import { type View, views } from '../../src/sync/sql/views.ts';
import { sqliteDialect } from '../../src/sync/sqlite/dialect.ts';
import { describeRelations } from '../../src/sync/tables/relations.ts';
import { describeTables, type Table } from '../../src/sync/tables/table.ts';
import { formatted } from '../formatted.ts';
import { description } from './description.ts';
import { comment } from './type-text.ts';

const PATH = 'src/sync/generated/columns.ts';

/**
 * The types of the tables and views of sync. They are made from the same tables and views as the SQL. The tables are made from
 * other generated files, so this comes after those are written.
 */
export function syncFiles(): Record<string, string> {
  const text = `// Written by \`npm run generate\` from description/ and the views in src/sync/sql/. Do not edit.

/** The kind of the values of each column, by table and view. \`ids\` is a list of ids. */
export interface SyncColumns {
${[...describeTables().map(tableText), ...[...views(sqliteDialect), ...historyViews(sqliteDialect)].map(viewText)].join('\n')}
}

/** The table that each relation leads to, by table. A list stands for several rows. */
export interface SyncRelations {
${relationTexts().join('\n')}
}
`;
  return { [PATH]: formatted(PATH, text) };
}

function tableText({ type, name, columns, relationships }: Table): string {
  const { doc = '', attributes = [], relationships: linked = [] } = description.records.get(type) ?? {};
  const docs = new Map([...attributes, ...linked].map(field => [field.name, field.doc]));
  const texts = columns.map(column => {
    const isList = relationships.has(column.name);
    const doc = column.doc ?? docs.get(column.name) ?? docs.get(column.name.replace(/_(id|type)$/, ''));
    return `${comment(doc ?? '')}${column.name}: '${isList ? 'ids' : column.kind}';`;
  });
  return `${comment(doc.split(/(?<=\.)\s/)[0] ?? '')}${name}: {
    /** Id of the record. */
    id: 'text not null';
    ${texts.join('\n')}
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };`;
}

function viewText({ name, doc, columns }: View): string {
  return `${comment(doc)}${name}: { ${Object.entries(columns)
    .map(([column, [kind]]) => `${column}: '${kind}';`)
    .join('\n')} };`;
}

function relationTexts(): string[] {
  const relations = describeRelations();
  return [...new Set(relations.map(({ table }) => table))].map(name => {
    const texts = relations
      .filter(({ table }) => table === name)
      .map(({ name, to, column }) => `${name}: ${column ? `'${to}'` : `['${to}']`};`);
    return `${name}: { ${texts.join('\n')} };`;
  });
}
