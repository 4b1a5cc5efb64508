/**
 * Receives notifications with Express.
 *
 *   export TRACKING_WEBHOOK_SECRET=…
 *   node webhook-express.ts
 */
import { createReceiver, createRouter, createWorker } from 'container-tracking-sdk/webhooks';
import { sqliteInbox } from 'container-tracking-sdk/webhooks/sqlite';
import express from 'express';

const { PORT = '3000', INBOX = 'inbox.db', TRACKING_WEBHOOK_SECRET } = process.env;

const inbox = sqliteInbox(INBOX);
const receiver = createReceiver({ secrets: [TRACKING_WEBHOOK_SECRET], inbox });
const router = createRouter()
  .on('container.updated', n => console.log(n.event, n.container?.number, n.reference_object.changeset))
  .otherwise(n => console.log(n.event));
const worker = createWorker({ inbox, router }).start();

const app = express();
// Must come before any parser: the signature covers the bytes of the body.
app.post('/webhooks/tracking', receiver.node);
app.use(express.json());
app.post('/echo', (request, response) => {
  response.json(request.body);
});
const server = app.listen(Number(PORT), () => console.log(`Listening on port ${PORT}`));

process.once('SIGTERM', async () => {
  await receiver.close();
  server.close();
  await worker.stop();
});
