import {
  customType,
  integer,
  real,
  type SQLiteColumn,
  type SQLiteColumnBuilderBase,
  type SQLiteTableWithColumns,
  type SQLiteViewWithSelection,
  sqliteTable,
  sqliteView,
  text,
} from 'drizzle-orm/sqlite-core';
import type { SyncColumns } from '../generated/columns.ts';
import type { ColumnKind } from '../tables/kind.ts';
import {
  type ColumnConfig,
  type PropertyOf,
  type TableName,
  tableColumns,
  type ViewName,
  viewColumns,
} from './columns.ts';
import { type TableRelations, tableRelations } from './relations.ts';

/** The tables of `sqliteStore()`, their relations, and the views. */
export type SqliteTables = {
  [Table in TableName]: SQLiteTableWithColumns<Config<Table>>;
} & { [View in ViewName]: SQLiteViewWithSelection<View, true, Columns<View>> } & TableRelations;

interface Config<Table extends TableName> {
  name: Table;
  schema: undefined;
  columns: Columns<Table>;
  dialect: 'sqlite';
}

type Columns<Table extends keyof SyncColumns> = {
  [Name in keyof SyncColumns[Table] & string as PropertyOf<Name, SyncColumns[Table][Name]>]: SQLiteColumn<
    ColumnConfig<Table, Name, SyncColumns[Table][Name]>
  >;
};

/**
 * The tables and views that `sqliteStore()` makes, for drizzle-orm. Only sync writes to them, so no column can be
 * inserted or updated. The views of the history exist only with the option `history` of `createSync`.
 *
 * @example
 * const tracking = sqliteTables();
 * const db = drizzle('tracking.db', { schema: tracking });
 * const rows = await db.select().from(tracking.pickups);
 */
export function sqliteTables(): SqliteTables {
  const tables = Object.fromEntries(tableColumns(column).map(([name, columns]) => [name, sqliteTable(name, columns)]));
  const existing = viewColumns(column).map(([name, columns]) => [name, sqliteView(name, columns).existing()]);
  return { ...tables, ...Object.fromEntries(existing), ...tableRelations(tables) } as SqliteTables;
}

function column(name: string, kind: ColumnKind, isRequired: boolean): SQLiteColumnBuilderBase {
  const made = MAKERS[kind](name);
  return isRequired ? made.notNull() : made;
}

/** A time is stored as text. These texts sort in the order of time. */
const time = customType<{ data: Date; driverData: string }>({
  dataType: () => 'text',
  fromDriver: value => new Date(value),
  toDriver: value => value.toISOString(),
});

const MAKERS = {
  text: (name: string) => text(name),
  // `numeric` is not used. With this type, drizzle-orm would send the number as text, and SQLite would not compare this
  // text correctly with a computed number.
  number: (name: string) => real(name),
  boolean: (name: string) => integer(name, { mode: 'boolean' }),
  date: (name: string) => text(name),
  timestamp: (name: string) => time(name),
  json: (name: string) => text(name, { mode: 'json' }),
};
