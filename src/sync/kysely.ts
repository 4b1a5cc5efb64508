import type { ColumnType } from 'kysely';
import type { SyncColumns } from './generated/columns.ts';
import type { Content, KindOf, OrNull } from './tables/content.ts';

/** The types of the values that a driver returns. */
export interface ColumnValues {
  /** Numbers; also the numbers that views compute. */
  number: unknown;
  /** Yes or no. */
  boolean: unknown;
  /** Days. */
  date: unknown;
  /** Points in time. */
  timestamp: unknown;
  /** Lists and objects: `'value'` if the driver returns them unchanged, `'text'` if it returns JSON. */
  json: 'value' | 'text';
}

/**
 * The type of values that a program inserts or updates. No value has this type, because only sync writes to its tables.
 */
export interface WrittenBySync {
  /** The compiler shows this name if a program inserts or updates a row. */
  'sync alone writes to this table': never;
}

/**
 * The values that `pg` returns if you set no custom parsers. A number is returned as text. A day is returned as
 * the midnight of that day in your time zone.
 */
export interface PostgresValues {
  /** Text, because a PostgreSQL number can have more digits than a JavaScript number. */
  number: string;
  /** Yes or no. */
  boolean: boolean;
  /** The midnight of the day in the time zone of the process. */
  date: Date;
  /** Points in time. */
  timestamp: Date;
  /** Lists and objects, unchanged. */
  json: 'value';
}

/** The values that drivers of SQLite return. */
export interface SqliteValues {
  /** Numbers. */
  number: number;
  /** 1 for yes. */
  boolean: 0 | 1;
  /** `YYYY-MM-DD`. */
  date: string;
  /** ISO 8601 in UTC with milliseconds. The texts sort in the order of time. */
  timestamp: string;
  /** Lists and objects as JSON. */
  json: 'text';
}

/**
 * The tables and views of sync for Kysely, with the types of the values that your driver returns. Only sync writes to
 * them, so no column can be inserted or updated.
 *
 * @example
 * type Days = Database<Omit<PostgresValues, 'date'> & { date: string }>;
 */
export type Database<Values extends ColumnValues> = {
  [Table in keyof SyncColumns]: {
    [Name in keyof SyncColumns[Table]]: ColumnType<
      Selected<Values, Table, Name, SyncColumns[Table][Name]>,
      WrittenBySync,
      WrittenBySync
    >;
  };
};

/**
 * The tables and views that `postgresStore()` makes. They are in a schema, so begin each query with
 * `db.withSchema('tracking')`. The views of the history exist only with the option `history` of `createSync`.
 *
 * @example
 * const db = new Kysely<PostgresDatabase>({ dialect: new PostgresDialect({ pool }) }).withSchema('tracking');
 */
export interface PostgresDatabase extends Database<PostgresValues> {}

/**
 * The tables and views that `sqliteStore()` makes. The views of the history exist only with the option `history` of
 * `createSync`.
 *
 * @example
 * const db = new Kysely<SqliteDatabase>({ dialect: new SqliteDialect({ database }) });
 */
export interface SqliteDatabase extends Database<SqliteValues> {}

type Selected<Values extends ColumnValues, Table, Name, Kind> = OrNull<
  Kind,
  KindOf<Kind> extends infer Bare
    ? Bare extends Exclude<keyof ColumnValues, 'json'>
      ? Values[Bare]
      : Bare extends 'text'
        ? Content<Table, Name, Bare>
        : Values['json'] extends 'text'
          ? string
          : Content<Table, Name, Bare>
    : never
>;
