import { ConfigurationError } from '../errors.ts';
import { describeValue } from './arguments.ts';
import { startTimer } from './signal.ts';
import { quote, type Rows } from './sql.ts';
import { StoreError } from './store-error.ts';

/** The members of a `Pool` of the package `pg` (8.8 or newer) that this package uses. */
export interface PostgresPool {
  /**
   * Takes a connection from the pool; `release()` gives it back. This package passes a callback as the first argument:
   * `(error, client) => void`. A pool that does not support callbacks returns a promise of the connection.
   */
  connect(): Promise<PostgresClient>;
  /** Runs one statement on any connection. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Settings of the pool. */
  readonly options?: {
    /** Upper bound for the connections of the pool. */
    max?: number | undefined;
  };
}

/** The members of a connection of a {@link PostgresPool} that this package uses. */
export interface PostgresClient {
  /** Runs one statement. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives the connection back to the pool. With an error, the connection is closed. */
  release(error?: Error | boolean): void;
  /** Listens for the end of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Stops listening. */
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** @throws {ConfigurationError} unless the value is a pool. */
export function requirePool(what: string, pool: PostgresPool): PostgresPool {
  // A `Client` of pg has both methods too, but it is only one connection, and cannot be taken and given back.
  const isClient = Object.hasOwn(Object(pool), 'connectionParameters');
  if (typeof pool?.connect === 'function' && typeof pool.query === 'function' && !isClient) return pool;
  throw new ConfigurationError(
    `${what} needs a pool of the package pg: ${what}({ pool: new Pool({ connectionString }) }). pool is ${isClient ? 'a Client' : describeValue(pool)}.`,
  );
}

/** @throws {ConfigurationError} for a name that a schema of PostgreSQL cannot have. */
export function requireSchema(schema: string): string {
  const isName = typeof schema === 'string' && schema !== '' && !/[\0\p{Surrogate}]/u.test(schema);
  if (!isName || new TextEncoder().encode(schema).length > 63 || /^pg_/i.test(schema)) {
    throw new ConfigurationError(
      `schema is ${describeValue(schema)}; it must be a name of at most 63 bytes that does not begin with pg_.`,
    );
  }
  return schema;
}

/** The isolation level is explicit, because the server may have another default. */
export const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE';

/**
 * Makes commits wait until rows are on disk, even if the default of the server is `off`. A stricter setting is not
 * changed.
 */
export const DURABLE = `SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END`;

/** Statements for the PostgreSQL schema that contains the tables. The inbox and the store use the same statements. */
export function schemaSql(schema: string) {
  return {
    /** Begins a transaction that changes tables. Only one process at a time can be in such a transaction. */
    begin: `${BEGIN}; SELECT pg_advisory_xact_lock(hashtextextended(${literal(`container-tracking-sdk ${schema}`)}, 0))`,
    find: `SELECT count(*)::int AS found FROM pg_namespace WHERE nspname = ${literal(schema)}`,
    /**
     * The statement does not use `IF NOT EXISTS`: such a statement needs the right to create schemas, even if the
     * schema exists.
     */
    create: `CREATE SCHEMA ${quote(schema)}`,
    name: (table: string) => `${quote(schema)}.${quote(table)}`,
  };
}

/** Returns a text as a literal of SQL. */
export function literal(text: string): string {
  // With the prefix E, a backslash has the same meaning under every setting of the server.
  return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Error codes of a deadlock and of a conflict between transactions. Another attempt may succeed. */
const TRY_AGAIN = ['40P01', '40001'];

/**
 * Error codes of temporary failures: no connection, shutdown, no resources, a cancelled statement, a long wait for a
 * lock, or a read-only server after a failover.
 */
const PASSING = /^(08...|57P0[1-5]|53...|57014|55P03|25006|E[A-Z_]+)$/;

const NO_RIGHT = '42501';
const RIGHTS = ' Let the owner of the schema call migrate(), then grant the rights that docs/guides/sync.md lists.';

function mayTryAgain(error: unknown): boolean {
  return TRY_AGAIN.includes(codeOf(error));
}

/**
 * True if the server reported the error and ended the statement, so that the connection can be used again. False for a
 * read-only error: after a failover, this connection leads to a server that accepts no changes.
 */
function isFromServer(error: unknown): boolean {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P0|25006)/.test(code) && !code.startsWith('E');
}

/** Turns an error of the driver into an error of this package. Other errors stay as they are. */
function storeError(store: string, error: unknown): unknown {
  if (!(error instanceof Error) || 'brand' in error.constructor) return error;
  const code = codeOf(error);
  if (/after calling end/.test(error.message)) return closedError(store, 'its pool was ended');
  const isPassing = PASSING.test(code) || TRY_AGAIN.includes(code) || code === '';
  const cause = withoutSecrets(error, code);
  const remedy = code === NO_RIGHT ? RIGHTS : '';
  return new StoreError(
    `The store (${store}) ${isPassing ? 'is not available' : 'failed'}: ${cause.message}.${remedy}`,
    {
      code: isPassing ? 'store_unavailable' : 'store_failed',
      cause,
    },
  );
}

function closedError(store: string, reason: string): StoreError {
  return new StoreError(`The store (${store}) is closed: ${reason}.`, { code: 'store_closed' });
}

/** A copy without secrets: drivers put the connection settings, with the password, into some errors. */
function withoutSecrets({ name, message, stack }: Error, code: string): Error {
  const copy = Object.assign(new Error(message || code || name), code && { code });
  if (stack) copy.stack = stack;
  return copy;
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Upper bounds for the attempts of a transaction, and for the wait between two attempts, in ms. */
const ATTEMPTS = 10;
const PAUSE_MS = 50;

/** A connection that was taken from the pool. */
export class Connection {
  readonly client: PostgresClient;
  readonly #names: StatementNames | undefined;

  constructor(client: PostgresClient, names?: StatementNames) {
    this.client = client;
    this.#names = names;
  }

  /**
   * Runs a statement whose text is always the same. If statements have names, the server parses the statement once for
   * each connection.
   */
  async repeat(sql: string, values: readonly unknown[]): Promise<Rows> {
    const name = this.#names?.of(sql);
    if (name === undefined) return this.query(sql, values);
    // The driver takes a named statement as an object.
    const client = this.client as unknown as { query(statement: object): Promise<{ rows: Rows }> };
    return (await client.query({ name, text: sql, values: [...values] })).rows;
  }

  /** Runs statements, and returns the rows of the last statement. */
  async query(sql: string, values?: readonly unknown[]): Promise<Rows> {
    const result = await this.client.query(sql, values && [...values]);
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last?.rows ?? []) as Rows;
  }

  /** Runs a transaction, and repeats it after a deadlock. */
  async transaction<T>(begin: string, work: (connection: Connection, begun: Rows) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const begun = await this.query(begin);
        const result = await work(this, begun);
        await this.query('COMMIT');
        return result;
      } catch (error) {
        await this.query('ROLLBACK').catch(() => {});
        if (!mayTryAgain(error) || attempt >= ATTEMPTS) throw error;
      }
      await new Promise(resolve => setTimeout(resolve, Math.random() * PAUSE_MS));
    }
  }

  /**
   * Runs one statement as a transaction. After a deadlock or a conflict, the statement is repeated in a transaction
   * with the isolation level of `begin`: with the default level of the server, the statement may conflict each time.
   */
  async atomic(sql: string, values: readonly unknown[], begin: string): Promise<Rows> {
    try {
      return await this.repeat(sql, values);
    } catch (error) {
      if (this.#names && isUnprepared(error)) {
        this.#names.forbid();
        return this.atomic(sql, values, begin);
      }
      if (!mayTryAgain(error)) throw error;
      return this.transaction(begin, () => this.query(sql, values));
    }
  }
}

/** True if a pooler sent the statement to a connection that has not prepared it. The statement was not executed. */
function isUnprepared(error: unknown): boolean {
  return ['26000', '42P05'].includes(codeOf(error));
}

/** Names of prepared statements. They differ from the names of other programs that use the same pool. */
export class StatementNames {
  readonly #prefix = `tracking_${crypto.randomUUID()}`;
  readonly #names = new Map<string, string>();
  #areForbidden = false;

  /** From now on, statements have no names. */
  forbid(): void {
    this.#areForbidden = true;
  }

  of(sql: string): string | undefined {
    if (this.#areForbidden) return undefined;
    const name = this.#names.get(sql) ?? `${this.#prefix}_${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }
}

export interface UseOptions {
  /** Limit for taking the connection and all work with it, in ms. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The end of a wait: the time is up, or the caller has aborted. */
interface Interruption {
  signal: AbortSignal;
  rejection: Promise<never>;
}

/** Takes connections from the pool. Nothing waits forever: a connection that does not respond in time is closed. */
export class Connections {
  readonly #pool: PostgresPool;
  readonly #store: string;
  readonly #names: StatementNames | undefined;
  #isClosed = false;

  constructor(pool: PostgresPool, store: string, names?: StatementNames) {
    this.#pool = pool;
    this.#store = store;
    this.#names = names;
  }

  /** @throws {StoreError} for an error of the server, of the connection or of the pool. */
  async use<T>(work: (connection: Connection) => Promise<T>, options: UseOptions = {}): Promise<T> {
    return this.#guarded(options, interruption => this.#with(work, interruption, () => false));
  }

  /** Makes later calls reject. The pool stays open. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * If the work resolves to true, `hold` receives the connection, and the result of `hold` is returned. Otherwise the
   * connection goes back to the pool.
   */
  async keep<T>(
    work: (connection: Connection) => Promise<boolean>,
    hold: (client: PostgresClient) => T,
    options: UseOptions,
  ): Promise<T | undefined> {
    let held: T | undefined;
    await this.#guarded(options, interruption =>
      this.#with(work, interruption, (isKept, client) => {
        if (isKept) held = hold(client);
        return isKept;
      }),
    );
    return held;
  }

  /** Runs a transaction, and repeats it after a deadlock. */
  transaction<T>(
    begin: string,
    work: (connection: Connection, begun: Rows) => Promise<T>,
    options: UseOptions,
  ): Promise<T> {
    return this.use(connection => connection.transaction(begin, work), options);
  }

  async #guarded<T>(
    { timeoutMs = Infinity, signal }: UseOptions,
    work: (interruption: Interruption) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedError(this.#store, 'close() was called');
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const stopTimer = startTimer(timeoutMs, () => controller.abort(this.#late(timeoutMs)));
    const rejection = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    rejection.catch(() => {});
    try {
      return await work({ signal: controller.signal, rejection });
    } catch (error) {
      throw signal?.aborted && error === signal.reason ? error : storeError(this.#store, error);
    } finally {
      stopTimer();
      signal?.removeEventListener('abort', abort);
    }
  }

  async #with<T>(
    work: (connection: Connection) => Promise<T>,
    { signal, rejection }: Interruption,
    isKept: (result: T, client: PostgresClient) => boolean,
  ): Promise<T> {
    const taking = take(this.#pool).then(taken => {
      if (!signal.aborted) return taken;
      giveBack(taken);
      throw signal.reason;
    });
    taking.catch(() => {});
    const client = await Promise.race([taking, rejection]);
    try {
      const working = work(new Connection(client, this.#names));
      working.catch(() => {});
      const result = await Promise.race([working, rejection]);
      if (isKept(result, client)) client.removeListener('error', ignore);
      else giveBack(client);
      return result;
    } catch (error) {
      if (isFromServer(error)) giveBack(client);
      // The listener is not removed, because a broken connection may report its end again.
      else client.release(new Error('The connection is closed.'));
      throw error;
    }
  }

  #late(timeoutMs: number): StoreError {
    return new StoreError(`The store (${this.#store}) is not available: no response within ${timeoutMs} ms.`, {
      code: 'store_unavailable',
    });
  }
}

/**
 * Takes a connection and listens for its errors: without a listener, a broken connection would end the process. This
 * function uses a callback, because a promise resolves too late if the server accepts a connection and immediately
 * closes it.
 */
function take(pool: PostgresPool): Promise<PostgresClient> {
  return new Promise((resolve, reject) => {
    let isTaken = false;
    const taken = (client: PostgresClient | undefined) => {
      if (!client || isTaken) return;
      isTaken = true;
      client.on('error', ignore);
      resolve(client);
    };
    const connect = pool.connect.bind(pool) as (
      callback: ConnectCallback,
    ) => Promise<PostgresClient | undefined> | undefined;
    const connecting = connect((error, client) => (client ? taken(client) : reject(error)));
    // A pool that does not support a callback returns a promise.
    connecting?.then(taken, reject);
  });
}

type ConnectCallback = (error: unknown, client: PostgresClient | undefined) => void;

function giveBack(client: PostgresClient): void {
  client.release();
  client.removeListener('error', ignore);
}

function ignore(): void {}
