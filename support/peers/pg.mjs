import assert from 'node:assert/strict';
import { postgresInbox } from 'container-tracking-sdk/postgres';
import { filled } from './filled.mjs';
import { roundTrip } from './round-trip.mjs';

const { pool, schema, end } = await filled('tracking');
await roundTrip(postgresInbox({ pool, schema: `inbox_${process.env.RUN}` }));
const { rows } = await pool.query(`SELECT count(*)::int AS shipments FROM ${schema}.shipments`);
assert.deepEqual(rows, [{ shipments: 2 }]);
await end();
