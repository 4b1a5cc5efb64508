import { ConfigurationError } from '../errors.ts';
import type { Connection } from './connections.ts';
import { performOn } from './connections.ts';
import { literal, postgresDialect } from './dialect.ts';

/** What `inbox_format` says. Each change of the tables gets the next number, and a step in {@link createInbox}. */
const FORMAT = 2;

/** Whether the tables are as this version of the package needs them. @throws {ConfigurationError} if a later one has made them. */
export async function isCurrent(connection: Connection, schema: string): Promise<boolean> {
  return (await formatOf(connection, schema)) === FORMAT;
}

/** Creates the tables, or changes those of an earlier version. To be called in a transaction that holds the lock of the schema. */
export async function createInbox(connection: Connection, schema: string): Promise<void> {
  const format = await formatOf(connection, schema);
  if (format === FORMAT) return;
  const { prologue, name } = postgresDialect(schema);
  await performOn(connection, prologue());
  if (format === 0) for (const sql of tables(name)) await connection.query(sql);
  for (const sql of suspects(name)) await connection.query(sql);
}

/** 0 without tables. */
async function formatOf(connection: Connection, schema: string): Promise<number> {
  // Not to_regclass(): it reads a cache that is refreshed too late for one who has waited for the lock.
  const found =
    await connection.query(`SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relname IN ('inbox_entries', 'inbox_format') AND nspname = ${literal(schema)}`);
  // Version 0.1.0 did not write it down.
  if (!found.some(({ relname }) => relname === 'inbox_format')) return found.length;
  const [row] = await connection.query(`SELECT format FROM ${postgresDialect(schema).name('inbox_format')}`);
  const format = Number(row?.format);
  if (format <= FORMAT) return format;
  throw new ConfigurationError(
    `The inbox in the schema ${schema} has format ${row?.format}, and this version of the package knows formats up to ${FORMAT}: update container-tracking-sdk, or use another schema.`,
  );
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

/** From format 1, which did not know of suspects. */
function suspects(name: (table: string) => string): string[] {
  return [
    `ALTER TABLE ${name('inbox_entries')} ADD COLUMN IF NOT EXISTS suspicion integer NOT NULL DEFAULT 0`,
    `CREATE TABLE ${name('inbox_format')} (one integer PRIMARY KEY CHECK (one = 1), format integer NOT NULL)`,
    `INSERT INTO ${name('inbox_format')} VALUES (1, ${FORMAT})`,
  ];
}
