import type { Rows } from '../../internal/sql.ts';
import { StoreError } from '../../internal/store-error.ts';
import type { Table } from '../tables/table.ts';
import type { Dialect, Statement, Work } from './dialect.ts';

/** Runs the statements of some work. An error that the work does not catch ends the work. */
export async function perform<T>(work: Work<T>, run: (statement: Statement) => Promise<Rows>): Promise<T> {
  let step = work.next([]);
  while (!step.done) {
    let rows: Rows;
    try {
      rows = await run(step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(rows);
  }
  return step.value;
}

/** Like {@link perform}, for a synchronous driver. Yields after each statement. */
export function* performNow<T>(work: Work<T>, run: (statement: Statement) => Rows): Generator<void, T> {
  let step = work.next([]);
  while (!step.done) {
    step = work.next(run(step.value));
    yield;
  }
  return step.value;
}

/** The state of the tables. It is stored in the store itself. */
export interface State {
  /** Version of the last complete migration; 0 without tables. */
  version: number;
  /** A number that changes with every migration, so that a program notices migrations by other programs. */
  revision: number;
  /** The columns that the package has created, by table. Other columns belong to the user. */
  columns: Readonly<Record<string, readonly string[]>>;
  /** The columns that are being filled, grouped by table. Each table has the id after which the work continues. */
  filling: Readonly<Record<string, { columns: readonly string[]; after: string }>>;
}

export const STATE_TABLE = 'sync_schema';

export const EMPTY: State = { version: 0, revision: 0, columns: {}, filling: {} };

export function* readState(dialect: Dialect): Work<State> {
  const [found] = yield dialect.hasTable(STATE_TABLE);
  if (!found?.found) return EMPTY;
  const [row] = yield { sql: `SELECT version, revision, columns, filling FROM ${dialect.name(STATE_TABLE)}` };
  return row ? stateFrom(row) : EMPTY;
}

export function stateFrom({ version, revision, columns, filling }: Readonly<Record<string, unknown>>): State {
  return {
    version: Number(version),
    revision: Number(revision),
    columns: JSON.parse(String(columns)),
    filling: JSON.parse(String(filling)),
  };
}

export function* saveState(dialect: Dialect, state: State): Work<void> {
  const { version, revision, columns, filling } = state;
  const [p1, p2, p3, p4] = [1, 2, 3, 4].map(dialect.parameter);
  const values = [version, revision + 1, JSON.stringify(columns), JSON.stringify(filling)];
  yield {
    sql: `INSERT INTO ${dialect.name(STATE_TABLE)} (one, version, revision, columns, filling) VALUES (1, ${p1}, ${p2}, ${p3}, ${p4})
ON CONFLICT (one) DO UPDATE SET version = excluded.version, revision = excluded.revision, columns = excluded.columns, filling = excluded.filling`,
    values,
  };
}

/**
 * @throws {StoreError} `store_newer` if the store has a table or a column that this version of the package would not
 * keep up to date.
 */
export function refuseNewer(state: State, version: number, tables: readonly Table[], store: string): void {
  if (state.version > version) {
    throw newer(store, `has version ${state.version}, and this version of the package knows versions up to ${version}`);
  }
  for (const [table, columns] of Object.entries(state.columns)) {
    const known = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
    const unknown = columns.filter(column => !known.includes(column));
    if (unknown.length > 0)
      throw newer(store, `has ${table}.${unknown[0]}, which this version of the package does not know`);
  }
}

function newer(store: string, reason: string): StoreError {
  return new StoreError(
    `The store (${store}) ${reason}: a newer version of container-tracking-sdk has written it. Update container-tracking-sdk.`,
    { code: 'store_newer' },
  );
}

/** @throws {StoreError} unless the store has the state that this version of the package needs. */
export function requireCurrent(state: State, version: number, tables: readonly Table[], store: string): void {
  refuseNewer(state, version, tables, store);
  const isComplete = tables.every(({ name, columns }) => {
    const made = state.columns[name];
    return made !== undefined && columns.every(column => made.includes(column.name));
  });
  if (state.version === version && isComplete) return;
  throw new StoreError(
    state.version === 0
      ? `The store (${store}) has no tables yet: call migrate() first.`
      : `The store (${store}) has the tables of an earlier version of container-tracking-sdk: call migrate() first.`,
    { code: 'store_outdated' },
  );
}
