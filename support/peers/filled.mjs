import { TrackingClient } from 'container-tracking-sdk';
import { postgresStore } from 'container-tracking-sdk/postgres';
import { createSync } from 'container-tracking-sdk/sync';
import pg from 'pg';

/** A schema of PostgreSQL that sync has filled. */
export async function filled(name) {
  const pool = new pg.Pool(JSON.parse(process.env.POSTGRES));
  const client = new TrackingClient({ baseUrl: process.env.BASE_URL, apiKey: 'sandbox' });
  const schema = `${name}_${process.env.RUN}`;
  await createSync({ client, store: postgresStore({ pool, schema }), history: true }).once();
  client.close();
  return { pool, schema, end: () => pool.end() };
}
