import { type Streaming, type StreamOptions, stream } from '../../work/stream.ts';
import {
  type Claim,
  type ClaimOptions,
  type DeadLetter,
  type FailOptions,
  type Inbox,
  type InboxEntry,
  type InboxStats,
  type RetentionOptions,
  retentionOf,
} from '../inbox.ts';
import { Subscribers } from '../subscribers.ts';
import { attemptOf, begunOf, uncounted } from '../suspicion.ts';
import { openFile, type Row, type SqliteFile } from './file.ts';

/** Options of {@link sqliteInbox}. */
export interface SqliteInboxOptions extends RetentionOptions {
  /**
   * Required for `':memory:'`. Confirms that notifications may be lost. A notification that was not handled yet is lost
   * when the process ends.
   * @default false
   */
  ephemeral?: boolean | undefined;
}

/** An inbox in an SQLite file. */
export interface SqliteInbox extends Inbox, Streaming {
  /** Closes the file. Stop the worker first. */
  close(): void;
}

/**
 * An inbox in an SQLite file. It uses `node:sqlite` and needs Node 22.13 or later; on Node 20 use `postgresInbox()` of
 * `container-tracking-sdk/postgres`, `redisInbox()` of `/redis`, or an {@link Inbox} for your own database. A notification is on the disk before it is
 * acknowledged, so it survives a crash of the process and of the machine. Receivers and workers in several processes of one
 * machine can share the file. The time of an operation does not depend on the number of stored entries.
 *
 * The inbox also creates a second file of 8 MiB in the same directory. Its name ends in `-reserve`. When the disk is
 * full, the second file is deleted. The worker can then still handle the stored notifications, and the receiver
 * responds 503 to new deliveries until there is space again.
 *
 * If the file is deleted or replaced while it is open, nothing more is stored: `put` rejects, and the receiver responds 503.
 *
 * A file that an earlier version has written is converted when it is opened.
 *
 * @param path path of the file. It is created if it does not exist; its directory must exist. `':memory:'` is for
 *   tests, and needs `ephemeral: true`.
 * @throws {ConfigurationError} if `node:sqlite` is missing; if the file cannot be opened, with the reason; if a later version
 * has written the file; for `':memory:'` without `ephemeral: true`; for an unknown option, and for a `retentionMs` that is not a
 * duration.
 * @example
 * const receiver = createReceiver({ secrets, inbox: sqliteInbox('inbox.db') });
 */
export function sqliteInbox(path: string, options: SqliteInboxOptions = {}): SqliteInbox {
  const retentionMs = retentionOf('sqliteInbox', options, ['ephemeral']);
  return new NodeSqliteInbox(openFile(path, options.ephemeral === true), retentionMs);
}

/**
 * Number of old ids that are deleted when a new id is stored. The number is more than one, but so small that the
 * deletion takes almost no time.
 */
const FORGOTTEN = 4;

/** The position after all groups that are due. */
const LAST = '(SELECT ifnull(max(line), 0) + 1 FROM groups WHERE line IS NOT NULL)';

class NodeSqliteInbox implements SqliteInbox {
  readonly #file: SqliteFile;
  readonly #retentionMs: number;
  readonly #subscribers: Subscribers;

  constructor(file: SqliteFile, retentionMs: number) {
    this.#file = file;
    this.#retentionMs = retentionMs;
    this.#subscribers = new Subscribers(file.listen);
  }

  async put(entry: InboxEntry): Promise<'stored' | 'duplicate'> {
    const result = await this.#file.takeIn(entry.body.length, () => {
      if (this.#isKnown(entry.id)) return 'duplicate';
      if (entry.poison === undefined) this.#add(entry);
      else this.#bury(entry, 0, entry.poison);
      return 'stored';
    });
    if (result === 'stored') this.#subscribers.wake();
    return result;
  }

  async claim({ limit, leaseMs, except = [], begins = false, warn }: ClaimOptions): Promise<Claim[]> {
    return this.#file.handle(() => {
      const now = Date.now();
      this.#enqueueDueGroups(now, limit);
      const claims: Claim[] = [];
      // A group that is not skipped leaves the line.
      for (let turn = 0, skipped = 0; turn < limit + skipped; turn += 1) {
        const next = this.#file.one(
          'SELECT "group" FROM groups WHERE line IS NOT NULL ORDER BY line LIMIT 1 OFFSET ?',
          skipped,
        );
        if (!next) break;
        const group = String(next.group);
        if (except.includes(group)) skipped += 1;
        else claims.push(...(this.#claimFirst(group, now, leaseMs, begins) ?? this.#drop(group, warn)));
      }
      // This throws if the file was replaced. Otherwise the worker would wait forever for entries that other processes store
      // in the new file.
      if (claims.length === 0) this.#file.requireFile();
      return claims;
    });
  }

  /** Marks the groups that have waited long enough as due. They come after the groups that are already due. */
  #enqueueDueGroups(now: number, limit: number): void {
    // If the clock was set back, the time for which a group has waited is unknown. Such a group starts to wait again.
    this.#file.run(
      `UPDATE groups SET waits_until = ?1 + waits_until - waits_since, waits_since = ?1 WHERE waits_since > ?1`,
      now,
    );
    const sql = `UPDATE groups SET line = ${LAST}, waits_since = NULL, waits_until = NULL WHERE "group" =
      (SELECT "group" FROM groups WHERE waits_until <= ? ORDER BY waits_until LIMIT 1)`;
    for (let count = 0; count < limit && this.#file.run(sql, now); count += 1);
  }

  #claimFirst(group: string, now: number, leaseMs: number, begins: boolean): [Claim] | undefined {
    const row = this.#file.one(
      `UPDATE entries SET attempts = attempts + NOT (?2 AND suspicion > 0), suspicion = max(suspicion, 1 + (?2 AND suspicion > 0))
       WHERE seq = (SELECT seq FROM entries WHERE "group" = ?1 ORDER BY "order", seq LIMIT 1) RETURNING *`,
      ...[group, Number(begins)],
    );
    if (!row) return undefined;
    const counted = this.#file.one(
      `INSERT INTO counter VALUES (1, 1) ON CONFLICT DO UPDATE SET claims = claims + 1 RETURNING claims`,
    );
    const fence = Number(counted?.claims);
    this.#file.run(
      `UPDATE groups SET line = NULL, waits_since = ?, waits_until = ?, lease = ? WHERE "group" = ?`,
      ...[now, now + leaseMs, fence, group],
    );
    const stored = { attempts: Number(row.attempts), suspicion: Number(row.suspicion) };
    return [{ entry: entryFromRow(row), ...attemptOf(stored, begins), lease: String(fence), fence }];
  }

  /** Removes a group whose rows were deleted by hand. Otherwise it would be the first due group forever. */
  #drop(group: string, warn: ClaimOptions['warn']): [] {
    this.#file.run(`DELETE FROM groups WHERE "group" = ?`, group);
    warn?.(`${group} had no entry left: removed.`);
    return [];
  }

  async begin(claim: Claim): Promise<boolean> {
    const { entry, lease, attempt, begunAlone } = claim;
    return this.#file.handle(() => {
      if (!this.#holds(entry.group, lease)) return false;
      if (begunAlone !== undefined) {
        const sql = 'UPDATE entries SET attempts = ?, suspicion = ? WHERE id = ?';
        this.#file.run(sql, attempt, begunOf(claim), entry.id);
      }
      return true;
    });
  }

  async renew({ entry, lease }: Claim, { leaseMs }: { leaseMs: number }): Promise<boolean> {
    return this.#file.handle(() => this.#wait(entry.group, lease, leaseMs, false));
  }

  async done({ entry, lease }: Claim): Promise<boolean> {
    return this.#file.handle(() => {
      if (!this.#holds(entry.group, lease)) return false;
      this.#remove(entry);
      this.#remember(entry.id);
      return true;
    });
  }

  async fail(claim: Claim, { error, retryInMs, isAttempt }: FailOptions): Promise<boolean> {
    const { entry, lease } = claim;
    return this.#file.handle(() => {
      if (!this.#holds(entry.group, lease)) return false;
      if (retryInMs !== undefined) {
        const fewer = uncounted(claim, isAttempt);
        if (fewer !== undefined) {
          this.#file.run('UPDATE entries SET attempts = attempts - ?, suspicion = 0 WHERE id = ?', fewer, entry.id);
        }
        return this.#wait(entry.group, lease, retryInMs, true);
      }
      this.#bury(entry, this.#remove(entry) ?? claim.attempt, error);
      return true;
    });
  }

  async has(id: string): Promise<boolean> {
    return this.#file.read(() => this.#isKnown(id));
  }

  async deadLetters({ limit = 100 }: { limit?: number | undefined } = {}): Promise<DeadLetter[]> {
    const rows = await this.#file.read(() => this.#file.all('SELECT * FROM dead_letters ORDER BY seq LIMIT ?', limit));
    return rows.map(({ id, event, body, attempts, error, died_at }) => ({
      id: String(id),
      event: String(event),
      body: body as Uint8Array,
      attempts: Number(attempts),
      error: String(error),
      diedAt: Number(died_at),
    }));
  }

  async revive(id: string): Promise<boolean> {
    const isRevived = await this.#file.handle(() => {
      const row = this.#file.one('DELETE FROM dead_letters WHERE id = ? RETURNING *', id);
      if (row) this.#add(entryFromRow(row));
      return row !== undefined;
    });
    if (isRevived) this.#subscribers.wake();
    return isRevived;
  }

  subscribe(wake: () => void): () => void {
    return this.#subscribers.add(wake);
  }

  async stats(): Promise<InboxStats> {
    const sql = 'SELECT (SELECT count(*) FROM entries) AS open, (SELECT count(*) FROM dead_letters) AS dead';
    const row = await this.#file.read(() => this.#file.one(sql));
    return { open: Number(row?.open), dead: Number(row?.dead) };
  }

  stream(options?: StreamOptions) {
    return stream(this, options);
  }

  close(): void {
    this.#file.close();
  }

  #isKnown(id: string): boolean {
    const sql = `SELECT 1 FROM entries WHERE id = ?1 UNION ALL SELECT 1 FROM dead_letters WHERE id = ?1
      UNION ALL SELECT 1 FROM handled WHERE id = ?1 AND at >= ?2`;
    return this.#file.one(sql, id, Date.now() - this.#retentionMs) !== undefined;
  }

  /**
   * Ids that are older than the retention no longer count, so they do not have to be deleted immediately. Each
   * transaction that adds an id also deletes a few old ids, because such a transaction writes to the disk anyway.
   */
  #remember(id: string): void {
    const now = Date.now();
    this.#file.run(`INSERT INTO handled VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at`, id, now);
    const sql = 'DELETE FROM handled WHERE id = (SELECT id FROM handled WHERE at < ? ORDER BY at LIMIT 1)';
    for (let count = 0; count < FORGOTTEN && this.#file.run(sql, now - this.#retentionMs); count += 1);
  }

  #add({ id, event, group, order, body, receivedAt }: InboxEntry): void {
    this.#file.run(
      `INSERT INTO entries (id, event, "group", "order", body, received_at) VALUES (?, ?, ?, ?, ?, ?)`,
      ...[id, event, group, order, body, receivedAt],
    );
    // A group that is already due, or that waits, does not change.
    this.#file.run(`INSERT INTO groups ("group", line) VALUES (?, ${LAST}) ON CONFLICT DO NOTHING`, group);
  }

  #bury({ id, event, group, order, body, receivedAt }: InboxEntry, attempts: number, error: string): void {
    this.#file.run(
      `INSERT INTO dead_letters (id, event, "group", "order", body, received_at, attempts, error, died_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[id, event, group, order, body, receivedAt, attempts, error, Date.now()],
    );
  }

  /**
   * Removes an entry. Its group becomes due after the other due groups. If the group has no other entry, the group is
   * removed too. Returns the entry's attempts.
   */
  #remove({ id, group }: InboxEntry): number | undefined {
    const removed = this.#file.one('DELETE FROM entries WHERE id = ? RETURNING attempts', id);
    const next = this.#file.one(`SELECT 1 FROM entries WHERE "group" = ? LIMIT 1`, group);
    if (!next) this.#file.run(`DELETE FROM groups WHERE "group" = ?`, group);
    else {
      this.#file.run(
        `UPDATE groups SET line = ${LAST}, waits_since = NULL, waits_until = NULL, lease = NULL WHERE "group" = ?`,
        group,
      );
    }
    return removed && Number(removed.attempts);
  }

  #holds(group: string, lease: string): boolean {
    return this.#file.one(`SELECT 1 FROM groups WHERE "group" = ? AND lease = ?`, group, Number(lease)) !== undefined;
  }

  /** Makes a group wait. Returns false if the group was claimed again in the meantime. */
  #wait(group: string, lease: string, ms: number, isGivenBack: boolean): boolean {
    const now = Date.now();
    return this.#file.run(
      `UPDATE groups SET line = NULL, waits_since = ?, waits_until = ?, lease = ? WHERE "group" = ? AND lease = ?`,
      ...[now, now + Math.ceil(ms), isGivenBack ? null : Number(lease), group, Number(lease)],
    );
  }
}

function entryFromRow(row: Row): InboxEntry {
  const { id, event, group, order, body, received_at } = row;
  return {
    id: String(id),
    event: String(event),
    group: String(group),
    order: String(order),
    body: body as Uint8Array,
    receivedAt: Number(received_at),
  };
}
