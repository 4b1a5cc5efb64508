import type { Container } from '../records/container.ts';
import type { Shipment } from '../records/shipment.ts';
import type { TrackingRequest } from '../records/tracking-request.ts';
import { concernOf } from './concern.ts';
import type { Notification } from './notification.ts';

/** The part of a `TrackingClient` that is used. */
export interface SubjectClient {
  containers: {
    get(id: string, options: { include: readonly ['shipment'] }): PromiseLike<Container<readonly ['shipment']>>;
  };
  shipments: { get(id: string): PromiseLike<Shipment> };
  trackingRequests: { get(id: string): PromiseLike<TrackingRequest<readonly 'tracked_object'[]>> };
  webhookNotifications: { get(id: string): PromiseLike<object> };
}

export type FreshSubject = Container<readonly ['shipment']> | Shipment | TrackingRequest<readonly 'tracked_object'[]>;

/**
 * What a notification concerns, as it is now: the tracking request it is about, else the container with its shipment, else
 * the shipment. Notifications may come late and out of order, and some hold no more than an id; whoever stores what this gives
 * is right in any case. `undefined` where the notification names none of them, as those about documents.
 *
 * @throws {NotFoundError} and whatever else the client throws.
 * @example
 * router.on('container.*', async n => save(await refreshSubject(n, client)));
 */
export async function refreshSubject(
  notification: Notification,
  client: SubjectClient,
): Promise<FreshSubject | undefined> {
  if (notification.document) return undefined;
  // The shortest ones name nothing, but the API knows the rest of them (api/webhooks.md section 7).
  const concern = concernOf(notification) ?? concernOf(await client.webhookNotifications.get(notification.id));
  switch (concern?.type) {
    case 'container':
      return client.containers.get(concern.id, { include: ['shipment'] });
    case 'shipment':
      return client.shipments.get(concern.id);
    case 'tracking_request':
      return client.trackingRequests.get(concern.id);
    default:
      return undefined;
  }
}
