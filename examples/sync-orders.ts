/**
 * Joins your own orders with the containers that they wait for, in one database.
 *
 *   export TRACKING_BASE_URL=https://host.example/v2 TRACKING_API_KEY=…
 *   node sync-orders.ts --database shop.db
 */
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { TrackingClient } from 'container-tracking-sdk';
import { createSync } from 'container-tracking-sdk/sync';
import { sqliteStore } from 'container-tracking-sdk/sync/sqlite';

const { values } = parseArgs({ options: { database: { type: 'string', default: 'shop.db' } } });

// Syncs only the tables that the query uses. To follow all changes continuously, call `sync.run()` instead of the lines
// below.
const store = sqliteStore(values.database);
const sync = createSync({
  client: new TrackingClient(),
  store,
  tables: ['shipment', 'container', 'terminal', 'transport_event'],
});
await sync.migrate();
const filled = await sync.backfill();
if (!filled) await sync.reconcile();
await store.close();

const database = new DatabaseSync(values.database);
database.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, customer TEXT, bill_of_lading TEXT)');
const orders = database
  .prepare(
    `SELECT orders.id, orders.customer, containers.number, containers.current_status AS status,
       pickups.terminal, pickups.last_free_day
     FROM orders
     JOIN shipments ON shipments.bill_of_lading_number = orders.bill_of_lading AND shipments.deleted_at IS NULL
     JOIN containers ON containers.shipment_id = shipments.id AND containers.deleted_at IS NULL
     LEFT JOIN pickups ON pickups.container_id = containers.id
     ORDER BY orders.id, pickups.last_free_day, containers.number`,
  )
  .all();
if (orders.length === 0)
  console.error('No container found: insert your orders into the table `orders`, and run this again.');
for (const { id, customer, number, status, terminal, last_free_day } of orders) {
  const pickup = terminal === null ? '' : `, at ${terminal}${last_free_day ? ` until ${last_free_day}` : ''}`;
  console.log(`${id} for ${customer}: ${number} is ${status}${pickup}`);
}
database.close();
