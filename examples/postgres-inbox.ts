/**
 * An inbox in PostgreSQL, for receivers and workers on several machines. Copy it and adapt it; it needs the package `pg`.
 *
 *   const pool = new Pool({ connectionString });
 *   pool.on('error', console.error); // Otherwise an idle connection that breaks ends the process.
 *   await pool.query(SCHEMA); // Or in a migration.
 *   const inbox = postgresInbox(pool);
 *   const receiver = createReceiver({ secrets, inbox });
 *   const worker = createWorker({ inbox, router }).start();
 *
 * It relies on two defaults of the server: `synchronous_commit` is on, and transactions are READ COMMITTED.
 */
import type { Claim, DeadLetter, Inbox, InboxEntry, RetentionOptions } from 'container-tracking-sdk/webhooks';
import type { Pool, QueryResultRow } from 'pg';

/** Creates the tables if they do not exist. Several processes may run it at the same time, also while others work. */
export const SCHEMA = `
DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('inbox_entries'));
  IF to_regclass('inbox_entries') IS NOT NULL THEN RETURN; END IF;

  CREATE TABLE inbox_entries (
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
  );
  CREATE INDEX ON inbox_entries ("group", "order", seq) WHERE state = 'open';
  CREATE INDEX ON inbox_entries (state, changed_at, seq) WHERE state <> 'open';

  -- Groups with open entries, and how many. A group is either in the line, whatever the clock says, or it waits from one
  -- time to another: for the end of a lease or for another attempt.
  CREATE SEQUENCE inbox_line;
  CREATE TABLE inbox_groups (
    "group" text COLLATE "C" PRIMARY KEY,
    open integer NOT NULL DEFAULT 1,
    line bigint DEFAULT nextval('inbox_line'),
    waits_since timestamptz,
    waits_until timestamptz,
    lease text
  );
  CREATE INDEX ON inbox_groups (line) WHERE line IS NOT NULL;
  CREATE INDEX ON inbox_groups (waits_since) WHERE waits_since IS NOT NULL;
  CREATE INDEX ON inbox_groups (waits_until) WHERE waits_until IS NOT NULL;

  -- Counts the claims.
  CREATE SEQUENCE inbox_fence;
END $$`;

/**
 * Every operation is one statement, and so atomic. A statement sees the tables as they were when it began; only rows that it
 * locks are up to date. So each group counts its entries: its own row must tell whether it is empty.
 *
 * @param options.retentionMs How long a handled `id` is remembered, in ms. @default 2_592_000_000, 30 days
 */
export function postgresInbox(
  pool: Pick<Pool, 'query'>,
  { retentionMs = 30 * 24 * 60 * 60 * 1000 }: RetentionOptions = {},
): Inbox {
  return {
    async put({ id, event, group, order, body, receivedAt, poison }) {
      const state = poison === undefined ? 'open' : 'dead';
      const stored = await run(
        `WITH stored AS (
           INSERT INTO inbox_entries (id, state, event, "group", "order", body, received_at, error)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING RETURNING "group", state
         ), queued AS (
           INSERT INTO inbox_groups ("group") SELECT "group" FROM stored WHERE state = 'open'
           ON CONFLICT ("group") DO UPDATE SET open = inbox_groups.open + 1
         )
         SELECT state FROM stored`,
        [id, state, event, group, order, body, receivedAt, poison],
      );
      return stored.length > 0 ? 'stored' : 'duplicate';
    },

    // It skips rows that others have locked, so two claims cannot wait for each other.
    async claim({ limit, leaseMs, except = [], warn }) {
      const lease = crypto.randomUUID();
      const rows = await run<InboxEntry & { attempt: number; fence: number }>(
        `WITH forgotten AS (
           DELETE FROM inbox_entries WHERE seq IN (
             SELECT seq FROM inbox_entries WHERE state = 'done' AND changed_at < now() - $4 * interval '1 ms'
             ORDER BY changed_at LIMIT 1000 FOR UPDATE SKIP LOCKED
           )
         ), -- If the clock was set back, nobody knows how long they have waited: they begin to wait again.
         waiting_anew AS (
           UPDATE inbox_groups SET waits_until = now() + (waits_until - waits_since), waits_since = now()
           WHERE "group" IN (
             SELECT "group" FROM inbox_groups WHERE waits_since > now() + interval '1 s' FOR UPDATE SKIP LOCKED
           )
         ), ready AS (
           SELECT "group", line AS place, ctid AS version FROM inbox_groups WHERE line IS NOT NULL AND "group" <> ALL ($5)
           ORDER BY line LIMIT $1 FOR UPDATE SKIP LOCKED
         ), waited AS (
           SELECT "group", waits_until AS place, ctid AS version FROM inbox_groups
           WHERE waits_until <= now() AND waits_since <= now() + interval '1 s' AND "group" <> ALL ($5)
           ORDER BY waits_until LIMIT $1 FOR UPDATE SKIP LOCKED
         ), due AS ( -- Alternately, so that neither kind delays the other.
           SELECT "group", version, row_number() OVER (ORDER BY place) AS turn FROM ready
           UNION ALL SELECT "group", version, row_number() OVER (ORDER BY place) FROM waited
           ORDER BY turn LIMIT $1
         ), heads AS (
           SELECT seq, due."group" FROM due JOIN inbox_entries ON seq = (
             SELECT seq FROM inbox_entries WHERE state = 'open' AND "group" = due."group" ORDER BY "order", seq LIMIT 1
           ) WHERE state = 'open' FOR UPDATE OF inbox_entries SKIP LOCKED
         ), strays AS ( -- Somebody has deleted their entries. Rows that have changed since are kept: an entry may have been added.
           DELETE FROM inbox_groups USING due
           WHERE inbox_groups."group" = due."group" AND inbox_groups.ctid = due.version AND NOT EXISTS (
             SELECT 1 FROM inbox_entries WHERE state = 'open' AND inbox_entries."group" = due."group"
           )
           RETURNING inbox_groups."group"
         ), leased AS (
           UPDATE inbox_groups SET lease = $2, line = NULL, waits_since = now(),
             waits_until = now() + $3 * interval '1 ms'
           FROM heads WHERE inbox_groups."group" = heads."group"
         ), taken AS (
           UPDATE inbox_entries SET attempts = attempts + 1 FROM heads WHERE inbox_entries.seq = heads.seq
           RETURNING id, event, inbox_entries."group", "order", body, received_at AS "receivedAt",
             attempts AS attempt, nextval('inbox_fence')::float8 AS fence
         )
         SELECT * FROM taken UNION ALL
         SELECT NULL, NULL, "group", NULL, NULL, NULL, NULL, NULL FROM strays`,
        [limit, lease, leaseMs, retentionMs, except],
      );
      const [claims, strays] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)];
      for (const { group } of strays) warn?.(`${group} had no entry left: removed.`);
      return claims.map(({ attempt, fence, ...entry }) => ({ entry, attempt, fence, lease }));
    },

    async renew({ entry, lease }, { leaseMs }) {
      const renewed = await run(
        `UPDATE inbox_groups SET line = NULL, waits_since = now(), waits_until = now() + $3 * interval '1 ms'
         WHERE "group" = $1 AND lease = $2 RETURNING 1`,
        [entry.group, lease, leaseMs],
      );
      return renewed.length > 0;
    },

    async done(claim) {
      return settle(claim, 'done');
    },

    async fail(claim, { error, retryInMs }) {
      return retryInMs === undefined ? settle(claim, 'dead', error) : settle(claim, 'open', error, retryInMs);
    },

    async has(id) {
      return (await run('SELECT 1 FROM inbox_entries WHERE id = $1', [id])).length > 0;
    },

    async deadLetters({ limit = 100 } = {}) {
      return run<DeadLetter>(
        `SELECT id, event, coalesce(body, '') AS body, attempts, error, floor(extract(epoch FROM changed_at) * 1000)::float8 AS "diedAt"
         FROM inbox_entries WHERE state = 'dead' ORDER BY changed_at, seq LIMIT $1`,
        [limit],
      );
    },

    async revive(id) {
      const revived = await run(
        `WITH revived AS (
           UPDATE inbox_entries SET state = 'open', changed_at = now(), attempts = 0, error = NULL
           WHERE id = $1 AND state = 'dead' RETURNING "group"
         )
         INSERT INTO inbox_groups ("group") SELECT "group" FROM revived
         ON CONFLICT ("group") DO UPDATE SET open = inbox_groups.open + 1 RETURNING 1`,
        [id],
      );
      return revived.length > 0;
    },
  };

  /** Ends a claim. False if the entry was claimed again since. */
  async function settle({ entry, lease }: Claim, state: 'open' | 'done' | 'dead', error?: string, retryInMs?: number) {
    const settled = await run(
      `WITH held AS (
         SELECT "group", open - ($4 <> 'open')::integer AS open
         FROM inbox_groups WHERE "group" = $1 AND lease = $2 FOR UPDATE
       ), emptied AS (
         DELETE FROM inbox_groups USING held WHERE inbox_groups."group" = held."group" AND held.open = 0
       ), freed AS (
         UPDATE inbox_groups SET open = held.open, lease = NULL,
           line = CASE WHEN $6::float8 IS NULL THEN nextval('inbox_line') END,
           waits_since = CASE WHEN $6::float8 IS NOT NULL THEN now() END, waits_until = now() + $6 * interval '1 ms'
         FROM held WHERE inbox_groups."group" = held."group" AND held.open > 0
       )
       UPDATE inbox_entries SET state = $4, changed_at = now(), error = $5, body = CASE WHEN $4 <> 'done' THEN body END
       FROM held WHERE id = $3 RETURNING 1`,
      [entry.group, lease, entry.id, state, error, retryInMs],
    );
    return settled.length > 0;
  }

  /** Text in PostgreSQL cannot contain NUL, but an error that quotes a body can. */
  async function run<Row extends QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await pool.query<Row>(
      sql,
      values.map(value => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value)),
    );
    return rows;
  }
}
