import { TrackingClient } from 'container-tracking-sdk';
import type { Arrived, Service } from './service.ts';

/**
 * The service behind your server, which adds the key. The page receives no webhooks. So the feed reads all shipments
 * each minute, with the unused part of the rate limit. The notifications are read from the service's list.
 */
export async function startProxy(): Promise<Service> {
  const client = new TrackingClient({
    baseUrl: new URL('./v2', document.baseURI).href,
    // Your server replaces this token. If your users have sessions, use a function that fetches a short-lived token.
    accessToken: 'session',
  });
  const feed = client.shipments.watch({ include: ['containers'], every: 60_000, share: 0.5 });
  return { client, feed, notifications: poll(client), now: () => new Date(), refreshMs: 60_000 };
}

const EVERY_MS = 30_000;
const NEWEST = 20;
const ABOUT = ['reference_object.container'] as const;

async function* poll(client: TrackingClient): AsyncGenerator<Arrived, void, undefined> {
  const seen = new Set<string>();
  for (;;) {
    try {
      const page = await client.webhookNotifications.list({ pageSize: NEWEST, include: ABOUT });
      for (const { id, event, created_at: at, reference_object } of page.data.toReversed()) {
        if (seen.has(id)) continue;
        seen.add(id);
        const container = reference_object && 'container' in reference_object ? reference_object.container : undefined;
        const shipmentId = container?.shipment?.id;
        yield { event, at, alert: undefined, about: container?.number, shipmentId, note: undefined };
      }
    } catch (error) {
      console.warn('The notifications could not be read.', error);
    }
    await new Promise(resolve => setTimeout(resolve, EVERY_MS));
  }
}
