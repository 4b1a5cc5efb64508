import type { IncludeList, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open } from './scalars.ts';

/** A new estimate of when a shipment arrives. It comes only with notifications. */
export interface EstimatedEvent<I extends IncludeList = []>
  extends ResourceRecord<'estimated_event', I>,
    EstimatedEventAttributes,
    EstimatedEventRelationships<I> {}

/** The fields of an estimated event. */
export interface EstimatedEventAttributes {
  /** Name of the event. */
  event: Open<'shipment.estimated.arrival'>;
  /** The new estimate, in `timezone`. */
  estimated_timestamp: DateTime;
  /** When the service recorded the estimate. */
  created_at: DateTime;
  /** UN/LOCODE of the port of arrival. */
  location_locode?: string | null;
  /** IANA time zone of the port of arrival. */
  timezone?: string | null;
  /** Voyage that the shipment arrives with. */
  voyage_number?: string | null;
  /** Who gave the estimate. */
  data_source?: Open<'shipping_line' | 'terminal'>;
}

/** What an estimated event is related to. */
export interface EstimatedEventRelationships<I extends IncludeList = []> {
  /** The shipment that the estimate is for. */
  shipment: ToOne<I, 'shipment', 'shipment'>;
  /** The port of arrival. */
  port: ToOne<I, 'port', 'port'> | null;
  /** The ship that the shipment arrives with. */
  vessel: ToOne<I, 'vessel', 'vessel'> | null;
}
