import { historyViews } from '../../src/sync/sql/history-views.ts';
import { type View, views } from '../../src/sync/sql/views.ts';
import { sqliteDialect } from '../../src/sync/sqlite/dialect.ts';
import { describeRelations } from '../../src/sync/tables/relations.ts';
import { describeTables, type Table } from '../../src/sync/tables/table.ts';
import { formatted } from '../formatted.ts';
import { description } from './description.ts';
import { comment, docOf } from './type-text.ts';

const MARK = '// Written by `npm run generate` from description/ and the views in src/sync/sql/. Do not edit.\n\n';
const VIEWS = [...views(sqliteDialect), ...historyViews(sqliteDialect)];

/**
 * The types of the tables and views of sync, and the sentences about them. They are made from the same tables and views
 * as the SQL. The tables are made from other generated files, so this must run after the other files are written.
 */
export function syncFiles(): Record<string, string> {
  const files = { 'columns.ts': columnTypes(), 'comments.ts': comments() };
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      const path = `src/sync/generated/${name}`;
      return [path, formatted(path, MARK + text)];
    }),
  );
}

function columnTypes(): string {
  return `/** The kind of the values of each column, by table and view. \`ids\` is a list of ids. */
export interface SyncColumns {
${[...describeTables().map(tableText), ...VIEWS.map(viewText)].join('\n')}
}

/** The table that each relation leads to, by table. A list stands for several rows. */
export interface SyncRelations {
${relationTexts().join('\n')}
}
`;
}

function comments(): string {
  const tables = describeTables().map(table => {
    const columns = columnsOf(table).map(({ name, doc }) => `${name}: ${literal(doc)},`);
    return `${table.name}: [${literal(docOfTable(table))}, { ${columns.join('\n')} }],`;
  });
  const ofViews = VIEWS.map(({ name, doc }) => `${name}: [${literal(doc)}, {}],`);
  return `/** The sentence about each table and view, and the sentences about its columns. */
export const COMMENTS: Readonly<Record<string, readonly [about: string, columns: Readonly<Record<string, string>>]>> = {
${[...tables, ...ofViews].join('\n')}
};
`;
}

function literal(doc: string): string {
  return JSON.stringify(doc.replace('@deprecated ', 'Deprecated: '));
}

/** The first sentence about the record. The other sentences are about the client. */
function docOfTable({ type }: Table): string {
  return description.records.get(type)?.doc.split(/(?<=\.)\s/)[0] ?? '';
}

/** The columns of a table in their order, with the kinds of {@link columnTypes}. */
function columnsOf({ type, columns, relationships }: Table): { name: string; kind: string; doc: string }[] {
  const { attributes = [], relationships: linked = [] } = description.records.get(type) ?? {};
  const docs = new Map([
    ...attributes.map(field => [field.name, docOf(field)] as const),
    ...linked.map(({ name, doc }) => [name, doc] as const),
  ]);
  return [
    { name: 'id', kind: 'text not null', doc: 'Id of the record.' },
    ...columns.map(({ name, kind, doc }) => ({
      name,
      kind: relationships.has(name) ? 'ids' : kind,
      doc: doc ?? docs.get(name) ?? docs.get(name.replace(/_(id|type)$/, '')) ?? '',
    })),
    { name: 'record', kind: 'json', doc: 'The whole record. Empty if only its deletion is known.' },
    {
      name: 'as_of',
      kind: 'timestamp',
      doc: 'The time at which the service knew this content. Empty if only the deletion of the record is known.',
    },
    {
      name: 'deleted_at',
      kind: 'timestamp',
      doc: 'The last time at which the service was known not to have the record. Empty while it has it.',
    },
  ];
}

function tableText(table: Table): string {
  const columns = columnsOf(table).map(({ name, kind, doc }) => `${comment(doc)}${name}: '${kind}';`);
  return `${comment(docOfTable(table))}${table.name}: { ${columns.join('\n')} };`;
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
