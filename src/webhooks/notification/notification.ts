import type { EventSubjects } from '../../model/generated/events.ts';
import type {
  Container,
  EventName,
  LinkableType,
  RecordTypes,
  Ref,
  RelationshipTypes,
  Shipment,
  TrackingRequest,
  WebhookNotificationAttributes,
} from '../../model/index.ts';

type Ending<E extends string> = E extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${Ending<Rest>}`
  : never;

/** A family of events: `container.transport.*` means every event whose name begins with `container.transport.`. */
export type EventPattern = Ending<EventName>;

/** The events that a name or a pattern matches. */
export type MatchingEvent<P extends EventName | EventPattern> = P extends EventName
  ? P
  : P extends `${infer Prefix}.*`
    ? Extract<EventName, `${Prefix}.${string}`>
    : never;

/** A record that the service included. A relationship is linked if the service also included the related record. */
type Sent<T extends LinkableType> = RecordTypes<readonly (keyof RelationshipTypes[T] & string)[]>[T];

/** The reference to a record that the service did not include. The attributes are `undefined`. */
type Unsent<T extends LinkableType> = T extends LinkableType
  ? Ref<T> & { [K in Exclude<keyof RecordTypes<[]>[T], 'id' | 'type'>]?: never }
  : never;

/**
 * The record that an event is about. Some events, such as `container.transport.available`, have only a reference to the
 * record.
 */
export type Subject<T extends LinkableType> = T extends LinkableType ? Sent<T> | Unsent<T> : never;

declare const unknown: unique symbol;

/**
 * A name that this version does not know: a string, with a brand that separates it from the known names. It is a template type,
 * because otherwise the compiler does not exclude it when a value is compared with a known name.
 */
type UnknownName = `${string & { readonly [unknown]: true }}`;

/** A record of a type that this version does not know. */
export type UnknownRecord = {
  /** Name of the resource type. */
  type: UnknownName;
  /** Id of the record. */
  id: string;
  [name: string]: unknown;
};

/** Any record that the service included in a notification. Narrow it by `type`. Its relationships are references. */
export type IncludedRecord = RecordTypes<[]>[LinkableType] | UnknownRecord;

interface Envelope extends Omit<WebhookNotificationAttributes, 'event'> {
  /** Unique for each notification. The same notification may be delivered more than once, always with the same `id`. */
  id: string;
  type: 'webhook_notification';
  /** The webhook to which the notification was sent. */
  webhook?: Ref<'webhook'>;
  /** Delivery attempts. Empty in all known payloads. */
  webhook_notification_logs?: {
    /** Name of the resource type. */
    type: string;
    /** Id of the log. */
    id: string;
  }[];
  /** Addresses in the notification. */
  links?: {
    /** Address of the notification. */
    self?: string;
  };
  /**
   * Only in notifications that did not arrive and were put into the inbox by `recover({ requeue: true })`. `event`: the
   * event is as the service recorded it. `record`: only the record is known. The records of the notification have the
   * state at the time of the recovery.
   */
  recovered?: 'event' | 'record';
  /** Other information about the notification. */
  meta?: Record<string, unknown>;
  /** The records that the service sent with the notification; empty if it sent none. */
  included: IncludedRecord[];
  /**
   * The container, if the service included it. It often has fewer attributes than in the API. Some events never include
   * the container, such as `container.transport.available` and the estimates of a vessel. For these events, read the
   * container with `refreshSubject`.
   */
  container?: Container;
  /** The shipment, if the service included it. */
  shipment?: Shipment;
  /** The tracking request, if the service included it. */
  tracking_request?: TrackingRequest;
}

/** The notification about an event of a container, a shipment or a tracking request. */
// With `out`, the compiler does not have to compare every record type with every other record type.
export interface SubjectNotification<out E extends EventName> extends Envelope {
  /** Name of the event. Narrows the type of the notification. */
  event: E;
  /** The subject of the event. */
  reference_object: Subject<EventSubjects[E]>;
  /** Always absent: only document events have `document`. */
  document?: never;
}

/** The notification about a document that was linked to a shipment or a container. Its payload is not documented. */
export interface LinkNotification extends Envelope {
  /** Name of the event. Narrows the type of the notification. */
  event: 'link.created';
  /** The document, if the notification names a document. */
  document?: Subject<'document'>;
  /** The subject of the event, if it is not a document. */
  reference_object?: IncludedRecord;
}

/** The notification about an event of a document. */
export interface DocumentNotification<out E extends EventName> extends Envelope {
  /** Name of the event. Narrows the type of the notification. */
  event: E;
  /** The document of the event. If a delivery has the document as its `reference_object`, the document is moved here. */
  document: Subject<'document'>;
  /** Always absent: document events have `document`. */
  reference_object?: never;
}

/** Notification types by event and by family. A mapped type, because the compiler takes long to infer a conditional type. */
type Notifications = { [E in EventName as E | Ending<E>]: Known<E> };

type Known<E extends EventName> = E extends 'link.created'
  ? LinkNotification
  : E extends `document.${string}` | `document_representation.${string}`
    ? DocumentNotification<E>
    : SubjectNotification<E>;

/**
 * The notification about an event, or about any event of a family.
 *
 * @example
 * function onUpdate(n: NotificationOf<'container.updated'>) {
 *   const [before, after] = n.reference_object.changeset?.available_for_pickup ?? [];
 * }
 */
export type NotificationOf<P extends EventName | EventPattern> = Notifications[P];

/**
 * A notification about an event that this version does not know. The compiler rejects a comparison of `event` with the
 * name of such an event or with a misspelt name. So compare `event` as a string.
 *
 * @example
 * const event: string = n.event;
 * if (event === 'container.brand_new_event') console.log(n.reference_object);
 */
export type UnknownNotification = Envelope & {
  /** Name of the event. */
  event: UnknownName;
  /** The subject of the event, if the notification names it. */
  reference_object?: IncludedRecord;
  /** The document of the event, if the notification names a document. */
  document?: IncludedRecord;
};

/**
 * The message that a webhook receives. It is plain data; narrow it by `event`. The notification of an event that this version
 * does not know is an {@link UnknownNotification}.
 *
 * @example
 * if (n.event === 'container.updated') console.log(n.reference_object.changeset);
 */
export type Notification = Known<EventName> | UnknownNotification;
