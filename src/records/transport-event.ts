import type { TransportEventName } from './event-name.ts';
import type { IncludePath } from './include-path.ts';
import type { IncludeList, OptionalToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open } from './scalars.ts';

/**
 * A milestone, an estimate or a change of a deadline of one container, which the service has checked. `milestones()` puts
 * them in order. The shortest notifications lack all relationships.
 */
export interface TransportEvent<I extends IncludeList = []>
  extends ResourceRecord<'transport_event', I>,
    TransportEventAttributes,
    TransportEventRelationships<I> {}

/** What `include` accepts on the transport events of a container, and the relationships below it. */
export type TransportEventInclude = IncludePath<
  'transport_event',
  'location' | 'terminal' | 'vessel' | 'shipment' | 'container'
>;

/** The fields of a transport event. */
export interface TransportEventAttributes {
  /** What happened, is expected, or has changed. */
  event: Open<TransportEventName>;
  /**
   * When it happened or, for `container.transport.estimated.*`, is expected, in `timezone`. For `*.changed` it is the time
   * of detection or the new value: read `value`.
   */
  timestamp: DateTime | null;
  /** IANA time zone of the place. */
  timezone: string | null;
  /** UN/LOCODE of the place; `null` when it is unknown, and then it stays so. */
  location_locode?: string | null;
  /** Voyage of the ship. */
  voyage_number?: string | null;
  /** Who reported it: the carrier, the terminal, the position of the ship (`ais`) or the railway. */
  data_source?: Open<'shipping_line' | 'terminal' | 'ais' | 'rail'>;
  /** When the service recorded it. */
  created_at: DateTime;
  /** When it was found to be wrong; `null` while it holds. */
  invalidated_at?: DateTime | null;
  /** The new deadline or appointment of `container.pickup_*.changed`, in `timezone`; `null` on other events. */
  value?: string | null;
}

/** What a transport event is related to. */
export interface TransportEventRelationships<I extends IncludeList = []> {
  /** The shipment of the container. */
  shipment: OptionalToOne<I, 'shipment', 'shipment'>;
  /** The container concerned. */
  container: OptionalToOne<I, 'container', 'container'>;
  /** The ship concerned; `null` where there is none. */
  vessel: OptionalToOne<I, 'vessel', 'vessel'> | null;
  /** Where it happened or is expected; `null` where the place is not known. */
  location: OptionalToOne<I, 'location', 'port' | 'metro_area'> | null;
  /** The facility where it happened or is expected; `null` where it is not known. */
  terminal: OptionalToOne<I, 'terminal', 'terminal' | 'rail_terminal'> | null;
  /** The entry of the carrier's feed that it was made from. */
  source_event: OptionalToOne<I, 'source_event', 'raw_event'> | null;
  /** The event that this one replaces. Not seen with a value. */
  previous_version: OptionalToOne<I, 'previous_version', 'transport_event'> | null;
}
