import type { EventName } from '../../records/event-name.ts';
import type { Backend } from '../state/backend.ts';
import type { Subject, Webhook } from '../state/store.ts';
import { payload } from './payload.ts';

/** Who is told of an event: only those that are active and subscribed now. */
export function subscribers({ store }: Backend, event: EventName): Webhook[] {
  return store.webhooks.newestFirst().filter(({ active, events }) => active && events.includes(event));
}

/** Tells of an event. What it is about is worked out only if somebody listens. */
export function publish(backend: Backend, event: EventName, about: () => Subject): void {
  const webhooks = subscribers(backend, event);
  if (webhooks.length === 0) return;
  const subject = about();
  for (const webhook of webhooks) {
    const notification = backend.store.notifications.add({
      id: backend.ids.next('notification'),
      createdAt: backend.now,
      event,
      deliveryStatus: 'pending',
      webhook,
      subject,
    });
    backend.deliveries.start(backend, notification, JSON.stringify(payload(notification)));
  }
}
