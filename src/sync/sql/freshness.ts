import { quote, quoteAll } from '../../internal/sql.ts';
import type { SyncedType } from '../tables/names.ts';
import type { Table } from '../tables/table.ts';
import type { Dialect, Work } from './dialect.ts';

/**
 * The rule of freshness: the newer of two contents is stored. A deletion is stored if it is newer than the content. The
 * same rows result in the same table, in any order and any number of times.
 *
 * The times for this rule are in a separate, narrow table. If a record is read again without a change, only the narrow
 * table is written. Every process first writes the times of a record. This locks the record. In the statements, `kept`
 * is the stored row.
 */

const TABLE = 'sync_seen';

/**
 * The times of all records: the time up to which the content is known, and the time since which the record has been
 * deleted.
 */
export function* seenTable({ name, types, idType }: Dialect, tables: readonly Table[]): Work<void> {
  yield {
    sql: `CREATE TABLE ${name(TABLE)} (type ${types.text} NOT NULL, id ${idType}, as_of ${types.timestamp}, deleted_at ${types.timestamp}, PRIMARY KEY (type, id))`,
  };
  for (const table of tables) {
    const times = `SELECT '${table.type}', id, as_of, deleted_at FROM ${name(table.name)}`;
    yield { sql: `INSERT INTO ${name(TABLE)} (type, id, as_of, deleted_at) ${times}` };
  }
}

/** The columns of an INSERT of contents, in the order of the values. */
export function insertedColumns({ columns }: Table): string {
  return quoteAll(['id', 'as_of', 'record', ...columns.map(({ name }) => name)]);
}

/** Stores the time of a content if it is newer than the stored time, and differs from the time of the deletion. */
export function keepNewerContent(dialect: Dialect, rows: string): string {
  return `INSERT INTO ${dialect.name(TABLE)} AS kept (type, id, as_of) ${rows}
ON CONFLICT (type, id) DO UPDATE SET as_of = excluded.as_of, ${DELETION_AFTER}
WHERE excluded.as_of > coalesce(kept.as_of, ${dialect.never}) AND excluded.as_of <> coalesce(kept.deleted_at, ${dialect.never})`;
}

const DELETION_AFTER = 'deleted_at = CASE WHEN kept.deleted_at > excluded.as_of THEN kept.deleted_at END';

/**
 * The end of the INSERT of a content. The content differs from the stored content, and its time has already been
 * stored.
 */
export function replaceContent({ columns }: Table): string {
  const assignments = [...columns.map(({ name }) => name), 'record', 'as_of'].map(
    name => `${quote(name)} = excluded.${quote(name)}`,
  );
  return `ON CONFLICT (id) DO UPDATE SET ${assignments.join(', ')}, ${DELETION_AFTER}`;
}

/** Stores the time of a deletion if it is newer than the stored times. */
export function keepNewerDeletion(dialect: Dialect, rows: string): string {
  return `INSERT INTO ${dialect.name(TABLE)} AS kept (type, id, deleted_at) ${rows}
ON CONFLICT (type, id) DO UPDATE SET deleted_at = excluded.deleted_at
WHERE excluded.deleted_at > coalesce(kept.as_of, ${dialect.never}) AND excluded.deleted_at > coalesce(kept.deleted_at, ${dialect.never})`;
}

/**
 * The end of the INSERT of a deletion. The time of the deletion has already been stored. The content of the row stays.
 */
export const REPLACE_DELETION = 'ON CONFLICT (id) DO UPDATE SET deleted_at = excluded.deleted_at';

/** A stored record with its times. */
export function stored(dialect: Dialect, { type, name }: Table, id: string): string {
  return `SELECT rows.id, rows.record, seen.as_of, rows.deleted_at
FROM ${dialect.name(name)} AS rows LEFT JOIN ${dialect.name(TABLE)} AS seen ON seen.type = '${type}' AND seen.id = rows.id WHERE rows.id = ${id}`;
}

/**
 * Selects ids of records that were not read since a time. Parameters: the id after which to begin, the time, the
 * maximum number of ids.
 */
export function selectUnseen({ name, parameter }: Dialect, type: SyncedType): string {
  const [after, before, limit] = [1, 2, 3].map(parameter);
  return `SELECT id FROM ${name(TABLE)} WHERE type = '${type}' AND id > ${after} AND deleted_at IS NULL AND as_of < ${before} ORDER BY id LIMIT ${limit}`;
}

/** The newest time of a table. */
export function selectNewest({ name }: Dialect, type: SyncedType): string {
  return `SELECT max(as_of) FROM ${name(TABLE)} WHERE type = '${type}'`;
}

/** The comparison of the stored row with a row that was not written. */
export interface Comparison {
  /** True if the content and its time are the same, or both are deletions with the same time. */
  same: unknown;
  /** True if the stored content, or the stored deletion, has the same time as the new one. */
  simultaneous: unknown;
}

export function outcomeOf({ same, simultaneous }: Comparison): 'unchanged' | 'tie' | 'stale' {
  if (same) return 'unchanged';
  return simultaneous ? 'tie' : 'stale';
}

/**
 * The columns of a {@link Comparison}. `at` and `record` are SQL for the time and the record of the row that was not
 * written.
 */
export function compareContent(at: string, record: string): string {
  return `coalesce(kept.as_of = ${at} AND kept.record = ${record}, false) AS same,
  coalesce(kept.as_of = ${at}, false) OR coalesce(kept.deleted_at = ${at}, false) AS simultaneous`;
}

export function compareDeletion(at: string): string {
  return `coalesce(kept.deleted_at = ${at}, false) AS same, coalesce(kept.as_of = ${at}, false) AS simultaneous`;
}
