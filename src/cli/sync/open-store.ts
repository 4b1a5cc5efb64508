import { existsSync } from 'node:fs';
import type { SyncStore } from '../../sync/store.ts';
import { type Command, exclusive, type OptionValues, textOption, wrongUsage } from '../command.ts';
import { openPool, postgresAddress } from '../postgres.ts';

/** A store, and a function that closes its connections. */
export interface OpenStore {
  store: SyncStore;
  /** The kind and address of the store, without credentials. */
  description: string;
  close(): Promise<void>;
}

/** The options of the database of sync. */
export const STORE_OPTIONS = {
  sqlite: { type: 'string', value: 'FILE', help: 'the file of an SQLite database' },
  postgres: {
    type: 'string',
    value: 'URL',
    help: 'a PostgreSQL database: postgres://user@host/database without a password, which comes from PGPASSWORD or the password file; DATABASE_URL unless given. Needs the package pg',
  },
  to: {
    type: 'string',
    value: 'ADDRESS',
    help: 'the same in one option: sqlite:FILE, or postgres://user@host/database',
  },
} as const satisfies Command['options'];

/**
 * Opens the database that the options name.
 *
 * @param missing what to do if the SQLite file is missing: create it, replace it by an empty store in memory, or throw.
 * @throws {CommandError} for an address that cannot be used, and if a package is missing. The message never contains
 * the address.
 */
export async function openStore(values: OptionValues, missing: 'create' | 'empty' | 'throw'): Promise<OpenStore> {
  exclusive(values, Object.keys(STORE_OPTIONS));
  const to = textOption(values, 'to');
  if (to !== undefined && !/^(?:sqlite:|postgres(?:ql)?:\/\/)/.test(to)) {
    throw wrongUsage('--to must begin with sqlite: or postgres://.');
  }
  const path = textOption(values, 'sqlite') ?? fileOf(to);
  if (path !== undefined) return openSqlite(path, missing);
  const address = to ?? textOption(values, 'postgres');
  if (address !== undefined) return openPostgres(postgresAddress(address));
  const { DATABASE_URL } = process.env;
  if (!DATABASE_URL) {
    throw wrongUsage(
      'The database is missing. Use --sqlite FILE, --postgres postgres://user@host/database, or set DATABASE_URL.',
    );
  }
  const file = fileOf(DATABASE_URL);
  return file === undefined ? openPostgres(postgresAddress('env')) : openSqlite(file, missing);
}

/** The file of an address such as `sqlite:tracking.db`. */
function fileOf(address: string | undefined): string | undefined {
  return address?.startsWith('sqlite:') ? address.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '') : undefined;
}

async function openSqlite(path: string, missing: 'create' | 'empty' | 'throw'): Promise<OpenStore> {
  if (path === '') throw wrongUsage('--sqlite needs a file, such as tracking.db.');
  const isMissing = path !== ':memory:' && !existsSync(path);
  if (isMissing && missing === 'throw') throw wrongUsage(`There is no database ${path}.`);
  const { sqliteStore } = await import('../../sync/sqlite/sqlite-store.ts');
  const store = sqliteStore(isMissing && missing === 'empty' ? ':memory:' : path);
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
