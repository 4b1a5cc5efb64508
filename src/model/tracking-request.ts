import type {
  InitialContainerCustomField,
  InitialCustomField,
  TrackingRequest,
  TrackingRequestType,
} from './generated/records.ts';
import type { Ref } from './scalars.ts';

/** The attributes of a tracking request, except its carrier. */
export interface TrackingRequestCreateAttributes {
  /** The kind of number. Not every carrier can be tracked by container number alone. */
  request_type: TrackingRequestType;
  /** The number to track. */
  request_number: string;
  /** Your own references. The shipment and its containers receive them too. */
  ref_numbers?: readonly string[] | undefined;
  /** Your own labels. The shipment receives them as its `tags`. */
  shipment_tags?: readonly string[] | undefined;
  /** Values of custom fields to set as soon as the shipment is found. */
  initial_custom_fields?:
    | {
        /** Values for the shipment. */
        shipment?: readonly InitialCustomField[] | undefined;
        /** Values for all containers of the shipment, or for some of them. */
        containers?: readonly InitialContainerCustomField[] | undefined;
      }
    | undefined;
  /** The party that the shipment is tracked for. To add a party later, use `partyRoles.create`. */
  customer?: Ref<'party'> | undefined;
  /** The shipper. The shipment receives this role too. */
  shipper?: Ref<'party'> | undefined;
  /** The consignee. The shipment receives this role too. */
  consignee?: Ref<'party'> | undefined;
  /** The party to notify. The shipment receives this role too. */
  notify_party?: Ref<'party'> | undefined;
  /** The customs broker. The shipment receives this role too. */
  customs_broker?: Ref<'party'> | undefined;
  /** The freight forwarder. The shipment receives this role too. */
  freight_forwarder?: Ref<'party'> | undefined;
  /** The carrier that picks the containers up. The shipment receives this role too. */
  pickup_dray_carrier?: Ref<'party'> | undefined;
}

/** The carrier attributes of a tracking request whose carrier is unknown: the service finds the carrier. */
export interface CarrierToDetect {
  /** Not needed, because the service finds the carrier. */
  scac?: string | undefined;
  /**
   * Makes the service find the carrier. The created tracking request then has the status `pending`, and its `scac` is
   * `null`.
   */
  auto_detect_vocc_scac: true;
}

/** The carrier attributes of a tracking request whose carrier is known. */
export interface KnownCarrier {
  /** Main or alternative code of the carrier, four letters. Required unless `auto_detect_vocc_scac` is true. */
  scac: string;
  /**
   * Makes the service find the carrier.
   * @default false
   */
  auto_detect_vocc_scac?: boolean | undefined;
}

/** A tracking request to create: with a `scac`, or with `auto_detect_vocc_scac: true`. */
export type TrackingRequestCreate = TrackingRequestCreateAttributes & (CarrierToDetect | KnownCarrier);

/** The relationships that the service usually includes with tracking requests: their shipments. */
export interface TrackingRequestDefaults extends ReadonlyArray<'tracked_object'> {}

/** A tracking request as the service sends it without an `include`: with its shipment or a reference to it. */
export type TrackedRequest = TrackingRequest<TrackingRequestDefaults>;
