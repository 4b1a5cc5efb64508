import { optionalSignal, requiredText, wholeNumber } from '../../internal/arguments.ts';
import { quote } from '../../internal/sql.ts';
import { type PreparedBatch, prepare } from '../batch.ts';
import type { Statement, Work } from '../sql/dialect.ts';
import { countDue, dueFrom, dueStatus, selectDue } from '../sql/due.ts';
import { selectNewest, selectUnseen } from '../sql/freshness.ts';
import { addFacts, historyRow, requireHistory, selectAt, trim } from '../sql/history.ts';
import { migration, VERSION } from '../sql/migration.ts';
import { perform, performNow, readState, requireCurrent } from '../sql/state.ts';
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
import { sqliteDialect } from './dialect.ts';
import { openDatabase, SqliteFile } from './file.ts';
import { FileLocks } from './lock.ts';
import { statementsOf, type TableStatements, Writing } from './writing.ts';

export { StoreError, type StoreErrorCode } from '../../internal/store-error.ts';

/**
 * A store in an SQLite file, with `node:sqlite` (Node 22.13 or newer), for one machine. Several processes may use the
 * file at the same time, and other programs may read it with SQL.
 *
 * Times and days are texts in ISO 8601 (UTC), nested values are JSON, and a boolean is 0 or 1.
 *
 * @param path path of the file. It is created if it does not exist. `':memory:'` is for tests.
 * @throws {ConfigurationError} if `node:sqlite` is missing, or if the file cannot be opened, with the reason.
 * @example
 * const sync = createSync({ client, store: sqliteStore('tracking.db') });
 */
export function sqliteStore(path: string): SyncStore {
  return new SqliteStore(path);
}

class SqliteStore implements SyncStore {
  readonly description: string;
  readonly #file: SqliteFile;
  readonly #locks: FileLocks;
  readonly #tables = describeTables();
  readonly #statements = new Map(this.#tables.map(table => [table, statementsOf(table)]));
  /** The revision that the tables had when they were last found to be current. */
  #revision: number | undefined;
  #hasHistory = false;

  constructor(path: string) {
    const database = openDatabase(path);
    this.description = `SQLite ${path}`;
    this.#file = new SqliteFile(database, this.description);
    this.#locks = new FileLocks(this.#file.location);
  }

  async migrate({ signal: given, history }: StoreMigrationOptions = {}): Promise<{ from: number; to: number }> {
    const signal = optionalSignal(given);
    const work = migration({ dialect: sqliteDialect, tables: this.#tables, store: this.description, history });
    return this.#file.inTurn(() => this.#perform(work, signal));
  }

  async write(batch: SyncBatch): Promise<WriteResult> {
    const prepared = await prepare(batch, this.#tables);
    if (batch.history) await this.#requireHistory();
    return this.#writing(() => this.#writeSteps(batch, prepared));
  }

  async checkpoint(name: string): Promise<JsonValue | undefined> {
    return this.#reading(() => {
      const row = this.#file.one('SELECT value FROM sync_checkpoints WHERE name = $p1', name);
      return row && (JSON.parse(String(row.value)) as JsonValue);
    });
  }

  async missing(refs: readonly SyncRef[]): Promise<SyncRef[]> {
    const known = refs.map(ref => ({ ref, sql: `SELECT 1 FROM ${quote(tableName(ref.type))} WHERE id = $p1` }));
    return this.#reading(() =>
      known.filter(({ ref, sql }) => this.#file.one(sql, ref.id) === undefined).map(({ ref }) => ref),
    );
  }

  async differing(rows: readonly SyncRow[]): Promise<SyncRef[]> {
    const { tables } = await prepare({ rows }, this.#tables);
    const isKept = ({ before }: TableStatements['contents'], ...values: string[]) =>
      this.#file.one(before, ...values)?.is_kept;
    return this.#reading(() =>
      tables.flatMap(({ table, contents, deletions }) => {
        const { type } = table;
        const statements = this.#statements.get(table) as TableStatements;
        return [
          ...contents.filter(({ id, asOf, record }) => !isKept(statements.contents, id, asOf, record)),
          ...deletions.filter(({ id, deletedAt }) => !isKept(statements.deletions, id, deletedAt)),
        ].map(({ id }) => ({ type, id }));
      }),
    );
  }

  async unseen(
    type: SyncedType,
    { before, after = '', limit }: { before: number; after?: string | undefined; limit: number },
  ): Promise<string[]> {
    const sql = selectUnseen(sqliteDialect, type);
    const values = [after, timeText('before', before), wholeNumber('limit', limit)];
    return this.#reading(() => this.#file.all(sql, ...values).map(({ id }) => String(id)));
  }

  async due({ limit }: { limit: number }): Promise<DueRead[]> {
    const { sql, values = [] } = selectDue(sqliteDialect, wholeNumber('limit', limit));
    return this.#reading(() => dueFrom(this.#file.all(sql, ...values)));
  }

  async historyAt(at: number): Promise<HistoryRow[]> {
    const { sql, values = [] } = selectAt(sqliteDialect, timeText('The time', at));
    await this.#requireHistory();
    return this.#reading(() => this.#file.all(sql, ...values).map(historyRow));
  }

  async trimHistory(options: Parameters<NonNullable<SyncStore['trimHistory']>>[0]): Promise<number> {
    const statements = trim(sqliteDialect, options);
    await this.#requireHistory();
    return this.#writing(() => this.#removeRows(statements));
  }

  async lock(name: string): Promise<StoreLock | undefined> {
    requiredText('The name of the lock', name);
    return this.#file.inTurn(() => this.#locks.take(name));
  }

  async status(): Promise<StoreStatus> {
    return this.#file.inTurn(async () => {
      const { version } = await this.#perform(readState(sqliteDialect));
      if (version === 0) return { version, due: 0, tables: [], checkpoints: [] };
      return {
        version,
        ...dueStatus(this.#file.all(countDue(sqliteDialect).sql)),
        tables: this.#tables.map(table => this.#tableStatus(table)),
        checkpoints: this.#file
          .all('SELECT name, value FROM sync_checkpoints ORDER BY name')
          .map(({ name, value }) => ({ name: String(name), value: JSON.parse(String(value)) as JsonValue })),
      };
    });
  }

  async close(): Promise<void> {
    this.#locks.close();
    await this.#file.close();
  }

  #tableStatus({ type, name }: Table): TableStatus {
    const counted = this.#file.one(
      `SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS rows, count(deleted_at) AS deleted, (${selectNewest(sqliteDialect, type)}) AS newest FROM ${quote(name)}`,
    );
    return {
      type,
      table: name,
      rows: Number(counted?.rows),
      deleted: Number(counted?.deleted),
      newest: counted?.newest ? Date.parse(String(counted.newest)) : undefined,
    };
  }

  *#writeSteps(batch: SyncBatch, { tables, facts, result }: PreparedBatch): Generator<void, WriteResult> {
    const writing = new Writing(this.#file, result);
    for (const { table, contents, deletions } of tables) {
      const statements = this.#statements.get(table) as TableStatements;
      for (const content of contents) {
        writing.content(statements, content);
        yield;
      }
      for (const deletion of deletions) {
        writing.deletion(statements, deletion);
        yield;
      }
    }
    if (facts.length > 0) {
      const adding = addFacts(sqliteDialect, facts);
      yield* performNow(adding, ({ sql, values = [] }) => this.#file.all(sql, ...values));
    }
    writing.due(batch);
    if (batch.checkpoint) writing.checkpoint(batch.checkpoint.name, batch.checkpoint.value);
    return writing.result;
  }

  *#removeRows(statements: readonly Statement[]): Generator<void, number> {
    let removed = 0;
    for (const { sql, values = [] } of statements) {
      removed += this.#file.all(sql, ...values).length;
      yield;
    }
    return removed;
  }

  #reading<T>(work: () => T): Promise<T> {
    return this.#file.inTurn(async () => {
      this.#revision ??= await this.#currentRevision();
      return this.#file.whenUnlocked(work);
    });
  }

  /** A transaction that first checks that the tables are current: another process may have migrated them. */
  #writing<T>(work: () => Generator<void, T>): Promise<T> {
    return this.#file.inTurn(async () => {
      for (;;) {
        this.#revision ??= await this.#currentRevision();
        const written = await this.#file.transaction(() => this.#ifCurrent(work));
        if (written) return written.result;
        this.#revision = undefined;
      }
    });
  }

  *#ifCurrent<T>(work: () => Generator<void, T>): Generator<void, { result: T } | undefined> {
    const isCurrent = this.#file.one('SELECT revision FROM sync_schema')?.revision === this.#revision;
    return isCurrent ? { result: yield* work() } : undefined;
  }

  async #currentRevision(): Promise<number> {
    const state = await this.#perform(readState(sqliteDialect));
    requireCurrent(state, VERSION, this.#tables, this.description);
    return state.revision;
  }

  async #requireHistory(): Promise<void> {
    if (this.#hasHistory) return;
    await this.#file.inTurn(() => this.#perform(requireHistory(sqliteDialect, this.description)));
    this.#hasHistory = true;
  }

  /** Runs the statements one after another. The signal is checked between transactions. */
  #perform<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
    return perform(work, async ({ sql, values }) => {
      if (sql === 'ROLLBACK') {
        this.#file.rollBack();
        return [];
      }
      if (sql === sqliteDialect.begin.sql) signal?.throwIfAborted();
      return this.#file.whenUnlocked(() => this.#file.execute(sql, values));
    });
  }
}
