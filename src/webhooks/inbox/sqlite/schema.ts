import type { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from '../../../errors.ts';

/** The `PRAGMA user_version` of {@link SCHEMA}. Each change of the schema gets the next number, and a step in {@link migrate}. */
const FORMAT = 2;

/**
 * Each table contains only what its queries need. So the time of a query does not depend on the number of handled entries:
 *
 * - `entries`: the entries to handle. `dead_letters`: the dead letters, oldest first.
 * - `handled`: the ids that are remembered.
 * - `groups`: the groups with an entry. A group is due, or it waits. A due group has its position in `line`. A waiting
 *   group waits until a given time: the end of a lease, or the time of another attempt. `lease` is the number of the
 *   last claim.
 * - `counter`: the number of claims so far.
 */
const SCHEMA = `
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  "group" TEXT NOT NULL,
  "order" TEXT NOT NULL,
  body BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  suspicion INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX entries_in_order ON entries ("group", "order", seq);
CREATE TABLE dead_letters (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL,
  "group" TEXT NOT NULL,
  "order" TEXT NOT NULL,
  body BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  error TEXT NOT NULL,
  died_at INTEGER NOT NULL
);
CREATE TABLE handled (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX handled_at ON handled (at);
CREATE TABLE groups (
  "group" TEXT PRIMARY KEY,
  line INTEGER,
  waits_since INTEGER,
  waits_until INTEGER,
  lease INTEGER
) WITHOUT ROWID;
CREATE INDEX groups_line ON groups (line) WHERE line IS NOT NULL;
CREATE INDEX groups_since ON groups (waits_since) WHERE waits_since IS NOT NULL;
CREATE INDEX groups_until ON groups (waits_until) WHERE waits_until IS NOT NULL;
CREATE TABLE counter (one INTEGER PRIMARY KEY CHECK (one = 1), claims INTEGER NOT NULL);
`;

/** Format 0 had all entries in one table. */
const FROM_0 = `
INSERT INTO entries SELECT seq, id, event, "group", "order", body, received_at, attempts, 0
  FROM old_entries WHERE state = 'open' AND body IS NOT NULL;
INSERT INTO dead_letters
  SELECT row_number() OVER (ORDER BY ended_at, seq), id, event, "group", "order", ifnull(body, x''), received_at, attempts,
    ifnull(error, ''), ifnull(ended_at, received_at)
  FROM old_entries WHERE state = 'dead' OR (state = 'open' AND body IS NULL);
INSERT INTO handled SELECT id, ended_at FROM old_entries WHERE state = 'done';
INSERT INTO groups ("group", line) SELECT "group", row_number() OVER (ORDER BY due_at) FROM old_groups
  WHERE "group" IN (SELECT "group" FROM entries);
DROP TABLE old_entries;
DROP TABLE old_groups;
`;

/** Format 1 did not have suspects. */
const FROM_1 = 'ALTER TABLE entries ADD COLUMN suspicion INTEGER NOT NULL DEFAULT 0';

/** @throws {ConfigurationError} for a file from a later version. */
export function checkFormat(database: DatabaseSync, path: string): void {
  const format = formatOf(database);
  if (format <= FORMAT) return;
  throw new ConfigurationError(
    `The inbox ${path} has format ${format}, and this version of the package knows formats up to ${FORMAT}: update container-tracking-sdk, or use another file.`,
  );
}

/** Creates the tables, or converts tables of an earlier version. Changes nothing if an error occurs. */
export function migrate(database: DatabaseSync): void {
  if (formatOf(database) === FORMAT) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have converted the tables in the meantime, so the format is read again.
    const format = formatOf(database);
    if (format === 1) database.exec(FROM_1);
    if (format === 0) {
      const isOld = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'entries'`).get() !== undefined;
      if (isOld) database.exec(`ALTER TABLE entries RENAME TO old_entries; ALTER TABLE groups RENAME TO old_groups;`);
      database.exec(SCHEMA);
      if (isOld) database.exec(FROM_0);
    }
    if (format < FORMAT) database.exec(`PRAGMA user_version = ${FORMAT}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Adds missing groups, for example after rows were deleted by hand. Entries without their group would never be handled.
 */
export function repair(database: DatabaseSync): void {
  const lost = `SELECT DISTINCT "group" FROM entries WHERE "group" NOT IN (SELECT "group" FROM groups)`;
  if (database.prepare(`${lost} LIMIT 1`).get())
    database.exec(`INSERT INTO groups ("group", line) SELECT "group", 0 FROM (${lost})`);
}

function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}
