// Written by `npm run generate` from description/. Do not edit.

import type { FilterRules, SortRules } from '../filter-rules.ts';

const SHIPMENT_FILTER: FilterRules = {
  keys: {
    q: 'search',
    number: 'literal',
    created_at: 'instant',
    actively_tracked: 'flag',
    tracking_stopped: 'flag',
    voyage_status: ['one', 'arrived', 'on_ship'],
    arriving_today: 'only_true',
    pod_ata_at: 'day',
    pod_arrival: 'day',
    pod_code: 'code',
    pod_eta_changed_at: 'since',
    pod_terminal_id: 'text',
    pol_code: 'code',
    owner_id: 'code',
    creator_id: 'text',
    customer_id: 'text',
    product: 'search',
    party_id: 'party',
    tags: 'tags',
    tags_and: 'flag',
    tag: 'tags',
  },
};

const CONTAINER_FILTER: FilterRules = {
  keys: {
    number: 'text',
    pol: 'text',
    pod: 'text',
    destination: 'text',
    pol_code: 'text',
    pod_code: 'text',
    destination_code: 'text',
    shipping_line_scac: 'text',
    customer_id: 'text',
    customer_name: 'text',
    vessel_name: 'text',
    pod_terminal_id: 'text',
    current_status: [
      'text',
      'new',
      'on_ship',
      'grounded',
      'available',
      'not_available',
      'awaiting_inland_transfer',
      'on_rail',
      'off_dock',
      'picked_up',
      'delivered',
      'empty_returned',
      'dropped',
      'loaded',
    ],
    has_fees: 'flag',
    has_demurrage_fees: 'flag',
    has_holds: 'flag',
    has_fees_or_holds: 'flag',
    requires_attention: 'flag',
    eta_changed_in_last_24h: 'only_true',
    eta_changed_in_past_3_days: 'only_true',
    actively_tracked: 'flag',
    search_by_ids: 'search',
    search_by_number: 'search',
    search_by_shipment_number: 'search',
    search_by_shipment_ref_numbers: 'search',
    search_by_ref_numbers: 'search',
    search_by_owner_id: 'code',
    created_at: 'day',
    updated_at: 'day',
    empty_out_at: 'day',
    pol_full_in_at: 'day',
    pol_vessel_loaded_at: 'day',
    pol_vessel_departed_at: 'day',
    pol_etd_at: 'day',
    pol_atd_at: 'day',
    arrival: 'day',
    pod_arrived_at: 'day',
    pod_discharged_at: 'day',
    picked_up_at: 'day',
    delivered_at: 'day',
    empty_returned_at: 'day',
    pod_rail_departed_at: 'day',
    inland_destination_eta_at: 'day',
    inland_destination_ata_at: 'day',
    inland_destination_rail_unloaded_at: 'day',
    final_destination_full_out_at: 'day',
    pickup_lfd: 'day',
    pickup_lfd_line_on: 'day',
    pickup_lfd_terminal_on: 'day',
    pickup_lfd_rail_on: 'day',
    pickup_lfd_line_effective_on: 'day',
    pickup_lfd_terminal_effective_on: 'day',
    last_free_day_on: 'window',
    tags: 'tags',
    tags_and: 'flag',
    parties: [
      'roles',
      'shipper',
      'consignee',
      'notify_party',
      'customs_broker',
      'customer',
      'freight_forwarder',
      'pickup_dray_carrier',
    ],
    custom_fields: 'custom_fields',
  },
  refused: {
    pod_eta_at: 'The service fails (500). Use arrival.',
    pod_ata_at: 'The service fails (500). Use pod_arrived_at.',
  },
};

const TRACKING_REQUEST_FILTER: FilterRules = {
  keys: {
    request_number: 'one',
    status: ['one', 'pending', 'awaiting_manifest', 'created', 'failed', 'tracking_stopped'],
    scac: 'one',
    created_at: 'span',
    updated_at: 'span',
  },
};

const DOCUMENT_FILTER: FilterRules = {
  keys: {
    filename: 'search',
    reference: 'one',
    document_types: 'code',
  },
};

const CUSTOM_FIELD_DEFINITION_FILTER: FilterRules = {
  keys: {
    entity_type: ['one', 'Shipment', 'Container', 'TrackingRequest'],
    data_type: [
      'one',
      'short_text',
      'number',
      'decimal',
      'date',
      'datetime',
      'boolean',
      'enum',
      'enum_multi',
      'reference',
    ],
    display_name: 'search',
  },
};

const CUSTOM_FIELD_FILTER: FilterRules = {
  keys: {
    entity_type: ['one', 'Shipment', 'Container', 'TrackingRequest'],
    entity_id: 'one',
    definition_id: 'one',
  },
};

const SHIPMENT_SORT: SortRules = {
  tokens: ['pod_arrival', 'tracking_stopped_at'],
  alone: ['-created_at'],
  most: 1,
  refused: { created_at: 'The service still puts the newest first. Use -created_at.' },
};

const CONTAINER_SORT: SortRules = {
  tokens: [
    'arrival',
    'created_at',
    'updated_at',
    'shipment_number',
    'destination_ata_at',
    'destination_eta_at',
    'empty_terminated_at',
    'final_destination_full_out_at',
    'last_status_refresh_at',
    'picked_up_at',
    'delivered_at',
    'delivery_appointment_at',
    'pickup_lfd',
    'pickup_lfd_line_on',
    'pickup_lfd_line_effective_on',
    'pickup_lfd_line_ind_effective_on',
    'pickup_lfd_line_ind_on',
    'ind_lfd',
    'pickup_lfd_rail_on',
    'pickup_lfd_rail_effective_on',
    'pickup_lfd_terminal_on',
    'pickup_lfd_terminal_effective_on',
    'pod_arrived_at',
    'pod_discharged_at',
    'pod_eta_at',
    'inland_destination_rail_unloaded_at',
    'inland_destination_eta_at',
    'inland_destination_ata_at',
    'pod_rail_loaded_at',
    'pol_full_in_at',
    'empty_out_at',
    'pol_vessel_loaded_at',
    'pol_vessel_departed_at',
  ],
  alone: ['attention_priority'],
  most: 3,
};

const DOCUMENT_SORT: SortRules = { tokens: ['document_type', 'added_by', 'created_at'], alone: [], most: 1 };

/** The lists that have filters or an order, by their operation. */
export const LISTS: Readonly<Record<string, { filter?: FilterRules; sort?: SortRules }>> = {
  'containers.list': { filter: CONTAINER_FILTER, sort: CONTAINER_SORT },
  'containers.summary': { filter: CONTAINER_FILTER },
  'customFieldDefinitions.list': { filter: CUSTOM_FIELD_DEFINITION_FILTER },
  'customFields.list': { filter: CUSTOM_FIELD_FILTER },
  'documents.list': { filter: DOCUMENT_FILTER, sort: DOCUMENT_SORT },
  'shipments.list': { filter: SHIPMENT_FILTER, sort: SHIPMENT_SORT },
  'trackingRequests.list': { filter: TRACKING_REQUEST_FILTER },
};
