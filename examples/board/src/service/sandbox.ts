import { TrackingClient } from 'container-tracking-sdk';
import { createSandbox } from 'container-tracking-sdk/sandbox';
import { handlers } from 'container-tracking-sdk/sandbox/msw';
import { createReceiver, createRouter, createWorker, EVENT_NAMES, memoryInbox } from 'container-tracking-sdk/webhooks';
import { setupWorker } from 'msw/browser';
import { arrivals } from './arrived.ts';
import { queue } from './queue.ts';
import type { Arrived, Service } from './service.ts';
import { workerAddress } from './worker-address.ts';

/** The clock of the sandbox runs this many times faster than ours. */
const SPEED = 60;
const WEBHOOK = 'https://board.example/webhooks';

/**
 * The service, emulated in this page. The client sends real requests; a service worker hands them to the sandbox.
 *
 * Notifications take the way that they take on your server: signed by the sender, verified by the receiver, stored in the
 * inbox, handled by the worker. Its handler informs the feed, which reads the shipment that the notification is about.
 */
export async function startSandbox(): Promise<Service> {
  const sandbox = createSandbox({ shipments: 16, speed: SPEED, rateLimit: false, fetch: request => receive(request) });
  const baseUrl = new URL('/v2', document.baseURI).href;
  await setupWorker(...handlers(sandbox, { baseUrl })).start({
    serviceWorker: { url: workerAddress() },
    onUnhandledFrame: 'bypass',
    quiet: true,
  });

  // A page may hold this key, because it opens nothing.
  const client = new TrackingClient({ baseUrl, apiKey: 'sandbox', dangerouslyAllowBrowser: true, rateLimit: false });
  const feed = client.shipments.watch({ include: ['containers'], every: 60_000 });
  const arrived = queue<Arrived>();
  const shownOf = arrivals(client);

  const inbox = memoryInbox({ ephemeral: true });
  const { secret } = await client.webhooks.ensure({ url: WEBHOOK, events: EVENT_NAMES });
  const { fetch: receive } = createReceiver({ secrets: secret, inbox });
  const router = createRouter().otherwise(async (notification, context) => {
    if (context.attempt === 1) for (const each of await shownOf(notification)) arrived.push(each);
    await feed.handler(notification, context);
  });
  createWorker({ inbox, router, pollMs: 100 }).start();

  // Things happen in time only while somebody looks.
  setInterval(() => sandbox.flush(), 1000);
  const advance = async (hours: number) => {
    sandbox.advance({ hours });
    await sandbox.flush();
  };
  // So that there are notifications from the beginning.
  await advance(9);
  return { client, feed, notifications: arrived, now: () => sandbox.now(), advance, refreshMs: 5000 };
}
