import type { SyncColumns } from '../generated/columns.ts';
import { historyViews } from '../sql/history-views.ts';
import { type View, views } from '../sql/views.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import type { Content, KindOf } from '../tables/content.ts';
import type { ColumnKind } from '../tables/kind.ts';
import type { TABLE_NAMES } from '../tables/names.ts';
import { describeTables } from '../tables/table.ts';

/** Name of a table. */
export type TableName = (typeof TABLE_NAMES)[keyof typeof TABLE_NAMES];

/** Name of a view. */
export type ViewName = Exclude<keyof SyncColumns, TableName>;

/**
 * The name of a column in a program. The name of a column of ids ends in `_ids`, because the relation to the rows has
 * the name without this suffix.
 */
export type PropertyOf<Name, Kind> = Kind extends 'ids' ? (Name extends `${infer One}s` ? `${One}_ids` : Name) : Name;

/**
 * The configuration of a column for the types of drizzle-orm. Columns are `generated`, so drizzle-orm refuses to insert
 * or update them: only sync writes. The id is an exception: if no column could be inserted, the type of an inserted row
 * would accept every column. If no column could be inserted, the type of an inserted row would accept every column.
 */
export interface ColumnConfig<Table extends string, Name extends string, Kind> {
  name: Name;
  tableName: Table;
  dataType: DataTypes[KindOf<Kind> & keyof DataTypes];
  columnType: string;
  data: Data<Table, Name, KindOf<Kind>>;
  driverParam: unknown;
  notNull: Kind extends `${string} not null` ? true : false;
  hasDefault: false;
  isPrimaryKey: false;
  isAutoincrement: false;
  hasRuntimeDefault: false;
  enumValues: undefined;
  baseColumn: never;
  identity: undefined;
  generated: Name extends 'id' ? undefined : { as: never; type: 'always' };
}

/** The values are the same for both databases. */
type Data<Table, Name, Kind> = Kind extends 'number'
  ? number
  : Kind extends 'boolean'
    ? boolean
    : Kind extends 'date'
      ? string
      : Kind extends 'timestamp'
        ? Date
        : Content<Table, Name, Kind>;

interface DataTypes {
  text: 'string';
  number: 'number';
  boolean: 'boolean';
  date: 'string';
  timestamp: 'date';
  json: 'json';
  ids: 'json';
}

/** Makes a column from its name in the database, its kind, and whether it is required. */
export type ColumnMaker<Column> = (name: string, kind: ColumnKind, isRequired: boolean) => Column;

/** The columns of each table, by their names in a program. */
export function tableColumns<Column>(make: ColumnMaker<Column>): [name: string, columns: Record<string, Column>][] {
  return describeTables().map(({ name, columns, relationships }) => [
    name,
    {
      id: make('id', 'text', true),
      ...Object.fromEntries(
        columns.map(({ name, kind }) => [
          relationships.has(name) ? name.replace(/s$/, '_ids') : name,
          make(name, kind, false),
        ]),
      ),
      record: make('record', 'json', false),
      as_of: make('as_of', 'timestamp', false),
      deleted_at: make('deleted_at', 'timestamp', false),
    },
  ]);
}

/** The columns of each view. */
export function viewColumns<Column>(make: ColumnMaker<Column>): [name: string, columns: Record<string, Column>][] {
  const columnsOf = ({ columns }: View) =>
    Object.entries(columns).map(([name, [kind]]) => [
      name,
      make(name, kind.replace(' not null', '') as ColumnKind, kind.endsWith(' not null')),
    ]);
  // The columns are the same in every dialect.
  return [...views(sqliteDialect), ...historyViews(sqliteDialect)].map(view => [
    view.name,
    Object.fromEntries(columnsOf(view)),
  ]);
}
