import type { Container } from '../../records/container.ts';
import type { Document } from '../../records/document.ts';
import type { Shipment } from '../../records/shipment.ts';
import type { TrackingRequest } from '../../records/tracking-request.ts';
import { concernOf } from './main-record.ts';
import type { Notification } from './notification.ts';

type Representation = 'last_document_representation';

/** The part of a `TrackingClient` that is used. */
export interface SubjectClient {
  containers: {
    get(id: string, options: { include: readonly ['shipment'] }): PromiseLike<Container<readonly ['shipment']>>;
  };
  shipments: { get(id: string): PromiseLike<Shipment> };
  trackingRequests: { get(id: string): PromiseLike<TrackingRequest<readonly 'tracked_object'[]>> };
  /** Without it, an event about a document has no subject. */
  documents?: { get(id: string, options: { include: readonly [Representation] }): PromiseLike<object> } | undefined;
  webhookNotifications: { get(id: string): PromiseLike<object> };
}

/** What {@link refreshSubject} reads. Narrow it by `type`. */
export type FreshSubject =
  | Container<readonly ['shipment']>
  | Shipment
  | TrackingRequest<readonly 'tracked_object'[]>
  | Document<readonly [Representation]>;

/**
 * What a notification concerns, as it is now: the tracking request it is about, or the document with what was read from it,
 * else the container with its shipment, else the shipment. Notifications may come late and out of order, and some hold no
 * more than an id; whoever stores what this gives is right in any case. `undefined` where the notification names none of
 * them.
 *
 * @throws {NotFoundError} and whatever else the client throws.
 * @example
 * router.on('container.*', async n => save(await refreshSubject(n, client)));
 */
export async function refreshSubject(
  notification: Notification,
  client: SubjectClient,
): Promise<FreshSubject | undefined> {
  const { document } = notification;
  if (document) {
    const fresh = await client.documents?.get(document.id, { include: ['last_document_representation'] });
    return fresh as Document<readonly [Representation]> | undefined;
  }
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
