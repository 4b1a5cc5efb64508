import type { EventName } from './event-name.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open } from './scalars.ts';

/** An address that the service notifies of events. */
export interface Webhook extends ResourceRecord<'webhook'>, WebhookAttributes {}

/** A header that the service sends with each delivery. */
export interface WebhookHeader {
  /** The service may change the case. */
  name: string;
  /** Its value. */
  value: string;
}

/** The fields of a webhook. */
export interface WebhookAttributes {
  /** Where deliveries go. */
  url: string;
  /** Whether the service delivers. It may set it to `false` after repeated failures. */
  active: boolean;
  /** The events that it is notified of. */
  events: Open<EventName>[];
  /** The key that deliveries are signed with. */
  secret?: string;
  /** Sent with each delivery. The service changes the case of the names. */
  headers?: WebhookHeader[] | null;
  /** When the webhook was made. Not in every answer. */
  created_at?: DateTime;
}

/** A webhook to create. */
export interface WebhookCreate {
  /** Where deliveries go. Must be https. */
  url: string;
  /** Whether the service delivers. */
  active: boolean;
  /**
   * The events to be notified of: at least one, without repetition. The service takes a webhook without `events` too, and
   * does not say what it notifies it of: read the `events` of the answer.
   */
  events?: readonly EventName[] | undefined;
  /** To be sent with each delivery. */
  headers?: readonly WebhookHeader[] | undefined;
}

/** What `webhooks.ensure` makes sure of. */
export interface WebhookEnsure extends Omit<WebhookCreate, 'active' | 'events'> {
  /** The events to be notified of: at least one, without repetition. */
  events: readonly EventName[];
  /**
   * Whether events that the webhook has beyond `events` are removed. Otherwise they are kept, with a warning: while two versions of
   * a program run, the older one would remove what the newer one needs.
   * @default false
   */
  exactEvents?: boolean | undefined;
}

/** What `webhooks.update` can change. */
export interface WebhookUpdate {
  /** Where deliveries go. Must be https. */
  url?: string | undefined;
  /** `true` switches a webhook on again that the service has deactivated. */
  active?: boolean | undefined;
  /** The events to be notified of: at least one, without repetition. They replace those before. */
  events?: readonly EventName[] | undefined;
  /** To be sent with each delivery. */
  headers?: readonly WebhookHeader[] | undefined;
}

/** A sample notification to send. No webhook needs to exist. */
export interface WebhookTrigger {
  /** Where the sample goes. Must be https. */
  url: string;
  /** The event that the sample is about. */
  event: EventName;
  /** Signs the delivery. Without it the delivery has no signature. */
  secret?: string | undefined;
}
