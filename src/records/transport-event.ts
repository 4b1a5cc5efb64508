import type { IncludePath, LinkedRecord } from '../jsonapi/include.ts';
import type { TransportEventName } from './event-name.ts';
import type { DateTime, Open, Ref } from './model.ts';

/** A vetted milestone, estimate or deadline of a container (api/resources.md, transport_event). */
export type TransportEvent<I = []> = LinkedRecord<'transport_event', I>;

/** What `include` accepts on the transport events of a container, and the relationships below it. */
export type TransportEventInclude = IncludePath<
  'transport_event',
  'location' | 'terminal' | 'vessel' | 'shipment' | 'container'
>;

export interface TransportEventAttributes {
  event: Open<TransportEventName>;
  /**
   * When it happened or, for `container.transport.estimated.*`, is expected, in `timezone`.
   * For `*.changed` the time of detection or the new value: read `value`.
   */
  timestamp: DateTime | null;
  /** IANA time zone of the place. */
  timezone: string | null;
  /** UN/LOCODE; `null` when the place is unknown. */
  location_locode?: string | null;
  voyage_number?: string | null;
  data_source?: Open<'shipping_line' | 'terminal' | 'ais' | 'rail'>;
  created_at: DateTime;
  invalidated_at?: DateTime | null;
  /** New value of `container.pickup_*.changed`, else `null`. */
  value?: string | null;
}

/** All missing on the shortest notification payloads. */
export interface TransportEventRelationships {
  shipment?: Ref<'shipment'>;
  container?: Ref<'container'>;
  vessel?: Ref<'vessel'> | null;
  location?: Ref<'port' | 'metro_area'> | null;
  terminal?: Ref<'terminal' | 'rail_terminal'> | null;
  source_event?: Ref<'raw_event'> | null;
  previous_version?: Ref<'transport_event'> | null;
}
