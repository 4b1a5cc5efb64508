import { quote } from '../../internal/sql.ts';
import { addTie, type Content, copyOf, type Deletion } from '../batch.ts';
import { dueChanges } from '../sql/due.ts';
import {
  type Comparison,
  compareContent,
  compareDeletion,
  insertedColumns,
  keepNewerContent,
  keepNewerDeletion,
  outcomeOf,
  REPLACE_DELETION,
  replaceContent,
  stored,
} from '../sql/freshness.ts';
import type { JsonValue, SyncBatch, SyncRef, WriteResult } from '../store.ts';
import type { Table } from '../tables/table.ts';
import { sqliteDialect, storedValues } from './dialect.ts';
import type { SqliteFile } from './file.ts';

/** The writes of one transaction, row by row. SQLite runs in the process, so a statement needs no round trip. */
export class Writing {
  readonly result: WriteResult;
  readonly #file: SqliteFile;

  constructor(file: SqliteFile, before: WriteResult) {
    this.#file = file;
    this.result = copyOf(before);
  }

  content({ table, contents }: TableStatements, { id, asOf, record, values }: Content): void {
    if (this.#file.runInOrder(contents.keep, [id, asOf]) === 0) {
      this.#count({ type: table.type, id }, this.#file.one(contents.before, id, asOf, record));
      return;
    }
    const columns = storedValues(table.columns, values);
    const written = this.#file.runInOrder(contents.write, [id, asOf, record, ...columns, id, record]);
    this.result[written === 0 ? 'unchanged' : 'written'] += 1;
  }

  deletion({ table, deletions }: TableStatements, { id, deletedAt }: Deletion): void {
    const before = this.#file.one(deletions.before, id, deletedAt);
    if (this.#file.run(deletions.keep, id, deletedAt) === 0) this.#count({ type: table.type, id }, before);
    else {
      this.#file.run(deletions.write, id, deletedAt);
      this.result[before?.is_kept ? 'unchanged' : 'written'] += 1;
    }
  }

  checkpoint(name: string, value: JsonValue): void {
    if (value === null) this.#file.run('DELETE FROM sync_checkpoints WHERE name = $p1', name);
    else {
      const sql =
        'INSERT INTO sync_checkpoints (name, value) VALUES ($p1, $p2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
      this.#file.run(sql, name, JSON.stringify(value));
    }
  }

  /** Call this after the rows are written, because records with a tie stay due. */
  due(batch: Pick<SyncBatch, 'settled' | 'due'>): void {
    for (const { sql, values = [] } of dueChanges(sqliteDialect, batch, this.result.ties.length > 0)) {
      this.#file.run(sql, ...values);
    }
  }

  #count(ref: SyncRef, comparison: unknown): void {
    // A user may have removed the row.
    const outcome = comparison ? outcomeOf(comparison as Comparison) : 'stale';
    if (outcome === 'tie') addTie(this.result, ref);
    else this.result[outcome] += 1;
  }
}

/**
 * The statements that write contents, or deletions, of one table. `keep` and `write` of contents have their parameters
 * in order.
 */
interface RowStatements {
  /** Compares the row with the stored row. */
  before: string;
  /** Stores the time if it is newer than the stored time. */
  keep: string;
  /** Writes the row with this time. */
  write: string;
}

/** The statements that write one table. */
export interface TableStatements {
  table: Table;
  contents: RowStatements;
  deletions: RowStatements;
}

export function statementsOf(table: Table): TableStatements {
  const name = quote(table.name);
  const places = Array.from({ length: table.columns.length + 3 }, () => '?');
  const kept = `FROM (${stored(sqliteDialect, table, '$p1')}) AS kept`;
  const same = `SELECT 1 FROM ${name} WHERE id = ? AND deleted_at IS NULL AND record = ?`;
  const times = `VALUES ('${table.type}', $p1, $p2)`;
  return {
    table,
    contents: {
      before: `SELECT kept.deleted_at IS NULL AND coalesce(kept.record = $p3, 0) AS is_kept, ${compareContent('$p2', '$p3')} ${kept}`,
      keep: keepNewerContent(sqliteDialect, `VALUES ('${table.type}', ?, ?)`),
      write: `INSERT INTO ${name} AS kept (${insertedColumns(table)}) SELECT ${places.join(', ')}
WHERE NOT EXISTS (${same}) ${replaceContent(table)}`,
    },
    deletions: {
      before: `SELECT kept.deleted_at IS NOT NULL AS is_kept, ${compareDeletion('$p2')} ${kept}`,
      keep: keepNewerDeletion(sqliteDialect, times),
      write: `INSERT INTO ${name} (id, deleted_at) VALUES ($p1, $p2) ${REPLACE_DELETION}`,
    },
  };
}
