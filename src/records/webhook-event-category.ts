import type { EventName } from './event-name.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { Open } from './scalars.ts';

/** A group of the events that the account may subscribe to. Its `id` is a short name, not a UUID. */
export interface WebhookEventCategory
  extends ResourceRecord<'webhook_event_category'>,
    WebhookEventCategoryAttributes {}

/** The fields of a webhook event category. */
export interface WebhookEventCategoryAttributes {
  /** Name of the group, for people. */
  name: string;
  /** The events of the group, each with a description for people. */
  events: {
    /** Name of the event. */
    name: Open<EventName>;
    /** What it means, in the service's words. */
    description: string;
  }[];
}
