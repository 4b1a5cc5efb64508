import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Pool } from 'pg';
import { postgresStore } from '../src/postgres/index.ts';
import { sqliteStore } from '../src/sync/sqlite/sqlite-store.ts';
import type { SyncStore } from '../src/sync/store.ts';
import type { PostgresServer } from './postgres.ts';

/** An empty store, and the way to it that users have. */
export interface StorePlace {
  kind: 'sqlite' | 'postgres';
  /** Opens the store, as a process does. */
  open(): SyncStore;
  /** Runs SQL beside the store. `$.` before a table stands for the schema. */
  sql(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  remove(): Promise<void>;
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
    async remove() {
      await Promise.all(pools.map(made => made.end()));
    },
  };
}
