import { ConfigurationError } from '../errors.ts';
import { describeValue } from './arguments.ts';
import { quote } from './sql.ts';

/** The part of a `Pool` of the package `pg` (8.8 or newer) that is used. */
export interface PostgresPool {
  /**
   * A connection of the pool, which is given back with `release()`. It gets a callback, `(error, client) => void`, as the first
   * argument. A pool that takes none resolves to the connection.
   */
  connect(): Promise<PostgresClient>;
  /** Runs one statement on any connection. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Its settings. */
  readonly options?: {
    /** How many connections it may have. */
    max?: number | undefined;
  };
}

/** The part of a connection of a {@link PostgresPool} that is used. */
export interface PostgresClient {
  /** Runs one statement. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives it back. With an error it is closed. */
  release(error?: Error | boolean): void;
  /** Listens for the end of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Stops listening. */
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** @throws {ConfigurationError} for what is not a pool. */
export function requirePool(what: string, pool: PostgresPool): PostgresPool {
  if (typeof pool?.connect === 'function' && typeof pool.query === 'function') return pool;
  throw new ConfigurationError(
    `${what} needs a pool of the package pg: ${what}({ pool: new Pool({ connectionString }) }). pool is ${describeValue(pool)}.`,
  );
}

/** @throws {ConfigurationError} for a name that PostgreSQL does not take as it is. */
export function requireSchema(schema: string): string {
  const isName = typeof schema === 'string' && schema !== '' && !/[\0\p{Surrogate}]/u.test(schema);
  if (!isName || new TextEncoder().encode(schema).length > 63 || /^pg_/i.test(schema)) {
    throw new ConfigurationError(
      `schema is ${describeValue(schema)}; it must be a name of at most 63 bytes that does not begin with pg_.`,
    );
  }
  return schema;
}

/** Whatever the server has as its default. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/** Statements about the schema of the tables, the same for the inbox and for the store. */
export function schemaSql(schema: string) {
  return {
    /** Begins a transaction that changes tables. Only one process at a time is in such a transaction. */
    begin: `${BEGIN}; SELECT pg_advisory_xact_lock(hashtextextended(${literal(`container-tracking-sdk ${schema}`)}, 0))`,
    find: `SELECT count(*)::int AS found FROM pg_namespace WHERE nspname = ${literal(schema)}`,
    /** Without IF NOT EXISTS, which needs the right to create one, even if it exists. */
    create: `CREATE SCHEMA ${quote(schema)}`,
    name: (table: string) => `${quote(schema)}.${quote(table)}`,
  };
}

/** A text in a statement. */
export function literal(text: string): string {
  // With E, a backslash means the same under every setting of the server.
  return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
