import { type Alert, changesOf, onlyNew, type TrackingClient } from 'container-tracking-sdk';
import { type Notification, refreshSubject } from 'container-tracking-sdk/webhooks';
import type { Arrived } from './service.ts';

/** Returns the parts of a notification that the board shows: each fact once, even if several notifications report it. */
export function arrivals(client: TrackingClient): (notification: Notification) => Promise<Arrived[]> {
  const isNew = onlyNew(new Set());
  const availability = new Map<string | undefined, boolean>();
  return async notification => {
    const { event, created_at: at } = notification;
    const alerts = changesOf(notification);
    const shown = alerts.length > 0 ? alerts.filter(isNew) : [undefined];
    if (shown.length === 0) return [];
    const subject = sentWith(notification) ?? (await read(notification, client));
    return shown
      .filter(alert => {
        const isAvailable = availabilityIn(event, alert);
        if (isAvailable === undefined) return true;
        const before = availability.get(subject.about);
        availability.set(subject.about, isAvailable);
        return isAvailable !== before;
      })
      .map(alert => ({ event, at, alert, note: noteOf(notification), ...subject }));
  };
}

/**
 * Returns true if the notification reports that the container is available, false if it reports the opposite, and
 * otherwise `undefined`. Two notifications report this fact: a milestone, and `container.updated`. Their alerts cannot
 * be compared, because the event of a milestone does not name its container.
 */
function availabilityIn(event: string, alert: Alert | undefined): boolean | undefined {
  const name = alert?.kind ?? event.replace('container.transport.', '');
  if (name === 'available') return true;
  return name === 'unavailable' || name === 'not_available' ? false : undefined;
}

type Subject = Pick<Arrived, 'about' | 'shipmentId'>;

/** The subject, if the notification includes it. Most notifications do. */
function sentWith({ container, shipment, tracking_request }: Notification): Subject | undefined {
  const about = container?.number ?? shipment?.bill_of_lading_number ?? tracking_request?.request_number;
  return about === undefined ? undefined : { about, shipmentId: shipment?.id ?? container?.shipment?.id };
}

/** Reads the subject if the notification only names it. */
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

/** The names of the fields that `container.updated` reports. */
function noteOf(notification: Notification): string | undefined {
  if (notification.event !== 'container.updated') return undefined;
  const names = Object.keys(notification.reference_object.changeset ?? {});
  return names.map(name => name.replaceAll('_', ' ')).join(', ');
}
