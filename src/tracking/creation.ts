import { nonBlankStrings, oneOf } from '../internal/arguments.ts';
import { type RequestDocument, requestDocument } from '../jsonapi/serialize.ts';
import type { TrackingRequestCreate, TrackingRequestType } from '../model/index.ts';

export const REQUEST_TYPES: readonly TrackingRequestType[] = ['bill_of_lading', 'booking_number', 'container'];

/** The parties that a request can name, each by its role. */
export const PARTIES = [
  'customer',
  'shipper',
  'consignee',
  'notify_party',
  'customs_broker',
  'freight_forwarder',
  'pickup_dray_carrier',
] as const;

/**
 * The body of a request that creates a tracking request.
 *
 * @throws {ConfigurationError} for attributes that cannot be sent.
 */
export function creationOf(attributes: Partial<TrackingRequestCreate>): RequestDocument {
  const document = requestDocument('tracking_request', attributes, { relationships: PARTIES });
  oneOf('request_type', attributes.request_type as TrackingRequestType, REQUEST_TYPES);
  if (attributes.ref_numbers != null) nonBlankStrings('ref_numbers', attributes.ref_numbers);
  if (attributes.shipment_tags != null) nonBlankStrings('shipment_tags', attributes.shipment_tags);
  return document;
}
