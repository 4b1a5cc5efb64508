import type { IncludePath, LinkedRecord } from '../jsonapi/include.ts';
import type { EventName } from './event-name.ts';
import type { CalendarDate, DateTime, Open, Ref } from './model.ts';

/** One message to one webhook about one event (SPEC.md, Webhook notification). */
export type WebhookNotification<I = []> = LinkedRecord<'webhook_notification', I>;

/** What `include` accepts on the webhook notification endpoints, and the relationships below it. */
export type WebhookNotificationInclude = IncludePath<'webhook_notification', 'reference_object' | 'webhook'>;

/** `pending` until the webhook acknowledged or, after 12 retries, `failed`. */
export type DeliveryStatus = Open<'pending' | 'succeeded' | 'failed'>;

export interface WebhookNotificationAttributes {
  event: Open<EventName>;
  delivery_status: DeliveryStatus;
  created_at: DateTime;
  /** Version of the payload. On document events only. */
  version?: CalendarDate;
}

export interface WebhookNotificationRelationships {
  /** What the event is about. Missing on document events. */
  reference_object?: Ref<
    | 'tracking_request'
    | 'transport_event'
    | 'estimated_event'
    | 'container_updated_event'
    | 'container_created_event'
    | 'container_pod_terminal_changed_event'
  >;
  webhook?: Ref<'webhook'>;
  webhook_notification_logs?: { type: string; id: string }[];
  /** On document events only. */
  document?: Ref<'document'>;
}
