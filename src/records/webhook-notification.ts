import type { EventName } from './event-name.ts';
import type { IncludePath } from './include-path.ts';
import type { IncludeList, OptionalToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { CalendarDate, DateTime, Open } from './scalars.ts';

/** One message to one webhook about one event. */
export interface WebhookNotification<I extends IncludeList = []>
  extends ResourceRecord<'webhook_notification', I>,
    WebhookNotificationAttributes,
    WebhookNotificationRelationships<I> {}

/** What `include` accepts on the webhook notification endpoints, and the relationships below it. */
export type WebhookNotificationInclude = IncludePath<'webhook_notification', 'reference_object' | 'webhook'>;

/** `pending` until the webhook has acknowledged or, after 12 retries, `failed`. */
export type DeliveryStatus = Open<'pending' | 'succeeded' | 'failed'>;

/** The fields of a webhook notification. */
export interface WebhookNotificationAttributes {
  /** Name of the event. */
  event: Open<EventName>;
  /** Whether the webhook has acknowledged the message. */
  delivery_status: DeliveryStatus;
  /** When the service made the notification. */
  created_at: DateTime;
  /** Version of the payload. On document events only. */
  version?: CalendarDate;
}

/** What a webhook notification is related to. */
export interface WebhookNotificationRelationships<I extends IncludeList = []> {
  /** What the event is about. Absent on document events, which have `document` instead. */
  reference_object: OptionalToOne<
    I,
    'reference_object',
    | 'tracking_request'
    | 'transport_event'
    | 'estimated_event'
    | 'container_updated_event'
    | 'container_created_event'
    | 'container_pod_terminal_changed_event'
  >;
  /** The webhook that was notified. */
  webhook: OptionalToOne<I, 'webhook', 'webhook'>;
  /** The attempts to deliver it. Cannot be included, and cannot be read. */
  webhook_notification_logs?: {
    /** Name of the resource type. */
    type: string;
    /** Id of the log. */
    id: string;
  }[];
  /** What a document event is about. Absent on other events. */
  document: OptionalToOne<I, 'document', 'document'>;
}
