import { afterAll, beforeAll } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from './postgres.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from './sync-stores.ts';

/** The stores that a test file can use on this machine, by name. PostgreSQL runs until the last test of the file has ended. */
export function storePlaces(): [name: string, makePlace: () => StorePlace][] {
  if (!hasPostgres) return [['SQLite', sqlitePlace]];
  let postgres: PostgresServer | undefined;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());
  return [
    ['SQLite', sqlitePlace],
    ['PostgreSQL', () => postgresPlace(postgres as PostgresServer)],
  ];
}
