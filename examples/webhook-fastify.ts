/**
 * Receives notifications with Fastify.
 *
 *   export TRACKING_WEBHOOK_SECRET=…
 *   node webhook-fastify.ts
 */
import { createReceiver, createRouter, createWorker } from 'container-tracking-sdk/webhooks';
import { sqliteInbox } from 'container-tracking-sdk/webhooks/sqlite';
import Fastify from 'fastify';

const { PORT = '3000', INBOX = 'inbox.db', TRACKING_WEBHOOK_SECRET } = process.env;

const inbox = sqliteInbox(INBOX);
const receiver = createReceiver({ secrets: [TRACKING_WEBHOOK_SECRET], inbox });
const router = createRouter()
  .on('container.updated', n => console.log(n.event, n.container?.number, n.reference_object.changeset))
  .otherwise(n => console.log(n.event));
const worker = createWorker({ inbox, router }).start();

const app = Fastify();
// The receiver is a separate plugin, so that the other routes keep their parsers.
app.register(receiver.fastify, { prefix: '/webhooks', url: '/tracking' });
app.post('/echo', async request => request.body);
await app.listen({ port: Number(PORT) });
console.log(`Listening on port ${PORT}`);

process.once('SIGTERM', async () => {
  await receiver.close();
  await app.close();
  await worker.stop();
});
