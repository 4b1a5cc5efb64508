import type { Connection, PostgresClient } from '../../internal/postgres.ts';
import type { StoreLock } from '../store.ts';

/**
 * The interval at which the store checks whether the connection still holds the lock. It is also the time limit of each
 * check. In ms.
 */
const ASKED_EVERY_MS = 5000;
const ANSWERS_WITHIN_MS = 5000;

/**
 * The transaction reads nothing, so it does not delay VACUUM. Without these settings, the server would end the open
 * transaction if the user or the database has a time limit for transactions.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SELECT set_config(name, value, true)
FROM (VALUES ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0'), ${keepalives()}) AS wanted(name, value)
WHERE current_setting(name, true) IS NOT NULL`;

/**
 * A host that disappears does not close its connection. Therefore, if a connection is idle for 5 s, the server probes
 * it three times, and then closes it. With the defaults of the server, the connection would hold the lock for two
 * hours.
 */
function keepalives(): string {
  const settings = { idle: '5', interval: '3', count: '3' };
  const asked = Object.entries(settings).map(([name, value]) => `('tcp_keepalives_${name}', '${value}')`);
  return [...asked, `('tcp_user_timeout', '14000')`].join(', ');
}

/** Begins a transaction that holds the lock. If another process has the lock, the transaction is rolled back. */
export async function tryLock(connection: Connection, key: string): Promise<boolean> {
  try {
    await connection.query(BEGIN);
    const [row] = await connection.query('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked', [key]);
    if (row?.locked === true) return true;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => {});
    throw error;
  }
  await connection.query('ROLLBACK');
  return false;
}

/**
 * An advisory lock of a transaction. The transaction stays open on a separate connection. It is not a lock of the
 * session: behind a pooler, a session belongs to a process only during a transaction. The server releases the lock when
 * the connection ends. Therefore the lock counts as lost when the connection does not respond any more.
 */
export class AdvisoryLock implements StoreLock {
  readonly #client: PostgresClient;
  readonly #lost = new AbortController();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #onEnd: () => void;
  #released: Promise<void> | undefined;

  constructor(client: PostgresClient, onEnd: () => void) {
    this.#client = client;
    this.#onEnd = onEnd;
    client.on('error', this.#lose);
    this.#timer = setInterval(() => void this.#ask(), ASKED_EVERY_MS);
    (this.#timer as { unref?(): void }).unref?.();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Releases the lock. Each call resolves when the server has released the lock. */
  release = (): Promise<void> => {
    this.#released ??= this.#free();
    return this.#released;
  };

  async #free(): Promise<void> {
    this.#end();
    try {
      await within(ANSWERS_WITHIN_MS, this.#client.query('ROLLBACK'));
      this.#client.release();
      this.#client.removeListener('error', this.#lose);
    } catch {
      this.#client.release(true);
    }
  }

  /** Releases the lock, and aborts the work of its owner. */
  close = async (): Promise<void> => {
    const released = this.release();
    this.#lost.abort(new Error('The store was closed.'));
    await released;
  };

  async #ask(): Promise<void> {
    try {
      await within(ANSWERS_WITHIN_MS, this.#client.query('SELECT 1'));
    } catch {
      this.#lose();
    }
  }

  readonly #lose = (): void => {
    if (this.#released) return;
    this.#released = Promise.resolve();
    this.#end();
    this.#client.release(true);
    this.#lost.abort(new Error('The connection that held the lock is closed.'));
  };

  #end(): void {
    clearInterval(this.#timer);
    this.#onEnd();
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('No answer.')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
