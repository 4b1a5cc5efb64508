import type { Container } from '../../records/container.ts';
import type { EventName } from '../../records/event-name.ts';
import type { LinkableType, RecordTypes, Ref, Resources } from '../../records/model.ts';
import type { Shipment } from '../../records/shipment.ts';
import type { TrackingRequest } from '../../records/tracking-request.ts';
import type { WebhookNotificationAttributes } from '../../records/webhook-notification.ts';

type Ending<E extends string> = E extends `${infer Head}.${infer Rest}`
  ? `${Head}.*` | `${Head}.${Ending<Rest>}`
  : never;

/** A family of events: `container.transport.*` stands for every event whose name begins with `container.transport.`. */
export type EventPattern = Ending<EventName>;

/** The events that a name or a pattern stands for. */
export type MatchingEvent<P extends EventName | EventPattern> = P extends `${infer Prefix}.*`
  ? Extract<EventName, `${Prefix}.${string}`>
  : Extract<P, EventName>;

/** What an event is about. */
type SubjectType<E extends EventName> = E extends `tracking_request.${string}`
  ? 'tracking_request'
  : E extends `document.${string}`
    ? 'document'
    : E extends 'shipment.estimated.arrival'
      ? 'estimated_event'
      : E extends 'container.created'
        ? 'container_created_event'
        : E extends 'container.updated'
          ? 'container_updated_event'
          : E extends 'container.pod_terminal_changed'
            ? 'container_pod_terminal_changed_event'
            : 'transport_event';

/** The record with its relationships linked where the service sent what they point to. */
type Sent<T extends LinkableType> = RecordTypes<readonly (keyof Resources[T]['relationships'] & string)[]>[T];

/** What is left of a record that the service did not send: its attributes read `undefined`. */
type Unsent<T extends LinkableType> = T extends LinkableType
  ? Ref<T> & { [K in keyof Resources[T]['attributes'] | keyof Resources[T]['relationships']]?: never } & {
      links?: never;
      meta?: never;
    }
  : never;

/** The record, or its reference on the events that come without it, such as `container.transport.available`. */
export type Subject<T extends LinkableType> = T extends LinkableType ? Sent<T> | Unsent<T> : never;

declare const unknown: unique symbol;

/**
 * A name that this version does not know. It is a string; the brand keeps it apart from the names it knows. Only as a
 * template does the compiler leave it out where a value is compared with one of those.
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

/** Any record that came with a notification. Narrow it by `type`. What it points to is not linked. */
export type IncludedRecord = RecordTypes<[]>[LinkableType] | UnknownRecord;

interface Envelope<Event extends string> extends Omit<WebhookNotificationAttributes, 'event'> {
  /** Unique: the same notification may be delivered more than once (SPEC.md, Delivery rules). */
  id: string;
  type: 'webhook_notification';
  /** Name of the event. Narrows the type of the notification. */
  event: Event;
  /** The webhook that it was sent to. */
  webhook?: Ref<'webhook'>;
  /** Attempts at the delivery. Empty as far as is known. */
  webhook_notification_logs?: {
    /** Name of the resource type. */
    type: string;
    /** Id of the log. */
    id: string;
  }[];
  /** Addresses that came with it. */
  links?: {
    /** Address of the notification. */
    self?: string;
  };
  /** Whatever else came with it. */
  meta?: Record<string, unknown>;
  /** What came along, empty where the service sent nothing. */
  included: IncludedRecord[];
  /**
   * The container concerned, if it came along, often with fewer attributes than the API gives. Some events never bring it,
   * such as `container.transport.available` and the estimates of a vessel: `refreshSubject` reads it.
   */
  container?: Container;
  /** The shipment concerned, if it came along. */
  shipment?: Shipment;
  /** The tracking request concerned, if it came along. */
  tracking_request?: TrackingRequest;
}

/** The notification about an event of a container, a shipment or a tracking request. */
// With `out` the compiler need not find out by comparing every record with every other.
export interface SubjectNotification<out E extends EventName> extends Envelope<E> {
  /** What the event is about. Absent only where the service names it nowhere, as in one of its samples. */
  reference_object: Subject<SubjectType<E>>;
  /** Never there: only a document event has it. */
  document?: never;
}

/** The notification about an event of a document. */
export interface DocumentNotification<out E extends EventName> extends Envelope<E> {
  /** What the event is about. */
  document: Subject<'document'>;
  /** Never there: a document event has `document`. */
  reference_object?: never;
}

type Known<E extends EventName> = E extends `document.${string}` ? DocumentNotification<E> : SubjectNotification<E>;

/**
 * The notification about an event, or about one of a family.
 *
 * @example
 * function onUpdate(n: NotificationOf<'container.updated'>) {
 *   const [before, after] = n.reference_object.changeset?.available_for_pickup ?? [];
 * }
 */
export type NotificationOf<P extends EventName | EventPattern> = Known<MatchingEvent<P>>;

/**
 * A notification about an event that this version does not know. The compiler takes its name for a misspelt one: compare it
 * as a string.
 *
 * @example
 * const event: string = n.event;
 * if (event === 'container.brand_new_event') console.log(n.reference_object);
 */
export type UnknownNotification = Envelope<UnknownName> & {
  /** What the event is about, where it names that. */
  reference_object?: IncludedRecord;
  /** The document that the event is about, where it names one. */
  document?: IncludedRecord;
};

/**
 * What a webhook receives (SPEC.md, Events; api/webhooks.md sections 1 and 6): plain data, narrowed by `event`. An event
 * that this version does not know is an {@link UnknownNotification}.
 *
 * @example
 * if (n.event === 'container.updated') console.log(n.reference_object.changeset);
 */
export type Notification = Known<EventName> | UnknownNotification;
