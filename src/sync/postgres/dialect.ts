import { literal, schemaSql } from '../../internal/postgres.ts';
import { quote } from '../../internal/sql.ts';
import type { Content } from '../batch.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { ColumnKind } from '../tables/kind.ts';
import type { Column } from '../tables/table.ts';

export const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  number: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'jsonb',
};

export function postgresDialect(schema: string): Dialect {
  const { name, begin, find, create } = schemaSql(schema);
  return {
    begin: { sql: begin },
    *prologue() {
      const [found] = yield { sql: find };
      if (!found?.found) yield { sql: create };
    },
    // to_regclass() is not used. It reads a cache, and after a wait for the advisory lock, this cache is refreshed too
    // late.
    hasTable: table => ({
      sql: `SELECT count(*)::int AS found FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relname = ${literal(table)} AND nspname = ${literal(schema)}`,
    }),
    input: columns => {
      const typed = Object.entries(columns).map(([column, kind]) => `${quote(column)} ${TYPES[kind]}`);
      return `jsonb_to_recordset($1::jsonb) AS input(${typed.join(', ')})`;
    },
    types: TYPES,
    idType: 'text COLLATE "C"',
    never: `'-infinity'::timestamptz`,
    joinByIndex: (table, condition) =>
      `CROSS JOIN LATERAL (SELECT * FROM ${table} AS kept WHERE ${condition} OFFSET 0) AS kept`,
    forUpdate: ' FOR UPDATE',
    clustered: '',
    name,
    parameter: position => `$${position}`,
    replaceView: (view, select) => [`CREATE OR REPLACE VIEW ${name(view)} AS ${select}`],
    days: (later, earlier) => `round((extract(epoch FROM ${later} - ${earlier}) / 86400)::numeric, 1)`,
    elementsIndex: (index, table, column) =>
      `CREATE INDEX ${quote(index)} ON ${name(table)} USING gin (${quote(column)})`,
    fill: (table, columns, rows) => {
      const assignments = columns.map((column, index) => `${quote(column.name)} = input.c${index}`);
      const sql = `UPDATE ${name(table.name)} AS kept SET ${assignments.join(', ')}
FROM jsonb_to_recordset($1::jsonb) AS input(id text, ${inputColumns(columns)}) WHERE kept.id = input.id`;
      return rows.length > 0 ? [{ sql, values: [inputOf(rows)] }] : [];
    },
  };
}

/**
 * The columns of {@link inputOf} with their types. The names are short, because every row of the JSON contains them.
 */
export function inputColumns(columns: readonly Column[]): string {
  return columns.map(({ kind }, index) => `c${index} ${TYPES[kind]}`).join(', ');
}

/** The rows are one parameter, so that a statement is the same for any number of rows. A missing value becomes NULL. */
export function inputOf(rows: readonly (Partial<Content> & { id: string })[]): string {
  const texts = rows.map(({ id, asOf, record, values = [] }) => {
    const row: Record<string, unknown> = { id, as_of: asOf };
    for (const [index, value] of values.entries()) if (value !== null) row[`c${index}`] = value;
    const text = JSON.stringify(row);
    return record === undefined ? text : `${text.slice(0, -1)},"record":${record}}`;
  });
  return `[${texts.join(',')}]`;
}
