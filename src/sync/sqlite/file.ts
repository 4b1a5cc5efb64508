import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { ConfigurationError } from '../../errors.ts';
import { describeValue } from '../../internal/arguments.ts';
import { fileGuard, isSqliteCode, openingFailure, SQLITE, sqliteDriver } from '../../internal/sqlite.ts';
import { StoreError } from '../../internal/store-error.ts';
import { inSlices } from '../slices.ts';

/**
 * While the driver waits for another process, it blocks the event loop for `BLOCKING_MS` at a time, with pauses of
 * `PAUSE_MS` in which the event loop runs. After `PATIENCE_MS`, the call fails. All in ms.
 */
const BLOCKING_MS = 50;
const PAUSE_MS = 20;
const PATIENCE_MS = 30_000;

export type Row = Readonly<Record<string, unknown>>;

/**
 * @throws {ConfigurationError} if `node:sqlite` is missing, or if the file cannot be opened; the error has the reason.
 */
export function openDatabase(path: string): DatabaseSync {
  const sqlite = sqliteDriver('sqliteStore', path, {
    example: 'tracking.db',
    instead: 'postgresStore(), or a SyncStore',
  });
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${BLOCKING_MS}`);
    // Reads the file, so that an error occurs here if the file is not a database.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    // Another process is changing the journal mode, or is writing the journal back to the file.
    if (database && isSqliteCode(error, SQLITE.BUSY)) return database;
    database?.close();
    throw new ConfigurationError(`The store ${describeValue(path)} cannot be opened: ${openingFailure(path, error)}.`, {
      cause: error,
    });
  }
}

/** One connection. Its calls run one after another, and wait for other processes. */
export class SqliteFile {
  readonly #database: DatabaseSync;
  readonly #description: string;
  /** Returns the reason if the file was deleted or replaced. */
  readonly #whyGone: () => string | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #turn: Promise<unknown> = Promise.resolve();
  #isReady = false;
  #isClosed = false;

  constructor(database: DatabaseSync, description: string) {
    this.#database = database;
    this.#description = description;
    this.#whyGone = fileGuard(this.location);
  }

  /** Path of the file; empty for a database in memory. */
  get location(): string {
    // The path comes from SQLite, because several spellings of a path mean a database in memory.
    return String(this.#database.prepare('PRAGMA database_list').get()?.file ?? '');
  }

  /** Runs the work after all earlier calls have ended. @throws {StoreError} for an error of SQLite. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      try {
        if (this.#isClosed) throw this.#closed();
        await this.#prepareFile();
        const result = await work();
        this.#requireFile();
        return result;
      } catch (error) {
        throw this.#storeError(error);
      }
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /**
   * Runs the work in a transaction. In long work, the event loop runs at each `yield`. Call this only in the work of
   * `inTurn`.
   */
  async transaction<T>(work: () => Generator<void, T>): Promise<T> {
    // IMMEDIATE is used because of transactions that begin with a read. Such a transaction fails if another process
    // writes before the transaction makes its first write.
    await this.whenUnlocked(() => this.#database.exec('BEGIN IMMEDIATE'));
    try {
      const result = await inSlices(work());
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Runs the work, and repeats it while another process has the lock. */
  async whenUnlocked<T>(work: () => T): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isSqliteCode(error, SQLITE.BUSY) || performance.now() > until) throw error;
        await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // The disk is full and SQLite has already rolled back; or the file is closed.
    }
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly unknown[]): number {
    return Number(this.#prepare(sql).run(named(values)).changes);
  }

  /**
   * Like {@link run}, for a statement that has only parameters of the form `?`. SQLite searches for the name of a
   * parameter in the list of all names. With 60 columns, this takes longer than the rest of the INSERT.
   */
  runInOrder(sql: string, values: readonly SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  all(sql: string, ...values: readonly unknown[]): Row[] {
    return this.#prepare(sql).all(named(values));
  }

  /** Returns the first row. */
  one(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.#prepare(sql).get(named(values));
  }

  /** Like {@link all}, for statements that are not repeated. */
  execute(sql: string, values: readonly unknown[] = []): Row[] {
    return this.#database.prepare(sql).all(named(values));
  }

  close(): void {
    this.#isClosed = true;
    try {
      this.#database.close();
    } catch {
      // The database is already closed.
    }
  }

  async #prepareFile(): Promise<void> {
    if (this.#isReady) return;
    // FULL, because committed rows must survive a power failure: the inbox removes a notification when its rows are
    // written.
    await this.whenUnlocked(() => this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;'));
    this.#isReady = true;
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #requireFile(): void {
    const reason = this.#whyGone();
    if (!reason) return;
    throw new StoreError(`The store (${this.#description}) failed: ${reason}`, { code: 'store_failed' });
  }

  #closed(cause?: unknown): StoreError {
    return new StoreError(`The store (${this.#description}) is closed.`, { code: 'store_closed', cause });
  }

  #storeError(error: unknown): unknown {
    if (!(error instanceof Error) || !('code' in error)) return error;
    if (error.code === 'ERR_INVALID_STATE') return this.#closed(error);
    if (error.code !== 'ERR_SQLITE_ERROR') return error;
    const isPassing = isSqliteCode(error, SQLITE.BUSY, SQLITE.LOCKED, SQLITE.IOERR, SQLITE.FULL);
    return new StoreError(`The store (${this.#description}) failed: ${error.message}.`, {
      code: isPassing ? 'store_unavailable' : 'store_failed',
      cause: error,
    });
  }
}

/** The values for `$p1`, `$p2` and so on. A value may occur twice in a statement, and Node 22.13 cannot bind `?1`. */
export function named(values: readonly unknown[]): Record<string, SQLInputValue> {
  return Object.fromEntries(values.map((value, index) => [`p${index + 1}`, value as SQLInputValue]));
}
