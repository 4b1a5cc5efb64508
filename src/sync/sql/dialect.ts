import type { Rows } from '../../internal/sql.ts';
import type { Content } from '../batch.ts';
import type { ColumnKind } from '../tables/kind.ts';
import type { Column, Table } from '../tables/table.ts';

/** Statements to run one after another. Each `yield` of a statement returns the rows of the statement. */
export type Work<T> = Generator<Statement, T, Rows>;

/** A statement with its parameters. */
export interface Statement {
  sql: string;
  values?: readonly unknown[];
}

/** The parts of statements that differ between the databases. */
export interface Dialect {
  /** Begins a transaction of a migration. Only one process at a time can run such a transaction. */
  begin: Statement;
  /** The statements that run before the tables are created. */
  prologue(): Work<void>;
  /** One row with `found`, which is true or 1 if the table exists. */
  hasTable(name: string): Statement;
  types: Readonly<Record<ColumnKind, string>>;
  /** The type of ids, which are compared byte by byte. */
  idType: string;
  /** A time that is earlier than all other times, as a literal. */
  never: string;
  /** Name of a table or view, with its schema if there is one. */
  name(name: string): string;
  /** SQL for a table `input` with these columns. The first parameter contains its rows as JSON: a list of objects. */
  input(columns: Readonly<Record<string, ColumnKind>>): string;
  /**
   * Joins `input` row by row with a table, which gets the name `kept`. The database must not read the whole table for
   * this.
   */
  joinByIndex(table: string, condition: string): string;
  /** The placeholder of a parameter, counted from 1. */
  parameter(position: number): string;
  /**
   * The end of the definition of a table whose rows are stored in the order of the key, if the database supports this.
   */
  clustered: string;
  /** Creates or replaces a view. Other views of the user that read this view stay valid. */
  replaceView(name: string, select: string): string[];
  /** Days between two times, with one decimal. */
  days(later: string, earlier: string): string;
  /** Locks the rows that a migration reads. */
  forUpdate: string;
  /** An index for the elements of lists, if the database has such indexes. */
  elementsIndex?(name: string, table: string, column: string): string;
  /** Updates columns of existing rows. */
  fill(table: Table, columns: readonly Column[], rows: readonly Pick<Content, 'id' | 'values'>[]): Statement[];
}
