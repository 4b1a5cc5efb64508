import { quote, quoteAll } from '../../internal/sql.ts';
import { valuesOf } from '../batch.ts';
import { DERIVED } from '../tables/derived.ts';
import { INDEXES } from '../tables/indexed.ts';
import { type SyncedType, TABLE_NAMES } from '../tables/names.ts';
import type { Column, Table } from '../tables/table.ts';
import type { Dialect, Work } from './dialect.ts';
import { dueTable } from './due.ts';
import { seenTable } from './freshness.ts';
import { historyTables } from './history.ts';
import { readState, refuseNewer, STATE_TABLE, type State, saveState } from './state.ts';
import { makeView, views } from './views.ts';

/** One numbered change. Steps are only added, never changed, because existing stores have run them. */
interface Step {
  version: number;
  work?(dialect: Dialect, tables: readonly Table[]): Work<void>;
  /** True for columns that have to be filled again in existing rows. */
  refills?(dialect: Dialect, column: Column): boolean;
}

const STEPS: readonly Step[] = [
  { version: 1, work: bookkeepingTables },
  { version: 2, work: indexesAndViews },
  { version: 3, work: newViews },
  { version: 4, work: newViews },
  { version: 5, work: seenTable },
  // In a dialect that stores JSON as text, earlier versions did not store numbers and booleans as text. Therefore these
  // columns are filled again.
  { version: 6, refills: ({ types }, { kind }) => kind === 'json' && types.json === types.text },
];

export const VERSION = STEPS.length;

/** Number of rows that one transaction fills. */
const FILLED_AT_ONCE = 500;

export interface MigrationOptions {
  dialect: Dialect;
  tables: readonly Table[];
  /** Name of the store in errors. */
  store: string;
  /** The last step to run. */
  version?: number;
  /** True if the tables and views of the history are created too. */
  history?: boolean | undefined;
}

/**
 * Migrates a store to this version. Each step is a transaction that first reads the state. Therefore several processes
 * may migrate at the same time. After an interruption, the next process continues.
 *
 * The tables and their columns are made from the description of the records. They are added after the first step, which
 * creates the table of the state. Therefore later steps find all tables and columns.
 */
export function* migration({
  dialect,
  tables,
  store,
  version = VERSION,
  history = false,
}: MigrationOptions): Work<{ from: number; to: number }> {
  const { version: from } = yield* readState(dialect);
  for (const step of STEPS.slice(0, version)) {
    yield* transaction(dialect, function* () {
      const state = yield* readState(dialect);
      refuseNewer(state, version, tables, store);
      if (state.version >= step.version) return;
      if (step.work) yield* step.work(dialect, tables);
      const refilled = tables.map(({ name, columns }): [string, string[]] => {
        const found = columns.filter(column => from > 0 && step.refills?.(dialect, column));
        return [name, found.map(column => column.name)];
      });
      yield* saveState(dialect, { ...state, version: step.version, filling: withFilling(state, refilled) });
    });
    if (step.version === 1) for (const table of tables) yield* addColumns(dialect, table);
  }
  for (const table of tables) while (!(yield* fillSome(dialect, table)));
  if (history) yield* transaction(dialect, () => historyTables(dialect));
  return { from, to: version };
}

function* bookkeepingTables(dialect: Dialect): Work<void> {
  const { name, prologue, types } = dialect;
  yield* prologue();
  yield {
    sql: `CREATE TABLE ${name(STATE_TABLE)} (one integer PRIMARY KEY CHECK (one = 1), version integer NOT NULL, revision integer NOT NULL, columns text NOT NULL, filling text NOT NULL)`,
  };
  yield {
    sql: `CREATE TABLE ${name('sync_checkpoints')} (name ${types.text} PRIMARY KEY, value ${types.text} NOT NULL)`,
  };
  yield* dueTable(dialect);
}

function* indexesAndViews(dialect: Dialect): Work<void> {
  for (const sql of indexes(dialect)) yield { sql };
  yield* newViews(dialect);
}

/**
 * Creates or replaces the views. The view `pickups` uses the column for the stage of a container and, from the fourth
 * step on, the column for the source of its deadline.
 */
function* newViews(dialect: Dialect): Work<void> {
  for (const sql of views(dialect).flatMap(view => makeView(dialect, view))) yield { sql };
}

/**
 * Adds the missing columns of the table. Existing rows get the new values from their records. The values of derived
 * columns are computed again, because this version may have another rule for them.
 */
function* addColumns(dialect: Dialect, table: Table): Work<void> {
  yield* transaction(dialect, function* () {
    const state = yield* readState(dialect);
    const made = state.columns[table.name];
    const missing = table.columns.filter(({ name }) => !made?.includes(name));
    if (made && missing.length === 0) return;
    if (made) {
      for (const column of missing)
        yield { sql: `ALTER TABLE ${dialect.name(table.name)} ADD COLUMN ${definition(dialect, column)}` };
    } else yield { sql: createTable(dialect, table) };
    const names = missing.map(({ name }) => name);
    const derived = (DERIVED[table.type] ?? []).map(({ name }) => name);
    yield* saveState(dialect, {
      ...state,
      columns: { ...state.columns, [table.name]: [...(made ?? []), ...names] },
      filling: made ? withFilling(state, [[table.name, [...names, ...derived]]]) : state.filling,
    });
  });
}

/**
 * The value of `filling` after the addition of these columns of these tables. They are filled from the first row on.
 */
function withFilling({ filling }: State, added: readonly (readonly [string, readonly string[]])[]): State['filling'] {
  const tables = added.filter(([, columns]) => columns.length > 0);
  const columnsOf = (table: string, columns: readonly string[]) => [
    ...new Set([...(filling[table]?.columns ?? []), ...columns]),
  ];
  const fillings = tables.map(([table, columns]) => [table, { columns: columnsOf(table, columns), after: '' }]);
  return { ...filling, ...Object.fromEntries(fillings) };
}

/** Fills the next rows. Returns true if all rows are filled. */
function* fillSome(dialect: Dialect, table: Table): Work<boolean> {
  return yield* transaction(dialect, function* () {
    const state = yield* readState(dialect);
    const { [table.name]: filling, ...others } = state.filling;
    if (!filling) return true;
    const columns = table.columns.filter(({ name }) => filling.columns.includes(name));
    const rows = yield {
      sql: `SELECT id, CAST(record AS ${dialect.types.text}) AS record FROM ${dialect.name(table.name)} WHERE id > ${dialect.parameter(1)} AND record IS NOT NULL ORDER BY id LIMIT ${FILLED_AT_ONCE}${dialect.forUpdate}`,
      values: [filling.after],
    };
    const filled = rows.map(({ id, record }) => ({
      id: String(id),
      values: valuesOf({ ...table, columns }, String(id), JSON.parse(String(record))),
    }));
    yield* dialect.fill(table, columns, filled);
    const last = filled.at(-1);
    const isLast = last === undefined || filled.length < FILLED_AT_ONCE;
    const rest: State['filling'] = isLast ? others : { ...others, [table.name]: { ...filling, after: last.id } };
    yield* saveState(dialect, { ...state, filling: rest });
    return isLast;
  });
}

function createTable(dialect: Dialect, { name, columns }: Table): string {
  const definitions = [
    `id ${dialect.idType} PRIMARY KEY`,
    ...columns.map(column => definition(dialect, column)),
    `record ${dialect.types.json}`,
    `as_of ${dialect.types.timestamp}`,
    `deleted_at ${dialect.types.timestamp}`,
  ];
  return `CREATE TABLE ${dialect.name(name)} (\n  ${definitions.join(',\n  ')}\n)`;
}

function definition({ types }: Dialect, { name, kind }: Column): string {
  return `${quote(name)} ${types[kind]}`;
}

export function* transaction<T>(dialect: Dialect, work: () => Work<T>): Work<T> {
  yield dialect.begin;
  try {
    const result = yield* work();
    yield { sql: 'COMMIT' };
    return result;
  } catch (error) {
    yield { sql: 'ROLLBACK' };
    throw error;
  }
}

/** Lists whose elements are searched: the references and the labels of the user. */
const ELEMENTS: { readonly [T in SyncedType]?: readonly string[] } = {
  shipment: ['ref_numbers', 'tags'],
  container: ['ref_numbers'],
};

function indexes(dialect: Dialect): string[] {
  const { name, elementsIndex } = dialect;
  const of = <T>(entries: { readonly [Type in SyncedType]?: readonly T[] }) =>
    Object.entries(entries).flatMap(([type, items]) =>
      items.map(item => ({ table: TABLE_NAMES[type as SyncedType], item })),
    );
  return [
    ...of(INDEXES).map(
      ({ table, item }) => `CREATE INDEX ${quote(`${table}_${item.join('_')}`)} ON ${name(table)} (${quoteAll(item)})`,
    ),
    ...(elementsIndex
      ? of(ELEMENTS).map(({ table, item }) => elementsIndex(`${table}_${item}_elements`, table, item))
      : []),
  ];
}
