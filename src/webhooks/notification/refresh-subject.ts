import type { Container, Document, Shipment, TrackingRequest } from '../../model/index.ts';
import type { RequestOptions } from '../../options.ts';
import { checkMethod } from '../check-options.ts';
import { mainRecordOf } from './main-record.ts';
import type { Notification } from './notification.ts';

type Representation = 'last_document_representation';

/** The options of {@link refreshSubject}. */
export type RefreshSubjectOptions = Pick<RequestOptions, 'signal'>;

interface Reads<T, O extends object = object> {
  get(id: string, options: O & RefreshSubjectOptions): PromiseLike<T>;
}

/** The methods of a `TrackingClient` that `refreshSubject` calls. */
export interface SubjectClient {
  containers: Reads<Container<readonly ['shipment']>, { include: readonly ['shipment'] }>;
  shipments: Reads<Shipment>;
  trackingRequests: Reads<TrackingRequest<readonly 'tracked_object'[]>>;
  /** Without `documents`, `refreshSubject` returns `undefined` for an event about a document. */
  documents?: Reads<object, { include: readonly [Representation] }> | undefined;
  webhookNotifications: Reads<object>;
}

/** The records that {@link refreshSubject} reads. */
export type FreshSubject =
  | Container<readonly ['shipment']>
  | Shipment
  | TrackingRequest<readonly 'tracked_object'[]>
  | Document<readonly [Representation]>;

/**
 * Reads the current state of the record of a notification. This record is the tracking request, or the document with
 * its last extracted data. Otherwise it is the container with its shipment, or else the shipment. This takes one call
 * of the API, or two if the notification names no record. Notifications may be late and out of order, and some contain
 * only an id. The result of this function is always up to date. `undefined` if the notification has none of these
 * records.
 *
 * @throws {ConfigurationError} if `client` has no method `containers.get`.
 * @throws {NotFoundError} if the record no longer exists, and every other error of the client.
 * @example
 * router.on('container.*', async (n, { signal }) => save(await refreshSubject(n, client, { signal })));
 */
export async function refreshSubject(
  notification: Notification,
  client: SubjectClient,
  { signal }: RefreshSubjectOptions = {},
): Promise<FreshSubject | undefined> {
  checkMethod('client.containers', client?.containers, 'get', 'new TrackingClient()');
  const { document } = notification;
  if (document) {
    const fresh = await client.documents?.get(document.id, { include: ['last_document_representation'], signal });
    return fresh as Document<readonly [Representation]> | undefined;
  }
  // The shortest payloads do not name a record. If the same notification is read from the API, it names its record.
  const record =
    mainRecordOf(notification) ?? mainRecordOf(await client.webhookNotifications.get(notification.id, { signal }));
  switch (record?.type) {
    case 'container':
      return client.containers.get(record.id, { include: ['shipment'], signal });
    case 'shipment':
      return client.shipments.get(record.id, { signal });
    case 'tracking_request':
      return client.trackingRequests.get(record.id, { signal });
    default:
      return undefined;
  }
}
