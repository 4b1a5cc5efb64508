import type { Connection } from '../../internal/postgres.ts';
import { addTie, type Content, copyOf, type TableBatch } from '../batch.ts';
import type { Dialect } from '../sql/dialect.ts';
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
import type { JsonValue, SyncBatch, WriteResult } from '../store.ts';
import type { SyncedType } from '../tables/names.ts';
import type { Table } from '../tables/table.ts';
import { inputColumns, inputOf } from './dialect.ts';

/** What one transaction writes: one statement a table, whatever the number of rows. */
export class Writing {
  readonly result: WriteResult;
  readonly #connection: Connection;

  constructor(connection: Connection, before: WriteResult) {
    this.#connection = connection;
    this.result = copyOf(before);
  }

  async table({ table, contents, deletions }: TableBatch, statements: TableStatements): Promise<void> {
    await this.#write(table.type, contents, statements.contents, statements.compareContents);
    const rows = deletions.map(({ id, deletedAt }) => ({ id, asOf: deletedAt }));
    await this.#write(table.type, rows, statements.deletions, statements.compareDeletions);
  }

  async checkpoint(table: string, name: string, value: JsonValue): Promise<void> {
    if (value === null) await this.#connection.repeat(`DELETE FROM ${table} WHERE name = $1`, [name]);
    else {
      const sql = `INSERT INTO ${table} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
      await this.#connection.repeat(sql, [name, JSON.stringify(value)]);
    }
  }

  /** After the rows: what ties stays due. */
  async due(dialect: Dialect, batch: Pick<SyncBatch, 'settled' | 'due'>): Promise<void> {
    for (const { sql, values = [] } of dueChanges(dialect, batch, this.result.ties.length > 0)) {
      await this.#connection.repeat(sql, values);
    }
  }

  async #write(type: SyncedType, rows: readonly Row[], write: string, compare: string): Promise<void> {
    if (rows.length === 0) return;
    const written = await this.#connection.repeat(write, [inputOf(rows)]);
    for (const { same } of written) this.result[same ? 'unchanged' : 'written'] += 1;
    if (written.length === rows.length) return;

    // They are locked now, so the comparison is with what kept them from being written.
    const ids = new Set(written.map(({ id }) => id));
    const others = rows.filter(({ id }) => !ids.has(id));
    for (const { id, ...comparison } of await this.#connection.repeat(compare, [inputOf(others)])) {
      const outcome = outcomeOf(comparison as unknown as Comparison);
      if (outcome === 'tie') addTie(this.result, { type, id: String(id) });
      else this.result[outcome] += 1;
    }
  }
}

type Row = Pick<Content, 'id' | 'asOf'> & Partial<Content>;

/** The statements that write one table. */
export interface TableStatements {
  contents: string;
  compareContents: string;
  deletions: string;
  compareDeletions: string;
}

export function statementsOf(dialect: Dialect, table: Table): TableStatements {
  const name = dialect.name(table.name);
  const columns = insertedColumns(table);
  // Row by row, by the index of the id: a join may read the whole table in its place, with all of its records.
  const stored = `CROSS JOIN LATERAL (SELECT id, as_of, record, deleted_at FROM ${name} WHERE id = input.id OFFSET 0) AS kept`;
  return {
    contents: `WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz, record jsonb, ${inputColumns(table.columns)})
), before AS (
  SELECT input.id FROM input ${stored}
  WHERE kept.deleted_at IS NULL AND kept.record = input.record
), written AS (
  INSERT INTO ${name} AS kept (${columns}) SELECT * FROM input
  ${keepNewerContent(dialect, table)} RETURNING id
) SELECT id, id IN (SELECT id FROM before) AS same FROM written`,
    compareContents: `SELECT kept.id, ${compareContent('input.as_of', 'input.record')}
FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz, record jsonb) ${stored}`,
    deletions: `WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz)
), before AS (
  SELECT input.id FROM input ${stored} WHERE kept.deleted_at IS NOT NULL
), written AS (
  INSERT INTO ${name} AS kept (id, deleted_at) SELECT id, as_of FROM input
  ${keepNewerDeletion(dialect)} RETURNING id
) SELECT id, id IN (SELECT id FROM before) AS same FROM written`,
    compareDeletions: `SELECT kept.id, ${compareDeletion('input.as_of')}
FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz) ${stored}`,
  };
}
