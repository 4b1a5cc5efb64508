import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { Client, Pool, type PoolConfig } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConfigurationError } from '../../../src/errors.ts';
import {
  type PostgresClient,
  type PostgresPool,
  postgresInbox,
  postgresStore,
  StoreError,
} from '../../../src/postgres.ts';
import type { SyncRow } from '../../../src/sync/store.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../support/postgres.ts';

let postgres: PostgresServer;
const pools: Pool[] = [];

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});

afterEach(() => Promise.all(pools.splice(0).map(pool => pool.end())));

afterAll(() => postgres?.stop());

function newPool(config: PoolConfig = {}): Pool {
  const pool = new Pool({ ...postgres.connection, ...config });
  pool.on('error', () => {});
  pools.push(pool);
  return pool;
}

const T = Date.UTC(2026, 2, 9);

function container(id: string, seconds = 0): SyncRow {
  const record = {
    id,
    type: 'container',
    number: 'MSCU1234565',
    weight_in_lbs: 40_000.5,
    available_for_pickup: true,
    pickup_lfd: '2026-03-12T00:00:00-05:00',
    pod_timezone: 'America/Chicago',
    ref_numbers: ['PO-1', 'PO\\2'],
    shipment: { type: 'shipment', id: 's' },
  };
  return { type: 'container', id, asOf: T + seconds * 1000, record };
}

let count = 0;
const newSchema = () => {
  count += 1;
  return `s${count}`;
};

/** A pool whose connections fail once, in a statement that contains this text. */
function failing(pool: Pool, pattern: RegExp, error: Error): PostgresPool & { failures: number } {
  const wrapped = {
    failures: 0,
    query: (text: string, values?: unknown[]) => pool.query(text, values),
    async connect(): Promise<PostgresClient> {
      const client = await pool.connect();
      return {
        query(text, values) {
          if (!pattern.test(text) || wrapped.failures > 0) return client.query(text, values);
          wrapped.failures += 1;
          return Promise.reject(error);
        },
        release: problem => client.release(problem),
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
      };
    },
  };
  return wrapped;
}

/** A pool that behaves like a transaction pooler: each transaction gets the first free connection to the server. */
async function transactionPooler(servers: readonly Client[]): Promise<() => PostgresPool> {
  for (const server of servers) {
    await server.connect();
    onTestFinished(() => server.end());
  }
  const taken = new Set<Client>();
  const query = async (own: { server: Client | undefined }, text: string, values?: unknown[]) => {
    const server = own.server ?? servers.find(one => !taken.has(one));
    if (!server) throw new Error('The pooler has no connection left.');
    taken.add(server);
    try {
      if (/^BEGIN/.test(text)) own.server = server;
      if (/^(COMMIT|ROLLBACK)/.test(text)) own.server = undefined;
      return await server.query(text, values);
    } finally {
      if (!own.server) taken.delete(server);
    }
  };
  return () => ({
    query: (text, values) => query({ server: undefined }, text, values),
    async connect() {
      const own = { server: undefined };
      return { query: (text, values) => query(own, text, values), release() {}, on() {}, removeListener() {} };
    },
  });
}

describe.skipIf(!hasPostgres)('the store in PostgreSQL', () => {
  test('has columns of real types, with any settings of the session', async () => {
    const options = [
      'timezone=Asia/Tokyo',
      'datestyle=German',
      'standard_conforming_strings=off',
      'default_transaction_isolation=serializable',
      'default_transaction_read_only=on',
      'search_path=pg_catalog',
    ];
    const store = postgresStore({
      pool: newPool({ options: options.map(option => `-c ${option}`).join(' ') }),
      schema: 'odd\\"',
    });
    await store.migrate();
    await store.write({ rows: [container('a')] });
    expect(await store.write({ rows: [container('a')] })).toMatchObject({ unchanged: 1 });
    const { rows } = await newPool().query(
      `SELECT pickup_lfd = '2026-03-12T05:00:00Z'::timestamptz AS lfd, weight_in_lbs + 0.5 AS weight, last_free_day - 1 = '2026-03-11'::date AS day,
        NOT available_for_pickup AS is_held, ref_numbers ? 'PO\\2' AS is_mine, as_of = '2026-03-09T00:00:00Z' AS as_of, shipment_id FROM "odd\\""".containers`,
    );
    expect(rows).toEqual([
      { lfd: true, weight: '40001.0', day: true, is_held: false, is_mine: true, as_of: true, shipment_id: 's' },
    ]);
  });

  test.each(['40P01', '40001'])('tries a transaction again after the error %s', async code => {
    const schema = newSchema();
    const pool = newPool();
    await postgresStore({ pool, schema }).migrate();
    const once = failing(pool, /^WITH/, Object.assign(new Error('deadlock detected'), { code }));
    expect(await postgresStore({ pool: once, schema }).write({ rows: [container('a')] })).toMatchObject({ written: 1 });
    expect(once.failures).toBe(1);
  });

  test('finds a row by its id, without reading the whole table', async () => {
    // One connection, so that its counters can be read.
    const pool = newPool({ max: 1 });
    const schema = newSchema();
    const store = postgresStore({ pool, schema });
    await store.migrate();
    await store.write({ rows: Array.from({ length: 400 }, (_, index) => container(`c${index}`)) });
    const rowsRead = async () => {
      await pool.query('SELECT pg_stat_force_next_flush()');
      const sql = `SELECT seq_tup_read::int AS rows FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = 'containers'`;
      return (await pool.query<{ rows: number }>(sql, [schema])).rows[0]?.rows;
    };
    const before = await rowsRead();
    await store.write({ rows: [container('c1', 1)] });
    await store.write({ rows: [container('c1', 0)] });
    await store.write({ rows: [{ ...container('c2', 2), record: null }] });
    await store.write({ rows: [{ ...container('c2', 1), record: null }] });
    expect(await rowsRead()).toBe(before);
  });

  test('prepares its statements if an option says so, even if two stores share a pool and a table gets a new column', async () => {
    const pool = newPool({ max: 1 });
    const schemas = [newSchema(), newSchema()];
    const prepared = async () => {
      const { rows } = await pool.query('SELECT count(*)::int AS count FROM pg_prepared_statements');
      return rows[0].count;
    };
    const plain = postgresStore({ pool, schema: schemas[0] as string });
    await plain.migrate();
    await plain.write({ rows: [container('a')] });
    expect(await prepared()).toBe(0);
    for (const schema of schemas) {
      const store = postgresStore({ pool, schema, preparedStatements: true });
      await store.migrate();
      for (const seconds of [1, 2]) {
        const batch = { rows: [container('a', seconds)], checkpoint: { name: 'n', value: seconds } };
        await store.write(batch);
        await pool.query(`ALTER TABLE ${schema}.containers ADD COLUMN mine${seconds} text`);
      }
      expect(await store.write({ rows: [container('a', 1)] })).toMatchObject({ stale: 1 });
      expect(await store.checkpoint('n')).toBe(2);
    }
    expect(await prepared()).toBeGreaterThan(3);
  });

  test('writes nothing of a failed batch, and can use the connection again', async () => {
    const schema = newSchema();
    const pool = newPool({ max: 1 });
    const store = postgresStore({ pool, schema });
    await store.migrate();
    const broken = failing(pool, /sync_checkpoints/, Object.assign(new Error('permission denied'), { code: '42501' }));
    const write = postgresStore({ pool: broken, schema }).write({
      rows: [container('a')],
      checkpoint: { name: 'n', value: 1 },
    });
    await expect(write).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('permission denied'),
    });
    expect(await store.missing([{ type: 'container', id: 'a' }])).toHaveLength(1);
    expect(pool.totalCount).toBe(1);
  });

  test('rejects with a typed error if the server ends the connection, and the next call works', async () => {
    const schema = newSchema();
    const pool = newPool();
    const store = postgresStore({ pool, schema });
    await store.migrate();
    const blocker = new Client(postgres.connection);
    await blocker.connect();
    await blocker.query(`BEGIN; LOCK TABLE ${schema}.containers`);
    const write = store.write({ rows: [container('a')] });
    write.catch(() => {});
    const waiting = `SELECT pid FROM pg_locks WHERE NOT granted`;
    await vi.waitUntil(async () => (await blocker.query(waiting)).rowCount);
    await blocker.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) waiting`);
    await blocker.query('COMMIT');
    await expect(write).rejects.toMatchObject({ name: 'StoreError', code: 'store_unavailable' });
    expect(await store.write({ rows: [container('a')] })).toMatchObject({ written: 1 });
    await blocker.end();
  });

  test('rejects after timeoutMs if the server does not respond, and keeps no connection', async () => {
    const sockets = new Set<Socket>();
    const server = createServer(socket => sockets.add(socket)).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const pool = newPool({ host: '127.0.0.1', port });
    const store = postgresStore({ pool, timeoutMs: 100 });
    const error = await store.write({ rows: [container('a')] }).catch(error => error);
    expect(error).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('100 ms') });
    for (const socket of sockets) socket.destroy();
    server.close();
    await vi.waitUntil(() => pool.totalCount === 0);
  });

  test('gives a connection back to the pool if the connection arrives too late', async () => {
    const pool = newPool({ max: 1 });
    const store = postgresStore({ pool, schema: newSchema(), timeoutMs: 50 });
    const client = await pool.connect();
    await expect(store.status()).rejects.toMatchObject({ code: 'store_unavailable' });
    client.release();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('aborts the signal of a lock when the connection of the lock is lost', async () => {
    const schema = newSchema();
    const [one, other] = [postgresStore({ pool: newPool(), schema }), postgresStore({ pool: newPool(), schema })];
    const lock = await one.lock('reader');
    expect(await other.lock('reader')).toBeUndefined();
    const aborted = new Promise(resolve => lock?.signal.addEventListener('abort', resolve));
    await newPool().query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`);
    await aborted;
    // The connection ends before the server has freed its locks.
    const next = await vi.waitUntil(() => other.lock('reader'), { timeout: 10_000 });
    expect(next.signal.aborted).toBe(false);
    await lock?.release();
    await next.release();
  });

  test('has a lock that only one process can have, even with a transaction pooler, and the lock is free after its release', async () => {
    const schema = newSchema();
    const servers = [new Client(postgres.connection), new Client(postgres.connection)];
    const newPooled = await transactionPooler(servers);
    const [one, other] = [postgresStore({ pool: newPooled(), schema }), postgresStore({ pool: newPooled(), schema })];
    const lock = await one.lock('reader');
    expect(lock).toBeDefined();
    expect(await other.lock('reader')).toBeUndefined();
    // The transaction makes the pooler use another connection for the next statement.
    const app = await newPooled().connect();
    await app.query('BEGIN');
    await lock?.release();
    await app.query('COMMIT');
    const next = await other.lock('reader');
    expect(next).toBeDefined();
    expect(await one.lock('reader')).toBeUndefined();
    await next?.release();
  });

  test('has a lock that does not block VACUUM, has no time limit, and leaves no setting behind', async () => {
    const schema = newSchema();
    const pool = newPool({ max: 2, options: '-c idle_in_transaction_session_timeout=90s' });
    const taken: Client[] = [];
    pool.on('acquire', client => taken.push(client as unknown as Client));
    const lock = await postgresStore({ pool, schema }).lock('reader');
    expect(await postgresStore({ pool, schema }).lock('reader')).toBeUndefined();
    const [held] = taken;
    const limit = async () => (await held?.query('SHOW idle_in_transaction_session_timeout'))?.rows;
    expect(await limit()).toEqual([{ idle_in_transaction_session_timeout: '0' }]);
    const inTransaction = `SELECT backend_xmin, backend_xid FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'`;
    expect((await newPool().query(inTransaction)).rows).toEqual([{ backend_xmin: null, backend_xid: null }]);
    await lock?.release();
    expect((await newPool().query(inTransaction)).rows).toEqual([]);
    expect(await limit()).toEqual([{ idle_in_transaction_session_timeout: '90s' }]);
    expect([pool.totalCount, pool.idleCount]).toEqual([2, 2]);
  });

  test('makes the server detect the loss of a lock holder within 15 s, and then restores the settings of the connection', async () => {
    const pool = newPool({ max: 2 });
    const taken: Client[] = [];
    pool.on('acquire', client => taken.push(client as unknown as Client));
    const lock = await postgresStore({ pool, schema: newSchema() }).lock('reader');
    // The server reads these settings from the socket.
    const setting = async (name: string) =>
      Number.parseInt(
        String((await taken[0]?.query(`SELECT current_setting('${name}') AS value`))?.rows[0]?.value),
        10,
      );
    const silence = async () =>
      (await setting('tcp_keepalives_idle')) +
      (await setting('tcp_keepalives_interval')) * (await setting('tcp_keepalives_count'));
    expect(await silence()).toBeLessThanOrEqual(15);
    expect(await setting('tcp_user_timeout')).toBeGreaterThan(0);
    expect(await setting('tcp_user_timeout')).toBeLessThanOrEqual(15_000);
    await lock?.release();
    expect(await silence()).toBeGreaterThan(15);
    expect(await setting('tcp_user_timeout')).toBe(0);
  });

  test.each([
    ['off', 'on'],
    ['remote_write', 'remote_write'],
  ])('commits rows durably if the default of synchronous_commit is %s', async (before, then) => {
    const pool = newPool({ max: 1, options: `-c synchronous_commit=${before}` });
    const store = postgresStore({ pool, schema: newSchema() });
    await store.migrate();
    const client = await pool.connect();
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<{ rows: unknown[] }>;
    const found: unknown[] = [];
    const patched = client as unknown as { query: typeof query };
    patched.query = async (...args) => {
      if (args[0] === 'COMMIT') found.push(...(await query('SHOW synchronous_commit')).rows);
      return query(...args);
    };
    client.release();
    await store.write({ rows: [container('a')] });
    patched.query = query;
    expect(found).toEqual([{ synchronous_commit: then }]);
    expect((await pool.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: before }]);
  });

  test('has no password and no address of the database in its errors', async () => {
    const secret = 'geheim-1234';
    const connectionString = `postgres://user:${secret}@127.0.0.1:${postgres.connection.port}/missing`;
    const addresses = [connectionString, `postgres://user:${secret}@127.0.0.1:1/x`];
    for (const address of addresses) {
      const pool = newPool({
        host: undefined,
        port: undefined,
        user: undefined,
        database: undefined,
        connectionString: address,
      } as unknown as PoolConfig);
      for (const call of [
        () => postgresStore({ pool }).status(),
        () => postgresInbox({ pool }).has('x'),
        () => postgresStore({ pool }).lock('x'),
      ]) {
        const error = await call().catch(error => error);
        expect(error).toBeInstanceOf(StoreError);
        expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain(secret);
      }
    }
  });

  test('works for a user who may not create schemas or tables, if the schema and the tables exist', async () => {
    const schema = newSchema();
    const pool = newPool();
    await postgresStore({ pool, schema }).migrate();
    await postgresInbox({ pool, schema }).migrate();
    await pool.query(`CREATE ROLE app${schema} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO app${schema};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO app${schema}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO app${schema}`);
    const app = newPool({ user: `app${schema}` });
    const store = postgresStore({ pool: app, schema });
    expect(await store.migrate()).toEqual({ from: 6, to: 6 });
    expect(await store.write({ rows: [container('a')] })).toMatchObject({ written: 1 });
    expect(await postgresInbox({ pool: app, schema }).has('x')).toBe(false);
    const refused = await postgresInbox({ pool: app, schema: 'nowhere' })
      .has('x')
      .catch(error => error);
    expect(refused).toMatchObject({ code: 'store_failed', message: expect.stringContaining('permission denied') });
  });

  test('stops a migration at the abort of the signal, even while this migration waits for another migration', async () => {
    const schema = newSchema();
    const pool = newPool();
    const store = postgresStore({ pool, schema });
    await store.migrate();
    const blocker = new Client(postgres.connection);
    await blocker.connect();
    await blocker.query(`BEGIN; LOCK TABLE ${schema}.sync_schema`);
    const controller = new AbortController();
    const migrating = store.migrate({ signal: controller.signal });
    migrating.catch(() => {});
    await vi.waitUntil(async () => (await blocker.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount);
    controller.abort();
    await expect(migrating).rejects.toBe(controller.signal.reason);
    await blocker.end();
    expect(await store.migrate()).toEqual({ from: 6, to: 6 });
  });
});

describe('options', () => {
  const pool = { connect: () => Promise.reject(new Error('unused')), query: () => Promise.reject(new Error('unused')) };
  const wrong: [string, unknown][] = [
    ['no options', undefined],
    ['no pool', {}],
    ['a client instead of a pool', { pool: { query() {} } }],
    ['an unknown option', { pool, shema: 'x' }],
    ['preparedStatements that is not a boolean', { pool, preparedStatements: 1 }],
    ['an empty schema', { pool, schema: '' }],
    ['a system schema', { pool, schema: 'pg_temp' }],
    ['a schema that is too long', { pool, schema: 'ü'.repeat(32) }],
    ['a schema with NUL', { pool, schema: 'a\0b' }],
  ];
  test.each(wrong)('%s is refused', (_, options) => {
    expect(() => postgresStore(options as never)).toThrow(ConfigurationError);
    expect(() => postgresInbox(options as never)).toThrow(ConfigurationError);
  });

  test('a pool of one connection is refused if a lock would need this connection', async () => {
    const store = postgresStore({ pool: { ...pool, options: { max: 1 } } });
    await expect(store.lock('reader')).rejects.toThrow(ConfigurationError);
  });
});
