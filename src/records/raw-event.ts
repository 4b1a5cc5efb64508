import type { LinkedRecord } from '../jsonapi/include.ts';
import type { CalendarDate, DateTime, Open, Ref } from './model.ts';

/** An entry of the carrier's own feed (api/resources.md, raw_event). */
export type RawEvent<I = []> = LinkedRecord<'raw_event', I>;

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

export interface RawEventAttributes {
  /** Normalized name; `null` when the carrier's wording is not mapped. */
  event: RawEventName | null;
  /** The carrier's wording. */
  original_event: string | null;
  /** Actual or, where `estimated`, expected time, in `timezone`. */
  timestamp: DateTime;
  estimated: boolean;
  /** @deprecated Read `timestamp` and `estimated`. */
  actual_at: DateTime | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  estimated_at: DateTime | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  actual_on: CalendarDate | null;
  /** @deprecated Read `timestamp` and `estimated`. */
  estimated_on?: CalendarDate | null;
  will_occur_at?: DateTime | null;
  invalidated_at?: DateTime | null;
  /** Position in the feed, from 0. */
  index: number;
  created_at: DateTime;
  data_source?: Open<'shipping_line'>;
  /** Name of the carrier. */
  data_provider_name?: string;
  /** SCAC of the carrier. */
  data_provider_code?: string;
  /** May be empty. */
  voyage_number: string | null;
  location_name: string | null;
  /** UN/LOCODE. */
  location_locode: string | null;
  vessel_name: string | null;
  /** Seven digits. */
  vessel_imo: string | null;
  /** IANA time zone of the place. When `null`, the time is local time that is labelled as UTC. */
  timezone: string | null;
}

export interface RawEventRelationships {
  location: Ref<'port' | 'metro_area'> | null;
  vessel: Ref<'vessel'> | null;
  container?: Ref<'container'>;
  terminal?: Ref<'terminal'> | null;
}
