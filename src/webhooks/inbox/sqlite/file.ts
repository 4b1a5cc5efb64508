import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { ConfigurationError } from '../../../errors.ts';
import { describeValue } from '../../../internal/arguments.ts';
import { builtin } from '../../../internal/runtime.ts';
import { fileGuard, isSqliteCode, openingFailure, SQLITE, sqliteDriver } from '../../../internal/sqlite.ts';
import { StoreError } from '../../../internal/store-error.ts';
import { Batches } from '../batches.ts';
import type { Listen } from '../subscribers.ts';
import { Reserve } from './reserve.ts';
import { checkFormat, migrate, repair } from './schema.ts';

/**
 * While the driver waits for another process, it blocks the event loop. When the file is opened, the driver blocks the
 * event loop for up to `OPENING_MS`. Later, the driver blocks the event loop for `BLOCKING_MS` at a time. The event
 * loop runs in pauses of `PAUSE_MS`. All in ms.
 */
const OPENING_MS = 5000;
const BLOCKING_MS = 50;
const PAUSE_MS = 50;
const PATIENCE_MS = 5000;

export type Row = Record<string, SQLOutputValue>;

/**
 * @throws {ConfigurationError} if `node:sqlite` is missing, or if the file cannot be opened; the error contains the
 * reason.
 */
export function openFile(path: string, isEphemeral: boolean): SqliteFile {
  const sqlite = sqliteDriver('sqliteInbox', path, {
    example: 'inbox.db',
    instead: 'postgresInbox(), redisInbox(), or an Inbox',
  });
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${OPENING_MS}`);
    checkFormat(database, path);
    // This is the path that SQLite reports, because several spellings of the given path mean a database in memory.
    const file = String(database.prepare('PRAGMA database_list').get()?.file);
    if (file === '' && !isEphemeral) {
      throw new ConfigurationError(
        `The inbox ${path} loses notifications when the process ends: pass { ephemeral: true } in tests, else the path of a file.`,
      );
    }
    return new SqliteFile(database, file);
  } catch (error) {
    database?.close();
    if (error instanceof ConfigurationError || isSqliteCode(error, SQLITE.BUSY)) throw error;
    throw new ConfigurationError(`The inbox ${describeValue(path)} cannot be opened: ${openingFailure(path, error)}.`, {
      cause: error,
    });
  }
}

/**
 * Retries, because several processes may open a new file. When SQLite changes the journal mode, it does not wait for a
 * lock.
 */
function whenUnlocked(work: () => void): void {
  const until = performance.now() + OPENING_MS;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isSqliteCode(error, SQLITE.BUSY) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/**
 * One connection to the file. Transactions run one after another, and wait for other processes. Stored entries can be
 * handled even if the disk is full.
 */
export class SqliteFile {
  readonly #database: DatabaseSync;
  readonly #reserve: Reserve;
  /** Returns the reason if the file was deleted or replaced. */
  readonly #whyGone: () => string | undefined;
  readonly #statements = new Map<string, StatementSync>();
  /**
   * On a full disk, only transactions that handle entries may use the reserve. So transactions that store entries are
   * separate.
   */
  readonly #intakes = new Batches((intakes: Intake[]) => this.#takeIn(intakes), mayDiffer);
  readonly #works = new Batches((works: (() => unknown)[]) => this.#handle(works), mayDiffer);
  /** The file that each commit changes. */
  readonly #log: string | undefined;
  #isClosed = false;
  /** Resolves when the previous call has ended. So only one call retries while the file is locked. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param path empty for a database in memory. */
  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#reserve = new Reserve(path || undefined);
    const whyFileGone = fileGuard(path);
    this.#draining(() =>
      whenUnlocked(() => {
        database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
        migrate(database);
        repair(database);
      }),
    );
    // Entries are at first only in the log. On some file systems SQLite does not use a log.
    const log = path && `${path}-wal`;
    this.#log = builtin('node:fs')?.existsSync(log) ? log : undefined;
    const whyLogGone = fileGuard(this.#log ?? '');
    this.#whyGone = () => whyFileGone() ?? whyLogGone();
    database.exec(`PRAGMA busy_timeout = ${BLOCKING_MS}`);
    this.#reserve.isKept();
  }

  /** Returns true if a row was changed. */
  run(sql: string, ...values: SQLInputValue[]): boolean {
    return Number(this.#prepare(sql).run(...values).changes) > 0;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /** Returns the first row. */
  one(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** @throws {Error} if the file was deleted or replaced. */
  read<T>(work: () => T): Promise<T> {
    return this.#retryWhileLocked(() => {
      this.requireFile();
      return work();
    });
  }

  /**
   * Calls `wake` when a process has changed the file. On systems that do not report changes, `wake` is never called.
   */
  readonly listen: Listen = wake => {
    try {
      const watcher = builtin('node:fs')?.watch(this.#log ?? '', { persistent: false }, wake);
      watcher?.on('error', () => watcher.close());
      return () => watcher?.close();
    } catch {
      return () => {};
    }
  };

  /**
   * Runs a transaction that stores `bytes` more bytes. Simultaneous calls share one transaction. On a full disk, the
   * transaction may use free pages of the file, but not the reserve. Rejects if the file was deleted or replaced, because
   * the stored data would be lost.
   */
  takeIn<T>(bytes: number, work: () => T): Promise<T> {
    return this.#intakes.call({ bytes, work }) as Promise<T>;
  }

  /**
   * Runs a transaction that handles stored entries. Simultaneous calls share one transaction. On a full disk, the
   * transaction may use the reserve.
   */
  handle<T>(work: () => T): Promise<T> {
    return this.#works.call(work) as Promise<T>;
  }

  /** @throws {Error} if the file was deleted or replaced. The entries that it contains can still be handled. */
  requireFile(): void {
    const reason = this.#whyGone();
    if (reason) throw new Error(reason);
  }

  /** Waiting calls and later calls reject with a `StoreError` of code `store_closed`. */
  close(): void {
    this.#database.close();
    this.#isClosed = true;
  }

  #takeIn(intakes: Intake[]): Promise<unknown[]> {
    const bytes = intakes.reduce((sum, intake) => sum + intake.bytes, 0);
    return this.#retryWhileLocked(() => {
      if (!this.#reserve.isKept() && this.#freeBytes() < 2 * bytes + KEPT_FREE_BYTES) {
        throw new Error('The disk is full. The inbox stores new notifications again when 9 MiB are free.');
      }
      const results = this.#transaction(() => intakes.map(({ work }) => work()));
      this.requireFile();
      return results;
    });
  }

  #handle(works: (() => unknown)[]): Promise<unknown[]> {
    return this.#retryWhileLocked(() => this.#draining(() => this.#transaction(() => works.map(work => work()))));
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** The size of the unused pages in the file. */
  #freeBytes(): number {
    const count = Number(this.one('PRAGMA freelist_count')?.freelist_count);
    return count * Number(this.one('PRAGMA page_size')?.page_size);
  }

  #draining<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isSqliteCode(error, SQLITE.FULL, SQLITE.IOERR) || !this.#reserve.release()) throw error;
      // Now the log can be written back to the database. This frees the space of the log.
      this.#database.exec('PRAGMA wal_checkpoint');
      return work();
    }
  }

  #transaction<T>(work: () => T): T {
    // The transaction is IMMEDIATE. Otherwise it could begin with a read, and would fail if another process writes
    // before the first write of the transaction.
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, because the disk is full.
    }
  }

  /** Runs the work after all earlier calls. Tries again for up to `PATIENCE_MS` while another process writes. */
  #retryWhileLocked<T>(work: () => T): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    const turn = this.#turn.then(async () => {
      for (;;) {
        if (this.#isClosed) {
          throw new StoreError('The inbox was closed. Stop the worker first.', { code: 'store_closed' });
        }
        try {
          return work();
        } catch (error) {
          if (!isSqliteCode(error, SQLITE.BUSY)) throw error;
          await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
          if (performance.now() > until) throw error;
        }
      }
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

interface Intake {
  bytes: number;
  work: () => unknown;
}

/** False if another process has locked the file: each item would fail with the same error. */
function mayDiffer(error: unknown): boolean {
  return !isSqliteCode(error, SQLITE.BUSY);
}

/** Free space that is reserved for handling, in bytes. */
const KEPT_FREE_BYTES = 256 * 1024;
