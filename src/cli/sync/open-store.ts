import { existsSync } from 'node:fs';
import type { SyncStore } from '../../sync/store.ts';
import { wrongUsage } from '../command.ts';
import { openPool, refusePassword } from '../postgres.ts';

/** A store, and a function that closes its connections. */
export interface OpenStore {
  store: SyncStore;
  /** The kind and address of the store, without credentials. */
  description: string;
  close(): Promise<void>;
}

/**
 * Opens what `--to` names: `sqlite:tracking.db`, or the address of a PostgreSQL database without its password.
 *
 * @param options `create`: true if a missing file is created. If it is false, an empty store in memory replaces a
 * missing file.
 * @throws {CommandError} for an address that cannot be used, and if a package is missing. The message never contains
 * the address.
 */
export async function openStore(
  to: string | undefined,
  { create = true, environment = process.env } = {},
): Promise<OpenStore> {
  if (to === undefined && !environment.DATABASE_URL) {
    throw wrongUsage('Where to? Use --to sqlite:tracking.db, --to postgres://user@host/database, or set DATABASE_URL.');
  }
  const address = to ?? environment.DATABASE_URL ?? '';
  if (address.startsWith('sqlite:'))
    return openSqlite(address.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''), create);
  if (!/^postgres(?:ql)?:\/\//.test(address)) {
    throw wrongUsage(`${to === undefined ? 'DATABASE_URL' : '--to'} must begin with sqlite: or postgres://.`);
  }
  if (to !== undefined) refusePassword('--to', to);
  return openPostgres(address);
}

async function openSqlite(path: string, create: boolean): Promise<OpenStore> {
  if (path === '') throw wrongUsage('--to sqlite: needs a file, such as sqlite:tracking.db.');
  const { sqliteStore } = await import('../../sync/sqlite/sqlite-store.ts');
  const store = sqliteStore(create || existsSync(path) ? path : ':memory:');
  return { store, description: `SQLite ${path}`, close: () => store.close() };
}

async function openPostgres(connectionString: string): Promise<OpenStore> {
  const [pool, { postgresStore }] = await Promise.all([
    openPool(connectionString, 'sync'),
    import('../../sync/postgres/postgres-store.ts'),
  ]);
  const store = postgresStore({ pool });
  return {
    store,
    description: store.description,
    async close() {
      await store.close();
      await pool.end();
    },
  };
}
