import type { InitialContainerCustomField, InitialCustomField } from './custom-field.ts';
import type { IncludePath } from './include-path.ts';
import type { IncludeList, OptionalToOne, ToOne } from './relationship.ts';
import type { ResourceRecord } from './resource-record.ts';
import type { DateTime, Open, Ref } from './scalars.ts';

/** An order to track a number. */
export interface TrackingRequest<I extends IncludeList = []>
  extends ResourceRecord<'tracking_request', I>,
    TrackingRequestAttributes,
    TrackingRequestRelationships<I> {}

/** What `include` accepts on the tracking request endpoints, and the relationships below it. */
export type TrackingRequestInclude = IncludePath<'tracking_request', 'tracked_object' | 'customer' | 'user'>;

/** What kind of number is tracked. */
export type TrackingRequestType = 'bill_of_lading' | 'booking_number' | 'container';

/**
 * - `pending`: queued or being tried again.
 * - `awaiting_manifest`: the carrier has no data yet; asked daily for up to 7 days.
 * - `created`: the shipment exists.
 * - `failed`: see `failed_reason`.
 * - `tracking_stopped`: the shipment is no longer updated.
 */
export type TrackingRequestStatus = Open<'pending' | 'awaiting_manifest' | 'created' | 'failed' | 'tracking_stopped'>;

/**
 * - `unrecognized_response`, `shipping_line_unreachable`, `internal_processing_error`, `awaiting_manifest`: temporary. They
 *   can be there while the status is still `pending`.
 * - `duplicate`: the shipment existed already.
 * - `expired`: no success within 7 days.
 * - `retries_exhausted`: 14 attempts have failed.
 * - `not_found`: the carrier does not know the number.
 * - `invalid_number`: the carrier does not accept the format.
 * - `booking_cancelled`: the carrier has cancelled the booking.
 * - `data_unavailable`: the number is right, but the carrier gives no data.
 * - `scac_auto_detect_failed`: no supported carrier was found for the number.
 */
export type TrackingRequestFailedReason = Open<
  | 'unrecognized_response'
  | 'shipping_line_unreachable'
  | 'internal_processing_error'
  | 'awaiting_manifest'
  | 'duplicate'
  | 'expired'
  | 'retries_exhausted'
  | 'not_found'
  | 'invalid_number'
  | 'booking_cancelled'
  | 'data_unavailable'
  | 'scac_auto_detect_failed'
>;

/** The fields of a tracking request. */
export interface TrackingRequestAttributes {
  /** The number to track, as it was given. */
  request_number: string;
  /** The kind of number. */
  request_type: Open<TrackingRequestType>;
  /** Code of the carrier; `null` while it is being detected. */
  scac: string | null;
  /** Your own references. */
  ref_numbers: string[] | null;
  /** Your own labels. The shipment gets them as its `tags`. */
  shipment_tags?: string[];
  /** Another name of `shipment_tags`, in some answers. */
  tags?: string[];
  /** How far it has come. */
  status: TrackingRequestStatus;
  /** What the last attempt failed of; `null` without a failure. May be set while the status is still `pending`. */
  failed_reason: TrackingRequestFailedReason | null;
  /** `true` after a temporary failure, with more attempts to come. */
  is_retrying?: boolean;
  /** Attempts made; `null` when none was needed. */
  retry_count?: number | null;
  /** When the request was made. */
  created_at: DateTime;
  /** When the request was last changed. */
  updated_at: DateTime;
}

/** What a tracking request is related to. */
export interface TrackingRequestRelationships<I extends IncludeList = []> {
  /** The shipment, as soon as there is one; `null` until then, and where tracking has failed. */
  tracked_object: ToOne<I, 'tracked_object', 'shipment'> | null;
  /** The party that the number is tracked for. */
  customer: OptionalToOne<I, 'customer', 'party'> | null;
  /** The person that made the request. */
  user: OptionalToOne<I, 'user', 'user'> | null;
}

/** What a tracking request holds beside its carrier. */
export interface TrackingRequestCreateAttributes {
  /** The kind of number. Not every carrier can be tracked by container number alone. */
  request_type: TrackingRequestType;
  /** The number to track. */
  request_number: string;
  /** Your own references. The shipment and its containers get them too. */
  ref_numbers?: readonly string[] | undefined;
  /** Your own labels. The shipment gets them as its `tags`. */
  shipment_tags?: readonly string[] | undefined;
  /** Values of custom fields to set as soon as the shipment is found. */
  initial_custom_fields?:
    | {
        /** Values for the shipment. */
        shipment?: readonly InitialCustomField[] | undefined;
        /** Values for its containers, or for some of them. */
        containers?: readonly InitialContainerCustomField[] | undefined;
      }
    | undefined;
  /** The party that it is tracked for. It cannot be added later. */
  customer?: Ref<'party'> | undefined;
}

/** The service finds the carrier. */
export interface CarrierToDetect {
  /** Not needed: the service finds it. */
  scac?: string | undefined;
  /** Let the service find the carrier: the answer is `pending` with a `scac` of `null`. */
  auto_detect_vocc_scac: true;
}

/** The carrier is named. */
export interface KnownCarrier {
  /** Main or alternative code of the carrier, four letters. Required unless `auto_detect_vocc_scac` is true. */
  scac: string;
  /**
   * Let the service find the carrier.
   * @default false
   */
  auto_detect_vocc_scac?: boolean | undefined;
}

/** A tracking request to create: with a `scac`, or with `auto_detect_vocc_scac: true`. */
export type TrackingRequestCreate = TrackingRequestCreateAttributes & (CarrierToDetect | KnownCarrier);

/** What `trackingRequests.update` can change. */
export interface TrackingRequestUpdate {
  /** One more reference of your own. Singular, unlike the attribute `ref_numbers` that it adds to. */
  ref_number?: string | undefined;
}

/** What the service usually includes with tracking requests: their shipments. */
export interface TrackingRequestDefaults extends ReadonlyArray<'tracked_object'> {}

/** A tracking request as the service sends it unasked: with its shipment or a reference to it. */
export type TrackedRequest = TrackingRequest<TrackingRequestDefaults>;
