import type { LinkedRecord } from '../jsonapi/include.ts';
import type { TerminalFee, TerminalHold } from './container.ts';
import type { DateTime, Open, Ref } from './model.ts';

/** The terminal reported changes of a container (api/resources.md, container_updated_event). */
export type ContainerUpdatedEvent<I = []> = LinkedRecord<'container_updated_event', I>;

/** A container was added to a shipment (api/resources.md, container_created_event). */
export type ContainerCreatedEvent<I = []> = LinkedRecord<'container_created_event', I>;

/**
 * The terminal of discharge was reassigned (api/resources.md, container_pod_terminal_changed_event). A forecast while
 * the container is on board, a move to another yard once it was at the terminal.
 */
export type ContainerPodTerminalChangedEvent<I = []> = LinkedRecord<'container_pod_terminal_changed_event', I>;

type Change<Value> = [before: Value, after: Value];

/** The attributes that changed, each as `[before, after]`. Other keys than these occur. */
export interface ContainerChangeset {
  available_for_pickup?: Change<boolean | null>;
  pickup_lfd?: Change<DateTime | null>;
  pickup_lfd_line?: Change<DateTime | null>;
  pickup_lfd_rail?: Change<DateTime | null>;
  fees_at_pod_terminal?: Change<TerminalFee[] | null>;
  holds_at_pod_terminal?: Change<TerminalHold[] | null>;
  pickup_appointment_at?: Change<DateTime | null>;
  /** Ids of terminals. */
  pod_terminal?: Change<string | null>;
  [attribute: string]: Change<unknown> | undefined;
}

export interface ContainerUpdatedEventAttributes {
  changeset: ContainerChangeset;
  /** When the change was picked up. */
  timestamp: DateTime;
  /** IANA time zone. */
  timezone?: string;
  data_source?: Open<'terminal'>;
}

export interface ContainerUpdatedEventRelationships {
  container: Ref<'container'>;
  /** The facility that reported: today always the terminal of discharge. */
  terminal: Ref<'terminal'>;
  shipment?: Ref<'shipment'>;
}

export interface ContainerCreatedEventAttributes {
  timestamp: DateTime;
  /** IANA time zone. */
  timezone: string;
}

export interface ContainerCreatedEventRelationships {
  container: Ref<'container'>;
  shipment: Ref<'shipment'>;
}

export interface ContainerPodTerminalChangedEventAttributes {
  timestamp: DateTime;
  data_source: Open<'shipping_line' | 'terminal' | 'pierpass'>;
}

export interface ContainerPodTerminalChangedEventRelationships {
  container: Ref<'container'>;
  shipment: Ref<'shipment'>;
  /** The new terminal. */
  terminal: Ref<'terminal'>;
}
