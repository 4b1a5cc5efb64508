import { Client, Pool, type PoolConfig } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { type PostgresInbox, postgresInbox } from '../../src/postgres.ts';
import { createRouter, createWorker, type InboxEntry } from '../../src/webhooks/index.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { startProxy } from '../../support/tcp-proxy.ts';

const ends: (() => unknown)[] = [];
let postgres: PostgresServer;

beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
}, 30_000);

afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

afterAll(() => postgres?.stop());

function newPool(config: PoolConfig = {}): Pool {
  const pool = new Pool({ ...postgres.connection, ...config });
  pool.on('error', () => {});
  ends.push(() => pool.end());
  return pool;
}

function entry(id: string): InboxEntry {
  const event = 'container.updated';
  const attributes = { id, event, occurred_at: '2026-03-09T08:00:00Z' };
  const body = new TextEncoder().encode(JSON.stringify({ data: { id, type: 'webhook_notification', attributes } }));
  return { id, event, group: `container ${id}`, order: '', body, receivedAt: 1 };
}

/** Handles this number of notifications with a worker, and returns their ids. */
async function handled(inbox: PostgresInbox, count: number): Promise<string[]> {
  const ids: string[] = [];
  await new Promise<void>(resolve => {
    const router = createRouter().otherwise(({ id }) => {
      if (ids.push(id) === count) resolve();
    });
    const worker = createWorker({ inbox, router, pollMs: 1 }).start();
    ends.push(() => worker.stop());
  });
  return ids.sort();
}

/** Returns a function that lists the `synchronous_commit` of the commits, one for each changed entry since the last call. */
async function commitsOf(schema: string, change: 'INSERT' | 'UPDATE'): Promise<() => Promise<string[]>> {
  const admin = newPool();
  await postgresInbox({ pool: admin, schema }).migrate();
  // A deferred trigger runs as part of the commit.
  await admin.query(`SET search_path TO "${schema}"; CREATE TABLE found (setting text);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO "${schema}".found VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER note AFTER ${change} ON inbox_entries DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note()`);
  return async () => {
    const { rows } = await admin.query(`DELETE FROM "${schema}".found RETURNING setting`);
    return rows.map(({ setting }) => setting);
  };
}

const late = { name: 'StoreError', code: 'store_unavailable', message: expect.stringContaining('60000 ms') };

describe.skipIf(!hasPostgres)('the inbox in PostgreSQL', () => {
  test.each([
    // Calls that wait for a connection continue on a new connection.
    ['after its first use', (inbox: PostgresInbox) => Promise.all([inbox.has('a'), inbox.has('b')]), 'fulfilled'],
    // All calls wait for the same first check of the tables.
    ['before its first use', () => {}, 'rejected'],
  ])(
    '%s, waits for a silent database no longer than its timeout, and then uses another server',
    async (_, use, outcome) => {
      const proxy = await startProxy(postgres.connection.port);
      ends.push(() => proxy.close());
      const pool = newPool({ port: proxy.port, max: 2 });
      const schema = crypto.randomUUID();
      await postgresInbox({ pool, schema }).put(entry('before'));
      const inbox = postgresInbox({ pool, schema });
      await use(inbox);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      proxy.cut('silence');
      const calls = Promise.allSettled([inbox.put(entry('lost')), inbox.claim({ limit: 1, leaseMs: 1000 })]);
      await vi.advanceTimersByTimeAsync(30_000);
      // Now there are more calls than connections.
      const later = Promise.allSettled([inbox.has('before'), inbox.stats?.()]);
      // From now on, new connections lead to the next server.
      Object.assign(pool.options, { port: postgres.connection.port });
      await vi.advanceTimersByTimeAsync(30_000);
      vi.useRealTimers();
      expect(await calls).toEqual(Array(2).fill({ status: 'rejected', reason: expect.objectContaining(late) }));
      expect((await later).map(({ status }) => status)).toEqual([outcome, outcome]);
      expect(await inbox.put(entry('after'))).toBe('stored');
      expect(await handled(inbox, 2)).toEqual(['after', 'before']);
    },
  );

  test('at its first use, waits for a migration no longer than its timeout, and works after the migration', async () => {
    const schema = crypto.randomUUID();
    // Without `idleTimeoutMillis`, the faked timers would make the pool close the connection that has the lock.
    const other = newPool({ max: 1, idleTimeoutMillis: 0 });
    const key = `hashtextextended('container-tracking-sdk ${schema}', 0)`;
    await other.query(`SELECT pg_advisory_lock(${key})`);
    const inbox = postgresInbox({ pool: newPool(), schema });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const call = inbox.put(entry('a')).catch(error => error);
    while (!(await other.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await call).toMatchObject(late);
    vi.useRealTimers();
    await other.query(`SELECT pg_advisory_unlock(${key})`);
    expect(await inbox.put(entry('a'))).toBe('stored');
  });

  test('waits for ever if the timeout is infinite', async () => {
    const pool = newPool();
    const inbox = postgresInbox({ pool, schema: crypto.randomUUID(), timeoutMs: Number.POSITIVE_INFINITY });
    expect(await inbox.put(entry('a'))).toBe('stored');
  });

  test.each([
    ['off', 'on'],
    ['remote_write', 'remote_write'],
  ])('commits a delivery durably if the default of synchronous_commit is %s', async (before, then) => {
    const schema = crypto.randomUUID();
    const commits = await commitsOf(schema, 'INSERT');
    const pool = newPool({ max: 1, options: `-c synchronous_commit=${before}` });
    const inbox = postgresInbox({ pool, schema });
    const stored = await Promise.all([inbox.put(entry('a')), inbox.put(entry('b')), inbox.put(entry('a'))]);
    expect(stored).toEqual(['stored', 'stored', 'duplicate']);
    expect(await commits()).toEqual([then, then]);
    expect((await pool.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: before }]);
  });

  test('commits a claim and a death durably, and does not wait for the disk after a handled or failed attempt', async () => {
    const schema = crypto.randomUUID();
    const commits = await commitsOf(schema, 'UPDATE');
    const inbox = postgresInbox({ pool: newPool({ max: 1 }), schema });
    for (const id of ['a', 'b', 'c']) await inbox.put(entry(id));
    const [a, b, c] = await inbox.claim({ limit: 3, leaseMs: 10_000 });
    if (!a || !b || !c) throw new Error('The inbox gave too little.');
    expect(await commits()).toEqual(['on', 'on', 'on']);
    await inbox.done(a);
    await inbox.fail(b, { error: 'Try again.', retryInMs: 1 });
    expect(await commits()).toEqual(['off', 'off']);
    await inbox.fail(c, { error: 'Dead.', retryInMs: undefined });
    expect(await commits()).toEqual(['on']);
  });

  test('has each delivery and each claim after a crash of the server, and at most repeats notifications that were handled', async () => {
    const server = await startPostgres({ fsync: true });
    ends.push(() => server.stop());
    const pool = new Pool(server.connection);
    pool.on('error', () => {});
    ends.push(() => pool.end());
    const inbox = postgresInbox({ pool });
    const ids = ['a', 'b', 'c'];
    for (const id of ids) await inbox.put({ ...entry(id), group: 'one', order: id });
    const claim = async () => (await inbox.claim({ limit: 1, leaseMs: 1 }))[0];
    const first = await claim();
    if (!first) throw new Error('The inbox gave nothing.');
    expect(await inbox.done(first)).toBe(true);
    const second = await claim();
    await server.crash();
    // The claim of `b` came after the end of `a`, so neither was lost.
    await vi.waitFor(async () => expect(await inbox.has('b')).toBe(true));
    const third = await claim();
    expect(third).toMatchObject({ entry: { id: 'b' }, attempt: 2 });
    expect(Number(third?.fence)).toBeGreaterThan(Number(second?.fence));
    if (!second || !third) throw new Error('The inbox gave nothing.');
    expect(await inbox.done(second)).toBe(false);
    expect(await inbox.done(third)).toBe(true);
    await server.crash();
    await vi.waitFor(async () => expect(await inbox.has('c')).toBe(true));
    const fourth = await claim();
    if (!fourth) throw new Error('The inbox gave nothing.');
    // The server may have forgotten the end of `b`, but not its place before `c`.
    expect([
      { id: 'b', attempt: 3 },
      { id: 'c', attempt: 1 },
    ]).toContainEqual({ id: fourth.entry.id, attempt: fourth.attempt });
    expect(Number(fourth.fence)).toBeGreaterThan(Number(third.fence));
  }, 30_000);

  test('listens on one connection of the pool, even after its connections were lost, and listens on no connection after the last worker has stopped', async () => {
    const admin = newPool();
    const pool = new Pool(postgres.connection);
    pool.on('error', () => {});
    const inbox = postgresInbox({ pool, schema: 'listening' });
    await inbox.migrate();
    const listeners = async (): Promise<number[]> => {
      const { rows } = await admin.query(
        "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND application_name = ''",
      );
      return rows.map(({ pid }) => pid);
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const end = inbox.subscribe?.(() => {});
    for (let lost = 0, losses = 0; losses < 3; losses += 1) {
      await expect.poll(listeners, { timeout: 10_000 }).toEqual([expect.toSatisfy(pid => pid !== lost)]);
      [lost = 0] = await listeners();
      await admin.query('SELECT pg_terminate_backend($1)', [lost]);
      await expect.poll(listeners, { timeout: 10_000 }).not.toContain(lost);
      // The wait before the next connection takes at most four seconds.
      await vi.advanceTimersByTimeAsync(5000);
      expect(pool.totalCount).toBe(1);
    }
    await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
    end?.();
    vi.useRealTimers();
    await pool.end();
    await expect.poll(listeners, { timeout: 10_000 }).toEqual([]);
  });

  test.each(['40P01', '40001'])('repeats a call after the error %s', async code => {
    const pool = newPool({ max: 1 });
    const inbox = postgresInbox({ pool, schema: crypto.randomUUID() });
    await inbox.put(entry('a'));
    const [claim] = await inbox.claim({ limit: 1, leaseMs: 10_000 });
    if (!claim) throw new Error('The inbox gave nothing.');
    const client = await pool.connect();
    const query = vi.spyOn(client, 'query').mockImplementation(() => {
      query.mockRestore();
      return Promise.reject(Object.assign(new Error('deadlock detected'), { code }));
    });
    client.release();
    expect(await inbox.done(claim)).toBe(true);
    expect(await inbox.stats?.()).toEqual({ open: 0, dead: 0 });
  });

  test('closes a connection to a server that was demoted, and continues on a new connection', async () => {
    const pool = newPool({ max: 1 });
    const inbox = postgresInbox({ pool, schema: crypto.randomUUID() });
    await inbox.migrate();
    await pool.query('SET default_transaction_read_only = on');
    await expect(inbox.put(entry('a'))).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await inbox.put(entry('a'))).toBe('stored');
  });
});

test('an inbox in PostgreSQL refuses a Client in place of a Pool', () => {
  expect(() => postgresInbox({ pool: new Client() as never })).toThrow('pool is a Client.');
});

test.each([0, -1, Number.NaN, '1000', null])('an inbox in PostgreSQL refuses a timeoutMs of %j', timeoutMs => {
  const pool = { connect: () => Promise.reject(new Error('unused')), query: () => Promise.reject(new Error('unused')) };
  expect(() => postgresInbox({ pool, timeoutMs: timeoutMs as number })).toThrow(ConfigurationError);
  expect(() => postgresInbox({ pool, timeoutMs: timeoutMs as number })).toThrow('timeoutMs');
});
