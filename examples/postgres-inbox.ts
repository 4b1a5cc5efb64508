/**
 * Receives webhooks into PostgreSQL and handles them from there. Run it on as many machines as you like: each notification is
 * stored once and handled by one of them, those about the same record in order.
 *
 *   npm install pg
 *   DATABASE_URL=postgres://… TRACKING_WEBHOOK_SECRET=… node postgres-inbox.ts
 *
 * The tables are created in the schema `tracking` at the first use. If the program may not create tables, run
 * `await postgresInbox({ pool }).migrate()` once as a user who may.
 */
import { createServer } from 'node:http';
import { postgresInbox } from 'container-tracking-sdk/postgres';
import { createReceiver, createRouter, createWorker } from 'container-tracking-sdk/webhooks';
import { Pool } from 'pg';

const { DATABASE_URL, PORT = '3000', TRACKING_WEBHOOK_SECRET } = process.env;

const pool = new Pool({ connectionString: DATABASE_URL });
// Without a listener, an idle connection that breaks ends the process.
pool.on('error', console.error);

const inbox = postgresInbox({ pool });
const receiver = createReceiver({ secrets: [TRACKING_WEBHOOK_SECRET], inbox });
const router = createRouter()
  .on('container.updated', n => console.log(n.event, n.container?.number))
  .otherwise(n => console.log(n.event));
const worker = createWorker({ inbox, router }).start();

const server = createServer(receiver.node).listen(Number(PORT), () => console.log(`Listening on port ${PORT}`));

process.once('SIGTERM', async () => {
  await receiver.close();
  server.close();
  await worker.stop();
  await pool.end();
});
