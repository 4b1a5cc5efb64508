import type { IncludeList, OptionalToOne, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { CalendarDate, DateTime, Open } from './scalars.ts';

/** An entry of the carrier's own feed, as the carrier sent it. See `TransportEvent` for what has been checked. */
export interface RawEvent<I extends IncludeList = []>
  extends ResourceRecord<'raw_event', I>,
    RawEventAttributes,
    RawEventRelationships<I> {}

/** What the service calls the entries of carriers. */
export type RawEventName = Open<
  | 'empty_out'
  | 'full_in'
  | 'positioned_in'
  | 'positioned_out'
  | 'vessel_loaded'
  | 'vessel_departed'
  | 'transshipment_arrived'
  | 'transshipment_discharged'
  | 'transshipment_loaded'
  | 'transshipment_departed'
  | 'feeder_arrived'
  | 'feeder_discharged'
  | 'feeder_loaded'
  | 'feeder_departed'
  | 'rail_loaded'
  | 'rail_departed'
  | 'rail_arrived'
  | 'rail_unloaded'
  | 'vessel_arrived'
  | 'vessel_discharged'
  | 'arrived_at_destination'
  | 'delivered'
  | 'full_out'
  | 'empty_in'
  | 'vgm_received'
  | 'carrier_release'
  | 'customs_release'
  | 'available'
>;

/** The fields of a raw event. */
export interface RawEventAttributes {
  /** What happened, in the service's words; `null` when the carrier's wording is not mapped. */
  event: RawEventName | null;
  /** What happened, in the carrier's words. */
  original_event: string | null;
  /** When it happened or, where `estimated`, is expected, in `timezone`. */
  timestamp: DateTime;
  /** `true` when it is expected, `false` when it has happened. */
  estimated: boolean;
  /** @deprecated Read `timestamp` and `estimated`. */
  actual_at: DateTime | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  estimated_at: DateTime | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  actual_on: CalendarDate | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  estimated_on?: CalendarDate | null;
  /** When it will occur. Not seen with a value. */
  will_occur_at?: DateTime | null;
  /** When the entry was found to be wrong. Not seen with a value. */
  invalidated_at?: DateTime | null;
  /** Position in the feed, from 0. */
  index: number;
  /** When the service read the entry. */
  created_at: DateTime;
  /** Who reported it. */
  data_source?: Open<'shipping_line'>;
  /** Name of the carrier. */
  data_provider_name?: string;
  /** SCAC of the carrier. */
  data_provider_code?: string;
  /** Voyage of the ship. May be empty. */
  voyage_number: string | null;
  /** Name of the place. */
  location_name: string | null;
  /** UN/LOCODE of the place. */
  location_locode: string | null;
  /** Name of the ship. */
  vessel_name: string | null;
  /** IMO number of the ship, seven digits. */
  vessel_imo: string | null;
  /** IANA time zone of the place. When it is `null`, the times are local times that are labelled UTC. */
  timezone: string | null;
}

/** What a raw event is related to. */
export interface RawEventRelationships<I extends IncludeList = []> {
  /** Where it happened or is expected; `null` where the place is not known. */
  location: ToOne<I, 'location', 'port' | 'metro_area'> | null;
  /** The ship concerned. */
  vessel: ToOne<I, 'vessel', 'vessel'> | null;
  /** The container concerned. */
  container: OptionalToOne<I, 'container', 'container'>;
  /** The terminal where it happened or is expected. */
  terminal: OptionalToOne<I, 'terminal', 'terminal'> | null;
}
