import assert from 'node:assert/strict';
import { postgresTables, sqliteTables } from 'container-tracking-sdk/sync/drizzle';
import { gt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { filled } from './filled.mjs';

const { pool, schema, end } = await filled('drizzle');
const tables = postgresTables({ schema });
const db = drizzle(pool, { schema: tables });
const shipments = await db.query.shipments.findMany({ with: { containers: true, pod_terminal: true } });
assert.equal(shipments.length, 2);
assert.ok(shipments.every(({ containers, container_ids }) => containers.length === container_ids.length));
const { containers, dwell } = tables;
const heavy = await db.select().from(containers).where(gt(containers.weight_in_lbs, 1));
assert.ok(heavy.every(({ weight_in_lbs }) => typeof weight_in_lbs === 'number'));
assert.ok((await db.select().from(dwell)).every(({ valid_from }) => valid_from instanceof Date));
assert.ok(sqliteTables().containers);
await end();
