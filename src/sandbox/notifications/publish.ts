import type { EventName } from '../../records/event-name.ts';
import type { Backend } from '../state/backend.ts';
import type { Subject, Webhook } from '../state/store.ts';
import { payload } from './payload.ts';

/** The webhooks that are active now and subscribe to an event. */
export function subscribers({ store }: Backend, event: EventName): Webhook[] {
  return store.webhooks.newestFirst().filter(({ active, events }) => active && events.includes(event));
}

/** A notification that nobody has tried to deliver. */
export const NOT_SENT = { attempts: 0, lastAttemptAt: null, lastStatus: null, lastError: null };

/** Notifies the subscribed webhooks of an event. The subject is made only if there are any. */
export function publish(backend: Backend, event: EventName, subjectOf: () => Subject): void {
  const webhooks = subscribers(backend, event);
  if (webhooks.length === 0) return;
  const subject = subjectOf();
  for (const webhook of webhooks) {
    const notification = backend.store.notifications.add({
      id: backend.ids.next('notification'),
      createdAt: backend.now,
      event,
      deliveryStatus: 'pending',
      ...NOT_SENT,
      webhook,
      subject,
    });
    backend.deliveries.start(backend, notification, JSON.stringify(payload(notification)));
  }
}
