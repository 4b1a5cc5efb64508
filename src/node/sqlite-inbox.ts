import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { shown } from '../arguments.ts';
import { ConfigurationError } from '../errors.ts';
import {
  type Claim,
  type DeadLetter,
  type Inbox,
  type InboxEntry,
  type RetentionOptions,
  retentionOf,
} from '../webhooks/inbox.ts';
import { type Streaming, type StreamOptions, stream } from '../webhooks/stream.ts';

export interface SqliteInbox extends Inbox, Streaming {
  /** Closes the file. */
  close(): void;
}

/**
 * An inbox in an SQLite file, by `node:sqlite`. What it has stored is on the disk before it says so: it survives a crash of
 * the process and of the machine. Receivers and workers of several processes on one machine may share the file.
 *
 * @param path of the file. It is created if it does not exist.
 * @throws {ConfigurationError} where there is no `node:sqlite`, which came with Node 22.13, for a path that is none, and for
 * an option that is misspelt or no time.
 * @example
 * const receiver = createReceiver({ secrets, inbox: sqliteInbox('inbox.db') });
 */
export function sqliteInbox(path: string, options: RetentionOptions = {}): SqliteInbox {
  const sqlite = globalThis.process?.getBuiltinModule?.('node:sqlite');
  if (!sqlite) throw new ConfigurationError('sqliteInbox() needs node:sqlite, which came with Node 22.13.');
  const retentionMs = retentionOf('sqliteInbox', options);
  // SQLite takes an empty one for a file that is deleted when it is closed.
  if (typeof path !== 'string' || path === '') {
    throw new ConfigurationError(`The path is ${shown(path)}; it must be that of a file, such as 'inbox.db'.`);
  }
  return new NodeSqliteInbox(new sqlite.DatabaseSync(path), retentionMs);
}

/**
 * The driver blocks the event loop while it waits for another process. It may when the file is opened; later it does so
 * shortly, and in between the inbox waits without blocking.
 */
const OPENING_MS = 5000;
const BLOCKING_MS = 50;
const PAUSE_MS = 50;
const PATIENCE_MS = 5000;

/** SQLite's code for a file that another process writes to. The bits above tell more. */
const SQLITE_BUSY = 5;

/** `groups` holds those with an open entry, and when the first of them may be handed out. */
const SCHEMA = `
PRAGMA busy_timeout = ${OPENING_MS};
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS entries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('open', 'done', 'dead')),
  event TEXT NOT NULL,
  "group" TEXT NOT NULL,
  "order" TEXT NOT NULL,
  body BLOB,
  received_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  ended_at INTEGER
);
CREATE INDEX IF NOT EXISTS entries_open ON entries ("group", "order", seq) WHERE state = 'open';
CREATE INDEX IF NOT EXISTS entries_ended ON entries (state, ended_at) WHERE state <> 'open';
CREATE TABLE IF NOT EXISTS groups (
  "group" TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  lease TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS groups_due ON groups (due_at);
PRAGMA busy_timeout = ${BLOCKING_MS};
`;

type Row = Record<string, SQLOutputValue>;

class NodeSqliteInbox implements SqliteInbox {
  readonly #database: DatabaseSync;
  readonly #retentionMs: number;
  readonly #statements = new Map<string, StatementSync>();
  /** Ends with the call before: where all must wait, only one of them keeps trying. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(database: DatabaseSync, retentionMs: number) {
    this.#database = database;
    this.#retentionMs = retentionMs;
    database.exec(SCHEMA);
  }

  async put({ id, event, group, order, body, receivedAt, poison }: InboxEntry): Promise<'stored' | 'duplicate'> {
    return this.#atomically(() => {
      const isNew = this.#run(
        `INSERT INTO entries (id, state, event, "group", "order", body, received_at, error, ended_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
        ...[id, poison === undefined ? 'open' : 'dead', event, group, order, body, receivedAt],
        ...[poison ?? null, poison === undefined ? null : Date.now()],
      );
      if (!isNew) return 'duplicate';
      if (poison === undefined) this.#enqueue(group);
      return 'stored';
    });
  }

  async claim({ limit, leaseMs }: { limit: number; leaseMs: number }): Promise<Claim[]> {
    return this.#atomically(() => {
      const now = Date.now();
      this.#run(`DELETE FROM entries WHERE state = 'done' AND ended_at < ?`, now - this.#retentionMs);
      const due = this.#all(`SELECT "group" FROM groups WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, limit);
      return due.map(({ group }) => this.#hand(String(group), now + leaseMs));
    });
  }

  #hand(group: string, dueAt: number): Claim {
    const lease = crypto.randomUUID();
    this.#run(`UPDATE groups SET due_at = ?, lease = ? WHERE "group" = ?`, dueAt, lease, group);
    const [row] = this.#all(
      `UPDATE entries SET attempts = attempts + 1 WHERE seq =
       (SELECT seq FROM entries WHERE state = 'open' AND "group" = ? ORDER BY "order", seq LIMIT 1) RETURNING *`,
      group,
    );
    if (!row) throw new Error(`The inbox has no entry of ${group}.`);
    const { id, event, order, body, received_at, attempts } = row;
    const entry = { id: String(id), event: String(event), group, order: String(order), body: body as Uint8Array };
    return { entry: { ...entry, receivedAt: Number(received_at) }, attempt: Number(attempts), lease };
  }

  async renew({ entry, lease }: Claim, { leaseMs }: { leaseMs: number }): Promise<boolean> {
    return this.#patiently(() =>
      this.#run(
        `UPDATE groups SET due_at = ? WHERE "group" = ? AND lease = ?`,
        ...[Date.now() + leaseMs, entry.group, lease],
      ),
    );
  }

  async done({ entry, lease }: Claim): Promise<boolean> {
    return this.#atomically(() => {
      if (!this.#release(entry.group, lease, 0)) return false;
      this.#run(
        `UPDATE entries SET state = 'done', body = NULL, error = NULL, ended_at = ? WHERE id = ?`,
        ...[Date.now(), entry.id],
      );
      this.#dequeueIfEmpty(entry.group);
      return true;
    });
  }

  async fail(
    { entry, lease }: Claim,
    { error, retryInMs }: { error: string; retryInMs: number | undefined },
  ): Promise<boolean> {
    return this.#atomically(() => {
      if (!this.#release(entry.group, lease, retryInMs ?? 0)) return false;
      this.#run(`UPDATE entries SET error = ? WHERE id = ?`, error, entry.id);
      if (retryInMs === undefined) {
        this.#run(`UPDATE entries SET state = 'dead', ended_at = ? WHERE id = ?`, Date.now(), entry.id);
        this.#dequeueIfEmpty(entry.group);
      }
      return true;
    });
  }

  async has(id: string): Promise<boolean> {
    return this.#patiently(() => this.#all('SELECT 1 FROM entries WHERE id = ?', id).length > 0);
  }

  async deadLetters({ limit = 100 }: { limit?: number | undefined } = {}): Promise<DeadLetter[]> {
    const rows = await this.#patiently(() =>
      this.#all(`SELECT * FROM entries WHERE state = 'dead' ORDER BY ended_at, seq LIMIT ?`, limit),
    );
    return rows.map(({ id, event, body, attempts, error, ended_at }) => ({
      id: String(id),
      event: String(event),
      body: body as Uint8Array,
      attempts: Number(attempts),
      error: String(error),
      diedAt: Number(ended_at),
    }));
  }

  async revive(id: string): Promise<boolean> {
    return this.#atomically(() => {
      const [row] = this.#all(
        `UPDATE entries SET state = 'open', attempts = 0, error = NULL, ended_at = NULL
         WHERE id = ? AND state = 'dead' RETURNING "group"`,
        id,
      );
      if (row) this.#enqueue(String(row.group));
      return row !== undefined;
    });
  }

  stream(options?: StreamOptions) {
    return stream(this, options);
  }

  close(): void {
    this.#database.close();
  }

  /** The group has an entry to hand out. If it had one before, nothing changes. */
  #enqueue(group: string): void {
    this.#run(`INSERT INTO groups ("group", due_at) VALUES (?, ?) ON CONFLICT ("group") DO NOTHING`, group, Date.now());
  }

  /** Ends a claim. False if another one has taken its place. */
  #release(group: string, lease: string, dueInMs: number): boolean {
    return this.#run(
      `UPDATE groups SET due_at = ?, lease = NULL WHERE "group" = ? AND lease = ?`,
      ...[Date.now() + dueInMs, group, lease],
    );
  }

  /** The group leaves the line if it has no other entry. */
  #dequeueIfEmpty(group: string): void {
    this.#run(
      `DELETE FROM groups WHERE "group" = ?1 AND NOT EXISTS
       (SELECT 1 FROM entries WHERE state = 'open' AND "group" = ?1)`,
      group,
    );
  }

  /** Whether a row was changed. */
  #run(sql: string, ...values: SQLInputValue[]): boolean {
    return Number(this.#prepare(sql).run(...values).changes) > 0;
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #atomically<T>(work: () => T): Promise<T> {
    return this.#patiently(() => {
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
    });
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
          if (!isBusy(error)) throw error;
          await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
          if (performance.now() > until) throw error;
        }
      }
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
