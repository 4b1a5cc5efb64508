import assert from 'node:assert/strict';
import { Kysely, PostgresDialect } from 'kysely';
import { filled } from './filled.mjs';

const { pool, schema, end } = await filled('kysely');
const db = new Kysely({ dialect: new PostgresDialect({ pool }) }).withSchema(schema);
const rows = await db
  .selectFrom('shipments')
  .select(({ fn }) => fn.countAll().as('shipments'))
  .execute();
assert.deepEqual(rows, [{ shipments: '2' }]);
await end();
