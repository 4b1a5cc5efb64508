import type { Connection } from './connections.ts';
import { performOn } from './connections.ts';
import { literal, postgresDialect } from './dialect.ts';

/** One row if the tables exist. */
export function inboxExists(schema: string): string {
  // Not to_regclass(): it reads a cache that is refreshed too late for one who has waited for the lock.
  return `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relname = 'inbox_entries' AND nspname = ${literal(schema)}`;
}

/** Creates the tables if they do not exist. To be called in a transaction that holds the lock of the schema. */
export async function createInbox(connection: Connection, schema: string): Promise<void> {
  const existing = await connection.query(inboxExists(schema));
  if (existing.length > 0) return;
  const { prologue, name } = postgresDialect(schema);
  await performOn(connection, prologue());
  for (const sql of tables(name)) await connection.query(sql);
}

function tables(name: (table: string) => string): string[] {
  return [
    `CREATE TABLE ${name('inbox_entries')} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      state text NOT NULL CHECK (state IN ('open', 'done', 'dead')),
      changed_at timestamptz NOT NULL DEFAULT now(),
      event text NOT NULL,
      "group" text COLLATE "C" NOT NULL,
      "order" text COLLATE "C" NOT NULL,
      body bytea,
      received_at double precision NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      error text
    )`,
    `CREATE INDEX ON ${name('inbox_entries')} ("group", "order", seq) WHERE state = 'open'`,
    `CREATE INDEX ON ${name('inbox_entries')} (state, changed_at, seq) WHERE state <> 'open'`,
    // Groups with open entries, and how many. A group is either in the line, whatever the clock says, or it waits from one
    // time to another: for the end of a lease or for another attempt.
    `CREATE SEQUENCE ${name('inbox_line')}`,
    `CREATE TABLE ${name('inbox_groups')} (
      "group" text COLLATE "C" PRIMARY KEY,
      open integer NOT NULL DEFAULT 1,
      line bigint DEFAULT nextval(${literal(name('inbox_line'))}),
      waits_since timestamptz,
      waits_until timestamptz,
      lease text
    )`,
    `CREATE INDEX ON ${name('inbox_groups')} (line) WHERE line IS NOT NULL`,
    `CREATE INDEX ON ${name('inbox_groups')} (waits_since) WHERE waits_since IS NOT NULL`,
    `CREATE INDEX ON ${name('inbox_groups')} (waits_until) WHERE waits_until IS NOT NULL`,
    // Counts the claims.
    `CREATE SEQUENCE ${name('inbox_fence')}`,
  ];
}
