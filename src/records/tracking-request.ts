import type { IncludePath, LinkedRecord } from '../jsonapi/include.ts';
import type { InitialContainerCustomField, InitialCustomField } from './custom-field.ts';
import type { DateTime, Open, Ref } from './model.ts';

/** An order to track a number (SPEC.md, Tracking request; api/resources.md, tracking_request). */
export type TrackingRequest<I = []> = LinkedRecord<'tracking_request', I>;

/** What `include` accepts on the tracking request endpoints, and the relationships below it. */
export type TrackingRequestInclude = IncludePath<'tracking_request', 'tracked_object' | 'customer' | 'user'>;

export type TrackingRequestType = 'bill_of_lading' | 'booking_number' | 'container';

/**
 * - `pending`: queued or being tried again.
 * - `awaiting_manifest`: the carrier has no data yet; asked daily for up to 7 days.
 * - `created`: the shipment exists.
 * - `failed`: see `failed_reason`.
 * - `tracking_stopped`: the shipment is no longer updated.
 */
export type TrackingRequestStatus = Open<'pending' | 'awaiting_manifest' | 'created' | 'failed' | 'tracking_stopped'>;

/** The first four are temporary and can be there while the status is still `pending`. */
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

export interface TrackingRequestAttributes {
  request_number: string;
  request_type: Open<TrackingRequestType>;
  /** `null` while the carrier is being detected. */
  scac: string | null;
  /** References given by the caller. */
  ref_numbers: string[] | null;
  shipment_tags?: string[];
  /** Another name of `shipment_tags`, in some answers. */
  tags?: string[];
  status: TrackingRequestStatus;
  failed_reason: TrackingRequestFailedReason | null;
  /** A temporary failure, with more attempts to come. */
  is_retrying?: boolean;
  /** Attempts made; `null` when none was needed. */
  retry_count?: number | null;
  created_at: DateTime;
  updated_at: DateTime;
}

export interface TrackingRequestRelationships {
  tracked_object: Ref<'shipment'> | null;
  customer?: Ref<'party'> | null;
  user?: Ref<'user'> | null;
}

interface TrackingRequestCreateAttributes {
  request_type: TrackingRequestType;
  request_number: string;
  /** References of your own, copied to the shipment and its containers. */
  ref_numbers?: readonly string[] | undefined;
  /** Copied to the shipment as `tags`. */
  shipment_tags?: readonly string[] | undefined;
  initial_custom_fields?:
    | {
        shipment?: readonly InitialCustomField[] | undefined;
        containers?: readonly InitialContainerCustomField[] | undefined;
      }
    | undefined;
  /** The party this is tracked for. Cannot be added later. */
  customer?: Ref<'party'> | undefined;
}

interface CarrierToDetect {
  scac?: string | undefined;
  /** Let the service find the carrier: the answer is `pending` with a `scac` of `null`. */
  auto_detect_vocc_scac: true;
}

interface KnownCarrier {
  /** Main or alternative code of the carrier, four letters. Required unless `auto_detect_vocc_scac` is true. */
  scac: string;
  auto_detect_vocc_scac?: boolean | undefined;
}

/** A tracking request to create: with a `scac`, or with `auto_detect_vocc_scac: true`. */
export type TrackingRequestCreate = TrackingRequestCreateAttributes & (CarrierToDetect | KnownCarrier);

/** What `trackingRequests.update` can change. */
export interface TrackingRequestUpdate {
  /** Singular, unlike the attribute `ref_numbers` that it adds to. */
  ref_number?: string | undefined;
}
