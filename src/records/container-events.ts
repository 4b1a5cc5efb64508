import type { TerminalFee, TerminalHold } from './container.ts';
import type { IncludeList, OptionalToOne, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open } from './scalars.ts';

/** The terminal reported changes of a container. */
export interface ContainerUpdatedEvent<I extends IncludeList = []>
  extends ResourceRecord<'container_updated_event', I>,
    ContainerUpdatedEventAttributes,
    ContainerUpdatedEventRelationships<I> {}

/** A container was added to a shipment. */
export interface ContainerCreatedEvent<I extends IncludeList = []>
  extends ResourceRecord<'container_created_event', I>,
    ContainerCreatedEventAttributes,
    ContainerCreatedEventRelationships<I> {}

/**
 * The terminal of discharge was changed. While the container is on board, this is a forecast; once it was at the terminal,
 * it has been moved to another yard.
 */
export interface ContainerPodTerminalChangedEvent<I extends IncludeList = []>
  extends ResourceRecord<'container_pod_terminal_changed_event', I>,
    ContainerPodTerminalChangedEventAttributes,
    ContainerPodTerminalChangedEventRelationships<I> {}

/** The value before and the value after a change. */
export type Change<Value> = [before: Value, after: Value];

/** The attributes that changed, each as `[before, after]`. Other keys than these occur. */
export interface ContainerChangeset {
  /** Whether the container can be picked up. */
  available_for_pickup?: Change<boolean | null>;
  /** Last free day, in the container's `pod_timezone` or, inland, its `final_destination_timezone`. */
  pickup_lfd?: Change<DateTime | null>;
  /** Last free day that the shipping line gives. */
  pickup_lfd_line?: Change<DateTime | null>;
  /** Last free day that the railway gives. */
  pickup_lfd_rail?: Change<DateTime | null>;
  /** All fees before and after, and not only those that changed. */
  fees_at_pod_terminal?: Change<TerminalFee[] | null>;
  /** All holds before and after, and not only those that changed. */
  holds_at_pod_terminal?: Change<TerminalHold[] | null>;
  /** Appointment to pick the container up, in its `pod_timezone`. */
  pickup_appointment_at?: Change<DateTime | null>;
  /** Ids of terminals. */
  pod_terminal?: Change<string | null>;
  [attribute: string]: Change<unknown> | undefined;
}

/** The fields of a container updated event. */
export interface ContainerUpdatedEventAttributes {
  /** What changed. */
  changeset: ContainerChangeset;
  /** When the service saw the change, in `timezone`. */
  timestamp: DateTime;
  /** IANA time zone. */
  timezone?: string;
  /** Who reported the change. */
  data_source?: Open<'terminal'>;
}

/** What a container updated event is related to. */
export interface ContainerUpdatedEventRelationships<I extends IncludeList = []> {
  /** The container that changed. */
  container: ToOne<I, 'container', 'container'>;
  /** The facility that reported the change. Today it is always the terminal of discharge. */
  terminal: ToOne<I, 'terminal', 'terminal'>;
  /** The shipment of the container. */
  shipment: OptionalToOne<I, 'shipment', 'shipment'>;
}

/** The fields of a container created event. */
export interface ContainerCreatedEventAttributes {
  /** When the container was added, in `timezone`. */
  timestamp: DateTime;
  /** IANA time zone, often `Etc/UTC`. */
  timezone: string;
}

/** What a container created event is related to. */
export interface ContainerCreatedEventRelationships<I extends IncludeList = []> {
  /** The new container. */
  container: ToOne<I, 'container', 'container'>;
  /** The shipment that it was added to. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
}

/** The fields of a container pod terminal changed event. */
export interface ContainerPodTerminalChangedEventAttributes {
  /** When the service saw the change. */
  timestamp: DateTime;
  /** Who reported the change. */
  data_source: Open<'shipping_line' | 'terminal' | 'pierpass'>;
}

/** What a container pod terminal changed event is related to. */
export interface ContainerPodTerminalChangedEventRelationships<I extends IncludeList = []> {
  /** The container concerned. */
  container: ToOne<I, 'container', 'container'>;
  /** The shipment of the container. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
  /** The new terminal. */
  terminal: ToOne<I, 'terminal', 'terminal'>;
}
