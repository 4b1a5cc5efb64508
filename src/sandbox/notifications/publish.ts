import type { EventName } from '../../model/index.ts';
import type { Backend } from '../state/backend.ts';
import type { About, Notification, Webhook } from '../state/store.ts';
import { payload } from './payload.ts';
import { subjectOf } from './subject.ts';

/** The webhooks that are active now and subscribe to an event. */
export function subscribers({ store }: Backend, event: EventName): Webhook[] {
  if (store.webhooks.size === 0) return [];
  return store.webhooks.newestFirst().filter(({ active, events }) => active && nameFor(event, events) !== undefined);
}

/** Names of the same events in another edition of the service. A webhook that has both is notified once. */
const OTHER_NAMES: Partial<Record<EventName, EventName>> = {
  'document.extracted': 'document_representation.created',
  'document.extraction_failed': 'document_representation.failed',
};

function nameFor(event: EventName, subscribed: readonly EventName[]): EventName | undefined {
  return [event, OTHER_NAMES[event]].find(name => name !== undefined && subscribed.includes(name));
}

/** A notification that nobody has tried to deliver. */
export const NOT_SENT = { attempts: 0, retries: 0, lastAttemptAt: null, lastStatus: null, lastError: null };

/** Notifies the subscribed webhooks of an event. */
export function publish(backend: Backend, event: EventName, about: About): void {
  const webhooks = subscribers(backend, event);
  if (webhooks.length === 0) return;
  const subject = subjectOf(backend, event, about);
  for (const webhook of webhooks) {
    const notification: Notification = {
      id: backend.ids.next('notification'),
      createdAt: backend.now,
      event: nameFor(event, webhook.events) ?? event,
      deliveryStatus: 'pending',
      ...NOT_SENT,
      dueAt: backend.now,
      body: null,
      webhook,
      about,
    };
    notification.body = JSON.stringify(payload(notification, subject));
    backend.deliveries.start(backend, backend.store.notifications.add(notification));
  }
}
