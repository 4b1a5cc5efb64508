/**
 * Receives webhooks into PostgreSQL and handles them from there. It can run on several machines: each notification is stored
 * once and handled by one of them. Notifications about the same record are handled in order.
 *
 *   npm install pg
 *   DATABASE_URL=postgres://… TRACKING_WEBHOOK_SECRET=… node postgres-inbox.ts
 *
 * The tables are created in the schema `tracking` at the first use. If the program does not have the right to create tables, run
 * `await postgresInbox({ pool }).migrate()` once as a user who has it.
 */
import { createServer } from 'node:http';
import { postgresInbox } from 'container-tracking-sdk/postgres';
import { createReceiver, createRouter, createWorker } from 'container-tracking-sdk/webhooks';
import { Pool } from 'pg';

const { DATABASE_URL, PORT = '3000', TRACKING_WEBHOOK_SECRET } = process.env;

const pool = new Pool({ connectionString: DATABASE_URL });
// Without a listener, the process ends if an idle connection breaks.
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
