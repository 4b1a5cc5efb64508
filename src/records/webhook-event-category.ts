import type { LinkedRecord } from '../jsonapi/include.ts';
import type { EventName } from './event-name.ts';
import type { Open } from './model.ts';

/** A group of the events that the account may subscribe to (api/resources.md, webhook_event_category). */
export type WebhookEventCategory = LinkedRecord<'webhook_event_category', []>;

export interface WebhookEventCategoryAttributes {
  name: string;
  events: { name: Open<EventName>; description: string }[];
}
