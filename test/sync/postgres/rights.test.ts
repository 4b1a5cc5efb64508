import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { postgresInbox, postgresStore } from '../../../src/postgres.ts';
import { createSync } from '../../../src/sync/index.ts';
import type { InboxEntry } from '../../../src/webhooks/index.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../support/postgres.ts';
import { stillSandbox } from '../../../support/sandbox.ts';
import { frontOf } from '../../../support/sync-front.ts';

const GUIDE = readFileSync(resolve(import.meta.dirname, '../../../docs/guides/sync.md'), 'utf8');
/** The statements of the guide. */
const GRANTS = /```sql\n(GRANT USAGE[^`]*)```/.exec(GUIDE)?.[1] ?? '';

describe.skipIf(!hasPostgres)('a role that may not create anything', () => {
  let postgres: PostgresServer;
  const pools: Pool[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
    await newPool().query('CREATE ROLE app LOGIN');
  }, 30_000);

  afterEach(async () => {
    await newPool().query('DROP SCHEMA IF EXISTS tracking CASCADE');
    await Promise.all(pools.splice(0).map(pool => pool.end()));
  });

  afterAll(() => postgres?.stop());

  function newPool(user = 'postgres'): Pool {
    const pool = new Pool({ ...postgres.connection, user });
    pool.on('error', () => {});
    pools.push(pool);
    return pool;
  }

  const entry = (id: string): InboxEntry => ({
    ...{ id, event: 'container.updated', group: id, order: '', receivedAt: 1 },
    body: new Uint8Array([1]),
  });

  test('can use the inbox with the rights of the guide', async () => {
    const owner = newPool();
    await postgresInbox({ pool: owner }).migrate();
    await owner.query(GRANTS);
    const inbox = postgresInbox({ pool: newPool('app'), retentionMs: 1 });
    await inbox.migrate();
    for (const id of ['a', 'b', 'c', 'd']) expect(await inbox.put(entry(id))).toBe('stored');
    const claims = await inbox.claim({ limit: 3, leaseMs: 1000, begins: true });
    expect(claims).toHaveLength(3);
    const [done, dead, again] = claims as [(typeof claims)[0], (typeof claims)[0], (typeof claims)[0]];
    expect(await inbox.renew(done, { leaseMs: 1000 })).toBe(true);
    expect(await inbox.done(done)).toBe(true);
    expect(await inbox.fail(dead, { error: 'no', retryInMs: undefined })).toBe(true);
    expect(await inbox.renew(again, { leaseMs: 1 })).toBe(true);
    expect(await inbox.revive(dead.entry.id)).toBe(true);
    await expect
      .poll(() => inbox.claim({ limit: 3, leaseMs: 10_000, begins: true }))
      .toContainEqual(expect.objectContaining({ begunAlone: 0 }));
    await expect.poll(() => inbox.has(done.entry.id)).toBe(false);
    expect(await inbox.deadLetters()).toEqual([]);
    expect(await inbox.stats?.()).toEqual({ open: 3, dead: 0 });
  });

  test('can use all of sync with the rights of the guide', async () => {
    const owner = newPool();
    await postgresStore({ pool: owner }).migrate({ history: true });
    await owner.query(GRANTS);
    const front = await frontOf(stillSandbox({ shipments: 2 }));
    const store = postgresStore({ pool: newPool('app') });
    const sync = createSync({ client: front.client(), store, history: true, logger: false });
    await sync.migrate();
    await sync.backfill();
    await sync.reconcile();
    expect((await store.status()).tables.some(({ rows }) => rows > 0)).toBe(true);
    await store.close();
  });

  test('gets an error that names the user who must create the tables, if rights are missing', async () => {
    const expected = {
      code: 'store_failed',
      message: expect.stringContaining('Let the owner of the schema call migrate()'),
    };
    const inbox = postgresInbox({ pool: newPool('app') });
    await expect(inbox.put(entry('a'))).rejects.toMatchObject(expected);
    const owner = newPool();
    await postgresInbox({ pool: owner }).migrate();
    await expect(inbox.put(entry('a'))).rejects.toMatchObject(expected);
    await owner.query(GRANTS);
    expect(await inbox.put(entry('a'))).toBe('stored');
  });

  test('gets an error for the inbox of version 0.1.0, because only its owner can convert it, and loses no entry', async () => {
    const owner = newPool();
    const first = postgresInbox({ pool: owner });
    await first.put(entry('a'));
    await owner.query(
      `ALTER TABLE tracking.inbox_entries DROP COLUMN suspicion; DROP TABLE tracking.inbox_format; ${GRANTS}`,
    );
    const inbox = postgresInbox({ pool: newPool('app') });
    await expect(inbox.put(entry('b'))).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('Let the owner of the schema call migrate()'),
    });
    await postgresInbox({ pool: newPool() }).migrate();
    await owner.query(GRANTS);
    expect(await inbox.put(entry('a'))).toBe('duplicate');
    const [claim] = await inbox.claim({ limit: 5, leaseMs: 1000 });
    expect(claim && (await inbox.done(claim))).toBe(true);
  });

  test('gets an error for an inbox of a later version', async () => {
    const owner = newPool();
    await postgresInbox({ pool: owner }).migrate();
    await owner.query('UPDATE tracking.inbox_format SET format = 3');
    const inbox = postgresInbox({ pool: newPool() });
    const expected = { name: 'ConfigurationError', message: expect.stringContaining('has format 3') };
    await expect(inbox.put(entry('a'))).rejects.toMatchObject(expected);
    await expect(inbox.migrate()).rejects.toMatchObject(expected);
  });
});
