import { TrackingClient } from 'container-tracking-sdk';
import { createSandbox } from 'container-tracking-sdk/sandbox';
import { handlers } from 'container-tracking-sdk/sandbox/msw';
import { createReceiver, createRouter, createWorker, EVENT_NAMES, memoryInbox } from 'container-tracking-sdk/webhooks';
import { setupWorker } from 'msw/browser';
import { arrivals } from './arrived.ts';
import { queue } from './queue.ts';
import type { Arrived, Service } from './service.ts';
import { workerAddress } from './worker-address.ts';

/** A Monday morning in Asia, so that the page shows the same voyages every day. */
const START = '2026-03-09T03:00:00Z';
/** Speed of the sandbox's clock, as a multiple of real time. */
const SPEED = 60;
const WEBHOOK = 'https://board.example/webhooks';

/**
 * The service, emulated in this page. The client sends real requests, which a service worker passes to the sandbox.
 *
 * Notifications pass the same steps as on your server: the sender signs them, the receiver verifies them, the inbox stores them,
 * the worker handles them. The handler of the worker informs the feed. The feed reads the shipment of the notification.
 */
export async function startSandbox(): Promise<Service> {
  const sandbox = createSandbox({
    now: START,
    shipments: 16,
    speed: SPEED,
    rateLimit: false,
    fetch: request => receive(request),
  });
  const baseUrl = new URL('/v2', document.baseURI).href;
  await setupWorker(...handlers(sandbox, { baseUrl })).start({
    serviceWorker: { url: workerAddress() },
    onUnhandledFrame: 'bypass',
    quiet: true,
  });

  // A page may contain this key, because it gives access to nothing real.
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

  // Events happen only when the sandbox is called. This call makes them happen even if there are no requests.
  setInterval(() => sandbox.flush(), 1000);
  const advance = async (hours: number) => {
    sandbox.advance({ hours });
    await sandbox.flush();
  };
  // Makes some notifications before the page is shown.
  await advance(9);
  return { client, feed, notifications: arrived, now: () => sandbox.now(), advance, refreshMs: 5000 };
}
