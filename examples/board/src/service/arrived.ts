import type { TrackingClient } from 'container-tracking-sdk';
import { type Notification, refreshSubject } from 'container-tracking-sdk/webhooks';
import type { Arrived } from './service.ts';

/** What the board shows of a notification. */
export async function arrivedFrom(notification: Notification, client: TrackingClient): Promise<Arrived> {
  const { id, event, created_at: at } = notification;
  return {
    id,
    event,
    at,
    note: noteOf(notification),
    ...(sentWith(notification) ?? (await read(notification, client))),
  };
}

type Subject = Pick<Arrived, 'about' | 'shipmentId'>;

/** Most notifications come with the records that they are about. */
function sentWith({ container, shipment, tracking_request }: Notification): Subject | undefined {
  const about = container?.number ?? shipment?.bill_of_lading_number ?? tracking_request?.request_number;
  return about === undefined ? undefined : { about, shipmentId: shipment?.id ?? container?.shipment?.id };
}

/** The others name it only. */
async function read(notification: Notification, client: TrackingClient): Promise<Subject> {
  const subject = await refreshSubject(notification, client);
  switch (subject?.type) {
    case 'container':
      return { about: subject.number, shipmentId: subject.shipment?.id };
    case 'document':
      return { about: subject.name, shipmentId: undefined };
    default:
      return { about: undefined, shipmentId: undefined };
  }
}

/** The names of the fields that `container.updated` tells of. */
function noteOf(notification: Notification): string | undefined {
  if (notification.event !== 'container.updated') return undefined;
  const names = Object.keys(notification.reference_object.changeset ?? {});
  return names.map(name => name.replaceAll('_', ' ')).join(', ');
}
