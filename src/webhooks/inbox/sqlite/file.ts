import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { shown } from '../../../arguments.ts';
import { ConfigurationError } from '../../../errors.ts';
import { Reserve } from './reserve.ts';
import { checkFormat, migrate, repair } from './schema.ts';

/**
 * The driver blocks the event loop while it waits for another process. It may when the file is opened; later it does so
 * shortly, and in between the inbox waits without blocking.
 */
const OPENING_MS = 5000;
const BLOCKING_MS = 50;
const PAUSE_MS = 50;
const PATIENCE_MS = 5000;

/** SQLite's codes: another process writes to the file, reading or writing failed, the disk is full. The bits above tell more. */
const [BUSY, IOERR, FULL] = [5, 10, 13];

export type Row = Record<string, SQLOutputValue>;

/** @throws {ConfigurationError} where there is no `node:sqlite`, and for a file that cannot be opened, with the reason. */
export function openFile(path: string, isEphemeral: boolean): SqliteFile {
  const sqlite = globalThis.process?.getBuiltinModule?.('node:sqlite');
  if (!sqlite) {
    throw new ConfigurationError(
      `sqliteInbox() needs node:sqlite, which Node has from 22.13 on; this is ${globalThis.process?.version ?? 'not Node'}. Update Node, or use redisInbox(), or an Inbox for a database of yours.`,
    );
  }
  // SQLite takes an empty one for a file that is deleted when it is closed.
  if (typeof path !== 'string' || path.trim() === '') {
    throw new ConfigurationError(`The path is ${shown(path)}; it must be that of a file, such as 'inbox.db'.`);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${OPENING_MS}`);
    checkFormat(database, path);
    // Whatever a path may look like, SQLite knows.
    const file = String(database.prepare('PRAGMA database_list').get()?.file);
    if (file === '' && !isEphemeral) {
      throw new ConfigurationError(
        `The inbox ${path} loses notifications when the process ends: pass { ephemeral: true } in tests, else the path of a file.`,
      );
    }
    return new SqliteFile(database, new Reserve(file || undefined));
  } catch (error) {
    database?.close();
    if (error instanceof ConfigurationError || isCode(error, BUSY)) throw error;
    throw new ConfigurationError(`The inbox ${shown(path)} cannot be opened: ${reasonOf(path, error)}.`, {
      cause: error,
    });
  }
}

/** One connection: transactions one after another, patient with other processes and on a full disk. */
export class SqliteFile {
  readonly #database: DatabaseSync;
  readonly #reserve: Reserve;
  readonly #statements = new Map<string, StatementSync>();
  /** Ends with the call before: where all must wait, only one of them keeps trying. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(database: DatabaseSync, reserve: Reserve) {
    this.#database = database;
    this.#reserve = reserve;
    this.#draining(() => {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      migrate(database);
      repair(database);
    });
    database.exec(`PRAGMA busy_timeout = ${BLOCKING_MS}`);
    reserve.isKept();
  }

  /** Whether a row was changed. */
  run(sql: string, ...values: SQLInputValue[]): boolean {
    return Number(this.#prepare(sql).run(...values).changes) > 0;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /** The first row. */
  one(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  read<T>(work: () => T): Promise<T> {
    return this.#patiently(work);
  }

  /** A transaction that takes in `bytes`. On a full disk it may have what was given back, and leaves the reserve alone. */
  takeIn<T>(bytes: number, work: () => T): Promise<T> {
    return this.#patiently(() => {
      if (!this.#reserve.isKept() && this.#freeBytes() < 2 * bytes + KEPT_FREE_BYTES) {
        throw new Error('The disk is full: until there are 9 MiB, only what is stored is handled.');
      }
      return this.#atomically(work);
    });
  }

  /** A transaction of handling what is stored: on a full disk it may have the reserve. */
  handle<T>(work: () => T): Promise<T> {
    return this.#patiently(() => this.#draining(() => this.#atomically(work)));
  }

  close(): void {
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** In pages that are in the file and not in use. */
  #freeBytes(): number {
    const count = Number(this.one('PRAGMA freelist_count')?.freelist_count);
    return count * Number(this.one('PRAGMA page_size')?.page_size);
  }

  #draining<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(isCode(error, FULL) || isCode(error, IOERR)) || !this.#reserve.release()) throw error;
      // With room to write the log back, it begins anew.
      this.#database.exec('PRAGMA wal_checkpoint');
      return work();
    }
  }

  #atomically<T>(work: () => T): T {
    // Immediate: a transaction that begins by reading could not write once another process has.
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
      // A full disk has rolled it back already.
    }
  }

  /** Does it when its turn comes, and tries again for a while if another process has the file. */
  #patiently<T>(work: () => T): Promise<T> {
    const until = performance.now() + PATIENCE_MS;
    const turn = this.#turn.then(async () => {
      for (;;) {
        try {
          return work();
        } catch (error) {
          if (!isCode(error, BUSY)) throw error;
          await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
          if (performance.now() > until) throw error;
        }
      }
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

/** What handling needs of the pages that are not in use. */
const KEPT_FREE_BYTES = 256 * 1024;

function isCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === code;
}

/** Why a file cannot be opened, since SQLite says no more than that it cannot. */
function reasonOf(path: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  const { dirname, resolve } = globalThis.process?.getBuiltinModule?.('node:path') ?? {};
  if (!fs || !dirname || !resolve || path.startsWith('file:')) return reason;
  const directory = dirname(resolve(path));
  if (!fs.existsSync(directory)) return `there is no directory ${directory}`;
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) return 'it is a directory';
  const target = fs.existsSync(path) ? path : directory;
  try {
    fs.accessSync(target, fs.constants.R_OK | fs.constants.W_OK);
    return reason;
  } catch {
    return `this process may not read and write ${target}`;
  }
}
