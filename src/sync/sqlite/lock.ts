import type { DatabaseSync } from 'node:sqlite';
import { isSqliteCode, SQLITE } from '../../internal/sqlite.ts';
import type { StoreLock } from '../store.ts';
import { openDatabase } from './file.ts';

/**
 * Locks that apply to all processes of one machine. Each lock is a file in the directory of the store. The file is an
 * empty database with a transaction that stays open. Therefore the operating system releases the lock when the process
 * ends, even after a crash.
 */
export class FileLocks {
  readonly #store: string;
  readonly #held = new Map<string, { database: DatabaseSync | undefined; lost: AbortController }>();

  /** @param store path of the store; empty for a store in memory, which other processes cannot open. */
  constructor(store: string) {
    this.#store = store;
  }

  take(name: string): StoreLock | undefined {
    if (this.#held.has(name)) return undefined;
    const database = this.#store === '' ? undefined : openLocked(`${this.#store}-lock-${encodeURIComponent(name)}`);
    if (database === 'taken') return undefined;
    const held = { database, lost: new AbortController() };
    this.#held.set(name, held);
    return {
      signal: held.lost.signal,
      release: async () => {
        if (this.#held.get(name) !== held) return;
        this.#held.delete(name);
        database?.close();
      },
    };
  }

  /** Releases all locks, and aborts the work of their owners. */
  close(): void {
    for (const { database, lost } of this.#held.values()) {
      database?.close();
      lost.abort(new Error('The store was closed.'));
    }
    this.#held.clear();
  }
}

function openLocked(path: string): DatabaseSync | 'taken' {
  const database = openDatabase(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isSqliteCode(error, SQLITE.BUSY)) return 'taken';
    throw error;
  }
}
