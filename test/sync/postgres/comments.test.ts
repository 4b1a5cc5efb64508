import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresStore } from '../../../src/postgres.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../support/postgres.ts';

describe.skipIf(!hasPostgres)('migrate()', () => {
  let postgres: PostgresServer;
  let pool: Pool;

  beforeAll(async () => {
    postgres = await startPostgres();
    pool = new Pool({ ...postgres.connection, max: 4 });
  }, 30_000);

  afterAll(async () => {
    await pool?.end();
    await postgres?.stop();
  });

  async function commentsOf(schema: string): Promise<Record<string, string>> {
    const { rows } = await pool.query(
      `SELECT relname || coalesce('.' || attname, '') AS name, description FROM pg_description
      JOIN pg_class ON pg_class.oid = objoid LEFT JOIN pg_attribute ON attrelid = objoid AND attnum = objsubid AND objsubid > 0
      WHERE relnamespace = $1::regnamespace`,
      [`"${schema}"`],
    );
    return Object.fromEntries(rows.map(({ name, description }) => [name, description]));
  }

  test('describes each table, view and column', async () => {
    await postgresStore({ pool, schema: 'New one' }).migrate({ history: true });
    const comments = await commentsOf('New one');
    expect(comments).toMatchObject({
      ports: 'A sea port.',
      'containers.shipment_id': expect.stringMatching(/shipment/),
      'containers.last_free_day': expect.stringMatching(/^The earliest last free day/),
      'shipments.deleted_at': expect.stringMatching(/^The last time/),
      on_time: expect.stringMatching(/^The shipments that have arrived/),
    });
    const { rows } = await pool.query(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'New one' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'sync%'`,
    );
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.map(({ name }) => name).filter(name => !comments[name])).toEqual([]);
  });

  test('adds missing comments to an existing store, and does not change comments that others wrote', async () => {
    const store = postgresStore({ pool, schema: 'existing' });
    await store.migrate();
    await pool.query(`COMMENT ON TABLE existing.ports IS NULL; COMMENT ON COLUMN existing.ports.code IS 'Ours'`);
    expect(await postgresStore({ pool, schema: 'existing' }).migrate()).toEqual({ from: 6, to: 6 });
    expect(await commentsOf('existing')).toMatchObject({ ports: 'A sea port.', 'ports.code': 'Ours' });
  });

  test('adds no comments if the role does not own the tables', async () => {
    await postgresStore({ pool, schema: 'other' }).migrate();
    await pool.query(`COMMENT ON TABLE other.ports IS NULL; CREATE ROLE reader LOGIN;
      GRANT USAGE ON SCHEMA other TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA other TO reader`);
    const readers = new Pool({ ...postgres.connection, user: 'reader', max: 2 });
    await postgresStore({ pool: readers, schema: 'other' }).migrate();
    await readers.end();
    expect(await commentsOf('other')).not.toHaveProperty('ports');
  });
});
