import { quote } from '../../internal/sql.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { ColumnValue } from '../tables/kind.ts';
import type { Column } from '../tables/table.ts';

/** SQLite has few types: times and days are texts in ISO 8601, nested values are JSON, and a boolean is 0 or 1. */
export const sqliteDialect: Dialect = {
  begin: { sql: 'BEGIN IMMEDIATE' },
  *prologue() {},
  hasTable: name => ({
    sql: `SELECT count(*) AS found FROM sqlite_schema WHERE type = 'table' AND name = $p1`,
    values: [name],
  }),
  input: columns => {
    const values = Object.keys(columns).map(name => `value ->> '${name}' AS ${quote(name)}`);
    return `(SELECT ${values.join(', ')} FROM json_each($p1)) AS input`;
  },
  types: { text: 'TEXT', number: 'NUMERIC', boolean: 'INTEGER', date: 'TEXT', timestamp: 'TEXT', json: 'TEXT' },
  idType: 'TEXT NOT NULL',
  never: `''`,
  joinByIndex: (table, condition) => `CROSS JOIN ${table} AS kept ON ${condition}`,
  forUpdate: '',
  clustered: ' WITHOUT ROWID',
  name: quote,
  parameter: position => `$p${position}`,
  replaceView: (view, select) => [`DROP VIEW IF EXISTS ${quote(view)}`, `CREATE VIEW ${quote(view)} AS ${select}`],
  days: (later, earlier) => `round(julianday(${later}) - julianday(${earlier}), 1)`,
  fill: (table, columns, rows) => {
    const assignments = columns.map(({ name }, index) => `${quote(name)} = $p${index + 2}`);
    const sql = `UPDATE ${quote(table.name)} SET ${assignments.join(', ')} WHERE id = $p1`;
    return rows.map(({ id, values }) => ({ sql, values: [id, ...storedValues(columns, values)] }));
  },
};

/**
 * The driver does not accept booleans and objects. A number in a JSON column is also stored as text, because SQLite
 * would change 5 to `5.0`.
 */
export function storedValues(columns: readonly Column[], values: readonly ColumnValue[]): (string | number | null)[] {
  return values.map((value, index) => {
    if (value === null) return null;
    if (columns[index]?.kind === 'json') return JSON.stringify(value);
    return typeof value === 'boolean' ? Number(value) : (value as string | number);
  });
}
