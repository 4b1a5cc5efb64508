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
} from '../sql/freshness.ts';
import type { JsonValue, SyncBatch, SyncRef, WriteResult } from '../store.ts';
import type { Table } from '../tables/table.ts';
import { sqliteDialect, storedValue } from './dialect.ts';
import type { SqliteFile } from './file.ts';

/** What one transaction writes, row by row: statements of SQLite are quick, and need no round trip. */
export class Writing {
  readonly result: WriteResult;
  readonly #file: SqliteFile;

  constructor(file: SqliteFile, before: WriteResult) {
    this.#file = file;
    this.result = copyOf(before);
  }

  content({ table, contentBefore, content }: TableStatements, { id, asOf, record, values }: Content): void {
    const before = this.#file.one(contentBefore, id, asOf, record);
    const isWritten = this.#file.run(content, id, asOf, record, ...values.map(storedValue)) > 0;
    if (isWritten) this.result[before?.same_live ? 'unchanged' : 'written'] += 1;
    else this.#count({ type: table.type, id }, before as unknown as Comparison);
  }

  deletion({ table, deletionBefore, deletion }: TableStatements, { id, deletedAt }: Deletion): void {
    const before = this.#file.one(deletionBefore, id, deletedAt);
    const isWritten = this.#file.run(deletion, id, deletedAt) > 0;
    if (isWritten) this.result[before?.deleted ? 'unchanged' : 'written'] += 1;
    else this.#count({ type: table.type, id }, before as unknown as Comparison);
  }

  checkpoint(name: string, value: JsonValue): void {
    if (value === null) this.#file.run('DELETE FROM sync_checkpoints WHERE name = $p1', name);
    else {
      const sql =
        'INSERT INTO sync_checkpoints (name, value) VALUES ($p1, $p2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
      this.#file.run(sql, name, JSON.stringify(value));
    }
  }

  /** After the rows: what ties stays due. */
  due(batch: Pick<SyncBatch, 'settled' | 'due'>): void {
    for (const { sql, values = [] } of dueChanges(sqliteDialect, batch, this.result.ties.length > 0)) {
      this.#file.run(sql, ...values);
    }
  }

  #count(ref: SyncRef, comparison: Comparison): void {
    const outcome = outcomeOf(comparison);
    if (outcome === 'tie') addTie(this.result, ref);
    else this.result[outcome] += 1;
  }
}

/** The statements that write one table. */
export interface TableStatements {
  table: Table;
  contentBefore: string;
  content: string;
  deletionBefore: string;
  deletion: string;
}

export function statementsOf(table: Table): TableStatements {
  const name = quote(table.name);
  const places = Array.from({ length: table.columns.length + 3 }, (_, index) => `$p${index + 1}`);
  return {
    table,
    contentBefore: `SELECT kept.deleted_at IS NULL AND coalesce(kept.record = $p3, 0) AS same_live, ${compareContent('$p2', '$p3')} FROM ${name} AS kept WHERE id = $p1`,
    content: `INSERT INTO ${name} AS kept (${insertedColumns(table)}) VALUES (${places.join(', ')}) ${keepNewerContent(sqliteDialect, table)}`,
    deletionBefore: `SELECT kept.deleted_at IS NOT NULL AS deleted, ${compareDeletion('$p2')} FROM ${name} AS kept WHERE id = $p1`,
    deletion: `INSERT INTO ${name} AS kept (id, deleted_at) VALUES ($p1, $p2) ${keepNewerDeletion(sqliteDialect)}`,
  };
}
