import type { LinkedRecord } from '../jsonapi/include.ts';
import type { DateTime, Open, Ref } from './model.ts';

/** A new arrival estimate of a shipment; comes with notifications only (api/resources.md, estimated_event). */
export type EstimatedEvent<I = []> = LinkedRecord<'estimated_event', I>;

export interface EstimatedEventAttributes {
  event: Open<'shipment.estimated.arrival'>;
  /** The new estimate, in `timezone`. */
  estimated_timestamp: DateTime;
  created_at: DateTime;
  /** UN/LOCODE. */
  location_locode?: string | null;
  /** IANA time zone of the port. */
  timezone?: string | null;
  voyage_number?: string | null;
  data_source?: Open<'shipping_line' | 'terminal'>;
}

export interface EstimatedEventRelationships {
  shipment: Ref<'shipment'>;
  port: Ref<'port'> | null;
  vessel: Ref<'vessel'> | null;
}
