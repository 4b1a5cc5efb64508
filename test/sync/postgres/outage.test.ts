import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { postgresStore } from '../../../src/postgres.ts';
import { createSync, type SyncOptions } from '../../../src/sync/index.ts';
import { memoryInbox } from '../../../src/webhooks/index.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../support/postgres.ts';
import { stillSandbox } from '../../../support/sandbox.ts';
import { frontOf } from '../../../support/sync-front.ts';
import { openSoakStore } from '../../../support/sync-soak/settings.ts';
import { differences } from '../../../support/sync-truth.ts';
import { startProxy } from '../../../support/tcp-proxy.ts';

/** Calls of sync during failures of the database. */
describe.skipIf(!hasPostgres)('sync with a PostgreSQL database', () => {
  let postgres: PostgresServer;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
  }, 30_000);

  afterAll(() => postgres.stop());

  beforeEach(async () => {
    const client = new Client(postgres.connection);
    await client.connect();
    await client.query('DROP SCHEMA IF EXISTS tracking CASCADE');
    await client.end();
  });

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  function newPool(config: object = {}): Pool {
    const pool = new Pool({ ...postgres.connection, ...config });
    pool.on('error', () => {});
    ends.push(() => pool.ended || pool.end());
    return pool;
  }

  async function set(shipments = 6) {
    const sandbox = stillSandbox({ shipments });
    const front = await frontOf(sandbox);
    const sync = (pool: Pool, options: Partial<SyncOptions> = {}) =>
      createSync({ client: front.client(), store: postgresStore({ pool }), logger: false, ...options });
    const isInStep = async () => {
      const { records, close } = await openSoakStore({ store: { postgres: postgres.connection } });
      expect(await differences(sandbox, await records())).toEqual([]);
      await close();
    };
    return { sandbox, front, sync, isInStep };
  }

  /** The number of connections to the server, without the connection of this query. */
  async function connections(): Promise<number> {
    const client = new Client(postgres.connection);
    await client.connect();
    const { rows } = await client.query(
      `SELECT count(*)::int AS open FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    await client.end();
    return Number(rows[0].open);
  }

  test('reports a database that cannot be reached for a while, and run() then continues from its last checkpoint', async () => {
    const { front, sync, isInStep } = await set();
    const proxy = await startProxy(postgres.connection.port);
    ends.push(() => proxy.close());
    const pool = newPool({ port: proxy.port });
    const own = sync(pool);
    const controller = new AbortController();
    const errors: unknown[] = [];
    let pages = 0;
    own.on('progress', () => {
      pages += 1;
      if (pages === 2) proxy.cut();
    });
    own.on('error', ({ error }) => {
      errors.push(error);
      proxy.heal();
    });
    own.on('finished', () => controller.abort());
    await own.run({ signal: controller.signal });
    expect(errors[0]).toMatchObject({ name: 'StoreError', code: 'store_unavailable' });
    await isInStep();
    await expect.poll(() => front.open.size).toBe(0);
    await pool.end();
    await expect.poll(connections).toBe(0);
  }, 20_000);

  test.each(['backfill', 'once', 'run'] as const)(
    'ends %s() in time after an abort, even if the database no longer responds',
    async phase => {
      const { sync } = await set();
      const proxy = await startProxy(postgres.connection.port);
      ends.push(() => proxy.close());
      const inbox = memoryInbox({ ephemeral: true });
      const isEndless = phase === 'run';
      const own = sync(newPool({ port: proxy.port }), isEndless ? { inbox } : {});
      await own.migrate();
      const silent = new Promise<void>(resolve => {
        own.on('progress', () => {
          proxy.cut('silence');
          resolve();
        });
      });
      const controller = new AbortController();
      const reason = new Error('The job was stopped.');
      const work = own[phase]({ signal: controller.signal }).catch(error => error);
      await silent;
      // After an abort, the call does not even wait for a handler that is writing.
      const attributes = { event: 'container.updated', created_at: '2026-03-09T08:00:00Z' };
      const data = { id: 'n', type: 'webhook_notification', attributes };
      const body = new TextEncoder().encode(JSON.stringify({ data }));
      await inbox.put({ id: 'n', event: attributes.event, group: 'g', order: '', body, receivedAt: 1 });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      controller.abort(reason);
      await vi.advanceTimersByTimeAsync(10_000);
      vi.useRealTimers();
      expect(await work).toBe(isEndless ? undefined : reason);
      proxy.heal();
    },
  );

  test('rejects and keeps the committed rows if the disk is full, and a later call completes the store', async () => {
    const { sync, isInStep } = await set();
    const pool = newPool();
    const own = sync(pool);
    await own.migrate();
    await pool.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON tracking.shipments EXECUTE FUNCTION full_disk()`);
    await expect(own.backfill()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('No space left'),
    });
    const { rows } = await pool.query('SELECT count(*)::int AS rows FROM tracking.containers');
    expect(rows[0].rows).toBeGreaterThan(0);
    await pool.query('DROP TRIGGER full_disk ON tracking.shipments');
    expect(await own.backfill()).toMatchObject({ resumed: true });
    await isInStep();
  });

  test('waits if the pool has no free connection, and fails with a clear error after timeoutMs', async () => {
    const { front } = await set(1);
    const pool = newPool({ max: 2 });
    const syncWithin = (timeoutMs: number) =>
      createSync({ client: front.client(), store: postgresStore({ pool, timeoutMs }), logger: false });
    const own = syncWithin(60_000);
    await own.migrate();
    const taken = [await pool.connect(), await pool.connect()];
    await expect(syncWithin(200).backfill()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('200 ms'),
    });
    for (const client of taken) client.release();
    expect(await own.backfill()).toMatchObject({ resumed: false });
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
  });

  test.each(['backfill', 'run'] as const)(
    'rejects with an error that reports the closed pool if the pool ends in the middle of %s()',
    async phase => {
      const { sync, isInStep } = await set();
      const pool = newPool();
      const own = sync(pool);
      await own.migrate();
      own.on('progress', () => pool.ending || void pool.end());
      await expect(own[phase]()).rejects.toMatchObject({ code: 'store_closed' });
      await expect.poll(connections).toBe(0);
      const next = sync(newPool());
      await next.reconcile();
      await isInStep();
    },
  );

  test('rejects, frees the lock and leaves the pool open if the store is closed during a call', async () => {
    const { front } = await set();
    const pool = newPool();
    const store = postgresStore({ pool });
    const own = createSync({ client: front.client(), store, logger: false });
    own.on('progress', () => void store.close());
    await expect(own.run()).rejects.toMatchObject({ name: 'StoreError', code: 'store_closed' });
    const other = await postgresStore({ pool: newPool() }).lock('reader');
    expect(other).toBeDefined();
    await other?.release();
    expect(pool.totalCount - pool.idleCount).toBe(0);
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  test('refuses a schema in which someone else has a table of the same name, and does not change this table', async () => {
    const pool = newPool();
    await pool.query(`CREATE SCHEMA tracking; CREATE TABLE tracking.containers (mine text);
      INSERT INTO tracking.containers VALUES ('mine')`);
    const { sync } = await set(1);
    await expect(sync(pool).run()).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('relation "containers" already exists'),
    });
    expect((await pool.query('SELECT * FROM tracking.containers')).rows).toEqual([{ mine: 'mine' }]);
  });

  test('refuses a schema of another owner if the user of the database has no rights in it', async () => {
    const pool = newPool();
    await pool.query('CREATE SCHEMA tracking; CREATE ROLE guest LOGIN; GRANT CREATE ON DATABASE postgres TO guest');
    const { sync } = await set(1);
    const guest = sync(newPool({ user: 'guest' }));
    const expected = {
      code: 'store_failed',
      message: expect.stringContaining('permission denied for schema tracking'),
    };
    await expect(guest.run()).rejects.toMatchObject(expected);
    await sync(pool).migrate();
    await expect(guest.backfill()).rejects.toMatchObject(expected);
    await expect(guest.status()).rejects.toMatchObject(expected);
  });

  test('accepts any characters in the name of a schema', async () => {
    const pool = newPool();
    const schema = `x"; DROP SCHEMA public CASCADE; --'\\`;
    const store = postgresStore({ pool, schema });
    await store.migrate();
    await store.write({ rows: [], checkpoint: { name: schema, value: schema } });
    expect(await store.checkpoint(schema)).toBe(schema);
    const { rows } = await pool.query(`SELECT nspname FROM pg_namespace WHERE nspname IN ('public', $1) ORDER BY 1`, [
      schema,
    ]);
    expect(rows.map(({ nspname }) => nspname)).toEqual(['public', schema]);
  });
});
