import { existsSync } from 'node:fs';
import { ConfigurationError } from '../../errors.ts';
import type { SyncStore } from '../../sync/store.ts';
import { failed, wrongUsage } from '../command.ts';
import { inWords } from '../words.ts';

/** A store, and how to end what it needs. */
export interface OpenStore {
  store: SyncStore;
  /** What it is, without credentials. */
  description: string;
  close(): Promise<void>;
}

const HOW_TO_PASS_A_PASSWORD =
  'Other users of this machine can read the arguments of a command. Pass the address in DATABASE_URL, or the password in PGPASSWORD or in the password file (~/.pgpass).';

/**
 * Opens what `--to` names: `sqlite:tracking.db`, or the address of a PostgreSQL database without its password.
 *
 * @param options `create`: whether a file that does not exist is made. Otherwise the store is an empty one in memory.
 * @throws {CommandError} for an address that cannot be used, and if a package is missing. Never with the address in it.
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
  if (to !== undefined && hasPassword(to)) throw wrongUsage(`--to must not have a password. ${HOW_TO_PASS_A_PASSWORD}`);
  return openPostgres(address);
}

/** In doubt it has one: an address that cannot be read may have a password with characters that are not encoded. */
function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return address.includes('@');
  const { password, searchParams } = new URL(address);
  return password !== '' || [...searchParams.keys()].some(name => /^(?:password|sslpassword)$/i.test(name));
}

async function openSqlite(path: string, create: boolean): Promise<OpenStore> {
  if (path === '') throw wrongUsage('--to sqlite: needs a file, such as sqlite:tracking.db.');
  const { sqliteStore } = await import('../../sync/sqlite/sqlite-store.ts');
  try {
    const store = sqliteStore(create || existsSync(path) ? path : ':memory:');
    return { store, description: `SQLite ${path}`, close: () => store.close() };
  } catch (error) {
    if (error instanceof ConfigurationError) throw failed(inWords(error.message, { options: {} }));
    throw error;
  }
}

async function openPostgres(connectionString: string): Promise<OpenStore> {
  const [{ Pool }, { postgresStore }] = await Promise.all([loadPg(), import('../../sync/postgres/postgres-store.ts')]);
  const pool = new Pool({ connectionString, max: 5, application_name: 'container-tracking sync' });
  // An idle connection that breaks is replaced. What needs one reports its own error.
  pool.on('error', () => {});
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

/** The package is a peer dependency that only this needs. */
async function loadPg(): Promise<Pick<typeof import('pg'), 'Pool'>> {
  try {
    const pg = await import('pg');
    // Before 8.15 it is CommonJS without names that Node can see.
    return pg.Pool ? pg : pg.default;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/MODULE_NOT_FOUND/.test(code ?? '') || !message.includes("'pg'")) throw error;
    throw failed(
      'PostgreSQL needs the package pg. Install it, or run:\n  npx -p container-tracking-sdk -p pg container-tracking sync --to postgres://…',
    );
  }
}
