/**
 * Registers a webhook, receives its notifications and prints their subjects.
 *
 *   export TRACKING_BASE_URL=https://host.example/v2 TRACKING_API_KEY=…
 *   node webhook-receiver.ts --port 3000 --url https://my-host.example/tracking
 */
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { localTime, TrackingClient } from 'container-tracking-sdk';
import {
  createReceiver,
  createRouter,
  createWorker,
  EVENT_NAMES,
  type Notification,
  refreshSubject,
} from 'container-tracking-sdk/webhooks';
import { sqliteInbox } from 'container-tracking-sdk/webhooks/sqlite';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    url: { type: 'string' },
    inbox: { type: 'string', default: 'inbox.db' },
  },
});
const url = values.url ?? `http://127.0.0.1:${values.port}/`;

// Creates the webhook, or switches it on again if the service has deactivated it.
const client = new TrackingClient();
const { secret = '' } = await client.webhooks.ensure({ url, events: EVENT_NAMES });

// The receiver stores and acknowledges notifications. The worker handles the stored notifications. After a crash, it
// handles unfinished notifications again.
const inbox = sqliteInbox(values.inbox);
const receiver = createReceiver({ secrets: secret, inbox });
const router = createRouter()
  .on('container.transport.*', n => print(n, n.reference_object))
  .on('container.updated', n => print(n, n.reference_object))
  .otherwise(n => print(n));
const worker = createWorker({ inbox, router, pollMs: 100 }).start();

const server = createServer(receiver.node).listen(Number(values.port), () => console.log(`Notifications go to ${url}`));

process.once('SIGTERM', async () => {
  await receiver.close();
  server.close();
  await worker.stop();
  inbox.close();
});

async function print(n: Notification, happened: { timestamp?: string | null; timezone?: string | null } = {}) {
  // Some notifications only name their subject. This call reads it.
  const subject = n.container ?? (await refreshSubject(n, client));
  const number = subject?.type === 'container' ? subject.number : '';
  const time = localTime(happened.timestamp ?? n.created_at, happened.timezone ?? 'Etc/UTC');
  console.log(`  ${time?.text.padEnd(22)} ${number.padEnd(12)} ${n.event}`);
}
