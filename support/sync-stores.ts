import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Client, Pool } from 'pg';
import type { Rows } from '../src/internal/sql.ts';
import { postgresStore } from '../src/postgres.ts';
import { postgresDialect } from '../src/sync/postgres/dialect.ts';
import type { Dialect, Statement } from '../src/sync/sql/dialect.ts';
import { sqliteDialect } from '../src/sync/sqlite/dialect.ts';
import { named } from '../src/sync/sqlite/file.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import type { SyncStore } from '../src/sync/store.ts';
import type { PostgresServer } from './postgres.ts';

/** An empty store, with the methods by which a user reaches its data. */
export interface StorePlace {
  kind: 'sqlite' | 'postgres';
  /** Opens the store, as each process does. */
  open(): SyncStore;
  /** Names of the columns of a table. */
  columns(table: string): Promise<string[]>;
  /** Runs SQL on another connection. `$.` before a table is replaced by the schema. */
  sql(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
  /** The dialect. `connect` opens a separate connection for statements that run one after another, as in a migration. */
  dialect: Dialect;
  connect(): Promise<{ run(statement: Statement): Promise<Rows>; end(): Promise<void> }>;
}

export function sqlitePlace(): StorePlace {
  const directory = mkdtempSync(join(tmpdir(), 'store-'));
  const path = join(directory, 'tracking.db');
  let reader: DatabaseSync | undefined;
  return {
    kind: 'sqlite',
    open: () => sqliteStore(path),
    async sql(text, ...values) {
      reader ??= new DatabaseSync(path, { timeout: 5000 });
      return reader.prepare(text.replaceAll('$.', '')).all(...(values as SQLInputValue[]));
    },
    async columns(table) {
      const rows = await this.sql(`SELECT name FROM pragma_table_info('${table}')`);
      return rows.map(({ name }) => String(name)).sort();
    },
    dialect: sqliteDialect,
    async connect() {
      const database = new DatabaseSync(path, { timeout: 5000 });
      return {
        run: async ({ sql, values = [] }) => database.prepare(sql).all(named(values)),
        end: async () => database.close(),
      };
    },
    async remove() {
      reader?.close();
      rmSync(directory, { recursive: true });
    },
  };
}

let count = 0;

export function postgresPlace({ connection }: PostgresServer): StorePlace {
  count += 1;
  // A name that has to be quoted.
  const schema = `Tracking "${count}"'\\`;
  const pools: Pool[] = [];
  const pool = () => {
    const made = new Pool({ ...connection, max: 4 });
    made.on('error', () => {});
    pools.push(made);
    return made;
  };
  return {
    kind: 'postgres',
    open: () => postgresStore({ pool: pool(), schema }),
    async sql(text, ...values) {
      const { rows } = await (pools[0] ?? pool()).query(
        text.replaceAll('$.', `"${schema.replaceAll('"', '""')}".`),
        values,
      );
      return rows;
    },
    async columns(table) {
      const rows = await this.sql(
        'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
        ...[schema, table],
      );
      return rows.map(({ name }) => String(name)).sort();
    },
    dialect: postgresDialect(schema),
    async connect() {
      const client = new Client(connection);
      await client.connect();
      return {
        run: async ({ sql, values }) => {
          const result = await client.query(sql, values && [...values]);
          return ([result].flat().at(-1) as { rows: Rows }).rows;
        },
        end: () => client.end(),
      };
    },
    async remove() {
      await Promise.all(pools.map(made => made.end()));
    },
  };
}
