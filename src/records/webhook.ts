import type { LinkedRecord } from '../jsonapi/include.ts';
import type { EventName } from './event-name.ts';
import type { DateTime, Open } from './model.ts';

/** An address that the service notifies (SPEC.md, Webhook). */
export type Webhook = LinkedRecord<'webhook', []>;

export interface WebhookHeader {
  name: string;
  value: string;
}

export interface WebhookAttributes {
  url: string;
  /** The service may set it to false after repeated failures. */
  active: boolean;
  events: Open<EventName>[];
  /** The key that deliveries are signed with. */
  secret?: string;
  /** Sent with each delivery. The service changes the case of the names. */
  headers?: WebhookHeader[] | null;
  created_at?: DateTime;
}

export interface WebhookCreate {
  /** Must be https. */
  url: string;
  active: boolean;
  /** At least one, without repetition. */
  events: readonly EventName[];
  /** To be sent with each delivery. */
  headers?: readonly WebhookHeader[] | undefined;
}

/** What `webhooks.update` can change. */
export interface WebhookUpdate {
  /** Must be https. */
  url?: string | undefined;
  /** `true` switches a webhook on again that the service has deactivated. */
  active?: boolean | undefined;
  /** At least one, without repetition. */
  events?: readonly EventName[] | undefined;
  /** To be sent with each delivery. */
  headers?: readonly WebhookHeader[] | undefined;
}

/** A sample notification to send. No webhook needs to exist. */
export interface WebhookTrigger {
  /** Must be https. */
  url: string;
  event: EventName;
  /** Signs the delivery. */
  secret?: string | undefined;
}
