import { quote } from '../../internal/sql.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { ColumnValue } from '../tables/kind.ts';

/** SQLite has few types: times and days are texts in ISO 8601, nested values are JSON, and a boolean is 0 or 1. */
export const sqliteDialect: Dialect = {
  begin: { sql: 'BEGIN IMMEDIATE' },
  *prologue() {},
  hasState: { sql: `SELECT count(*) AS found FROM sqlite_schema WHERE type = 'table' AND name = 'sync_schema'` },
  types: { text: 'TEXT', number: 'NUMERIC', boolean: 'INTEGER', date: 'TEXT', timestamp: 'TEXT', json: 'TEXT' },
  idType: 'TEXT NOT NULL',
  never: `''`,
  forUpdate: '',
  name: quote,
  parameter: position => `$p${position}`,
  replaceView: (view, select) => [`DROP VIEW IF EXISTS ${quote(view)}`, `CREATE VIEW ${quote(view)} AS ${select}`],
  days: (later, earlier) => `round(julianday(${later}) - julianday(${earlier}), 1)`,
  fill: (table, columns, rows) => {
    const assignments = columns.map(({ name }, index) => `${quote(name)} = $p${index + 2}`);
    const sql = `UPDATE ${quote(table.name)} SET ${assignments.join(', ')} WHERE id = $p1`;
    return rows.map(({ id, values }) => ({ sql, values: [id, ...values.map(storedValue)] }));
  },
};

/** The driver takes no booleans and no objects. */
export function storedValue(value: ColumnValue): string | number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
