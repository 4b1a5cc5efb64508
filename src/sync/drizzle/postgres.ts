import {
  boolean,
  date,
  jsonb,
  numeric,
  type PgColumn,
  type PgColumnBuilderBase,
  PgSchema,
  type PgTableWithColumns,
  type PgViewWithSelection,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import { objectArgument, refuseUnknownNames } from '../../internal/arguments.ts';
import { requireSchema } from '../../internal/postgres.ts';
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

/** The tables of `postgresStore()`, their relations, and the views. */
export type PostgresTables = {
  [Table in TableName]: PgTableWithColumns<Config<Table>>;
} & { [View in ViewName]: PgViewWithSelection<View, true, Columns<View>> } & TableRelations;

interface Config<Table extends TableName> {
  name: Table;
  schema: string;
  columns: Columns<Table>;
  dialect: 'pg';
}

type Columns<Table extends keyof SyncColumns> = {
  [Name in keyof SyncColumns[Table] & string as PropertyOf<Name, SyncColumns[Table][Name]>]: PgColumn<
    ColumnConfig<Table, Name, SyncColumns[Table][Name]>
  >;
};

/** Options of {@link postgresTables}. */
export interface PostgresTablesOptions {
  /** The schema of the tables, as in the options of `postgresStore()`. @default 'tracking' */
  schema?: string | undefined;
}

/**
 * The tables and views that `postgresStore()` makes, for drizzle-orm. Only sync writes to them, so no column can be
 * inserted or updated. The views of the history exist only with the option `history` of `createSync`.
 *
 * @throws {ConfigurationError} if `schema` is not a name, and for an unknown option.
 * @example
 * const tracking = postgresTables();
 * const db = drizzle(pool, { schema: tracking });
 * const rows = await db.select().from(tracking.pickups);
 */
export function postgresTables(options: PostgresTablesOptions = {}): PostgresTables {
  const given = objectArgument('The argument of postgresTables()', options, '{ schema }');
  refuseUnknownNames('postgresTables()', given, ['schema']);
  const schema = requireSchema(given.schema ?? 'tracking');
  // pgSchema() is not used, because it refuses the schema `public`.
  const { table, view } = new PgSchema(schema);
  const tables = Object.fromEntries(tableColumns(column).map(([name, columns]) => [name, table(name, columns)]));
  const existing = viewColumns(column).map(([name, columns]) => [name, view(name, columns).existing()]);
  return { ...tables, ...Object.fromEntries(existing), ...tableRelations(tables) } as PostgresTables;
}

function column(name: string, kind: ColumnKind, isRequired: boolean): PgColumnBuilderBase {
  const made = MAKERS[kind](name);
  return isRequired ? made.notNull() : made;
}

const MAKERS = {
  text,
  number: (name: string) => numeric(name, { mode: 'number' }),
  boolean,
  date: (name: string) => date(name, { mode: 'string' }),
  timestamp: (name: string) => timestamp(name, { mode: 'date', withTimezone: true }),
  json: jsonb,
};
