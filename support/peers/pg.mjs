import assert from 'node:assert/strict';
import { TrackingClient } from 'container-tracking-sdk';
import { postgresInbox, postgresStore } from 'container-tracking-sdk/postgres';
import { createSync } from 'container-tracking-sdk/sync';
import pg from 'pg';
import { roundTrip } from './round-trip.mjs';

const pool = new pg.Pool(JSON.parse(process.env.POSTGRES));
await roundTrip(postgresInbox({ pool, schema: `inbox_${process.env.RUN}` }));
const client = new TrackingClient({ baseUrl: process.env.BASE_URL, apiKey: 'sandbox' });
const schema = `tracking_${process.env.RUN}`;
const sync = createSync({ client, store: postgresStore({ pool, schema }) });
await sync.migrate();
await sync.backfill();
const { rows } = await pool.query(`SELECT count(*)::int AS shipments FROM ${schema}.shipments`);
assert.deepEqual(rows, [{ shipments: 2 }]);
client.close();
await pool.end();
