import { quote, quoteAll } from '../../internal/sql.ts';
import type { Table } from '../tables/table.ts';
import type { Dialect } from './dialect.ts';

/**
 * The rule that decides what is kept. Applied to the same rows in any order, and any number of times, it ends in the same
 * table: of two contents the newer is kept, and the deletion if it is newer than that. `kept` is the stored row.
 */

/** The columns of an INSERT of contents, in the order of the values. */
export function insertedColumns({ columns }: Table): string {
  return quoteAll(['id', 'as_of', 'record', ...columns.map(({ name }) => name)]);
}

/** What follows an INSERT of contents. Nothing is written if the stored content is as new, or if the deletion is of the same time. */
export function keepNewerContent(dialect: Dialect, table: Table): string {
  const columns = [...table.columns.map(({ name }) => name), 'record', 'as_of'];
  const assignments = columns.map(name => `${quote(name)} = excluded.${quote(name)}`);
  return `ON CONFLICT (id) DO UPDATE SET ${assignments.join(', ')},
  deleted_at = CASE WHEN kept.deleted_at > excluded.as_of THEN kept.deleted_at END
WHERE excluded.as_of > coalesce(kept.as_of, ${dialect.never}) AND excluded.as_of <> coalesce(kept.deleted_at, ${dialect.never})`;
}

/** What follows an INSERT of deletions. The content stays. */
export function keepNewerDeletion(dialect: Dialect): string {
  return `ON CONFLICT (id) DO UPDATE SET deleted_at = excluded.deleted_at
WHERE excluded.deleted_at > coalesce(kept.as_of, ${dialect.never}) AND excluded.deleted_at > coalesce(kept.deleted_at, ${dialect.never})`;
}

/** How a row that was not written compares to the stored one. */
export interface Comparison {
  /** It is the same: both the content and its time, or both deletions and their time. */
  same: unknown;
  /** The stored content, or the stored deletion, is of the same time. */
  simultaneous: unknown;
}

export function outcomeOf({ same, simultaneous }: Comparison): 'unchanged' | 'tie' | 'stale' {
  if (same) return 'unchanged';
  return simultaneous ? 'tie' : 'stale';
}

/** The columns of a {@link Comparison}. `at` and `record` are what was not written. */
export function compareContent(at: string, record: string): string {
  return `coalesce(kept.as_of = ${at} AND kept.record = ${record}, false) AS same,
  coalesce(kept.as_of = ${at}, false) OR coalesce(kept.deleted_at = ${at}, false) AS simultaneous`;
}

export function compareDeletion(at: string): string {
  return `coalesce(kept.deleted_at = ${at}, false) AS same, coalesce(kept.as_of = ${at}, false) AS simultaneous`;
}
