// Written by `npm run generate` from description/. Do not edit.

import type {
  AnyOf,
  CustomFieldValueFilter,
  DayFilter,
  DayWindow,
  InstantFilter,
  PartyFilter,
  RoleFilter,
  SinceFilter,
  TextFilter,
  TimeSpan,
  UnknownValue,
} from '../filter-values.ts';
import type { CustomFieldDataType } from './records.ts';

/** Filters of a list of shipments. A shipment must match all of them. */
export interface ShipmentFilter {
  /** Words in shipment numbers, references, or container numbers. */
  q?: string | undefined;
  /**
   * The shipment number, exactly as it was requested. The filter never matches a container number. An older service
   * ignores this filter and sends every shipment. The option `number` of the list works with older services too.
   */
  number?: AnyOf<string> | undefined;
  /** When the record was created. */
  created_at?: InstantFilter | undefined;
  /** `true` for shipments that are tracked, `false` for those whose tracking has stopped. */
  actively_tracked?: boolean | undefined;
  /** `true` for shipments whose tracking has stopped, `false` for all other shipments. */
  tracking_stopped?: boolean | undefined;
  /**
   * `arrived`: the actual arrival at the port of discharge is known. `on_ship`: a voyage exists, and its arrival is not
   * known.
   */
  voyage_status?: 'arrived' | 'on_ship' | UnknownValue | undefined;
  /** The estimated or actual arrival at the port of discharge or at the destination is today. */
  arriving_today?: true | undefined;
  /** The day of the actual arrival at the port of discharge. */
  pod_ata_at?: DayFilter | undefined;
  /** The day of the actual arrival at the port of discharge. If it is not known, the day of the estimated arrival. */
  pod_arrival?: DayFilter | undefined;
  /** UN/LOCODE of the port of discharge. */
  pod_code?: AnyOf<string> | undefined;
  /**
   * The estimated arrival has moved to another local day since this time. Only shipments that are tracked and have not
   * arrived match.
   */
  pod_eta_changed_at?: SinceFilter | undefined;
  /** Id of the terminal at the port of discharge. */
  pod_terminal_id?: TextFilter | undefined;
  /** UN/LOCODE of the port of lading. */
  pol_code?: AnyOf<string> | undefined;
  /** Id of a user that is linked to one of the containers. */
  owner_id?: AnyOf<string> | undefined;
  /** Id of the account that has created the shipment. */
  creator_id?: TextFilter | undefined;
  /**
   * Id of the account or the party that is the customer. If there is no customer, the account that created the shipment
   * counts.
   */
  customer_id?: TextFilter | undefined;
  /** Words of the name or the stock number of a linked product. */
  product?: string | undefined;
  /** Id of a party in any role. `{ all: […] }` selects shipments that have all of these parties. */
  party_id?: PartyFilter | undefined;
  /** Tags of the shipment. One of them is enough, unless `tags_and` is `true`. */
  tags?: AnyOf<string> | undefined;
  /** `true` if a record must have all of `tags`. */
  tags_and?: boolean | undefined;
  /** Another name of `tags`. It overrides `tags`. */
  tag?: AnyOf<string> | undefined;
}

/** Filters of a list of containers. A container must match all of them. */
export interface ContainerFilter {
  /** The container number. Two journeys under the same number are two containers. */
  number?: TextFilter | undefined;
  /** Name of the port of lading. */
  pol?: TextFilter | undefined;
  /** Name of the port of discharge. */
  pod?: TextFilter | undefined;
  /** Name of the destination. */
  destination?: TextFilter | undefined;
  /** UN/LOCODE of the port of lading. */
  pol_code?: TextFilter | undefined;
  /** UN/LOCODE of the port of discharge. */
  pod_code?: TextFilter | undefined;
  /** UN/LOCODE of the destination. */
  destination_code?: TextFilter | undefined;
  /** SCAC of the carrier, from `shippingLines.list`. */
  shipping_line_scac?: TextFilter | undefined;
  /**
   * Id of the account or the party that is the customer. If there is no customer, the account that created the shipment
   * counts.
   */
  customer_id?: TextFilter | undefined;
  /** Name of the customer. The filter is case-sensitive. */
  customer_name?: TextFilter | undefined;
  /** Name of the vessel. */
  vessel_name?: TextFilter | undefined;
  /** Id of the terminal at the port of discharge. */
  pod_terminal_id?: TextFilter | undefined;
  /** Step of the container's journey. */
  current_status?:
    | TextFilter<
        | 'new'
        | 'on_ship'
        | 'grounded'
        | 'available'
        | 'not_available'
        | 'awaiting_inland_transfer'
        | 'on_rail'
        | 'off_dock'
        | 'picked_up'
        | 'delivered'
        | 'empty_returned'
        | 'dropped'
        | 'loaded'
        | UnknownValue
      >
    | undefined;
  /**
   * `true` for containers whose list of fees is not empty, `false` for those whose list is empty. Containers without a
   * report match neither value.
   */
  has_fees?: boolean | undefined;
  /**
   * `true` for containers with a demurrage fee, `false` for containers whose report has no demurrage fee. Containers
   * without a report may match neither value.
   */
  has_demurrage_fees?: boolean | undefined;
  /**
   * `true` for containers whose list of holds is not empty, `false` for those whose list is empty. Containers without a
   * report match neither value.
   */
  has_holds?: boolean | undefined;
  /**
   * `true` for containers with fees or holds, `false` for those whose two lists are empty. Containers without a report
   * match neither value.
   */
  has_fees_or_holds?: boolean | undefined;
  /**
   * `true` for containers that are marked, overdue, or near the last free day. `false` for those that are not marked:
   * some of them match `true` too.
   */
  requires_attention?: boolean | undefined;
  /** An estimate has changed in the last 24 hours. */
  eta_changed_in_last_24h?: true | undefined;
  /** An estimate has changed in the past 3 days. */
  eta_changed_in_past_3_days?: true | undefined;
  /** `true` for containers whose shipment is tracked, `false` for all other containers. */
  actively_tracked?: boolean | undefined;
  /** Beginning of an identifier of the container or of its shipment. */
  search_by_ids?: string | undefined;
  /** Beginning of the container number. */
  search_by_number?: string | undefined;
  /** Beginning of the shipment number. */
  search_by_shipment_number?: string | undefined;
  /** Beginning of a reference of the shipment. */
  search_by_shipment_ref_numbers?: string | undefined;
  /** Beginning of a reference of the container. */
  search_by_ref_numbers?: string | undefined;
  /** Id of a user that is linked to the container. */
  search_by_owner_id?: AnyOf<string> | undefined;
  /** The day on which the record was created. */
  created_at?: DayFilter | undefined;
  /** The day of the last change of the record. */
  updated_at?: DayFilter | undefined;
  /** The day on which the empty container left. */
  empty_out_at?: DayFilter | undefined;
  /** The day of the arrival at the port of lading. */
  pol_full_in_at?: DayFilter | undefined;
  /** The day of the loading at the port of lading. */
  pol_vessel_loaded_at?: DayFilter | undefined;
  /** The day on which the vessel has left the port of lading. */
  pol_vessel_departed_at?: DayFilter | undefined;
  /** The day of the estimated departure at the port of lading. */
  pol_etd_at?: DayFilter | undefined;
  /** The day of the actual departure at the port of lading. */
  pol_atd_at?: DayFilter | undefined;
  /** The day of the actual arrival at the port of discharge, or else the estimated day. */
  arrival?: DayFilter | undefined;
  /** The day of the actual arrival at the port of discharge. */
  pod_arrived_at?: DayFilter | undefined;
  /** The day of the discharge. */
  pod_discharged_at?: DayFilter | undefined;
  /** The day on which the full container has left the terminal or the inland facility. */
  picked_up_at?: DayFilter | undefined;
  /** The day of the delivery. */
  delivered_at?: DayFilter | undefined;
  /** The day on which the empty container was returned. */
  empty_returned_at?: DayFilter | undefined;
  /** The day on which the train has left the port. */
  pod_rail_departed_at?: DayFilter | undefined;
  /** The day of the estimated arrival inland. */
  inland_destination_eta_at?: DayFilter | undefined;
  /** The day of the actual arrival inland. */
  inland_destination_ata_at?: DayFilter | undefined;
  /** The day on which the container was unloaded from the train. */
  inland_destination_rail_unloaded_at?: DayFilter | undefined;
  /** The day on which the full container has left the inland facility. */
  final_destination_full_out_at?: DayFilter | undefined;
  /** The last free day for pickup, from the source that the service prefers. */
  pickup_lfd?: DayFilter | undefined;
  /** The last free day that the carrier has reported. */
  pickup_lfd_line_on?: DayFilter | undefined;
  /** The last free day that the terminal has reported. */
  pickup_lfd_terminal_on?: DayFilter | undefined;
  /** The last free day that the railway has reported. */
  pickup_lfd_rail_on?: DayFilter | undefined;
  /** The last free day of the carrier, either reported, or calculated for accounts with this feature. */
  pickup_lfd_line_effective_on?: DayFilter | undefined;
  /** The last free day of the terminal, either reported, or calculated for accounts with this feature. */
  pickup_lfd_terminal_effective_on?: DayFilter | undefined;
  /**
   * The last free day is between two days, both included. The filter matches only containers that are `available`,
   * `not_available` or `off_dock`, are tracked, and end their journey at the port of discharge. The filter `pickup_lfd`
   * compares only the day.
   */
  last_free_day_on?: DayWindow | undefined;
  /** Tags of the shipment. One of them is enough, unless `tags_and` is `true`. */
  tags?: AnyOf<string> | undefined;
  /** `true` if a record must have all of `tags`. */
  tags_and?: boolean | undefined;
  /**
   * Ids of parties by their role. `pickup_dray_carrier` is found only on the container. The other roles are found also
   * on the shipment.
   */
  parties?:
    | RoleFilter<
        | 'shipper'
        | 'consignee'
        | 'notify_party'
        | 'customs_broker'
        | 'customer'
        | 'freight_forwarder'
        | 'pickup_dray_carrier'
      >
    | undefined;
  /**
   * Values of custom fields of the container or of its shipment, by `api_slug`. The service ignores a slug that the
   * account does not have, and sends every container. A service from before November 2026 ignores all but texts.
   */
  custom_fields?: Readonly<Record<string, CustomFieldValueFilter | undefined>> | undefined;
}

/** Filters of a list of tracking requests. */
export interface TrackingRequestFilter {
  /** The tracked number, exactly as it was entered. */
  request_number?: string | undefined;
  /** Status of the request. */
  status?: 'pending' | 'awaiting_manifest' | 'created' | 'failed' | 'tracking_stopped' | UnknownValue | undefined;
  /** Code of the carrier. */
  scac?: string | undefined;
  /** When the request was created. */
  created_at?: TimeSpan | undefined;
  /** When the request was last changed. */
  updated_at?: TimeSpan | undefined;
}

/** Filters of a list of documents. */
export interface DocumentFilter {
  /** Words in the file name. */
  filename?: string | undefined;
  /** A reference in the document, for example the number of a shipment or a container. */
  reference?: string | undefined;
  /** Codes of `documents.types`. One of them is enough. */
  document_types?: AnyOf<string> | undefined;
}

/** Filters for the list of custom field definitions. */
export interface CustomFieldDefinitionFilter {
  /** Kind of record that has the field. */
  entity_type?: 'Shipment' | 'Container' | 'TrackingRequest' | UnknownValue | undefined;
  /** Kind of value. */
  data_type?: CustomFieldDataType | UnknownValue | undefined;
  /** The beginning of the name. */
  display_name?: string | undefined;
}

/** Filters for the list of custom field values. */
export interface CustomFieldFilter {
  /** Kind of record that has the field. */
  entity_type?: 'Shipment' | 'Container' | 'TrackingRequest' | UnknownValue | undefined;
  /** Id of the record that has the value. */
  entity_id?: string | undefined;
  /** Id of the definition. */
  definition_id?: string | undefined;
}

/** The sort key of shipments. A minus sign reverses the order. */
export type ShipmentSort = ShipmentSortOrder | readonly [ShipmentSortOrder];

/** One of the tokens of `ShipmentSort`. */
export type ShipmentSortOrder =
  | '-created_at'
  | 'pod_arrival'
  | '-pod_arrival'
  | 'tracking_stopped_at'
  | '-tracking_stopped_at';

/**
 * The sort keys of containers. A minus sign reverses the order. The columns of last free days may depend on features
 * of the account.
 */
export type ContainerSort =
  | 'attention_priority'
  | ContainerSortOrder
  | readonly [ContainerSortOrder, ContainerSortOrder?, ContainerSortOrder?];

/** One of the tokens of `ContainerSort`. */
export type ContainerSortOrder =
  | 'arrival'
  | '-arrival'
  | 'created_at'
  | '-created_at'
  | 'updated_at'
  | '-updated_at'
  | 'shipment_number'
  | '-shipment_number'
  | 'destination_ata_at'
  | '-destination_ata_at'
  | 'destination_eta_at'
  | '-destination_eta_at'
  | 'empty_terminated_at'
  | '-empty_terminated_at'
  | 'final_destination_full_out_at'
  | '-final_destination_full_out_at'
  | 'last_status_refresh_at'
  | '-last_status_refresh_at'
  | 'picked_up_at'
  | '-picked_up_at'
  | 'delivered_at'
  | '-delivered_at'
  | 'delivery_appointment_at'
  | '-delivery_appointment_at'
  | 'pickup_lfd'
  | '-pickup_lfd'
  | 'pickup_lfd_line_on'
  | '-pickup_lfd_line_on'
  | 'pickup_lfd_line_effective_on'
  | '-pickup_lfd_line_effective_on'
  | 'pickup_lfd_line_ind_effective_on'
  | '-pickup_lfd_line_ind_effective_on'
  | 'pickup_lfd_line_ind_on'
  | '-pickup_lfd_line_ind_on'
  | 'ind_lfd'
  | '-ind_lfd'
  | 'pickup_lfd_rail_on'
  | '-pickup_lfd_rail_on'
  | 'pickup_lfd_rail_effective_on'
  | '-pickup_lfd_rail_effective_on'
  | 'pickup_lfd_terminal_on'
  | '-pickup_lfd_terminal_on'
  | 'pickup_lfd_terminal_effective_on'
  | '-pickup_lfd_terminal_effective_on'
  | 'pod_arrived_at'
  | '-pod_arrived_at'
  | 'pod_discharged_at'
  | '-pod_discharged_at'
  | 'pod_eta_at'
  | '-pod_eta_at'
  | 'inland_destination_rail_unloaded_at'
  | '-inland_destination_rail_unloaded_at'
  | 'inland_destination_eta_at'
  | '-inland_destination_eta_at'
  | 'inland_destination_ata_at'
  | '-inland_destination_ata_at'
  | 'pod_rail_loaded_at'
  | '-pod_rail_loaded_at'
  | 'pol_full_in_at'
  | '-pol_full_in_at'
  | 'empty_out_at'
  | '-empty_out_at'
  | 'pol_vessel_loaded_at'
  | '-pol_vessel_loaded_at'
  | 'pol_vessel_departed_at'
  | '-pol_vessel_departed_at';

/** The sort key of documents. A minus sign reverses the order. */
export type DocumentSort = DocumentSortOrder | readonly [DocumentSortOrder];

/** One of the tokens of `DocumentSort`. */
export type DocumentSortOrder =
  | 'document_type'
  | '-document_type'
  | 'added_by'
  | '-added_by'
  | 'created_at'
  | '-created_at';
