import { ConfigurationError } from '../../errors.ts';
import { milliseconds, objectArgument, refuseUnknownNames } from '../../internal/arguments.ts';
import {
  BEGIN,
  type Connection,
  Connections,
  DURABLE,
  literal,
  type PostgresPool,
  requirePool,
  requireSchema,
  StatementNames,
  schemaSql,
  type UseOptions,
} from '../../internal/postgres.ts';
import { StoreError } from '../../internal/store-error.ts';
import { type Streaming, type StreamOptions, stream } from '../work/stream.ts';
import { Batches } from './batches.ts';
import { givenRows } from './given-rows.ts';
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
} from './inbox.ts';
import { CHANNEL, listenIn } from './postgres-listener.ts';
import { Subscribers } from './subscribers.ts';
import { attemptOf, begunOf, uncounted } from './suspicion.ts';

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions extends RetentionOptions {
  /** A `Pool` of the package `pg`. Listen to its `error` event: otherwise the loss of an idle connection ends the process. */
  pool: PostgresPool;
  /** The schema of the tables. It is created if it does not exist. @default 'tracking' */
  schema?: string | undefined;
  /**
   * Upper bound in ms for a call, including the wait for a connection. A connection that does not respond in time is closed.
   * `migrate()` has no such bound.
   * @default 60_000
   */
  timeoutMs?: number | undefined;
}

/** An inbox in PostgreSQL. */
export interface PostgresInbox extends Inbox, Streaming {
  /**
   * Creates or updates the tables. The first use of the inbox also does this. Call `migrate()` yourself in two cases.
   * In the first case, the database role of your program is not allowed to create tables: then call it with another
   * role. In the second case, you want to find out early that the database cannot be reached. Several processes may
   * call it at the same time.
   *
   * @throws {StoreError} if the database cannot be reached, or refuses the statements.
   */
  migrate(): Promise<void>;
}

/**
 * An inbox in PostgreSQL (13 or newer), for receivers and workers on several machines.
 *
 * A stored delivery survives a crash of the database server, even if `synchronous_commit` is off by default.
 * Notifications that were handled in the last second before a crash may be handled again. The tables are created at the
 * first use. While a worker runs, the inbox uses one connection of the pool to listen for stored deliveries. If the
 * pool has only one connection, the worker only polls.
 *
 * @throws {ConfigurationError} if `pool` is not a pool of `pg`, if `schema` is not a name, for a `retentionMs` or `timeoutMs` that is
 * not valid, and for an unknown option.
 * @example
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * pool.on('error', error => console.error(error.message));
 * const inbox = postgresInbox({ pool });
 * const receiver = createReceiver({ secrets, inbox });
 * const worker = createWorker({ inbox, router }).start();
 */
export function postgresInbox(options: PostgresInboxOptions): PostgresInbox {
  return new PoolInbox(options);
}

/**
 * A thousand years. PostgreSQL refuses much longer intervals and times. Before version 17, it also refuses infinite
 * intervals and times.
 */
const LONGEST_MS = 1000 * 365 * 24 * 60 * 60 * 1000;

/**
 * The time in ms between two calls of `#tidyUp`, and upper bounds for the ids and for the groups that one call removes.
 */
const TIDYING_MS = 1000;
const MOST_FORGOTTEN = 1000;
const MOST_STRAYS = 100;

/**
 * Every operation is one statement, and therefore atomic. A statement sees the tables as they were when it began; only
 * rows that it locks are up to date. So each group counts its entries in its own row, which shows when the group is
 * empty. At a stricter isolation level, the statement fails if such a row has changed. It is then repeated.
 */
class PoolInbox implements PostgresInbox {
  readonly #connections: Connections;
  readonly #schema: string;
  readonly #retentionMs: number;
  readonly #timeoutMs: number;
  readonly #entries: string;
  readonly #groups: string;
  readonly #line: string;
  readonly #fence: string;
  readonly #subscribers: Subscribers;
  readonly #puts = new Batches((entries: InboxEntry[]) => this.#store(entries), mayDiffer);
  readonly #settlements = new Batches((results: Settlement[]) => this.#settle(results), mayDiffer);
  #ready: Promise<void> | undefined;
  /** The earliest time of the next {@link PoolInbox.#tidyUp}, in ms on the monotonic clock. */
  #nextTidying = 0;
  /** True if a group that has waited comes before a new group in the next claim. Each claim changes this value. */
  #waitedFirst = false;

  constructor(options: PostgresInboxOptions) {
    const given = objectArgument('The argument of postgresInbox()', options, '{ pool }');
    refuseUnknownNames('postgresInbox()', given, ['pool', 'schema', 'retentionMs', 'timeoutMs']);
    const { pool, schema = 'tracking', retentionMs, timeoutMs = 60_000 } = given;
    requirePool('postgresInbox', pool);
    this.#schema = requireSchema(schema);
    this.#retentionMs = retentionOf('postgresInbox', { retentionMs });
    this.#timeoutMs = milliseconds('timeoutMs', timeoutMs);
    this.#connections = new Connections(pool, `PostgreSQL inbox, schema ${schema}`, new StatementNames());
    this.#subscribers = new Subscribers(listenIn(pool, this.#connections, schema));
    const { name } = schemaSql(schema);
    this.#entries = name('inbox_entries');
    this.#groups = name('inbox_groups');
    this.#line = literal(name('inbox_line'));
    this.#fence = literal(name('inbox_fence'));
  }

  async migrate(): Promise<void> {
    await this.#create({});
  }

  put(entry: InboxEntry): Promise<'stored' | 'duplicate'> {
    return this.#puts.call(entry);
  }

  async #store(entries: InboxEntry[]): Promise<('stored' | 'duplicate')[]> {
    const given = givenRows(entries, {
      id: ['text', ({ id }) => id],
      event: ['text', ({ event }) => event],
      group: ['text', ({ group }) => group],
      order: ['text', ({ order }) => order],
      body: ['bytea', ({ body }) => bytesOf(body)],
      received_at: ['float8', ({ receivedAt }) => receivedAt],
      error: ['text', ({ poison }) => poison ?? null],
    });
    const rows = await this.#run<{ id: string }>(
      `WITH given AS (${given.sql}), stored AS (
         INSERT INTO ${this.#entries} (id, state, event, "group", "order", body, received_at, error)
         SELECT id, CASE WHEN error IS NULL THEN 'open' ELSE 'dead' END, event, "group", "order", body, received_at, error
         FROM given ORDER BY place ON CONFLICT (id) DO NOTHING RETURNING id, "group", state
       ), queued AS (
         INSERT INTO ${this.#groups} ("group", open)
         SELECT "group", count(*) FROM stored WHERE state = 'open' GROUP BY "group" ORDER BY "group"
         ON CONFLICT ("group") DO UPDATE SET open = inbox_groups.open + excluded.open
       ), durable AS (${DURABLE})
       SELECT id, pg_notify('${CHANNEL}', $${given.values.length + 1}) FROM durable, stored`,
      [...given.values, this.#schema],
    );
    const stored = new Set(rows.map(({ id }) => id));
    // If several entries have the same id, only the first of them is stored.
    return entries.map(({ id }) => (stored.delete(printable(id)) ? 'stored' : 'duplicate'));
  }

  // Rows that another claim has locked are skipped, so two claims never wait for each other.
  async claim({ limit, leaseMs, except = [], begins = false, warn }: ClaimOptions): Promise<Claim[]> {
    await this.#tidyUp(warn);
    const lease = crypto.randomUUID();
    // Planning the statement takes longer than executing it, so the server must plan it only once. The limits that
    // affect the plan are therefore a part of the text of the statement. Only a few different limits are used, because
    // each connection keeps a plan for each text. The other limits are parameters. The planner does not know the value
    // of a parameter, and expects a tenth of the rows. So it joins by index even if the tables were empty when it made
    // the plan.
    const most = limit <= 10 ? Number(limit) : Math.min(limit - (limit % 10), 50);
    const claims = await this.#run<InboxEntry & { attempts: number; suspicion: number; fence: number }>(
      `WITH ready AS (
         SELECT "group", line AS place FROM ${this.#groups} WHERE line IS NOT NULL AND "group" <> ALL ($3)
         ORDER BY line LIMIT ${most} FOR UPDATE SKIP LOCKED
       ), waited AS (
         SELECT "group", waits_until AS place FROM ${this.#groups}
         WHERE waits_until <= now() AND waits_since <= now() + interval '1 s' AND "group" <> ALL ($3)
         ORDER BY waits_until LIMIT ${most} FOR UPDATE SKIP LOCKED
       ), due AS ( -- Alternately, so that neither kind delays the other.
         SELECT "group", row_number() OVER (ORDER BY place) AS turn, $6::boolean AS second FROM ready
         UNION ALL SELECT "group", row_number() OVER (ORDER BY place), NOT $6 FROM waited
         ORDER BY turn, second LIMIT $5
       ), heads AS ( -- Concatenated, so that no index with state = 'open' is read as a whole.
         SELECT seq, "group" FROM due CROSS JOIN LATERAL (
           SELECT seq FROM ${this.#entries} WHERE state || '' = 'open' AND seq = (
             SELECT seq FROM ${this.#entries} WHERE state = 'open' AND "group" = due."group" ORDER BY "order", seq LIMIT 1
           ) FOR UPDATE SKIP LOCKED
         ) AS head LIMIT $5
       ), leased AS (
         UPDATE ${this.#groups} SET lease = $1, line = NULL, waits_since = now(),
           waits_until = now() + $2 * interval '1 ms'
         FROM heads WHERE inbox_groups."group" = heads."group"
       )
       UPDATE ${this.#entries} SET attempts = attempts + (NOT ($4 AND suspicion > 0))::integer,
         suspicion = greatest(suspicion, 1 + ($4 AND suspicion > 0)::integer)
       FROM heads WHERE inbox_entries.seq = heads.seq
       RETURNING id, event, inbox_entries."group", "order", body, received_at AS "receivedAt",
         attempts, suspicion, nextval(${this.#fence})::float8 AS fence`,
      [lease, interval(leaseMs), except, begins, most, this.#waitedFirst],
    );
    this.#waitedFirst = !this.#waitedFirst;
    return claims.map(({ attempts, suspicion, fence, ...entry }) => ({
      entry,
      ...attemptOf({ attempts, suspicion }, begins),
      fence,
      lease,
    }));
  }

  /**
   * Forgets old ids, removes groups that have no entry, and corrects waits after the clock was set back. This is not a
   * part of each claim, because each claim would then take a third longer.
   */
  async #tidyUp(warn: ClaimOptions['warn']): Promise<void> {
    if (performance.now() < this.#nextTidying) return;
    this.#nextTidying = performance.now() + Math.min(TIDYING_MS, this.#retentionMs);
    const removed = await this.#run<{ group: string | null }>(
      `WITH forgotten AS (
         DELETE FROM ${this.#entries} WHERE seq IN (
           SELECT seq FROM ${this.#entries} WHERE state = 'done' AND changed_at < now() - $1 * interval '1 ms'
           ORDER BY changed_at LIMIT ${MOST_FORGOTTEN} FOR UPDATE SKIP LOCKED
         ) RETURNING NULL::text AS "group"
       ), -- If the clock was set back, nobody knows how long they have waited: they begin to wait again.
       waiting_anew AS (
         UPDATE ${this.#groups} SET waits_until = now() + (waits_until - waits_since), waits_since = now()
         WHERE "group" IN (
           SELECT "group" FROM ${this.#groups} WHERE waits_since > now() + interval '1 s' FOR UPDATE SKIP LOCKED
         )
       ), ready AS (
         SELECT "group", ctid AS version FROM ${this.#groups} WHERE line IS NOT NULL ORDER BY line LIMIT ${MOST_STRAYS}
       ), waited AS (
         SELECT "group", ctid AS version FROM ${this.#groups} WHERE waits_until <= now() ORDER BY waits_until LIMIT ${MOST_STRAYS}
       ), strays AS ( -- Somebody has deleted their entries. Rows that have changed since are kept: an entry may have been added.
         DELETE FROM ${this.#groups} USING (SELECT * FROM ready UNION ALL SELECT * FROM waited) AS due
         WHERE inbox_groups."group" = due."group" AND inbox_groups.ctid = due.version AND NOT EXISTS (
           SELECT 1 FROM ${this.#entries} WHERE state = 'open' AND inbox_entries."group" = due."group"
         )
         RETURNING inbox_groups."group"
       )
       SELECT * FROM forgotten UNION ALL SELECT * FROM strays`,
      [interval(this.#retentionMs)],
    );
    if (removed.length >= MOST_STRAYS) this.#nextTidying = 0;
    for (const { group } of removed) if (group !== null) warn?.(`${group} had no entry left: removed.`);
  }

  async begin(claim: Claim): Promise<boolean> {
    const { entry, lease, attempt, begunAlone } = claim;
    if (begunAlone === undefined) return true;
    const begun = await this.#run(
      `WITH held AS (SELECT 1 FROM ${this.#groups} WHERE "group" = $1 AND lease = $2 FOR UPDATE)
       UPDATE ${this.#entries} SET attempts = $4, suspicion = $5 FROM held WHERE id = $3 RETURNING 1`,
      [entry.group, lease, entry.id, attempt, begunOf(claim)],
    );
    return begun.length > 0;
  }

  async renew({ entry, lease }: Claim, { leaseMs }: { leaseMs: number }): Promise<boolean> {
    const renewed = await this.#run(
      `UPDATE ${this.#groups} SET line = NULL, waits_since = now(), waits_until = now() + $3 * interval '1 ms'
       WHERE "group" = $1 AND lease = $2 RETURNING 1`,
      [entry.group, lease, interval(leaseMs)],
    );
    return renewed.length > 0;
  }

  async done(claim: Claim): Promise<boolean> {
    return this.#settlements.call({ claim, state: 'done' });
  }

  async fail(claim: Claim, { error, retryInMs, isAttempt }: FailOptions): Promise<boolean> {
    if (retryInMs === undefined) return this.#settlements.call({ claim, state: 'dead', error });
    const fewer = uncounted(claim, isAttempt) ?? null;
    return this.#settlements.call({ claim, state: 'open', error, wait: interval(retryInMs), fewer });
  }

  async has(id: string): Promise<boolean> {
    return (await this.#run(`SELECT 1 FROM ${this.#entries} WHERE id = $1`, [id])).length > 0;
  }

  async deadLetters({ limit = 100 }: { limit?: number | undefined } = {}): Promise<DeadLetter[]> {
    return this.#run<DeadLetter>(
      `SELECT id, event, coalesce(body, '') AS body, attempts, error, floor(extract(epoch FROM changed_at) * 1000)::float8 AS "diedAt"
       FROM ${this.#entries} WHERE state = 'dead' ORDER BY changed_at, seq LIMIT $1`,
      [limit],
    );
  }

  async revive(id: string): Promise<boolean> {
    const revived = await this.#run(
      `WITH revived AS (
         UPDATE ${this.#entries} SET state = 'open', changed_at = now(), attempts = 0, suspicion = 0, error = NULL
         WHERE id = $1 AND state = 'dead' RETURNING "group"
       )
       INSERT INTO ${this.#groups} ("group") SELECT "group" FROM revived
       ON CONFLICT ("group") DO UPDATE SET open = inbox_groups.open + 1 RETURNING pg_notify('${CHANNEL}', $2)`,
      [id, this.#schema],
    );
    return revived.length > 0;
  }

  subscribe(wake: () => void): () => void {
    return this.#subscribers.add(wake);
  }

  async stats(): Promise<InboxStats> {
    const [row] = await this.#run<{ open: number; dead: number }>(
      `SELECT (SELECT coalesce(sum(open), 0) FROM ${this.#groups})::float8 AS open,
              (SELECT count(*) FROM ${this.#entries} WHERE state = 'dead')::float8 AS dead`,
      [],
    );
    return { open: Number(row?.open), dead: Number(row?.dead) };
  }

  stream(options?: StreamOptions) {
    return stream(this, options);
  }

  /** Ends claims. The result is false for a claim whose entry was claimed again. */
  async #settle(results: Settlement[]): Promise<boolean[]> {
    const given = givenRows(results, {
      group: ['text', ({ claim }) => claim.entry.group],
      lease: ['text', ({ claim }) => claim.lease],
      id: ['text', ({ claim }) => claim.entry.id],
      state: ['text', ({ state }) => state],
      error: ['text', ({ error }) => error ?? null],
      wait: ['float8', ({ wait }) => wait ?? null],
      fewer: ['integer', ({ fewer = 0 }) => fewer],
    });
    const rows = await this.#run<{ group: string; lease: string }>(
      `WITH given AS (
         SELECT * FROM (${given.sql}) AS given ORDER BY "group" LIMIT $${given.values.length + 1}
       ), held AS (
         SELECT given.*, kept.open - (state <> 'open')::integer AS open
         FROM given CROSS JOIN LATERAL (
           SELECT open FROM ${this.#groups} WHERE "group" = given."group" AND lease = given.lease FOR UPDATE
         ) AS kept
       ), emptied AS (
         DELETE FROM ${this.#groups} USING held WHERE inbox_groups."group" = held."group" AND held.open = 0
       ), freed AS (
         UPDATE ${this.#groups} SET open = held.open, lease = NULL,
           line = CASE WHEN wait IS NULL THEN nextval(${this.#line}) END,
           waits_since = CASE WHEN wait IS NOT NULL THEN now() END, waits_until = now() + wait * interval '1 ms'
         FROM held WHERE inbox_groups."group" = held."group" AND held.open > 0
       ), quick AS ( -- If a crash of the server loses this commit, the entry is only handled again. But deaths were reported.
         SELECT CASE WHEN every(state <> 'dead') THEN set_config('synchronous_commit', 'off', true) END FROM given
       )
       UPDATE ${this.#entries} SET state = held.state, changed_at = now(), error = held.error,
         attempts = attempts - coalesce(fewer, 0), suspicion = CASE WHEN fewer IS NULL THEN suspicion ELSE 0 END,
         body = CASE WHEN held.state <> 'done' THEN body END
       FROM held, quick WHERE inbox_entries.id = held.id RETURNING held."group", held.lease`,
      [...given.values, results.length],
    );
    const settled = new Set(rows.map(({ group, lease }) => `${lease} ${group}`));
    return results.map(({ claim }) => settled.has(`${claim.lease} ${printable(claim.entry.group)}`));
  }

  async #create(options: UseOptions): Promise<void> {
    const { begin } = schemaSql(this.#schema);
    await this.#connections.transaction(begin, connection => createInbox(connection, this.#schema), options);
  }

  /** Checks the tables once, so that a program that may not create tables can use existing tables. */
  async #open(options: UseOptions): Promise<void> {
    const isReady = await this.#connections.use(connection => isCurrent(connection, this.#schema), options);
    if (!isReady) await this.#create(options);
  }

  async #run<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    const options = { timeoutMs: this.#timeoutMs };
    this.#ready ??= this.#open(options).catch(error => {
      this.#ready = undefined;
      throw error;
    });
    await this.#ready;
    const given = values.map(value => (Array.isArray(value) ? value.map(printable) : printable(value)));
    return this.#connections.use(async connection => (await connection.atomic(sql, given, BEGIN)) as Row[], options);
  }
}

/** Text in PostgreSQL cannot contain NUL, but an error that quotes a body can. */
function printable<T>(value: T): T | string {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** In an array, older drivers write only a `Buffer` as bytes. */
function bytesOf(body: Uint8Array): Uint8Array {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** The result of a claim. Without `wait`, the group is due immediately. */
interface Settlement {
  claim: Claim;
  state: 'open' | 'done' | 'dead';
  error?: string;
  /** Wait of the group, in ms. */
  wait?: number;
  /** Number of attempts that do not count. `null` if the entry stays a suspect. */
  fewer?: number | null;
}

/** True if one entry may be the cause of an error. False if the database cannot be reached. */
function mayDiffer(error: unknown): boolean {
  return !(error instanceof StoreError && ['store_unavailable', 'store_closed'].includes(error.code));
}

function interval(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}

/** The number in `inbox_format`. Each change of the tables gets the next number, and a step in {@link createInbox}. */
const FORMAT = 2;

/** True if the tables have the form of this version. @throws {ConfigurationError} if a later version has made them. */
async function isCurrent(connection: Connection, schema: string): Promise<boolean> {
  return (await formatOf(connection, schema)) === FORMAT;
}

/** Creates the tables, or updates tables of an earlier version. Call it in a transaction that holds the lock of the schema. */
async function createInbox(connection: Connection, schema: string): Promise<void> {
  const format = await formatOf(connection, schema);
  if (format === FORMAT) return;
  const { find, create, name } = schemaSql(schema);
  const [found] = await connection.query(find);
  if (!found?.found) await connection.query(create);
  if (format === 0) for (const sql of tables(name)) await connection.query(sql);
  for (const sql of suspects(name)) await connection.query(sql);
}

/** The format of the tables; 0 if there are none. */
async function formatOf(connection: Connection, schema: string): Promise<number> {
  // to_regclass() is not used: after a wait for the lock, it reads a cache that is refreshed too late.
  const found =
    await connection.query(`SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relname IN ('inbox_entries', 'inbox_format') AND nspname = ${literal(schema)}`);
  // Version 0.1.0 did not store its format, so tables without a format are from that version.
  if (!found.some(({ relname }) => relname === 'inbox_format')) return found.length;
  const [row] = await connection.query(`SELECT format FROM ${schemaSql(schema).name('inbox_format')}`);
  const format = Number(row?.format);
  if (format <= FORMAT) return format;
  throw new ConfigurationError(
    `The inbox in the schema ${schema} has format ${row?.format}, and this version of the package knows formats up to ${FORMAT}: update container-tracking-sdk, or use another schema.`,
  );
}

function tables(name: (table: string) => string): string[] {
  return [
    `CREATE TABLE ${name('inbox_entries')} (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text COLLATE "C" NOT NULL UNIQUE,
      state text NOT NULL CHECK (state IN ('open', 'done', 'dead')),
      changed_at timestamptz NOT NULL DEFAULT now(),
      event text NOT NULL,
      "group" text COLLATE "C" NOT NULL,
      "order" text COLLATE "C" NOT NULL,
      body bytea,
      received_at double precision NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      error text
    )`,
    `CREATE INDEX ON ${name('inbox_entries')} ("group", "order", seq) WHERE state = 'open'`,
    `CREATE INDEX ON ${name('inbox_entries')} (state, changed_at, seq) WHERE state <> 'open'`,
    // Groups with open entries, and the number of these entries. A group is either due, with its position in `line`, or
    // it waits for the end of a lease or for another attempt, from `waits_since` to `waits_until`.
    `CREATE SEQUENCE ${name('inbox_line')}`,
    `CREATE TABLE ${name('inbox_groups')} (
      "group" text COLLATE "C" PRIMARY KEY,
      open integer NOT NULL DEFAULT 1,
      line bigint DEFAULT nextval(${literal(name('inbox_line'))}),
      waits_since timestamptz,
      waits_until timestamptz,
      lease text
    )`,
    `CREATE INDEX ON ${name('inbox_groups')} (line) WHERE line IS NOT NULL`,
    `CREATE INDEX ON ${name('inbox_groups')} (waits_since) WHERE waits_since IS NOT NULL`,
    `CREATE INDEX ON ${name('inbox_groups')} (waits_until) WHERE waits_until IS NOT NULL`,
    // Counts the claims.
    `CREATE SEQUENCE ${name('inbox_fence')}`,
  ];
}

/** The update from format 1, which did not have suspects. */
function suspects(name: (table: string) => string): string[] {
  return [
    `ALTER TABLE ${name('inbox_entries')} ADD COLUMN IF NOT EXISTS suspicion integer NOT NULL DEFAULT 0`,
    `CREATE TABLE ${name('inbox_format')} (one integer PRIMARY KEY CHECK (one = 1), format integer NOT NULL)`,
    `INSERT INTO ${name('inbox_format')} VALUES (1, ${FORMAT})`,
  ];
}
