import { ConfigurationError } from '../../errors.ts';
import {
  describeValue,
  milliseconds,
  objectArgument,
  optionalSignal,
  refuseUnknownNames,
  requiredText,
  wholeNumber,
} from '../../internal/arguments.ts';
import {
  BEGIN,
  type Connection,
  Connections,
  DURABLE,
  type PostgresPool,
  requirePool,
  requireSchema,
  StatementNames,
} from '../../internal/postgres.ts';
import type { Rows } from '../../internal/sql.ts';
import { prepare } from '../batch.ts';
import type { Dialect, Work } from '../sql/dialect.ts';
import { countDue, dueFrom, dueStatus, selectDue } from '../sql/due.ts';
import { selectNewest, selectUnseen } from '../sql/freshness.ts';
import { historyRow, requireHistory, selectAt, trim } from '../sql/history.ts';
import { migration, transaction, VERSION } from '../sql/migration.ts';
import { perform, readState, requireCurrent } from '../sql/state.ts';
import type {
  DueRead,
  HistoryRow,
  JsonValue,
  StoreLock,
  StoreMigrationOptions,
  StoreStatus,
  SyncBatch,
  SyncRef,
  SyncRow,
  SyncStore,
  TableStatus,
  WriteResult,
} from '../store.ts';
import { type SyncedType, tableName } from '../tables/names.ts';
import { describeTables, type Table } from '../tables/table.ts';
import { timeText } from '../tables/time.ts';
import { addComments } from './comments.ts';
import { inputOf, postgresDialect } from './dialect.ts';
import { AdvisoryLock, tryLock } from './lock.ts';
import { statementsOf, type TableStatements, Writing } from './writing.ts';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /**
   * A `Pool` of the package `pg`. It needs at least 2 connections, because the process that reads uses one for its
   * lock. Listen to its `error` event: otherwise the loss of an idle connection ends the process.
   */
  pool: PostgresPool;
  /** The schema of the tables. It is created if it does not exist. @default 'tracking' */
  schema?: string | undefined;
  /**
   * Upper bound in ms for a call, including the wait for a connection. `migrate()` has no such bound.
   * @default 60_000
   */
  timeoutMs?: number | undefined;
  /**
   * `true` to use prepared statements for writing: a notification then takes about half the time. Do not use it behind
   * a pooler that assigns each transaction to another connection, such as PgBouncer before version 1.21.
   * @default false
   */
  preparedStatements?: boolean | undefined;
}

/**
 * A store in PostgreSQL (13 or newer), for any number of processes and machines. It also works behind a pooler that
 * assigns each transaction to another connection, such as PgBouncer. The reading process keeps a transaction open. This
 * transaction holds the lock of the process. This transaction does not delay VACUUM. Monitoring tools show it as
 * `idle in transaction`.
 *
 * @throws {ConfigurationError} if `pool` is not a pool of `pg`, if `schema` is not a name, and for an unknown option.
 * @example
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * pool.on('error', error => console.error(error.message));
 * const sync = createSync({ client, store: postgresStore({ pool }) });
 */
export function postgresStore(options: PostgresStoreOptions): SyncStore {
  return new PostgresStore(options);
}

class PostgresStore implements SyncStore {
  readonly description: string;
  readonly #pool: PostgresPool;
  readonly #connections: Connections;
  readonly #schema: string;
  readonly #dialect: Dialect;
  readonly #timeoutMs: number;
  readonly #tables = describeTables();
  readonly #statements: ReadonlyMap<Table, TableStatements>;
  readonly #locks = new Set<AdvisoryLock>();
  /** The revision that the tables had when they were last found to be current. */
  #revision: number | undefined;
  #hasHistory = false;

  constructor(options: PostgresStoreOptions) {
    const given = objectArgument('The argument of postgresStore()', options, '{ pool }');
    refuseUnknownNames('postgresStore()', given, ['pool', 'schema', 'timeoutMs', 'preparedStatements']);
    const { pool, schema = 'tracking', timeoutMs = 60_000, preparedStatements = false } = given;
    this.#pool = requirePool('postgresStore', pool);
    this.#schema = requireSchema(schema);
    this.#timeoutMs = milliseconds('timeoutMs', timeoutMs);
    if (typeof preparedStatements !== 'boolean') {
      throw new ConfigurationError(
        `preparedStatements is ${describeValue(preparedStatements)}; it must be true or false.`,
      );
    }
    this.description = `PostgreSQL, schema ${schema}`;
    this.#connections = new Connections(pool, this.description, preparedStatements ? new StatementNames() : undefined);
    this.#dialect = postgresDialect(schema);
    this.#statements = new Map(this.#tables.map(table => [table, statementsOf(this.#dialect, table)]));
  }

  async migrate({ signal: given, history }: StoreMigrationOptions = {}): Promise<{ from: number; to: number }> {
    const signal = optionalSignal(given);
    const work = migration({ dialect: this.#dialect, tables: this.#tables, store: this.description, history });
    // The comments are loaded here, because most processes do not migrate.
    const { COMMENTS } = await import('../generated/comments.ts');
    const comments = () => addComments(this.#dialect, this.#schema, COMMENTS);
    return this.#connections.use(
      async connection => {
        const versions = await performOn(connection, work);
        await performOn(connection, transaction(this.#dialect, comments));
        return versions;
      },
      { signal },
    );
  }

  async write(batch: SyncBatch): Promise<WriteResult> {
    const prepared = await prepare(batch, this.#tables);
    if (batch.history) await this.#requireHistory();
    for (;;) {
      this.#revision ??= await this.#currentRevision();
      const result = await this.#connections.transaction(
        // A shared lock: a migration waits for this transaction. Therefore it cannot change a table during the
        // transaction.
        `${BEGIN}; ${DURABLE}; SELECT revision FROM ${this.#dialect.name('sync_schema')} FOR SHARE`,
        async (connection, [state]) => {
          if (state?.revision !== this.#revision) return undefined;
          const writing = new Writing(connection, prepared.result);
          for (const rows of prepared.tables) {
            await writing.table(rows, this.#statements.get(rows.table) as TableStatements);
          }
          if (prepared.facts.length > 0) await writing.history(this.#dialect, prepared.facts);
          await writing.due(this.#dialect, batch);
          const { checkpoint } = batch;
          if (checkpoint) {
            await writing.checkpoint(this.#dialect.name('sync_checkpoints'), checkpoint.name, checkpoint.value);
          }
          return writing.result;
        },
        { timeoutMs: this.#timeoutMs },
      );
      if (result) return result;
      // Another process has migrated the tables in the meantime, so the revision is read again.
      this.#revision = undefined;
    }
  }

  async checkpoint(name: string): Promise<JsonValue | undefined> {
    const [row] = await this.#read(`SELECT value FROM ${this.#dialect.name('sync_checkpoints')} WHERE name = $1`, [
      name,
    ]);
    return row && (JSON.parse(String(row.value)) as JsonValue);
  }

  async missing(refs: readonly SyncRef[]): Promise<SyncRef[]> {
    const types = [...new Set(refs.map(({ type }) => type))];
    const stored = types.map(
      (type, index) =>
        `SELECT $${2 * index + 1} AS type, id FROM ${this.#name(type)} WHERE id = ANY ($${2 * index + 2}::text[])`,
    );
    if (stored.length === 0) return [];
    const idsOf = (type: SyncedType) => refs.filter(ref => ref.type === type).map(({ id }) => id);
    const rows = await this.#read(
      stored.join(' UNION ALL '),
      types.flatMap(type => [type, idsOf(type)]),
    );
    const found = new Set(rows.map(({ type, id }) => `${type} ${id}`));
    return refs.filter(({ type, id }) => !found.has(`${type} ${id}`));
  }

  async differing(rows: readonly SyncRow[]): Promise<SyncRef[]> {
    const found: SyncRef[] = [];
    for (const { table, contents, deletions } of (await prepare({ rows }, this.#tables)).tables) {
      const statements = this.#statements.get(table) as TableStatements;
      const differing = [
        ...(await this.#read(statements.contents.differing, [inputOf(contents)])),
        ...(await this.#read(statements.deletions.differing, [inputOf(deletions)])),
      ];
      found.push(...differing.map(({ id }) => ({ type: table.type, id: String(id) })));
    }
    return found;
  }

  async unseen(
    type: SyncedType,
    { before, after = '', limit }: { before: number; after?: string | undefined; limit: number },
  ): Promise<string[]> {
    const rows = await this.#read(selectUnseen(this.#dialect, type), [
      after,
      timeText('before', before),
      wholeNumber('limit', limit),
    ]);
    return rows.map(({ id }) => String(id));
  }

  async due({ limit }: { limit: number }): Promise<DueRead[]> {
    const { sql, values = [] } = selectDue(this.#dialect, wholeNumber('limit', limit));
    return dueFrom(await this.#read(sql, values));
  }

  async historyAt(at: number): Promise<HistoryRow[]> {
    const { sql, values = [] } = selectAt(this.#dialect, timeText('The time', at));
    await this.#requireHistory();
    return (await this.#read(sql, values)).map(historyRow);
  }

  async trimHistory(options: Parameters<NonNullable<SyncStore['trimHistory']>>[0]): Promise<number> {
    const statements = trim(this.#dialect, options);
    await this.#requireHistory();
    let removed = 0;
    for (const { sql, values = [] } of statements) removed += (await this.#read(sql, values)).length;
    return removed;
  }

  async lock(name: string): Promise<StoreLock | undefined> {
    const key = `container-tracking-sdk ${this.#schema} ${requiredText('The name of the lock', name)}`;
    if (this.#pool.options?.max === 1) {
      throw new ConfigurationError('The pool has 1 connection; it needs at least 2, because the lock uses one.');
    }
    return this.#connections.keep(
      connection => tryLock(connection, key),
      client => {
        const lock: AdvisoryLock = new AdvisoryLock(client, () => this.#locks.delete(lock));
        this.#locks.add(lock);
        return lock;
      },
      { timeoutMs: this.#timeoutMs },
    );
  }

  async status(): Promise<StoreStatus> {
    const read = <T>(work: Work<T>) =>
      this.#connections.use(connection => performOn(connection, work), { timeoutMs: this.#timeoutMs });
    const { version } = await read(readState(this.#dialect));
    if (version === 0) return { version, due: 0, tables: [], checkpoints: [] };
    const counts = this.#tables.map(
      ({ type, name }) =>
        `SELECT '${type}' AS type, count(*) FILTER (WHERE deleted_at IS NULL) AS rows, count(deleted_at) AS deleted, (extract(epoch FROM (${selectNewest(this.#dialect, type)})) * 1000)::float8 AS newest FROM ${this.#dialect.name(name)}`,
    );
    const checkpoints = `SELECT name, value FROM ${this.#dialect.name('sync_checkpoints')} ORDER BY name`;
    return this.#connections.use(
      async connection => ({
        version,
        ...dueStatus(await connection.query(countDue(this.#dialect).sql)),
        tables: (await connection.query(counts.join(' UNION ALL '))).map(tableStatus),
        checkpoints: (await connection.query(checkpoints)).map(({ name, value }) => ({
          name: String(name),
          value: JSON.parse(String(value)) as JsonValue,
        })),
      }),
      { timeoutMs: this.#timeoutMs },
    );
  }

  async close(): Promise<void> {
    this.#connections.close();
    await Promise.all([...this.#locks].map(lock => lock.close()));
  }

  #name(type: SyncedType): string {
    return this.#dialect.name(tableName(type));
  }

  async #read(sql: string, values: readonly unknown[]): Promise<Rows> {
    this.#revision ??= await this.#currentRevision();
    return this.#connections.use(connection => connection.query(sql, values), { timeoutMs: this.#timeoutMs });
  }

  async #requireHistory(): Promise<void> {
    if (this.#hasHistory) return;
    const work = requireHistory(this.#dialect, this.description);
    await this.#connections.use(connection => performOn(connection, work), { timeoutMs: this.#timeoutMs });
    this.#hasHistory = true;
  }

  async #currentRevision(): Promise<number> {
    const state = await this.#connections.use(connection => performOn(connection, readState(this.#dialect)), {
      timeoutMs: this.#timeoutMs,
    });
    requireCurrent(state, VERSION, this.#tables, this.description);
    return state.revision;
  }
}

/** Runs the statements one after another. */
function performOn<T>(connection: Connection, work: Work<T>): Promise<T> {
  return perform(work, ({ sql, values }) => connection.query(sql, values));
}

function tableStatus({ type, rows, deleted, newest }: Rows[number]): TableStatus {
  return {
    type: type as SyncedType,
    table: tableName(type as SyncedType),
    rows: Number(rows),
    deleted: Number(deleted),
    newest: newest === null ? undefined : Number(newest),
  };
}
