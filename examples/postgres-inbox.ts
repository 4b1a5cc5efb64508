/**
 * Reacts within minutes to each container that becomes available for pickup, and misses none. Receives webhooks into
 * PostgreSQL, handles them from there, and looks for missed notifications at each start and once an hour. It can run on
 * several machines: each notification is stored once, and one machine handles it. Notifications about the same record
 * are handled in order.
 *
 *   npm pkg set type=module
 *   npm install container-tracking-sdk pg
 *   npx container-tracking webhooks create --url https://my-host.example/ --show-secret
 *   DATABASE_URL=postgres://… TRACKING_BASE_URL=… TRACKING_API_KEY=… TRACKING_WEBHOOK_SECRET=… node postgres-inbox.ts
 *
 * If the account has other webhooks, also set WEBHOOK_URL to the address of this webhook. Otherwise the notifications
 * of the other webhooks count as missed.
 *
 * The service counts the requests of all processes together. So on two machines, pass `rateLimit: { limits: { default: 50 } }` to each
 * client, or share the limit with `redisLimiter`.
 *
 * The tables of the inbox are created in the schema `tracking` at the first use. If the program does not have the right
 * to create tables, use a user who has this right: run `await postgresInbox({ pool }).migrate()` once as this user, and
 * create the table `recovery`.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Container, isReadyForPickup, NotFoundError, TrackingClient } from 'container-tracking-sdk';
import { postgresInbox } from 'container-tracking-sdk/postgres';
import { createReceiver, createRouter, createWorker, refreshSubject } from 'container-tracking-sdk/webhooks';
import { Pool } from 'pg';

const { DATABASE_URL, PORT = '3000', TRACKING_WEBHOOK_SECRET, WEBHOOK_URL: url } = process.env;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const since = new Date();

const pool = new Pool({ connectionString: DATABASE_URL });
// Without a listener, the process ends if an idle connection breaks.
pool.on('error', error => console.error(error.message));

const client = new TrackingClient();
const inbox = postgresInbox({ pool });
const receiver = createReceiver({ secrets: [TRACKING_WEBHOOK_SECRET], inbox });
const router = createRouter()
  .on('container.transport.available', async (notification, { signal }) => {
    try {
      // This event does not name its container, so two requests are necessary.
      const subject = await refreshSubject(notification, client, { signal });
      if (subject?.type === 'container') await react(subject);
    } catch (error) {
      // The record was removed, or the notification is a sample.
      if (!(error instanceof NotFoundError)) throw error;
    }
  })
  .otherwise(n => console.log(n.event, n.container?.number));
const worker = createWorker({ inbox, router }).start();

/** Your code. It may be called more than once for a container. If it throws, it is called again. */
async function react(container: Container): Promise<void> {
  // After an outage, the container may have been picked up already.
  if (isReadyForPickup(container)) console.log(container.number, 'is ready for pickup');
}

/**
 * Finds the notifications that did not arrive since the last recovery, and puts them into the inbox. After an outage,
 * also activates the webhook if the service has deactivated it.
 */
async function recoverMissed(signal: AbortSignal): Promise<void> {
  // The lock is for two processes that start at the same time.
  await pool.query(`
    SELECT pg_advisory_xact_lock(20260309);
    CREATE TABLE IF NOT EXISTS recovery (id int PRIMARY KEY, checkpoint jsonb NOT NULL)`);
  const { rows } = await pool.query('SELECT checkpoint FROM recovery');
  // No notification was missed before the first start, and `repair` would read all records of the account.
  const start = rows[0] ? { from: rows[0].checkpoint, repair: true } : { since };
  const recovery = client.webhookNotifications.recover({ ...start, inbox, url, requeue: true, signal });
  for await (const { record, checkpoint } of recovery) {
    // The service records no notifications while the webhook is inactive. A record may also have changed in this time
    // after its last notification.
    if (record?.type === 'container') await react(record);
    if (record?.type === 'shipment') for (const container of record.containers) await react(container);
    await save(checkpoint);
  }
  await save(recovery.checkpoint);
}

async function save(checkpoint: unknown): Promise<void> {
  await pool.query(
    'INSERT INTO recovery VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint',
    [JSON.stringify(checkpoint)],
  );
}

const stopping = new AbortController();
async function recoverEachHour({ signal }: AbortController): Promise<void> {
  while (!signal.aborted) {
    const pause = await recoverMissed(signal).then(
      () => HOUR,
      error => {
        if (!signal.aborted) console.error(error);
        return MINUTE;
      },
    );
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

const server = createServer(receiver.node).listen(Number(PORT), () => console.log(`Listening on port ${PORT}`));
const recovering = recoverEachHour(stopping);

process.once('SIGTERM', async () => {
  await receiver.close();
  server.close();
  stopping.abort();
  await worker.stop();
  await recovering;
  client.close();
  await pool.end();
});
