import { Pool } from 'pg';
import { postgresStore } from '../../src/postgres.ts';
import { sqliteStore } from '../../src/sync/sqlite/sqlite-store.ts';
import type { SyncStore } from '../../src/sync/store.ts';

/** The settings of the processes of a soak. */
export interface SoakSettings {
  baseUrl: string;
  windowMs: number;
  webhookUrl: string;
  secret: string;
  reconcileDays: number;
  store:
    | { sqlite: string }
    | { postgres: { host: string; port: number; user: string; database: string; password?: string } };
}

export interface SoakStore {
  store: SyncStore;
  /** Every record by `<type> <id>`; `null` if it is marked as deleted. */
  records(): Promise<Map<string, object | null>>;
  close(): Promise<void>;
}

export async function openSoakStore({ store: where }: Pick<SoakSettings, 'store'>): Promise<SoakStore> {
  if ('sqlite' in where) {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const store = sqliteStore(where.sqlite);
    const database = new DatabaseSync(where.sqlite);
    const all = async (table: string) => database.prepare(`SELECT id, record, deleted_at FROM "${table}"`).all();
    const close = async () => {
      database.close();
      await store.close();
    };
    return { store, records: () => recordsOf(store, all, text => JSON.parse(String(text))), close };
  }
  const pool = new Pool({ ...where.postgres, max: 4 });
  pool.on('error', () => {});
  const store = postgresStore({ pool });
  const all = async (table: string) =>
    (await pool.query(`SELECT id, record, deleted_at FROM tracking."${table}"`)).rows;
  const close = async () => {
    await store.close();
    await pool.end();
  };
  return { store, records: () => recordsOf(store, all, record => record as object), close };
}

async function recordsOf(
  store: SyncStore,
  all: (table: string) => Promise<Record<string, unknown>[]>,
  read: (record: unknown) => object | null,
): Promise<Map<string, object | null>> {
  const records = new Map<string, object | null>();
  for (const { type, table } of (await store.status()).tables) {
    for (const { id, record, deleted_at } of await all(table)) {
      records.set(`${type} ${id}`, deleted_at === null && record !== null ? read(record) : null);
    }
  }
  return records;
}
