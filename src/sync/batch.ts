import { ConfigurationError, ResponseFormatError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { inSlices } from './slices.ts';
import type { ColumnMisfit, SyncBatch, SyncRef, SyncRow, WriteResult } from './store.ts';
import { canonical } from './tables/canonical.ts';
import { type Fact, factValues } from './tables/facts.ts';
import { type ColumnValue, fitted, MISFIT } from './tables/kind.ts';
import { isSyncedType } from './tables/names.ts';
import type { CanonicalRecord, Column, Table } from './tables/table.ts';
import { timeText } from './tables/time.ts';

/** The content of a row of a table. */
export interface Content {
  id: string;
  /** ISO 8601 in UTC. */
  asOf: string;
  /** The canonical record as JSON: equal records have the same text. */
  record: string;
  /** One value for each column, in the order of the columns. */
  values: ColumnValue[];
}

export interface Deletion {
  id: string;
  /** ISO 8601 in UTC. */
  deletedAt: string;
}

/**
 * The part of a batch for one table. For each record, it has the newest content and the newest deletion, sorted by id.
 */
export interface TableBatch {
  table: Table;
  contents: Content[];
  deletions: Deletion[];
}

/**
 * A batch that is checked and sorted. Every process writes in the same order, so that processes do not block each
 * other.
 */
export interface PreparedBatch {
  tables: TableBatch[];
  /** The content of each row for the history. Rows that are older than another row of the same record are included. */
  facts: Fact[];
  /**
   * The result of comparing the rows of the batch with each other. The store adds the result of the comparison
   * with the stored rows.
   */
  result: WriteResult;
}

/**
 * Checks and sorts a batch. A page can have hundreds of rows, so the event loop runs between parts of the work.
 *
 * @throws {ConfigurationError} for a row that no store can keep.
 */
export function prepare(batch: SyncBatch, tables: readonly Table[]): Promise<PreparedBatch> {
  return inSlices(preparing(batch, tables));
}

function* preparing({ rows, history }: SyncBatch, tables: readonly Table[]): Generator<void, PreparedBatch> {
  const result = emptyResult();
  const perType = new Map<string, SyncRow[]>();
  for (const row of rows) {
    requireRecord(row);
    const ofType = perType.get(row.type);
    if (ofType) ofType.push(row);
    else perType.set(row.type, [row]);
  }
  const facts: Fact[] = [];
  const prepared: TableBatch[] = [];
  for (const table of tables) {
    const ofType = perType.get(table.type);
    if (!ofType) continue;
    const remember = remembering(table, history?.[table.type] ?? [], facts);
    prepared.push(yield* prepareTable(table, ofType, result, remember));
  }
  return { tables: prepared, facts, result };
}

function emptyResult(): WriteResult {
  return { written: 0, unchanged: 0, stale: 0, ties: [], misfits: [] };
}

/**
 * A copy of the result. If a transaction is repeated, it starts with the result that existed before the transaction.
 */
export function copyOf(result: WriteResult): WriteResult {
  return { ...result, ties: [...result.ties] };
}

/** Adds a record to the ties, unless another row of the same record has already added it. */
export function addTie({ ties }: WriteResult, { type, id }: SyncRef): void {
  if (!ties.some(tie => tie.type === type && tie.id === id)) ties.push({ type, id });
}

function requireRecord({ type, id, record }: SyncRow): void {
  if (!isSyncedType(type))
    throw new ConfigurationError(`The type ${describeValue(type)} is not a type that sync stores.`);
  if (typeof id !== 'string' || id === '') {
    throw new ConfigurationError(`The id of a ${type} is ${describeValue(id)}; it must be a text that is not empty.`);
  }
  if (record !== null && (record?.id !== id || record.type !== type)) {
    throw new ConfigurationError(
      `The row of the ${type} ${id} has the wrong record: ${record ? `the ${record.type} ${record.id}` : describeValue(record)}. The record must have the same type and id as the row.`,
    );
  }
}

/** Adds the values of a row to the history. A deleted record has no values. */
type Remember = (id: string, at: string, values: readonly ColumnValue[]) => void;

/** Returns `undefined` if no field of the table is chosen. */
function remembering({ type, columns }: Table, fields: readonly string[], facts: Fact[]): Remember | undefined {
  const chosen = fields.map(field => columns.findIndex(({ name }) => name === field)).filter(place => place >= 0);
  if (chosen.length === 0) return undefined;
  const names = chosen.map(place => columns[place]?.name as string);
  return (id, at, values) => {
    facts.push({
      type,
      id,
      at,
      values: factValues(
        names,
        chosen.map(place => values[place] ?? null),
      ),
    });
  };
}

function* prepareTable(
  table: Table,
  rows: SyncRow[],
  result: WriteResult,
  remember?: Remember,
): Generator<void, TableBatch> {
  const contents = new Map<string, Content>();
  const deletions = new Map<string, Deletion>();
  const misfits = new Map<Column, ColumnMisfit>();
  for (const { type, id, asOf, record } of rows) {
    yield;
    const at = timeText(`asOf of the ${type} ${id}`, asOf);
    if (record === null) {
      remember?.(id, at, []);
      const known = deletions.get(id);
      if (!known || known.deletedAt < at) deletions.set(id, { id, deletedAt: at });
      if (known) result[known.deletedAt < at || known.deletedAt > at ? 'stale' : 'unchanged'] += 1;
      continue;
    }
    const known = contents.get(id);
    if (known && known.asOf > at) {
      remember?.(id, at, valuesOf(table, id, canonicalText(record, table).kept));
      result.stale += 1;
      continue;
    }
    const { kept, text } = canonicalText(record, table);
    if (known?.asOf === at) {
      if (known.record === text) result.unchanged += 1;
      else addTie(result, { type, id });
      continue;
    }
    if (known) result.stale += 1;
    const values = valuesOf(table, id, kept, misfits);
    remember?.(id, at, values);
    contents.set(id, { id, asOf: at, record: text, values });
  }
  result.misfits.push(...misfits.values());
  return { table, contents: inOrder(contents), deletions: inOrder(deletions) };
}

/** @throws {ResponseFormatError} for a record that is nested too deeply. */
function canonicalText(record: NonNullable<SyncRow['record']>, { relationships }: Table) {
  try {
    const kept = canonical(record, relationships);
    return { kept, text: JSON.stringify(kept) };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const { type, id } = record;
    throw new ResponseFormatError(
      `The ${type} ${id} has a value that is nested too deeply to be stored. Leave its type out of tables, or have the value removed.`,
      { status: 200, method: 'GET', path: `/${type}s/${id}`, requestId: undefined, cause },
    );
  }
}

/** The values of the columns; `null` if a value of the record has another kind. */
export function valuesOf(
  { type, columns }: Table,
  id: string,
  record: CanonicalRecord,
  misfits?: Map<Column, ColumnMisfit>,
): ColumnValue[] {
  return columns.map(column => {
    const value = checkedValue(column, record);
    if (value !== MISFIT) return value;
    const known = misfits?.get(column);
    if (known) known.count += 1;
    else misfits?.set(column, { type, column: column.name, expected: expectedOf(column), count: 1, example: id });
    return null;
  });
}

function expectedOf({ kind, longest }: Column): string {
  return kind === 'text' && longest !== undefined ? `${kind} of at most ${longest} characters` : kind;
}

function checkedValue(column: Column, record: CanonicalRecord): ColumnValue | typeof MISFIT {
  try {
    return fitted(column.kind, column.from(record), column.longest);
  } catch {
    // The function of a derived column fails on fields with unexpected values.
    return MISFIT;
  }
}

function inOrder<T extends { id: string }>(rows: Map<string, T>): T[] {
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
