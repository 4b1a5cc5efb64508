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
  REPLACE_DELETION,
  replaceContent,
  stored,
} from '../sql/freshness.ts';
import { addFacts } from '../sql/history.ts';
import { perform } from '../sql/state.ts';
import type { JsonValue, SyncBatch, WriteResult } from '../store.ts';
import type { Fact } from '../tables/facts.ts';
import type { SyncedType } from '../tables/names.ts';
import type { Table } from '../tables/table.ts';
import { inputColumns, inputOf } from './dialect.ts';

/** The writes of one transaction: one statement for each table, for any number of rows. */
export class Writing {
  readonly result: WriteResult;
  readonly #connection: Connection;

  constructor(connection: Connection, before: WriteResult) {
    this.#connection = connection;
    this.result = copyOf(before);
  }

  async table({ table, contents, deletions }: TableBatch, statements: TableStatements): Promise<void> {
    await this.#write(table.type, contents, statements.contents);
    const rows = deletions.map(({ id, deletedAt }) => ({ id, asOf: deletedAt }));
    await this.#write(table.type, rows, statements.deletions);
  }

  async checkpoint(table: string, name: string, value: JsonValue): Promise<void> {
    if (value === null) await this.#connection.repeat(`DELETE FROM ${table} WHERE name = $1`, [name]);
    else {
      const sql = `INSERT INTO ${table} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
      await this.#connection.repeat(sql, [name, JSON.stringify(value)]);
    }
  }

  /** Call this after the rows are written, because records with a tie stay due. */
  async due(dialect: Dialect, batch: Pick<SyncBatch, 'settled' | 'due'>): Promise<void> {
    for (const { sql, values = [] } of dueChanges(dialect, batch, this.result.ties.length > 0)) {
      await this.#connection.repeat(sql, values);
    }
  }

  /** Call this after the rows are written, because writing the times of the records locks the records. */
  history(dialect: Dialect, facts: readonly Fact[]): Promise<void> {
    return perform(addFacts(dialect, facts), ({ sql, values = [] }) => this.#connection.repeat(sql, values));
  }

  async #write(type: SyncedType, rows: readonly Row[], { keep, write, compare }: RowStatements): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    // The records are locked from here on. Therefore the next statements see the rows that have prevented the writes.
    const newer = await this.#idsOf(keep, [ids, rows.map(({ asOf }) => asOf)]);
    const [kept, others] = [rows.filter(({ id }) => newer.has(id)), rows.filter(({ id }) => !newer.has(id))];
    if (kept.length > 0) {
      const changed = await this.#idsOf(write, [inputOf(kept)]);
      this.result.written += changed.size;
      this.result.unchanged += kept.length - changed.size;
    }
    if (others.length === 0) return;
    for (const { id, ...comparison } of await this.#connection.repeat(compare, [inputOf(others)])) {
      const outcome = outcomeOf(comparison as unknown as Comparison);
      if (outcome === 'tie') addTie(this.result, { type, id: String(id) });
      else this.result[outcome] += 1;
    }
  }

  async #idsOf(sql: string, values: readonly unknown[]): Promise<Set<string>> {
    return new Set((await this.#connection.repeat(sql, values)).map(({ id }) => String(id)));
  }
}

type Row = Pick<Content, 'id' | 'asOf'> & Partial<Content>;

/** The statements that write contents, or deletions, of one table. Each statement returns ids. */
interface RowStatements {
  /** Stores the times that are newer than the stored times. */
  keep: string;
  /** Writes the rows with these times. Returns the ids of changed rows. */
  write: string;
  /** Compares the stored rows with the rows that were not written. */
  compare: string;
  /** Returns the rows that the statement `write` would change. */
  differing: string;
}

/** The statements that write one table. */
export interface TableStatements {
  contents: RowStatements;
  deletions: RowStatements;
}

export function statementsOf(dialect: Dialect, table: Table): TableStatements {
  const name = dialect.name(table.name);
  const columns = insertedColumns(table);
  // LATERAL reads row by row, with the index of the id. A join could read the whole table with all its records.
  const kept = `LATERAL (${stored(dialect, table, 'input.id')} OFFSET 0) AS kept`;
  const same = `SELECT FROM ${name} AS kept WHERE kept.id = input.id AND kept.deleted_at IS NULL AND kept.record = input.record OFFSET 0`;
  const deleted = `SELECT FROM ${name} AS kept WHERE kept.id = input.id AND kept.deleted_at IS NOT NULL OFFSET 0`;
  const times = `SELECT '${table.type}', id, at FROM unnest($1::text[], $2::timestamptz[]) AS input(id, at)`;
  return {
    contents: {
      keep: `${keepNewerContent(dialect, times)} RETURNING id`,
      write: `WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz, record jsonb, ${inputColumns(table.columns)})
)
INSERT INTO ${name} AS kept (${columns}) SELECT * FROM input
WHERE NOT EXISTS (${same})
${replaceContent(table)} RETURNING id`,
      compare: `SELECT kept.id, ${compareContent('input.as_of', 'input.record')}
FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz, record jsonb) CROSS JOIN ${kept}`,
      differing: `SELECT id FROM jsonb_to_recordset($1::jsonb) AS input(id text, record jsonb) WHERE NOT EXISTS (${same})`,
    },
    deletions: {
      keep: `${keepNewerDeletion(dialect, times)} RETURNING id`,
      write: `WITH input AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz)
), written AS (
  INSERT INTO ${name} AS kept (id, deleted_at) SELECT id, as_of FROM input ${REPLACE_DELETION}
) SELECT id FROM input WHERE NOT EXISTS (${deleted})`,
      compare: `SELECT kept.id, ${compareDeletion('input.as_of')}
FROM jsonb_to_recordset($1::jsonb) AS input(id text, as_of timestamptz) CROSS JOIN ${kept}`,
      differing: `SELECT id FROM jsonb_to_recordset($1::jsonb) AS input(id text) WHERE NOT EXISTS (${deleted})`,
    },
  };
}
