// Written by `npm run generate` from description/ and the views in src/sync/sql/. Do not edit.

/** The kind of the values of each column, by table and view. `ids` is a list of ids. */
export interface SyncColumns {
  /** One booking or bill of lading of a carrier, and its containers. */
  shipments: {
    /** Id of the record. */ id: 'text not null';
    /** When the record was created. */
    created_at: 'timestamp';
    /** Your own references. */
    ref_numbers: 'json';
    /** Your own labels. */
    tags: 'json';
    /** The tracked number: the number of the bill of lading or of the booking. */
    bill_of_lading_number: 'text';
    /** The number that the service sends to the carrier, often without the SCAC at its beginning. */
    normalized_number: 'text';
    /** SCAC of the carrier, four letters. */
    shipping_line_scac: 'text';
    /** Full name of the carrier. */
    shipping_line_name: 'text';
    /** Short name of the carrier. */
    shipping_line_short_name: 'text';
    /** Name of the party that the shipment is tracked for. */
    customer_name: 'text';
    /** UN/LOCODE of the port of lading. */
    port_of_lading_locode: 'text';
    /** Name of the port of lading. */
    port_of_lading_name: 'text';
    /** UN/LOCODE of the port of discharge. */
    port_of_discharge_locode: 'text';
    /** Name of the port of discharge. */
    port_of_discharge_name: 'text';
    /** UN/LOCODE of the destination; `null` if there is no inland leg. */
    destination_locode: 'text';
    /** Name of the destination. May be set while `destination_locode` is `null`. */
    destination_name: 'text';
    /** Name of the vessel that arrives at the port of discharge. */
    pod_vessel_name: 'text';
    /** Seven-digit IMO number of the vessel that arrives at the port of discharge. */
    pod_vessel_imo: 'text';
    /** Voyage of the vessel that arrives at the port of discharge. */
    pod_voyage_number: 'text';
    /** Estimated departure from the port of lading, in `pol_timezone`. Depends on the carrier. */
    pol_etd_at: 'timestamp';
    /** Actual departure from the port of lading, in `pol_timezone`. */
    pol_atd_at: 'timestamp';
    /** First reported estimate of the departure, in `pol_timezone`. */
    pol_original_etd_at: 'timestamp';
    /** Current estimated arrival at the port of discharge, in `pod_timezone`. Often `null` once `pod_ata_at` is set. */
    pod_eta_at: 'timestamp';
    /** First estimated arrival at the port of discharge, in `pod_timezone`. */
    pod_original_eta_at: 'timestamp';
    /** Actual arrival at the port of discharge, in `pod_timezone`. */
    pod_ata_at: 'timestamp';
    /**
     * The carrier's estimate for the destination, in `destination_timezone`. For transport by rail, see `ind_eta_at` of
     * the container.
     */
    destination_eta_at: 'timestamp';
    /** The carrier's first estimate for the destination, in `destination_timezone`. */
    destination_original_eta_at: 'timestamp';
    /**
     * Actual arrival at the destination, in `destination_timezone`. For transport by rail, see `ind_ata_at` of the
     * container.
     */
    destination_ata_at: 'timestamp';
    /** IANA time zone of the port of lading. */
    pol_timezone: 'text';
    /** IANA time zone of the port of discharge. */
    pod_timezone: 'text';
    /** IANA time zone of the destination. */
    destination_timezone: 'text';
    /** When the service last sent a request to the shipping line. */
    line_tracking_last_attempted_at: 'timestamp';
    /** When the shipping line last responded. */
    line_tracking_last_succeeded_at: 'timestamp';
    /** When the service stopped reading from the shipping line; `null` while it still reads. */
    line_tracking_stopped_at: 'timestamp';
    /** Reason why the service stopped reading from the shipping line; `null` while it still reads. */
    line_tracking_stopped_reason: 'text';
    /** The port where the containers are loaded on the first vessel. */
    port_of_lading_id: 'text';
    /** The port where the containers leave the last vessel. */
    port_of_discharge_id: 'text';
    /** The terminal at the port of discharge; `null` until it is known. */
    pod_terminal_id: 'text';
    /**
     * The place to which the carrier takes the containers after the port of discharge; `null` if there is no inland leg.
     */
    destination_id: 'text';
    /**
     * The place to which the carrier takes the containers after the port of discharge; `null` if there is no inland leg.
     */
    destination_type: 'text';
    /** The facility at the destination. */
    destination_terminal_id: 'text';
    /** The facility at the destination. */
    destination_terminal_type: 'text';
    /** The person who stopped the tracking; `null` if nobody stopped it. */
    line_tracking_stopped_by_user_id: 'text';
    /** The containers; empty until the carrier has named them. */
    containers: 'ids';
    /** The roles of parties. Only with `flag[parties]`. */
    party_roles: 'ids';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** One container on one journey. */
  containers: {
    /** Id of the record. */ id: 'text not null';
    /** Number of the container (ISO 6346): four letters and seven digits. `parseContainerNumber()` checks it. */
    number: 'text';
    /** Your own references. */
    ref_numbers: 'json';
    /** Kind of container. */
    equipment_type: 'text';
    /** Length in feet: 10, 20, 40, 45 or 50. */
    equipment_length: 'number';
    /** Height of the container. */
    equipment_height: 'text';
    /** Weight in pounds. `0` may mean that the weight is not known. */
    weight_in_lbs: 'number';
    /** When the record was created. */
    created_at: 'timestamp';
    /** Number of the seal on the doors. May be empty. */
    seal_number: 'text';
    /** The current step of the journey. */
    current_status: 'text';
    /** `true` if the terminal reports the availability of containers. */
    availability_known: 'boolean';
    /**
     * `true` if the container can be picked up. Only valid if `availability_known` is `true`: see `isReadyForPickup()`.
     */
    available_for_pickup: 'boolean';
    /**
     * Last free day of the line, otherwise of the terminal, otherwise of the railway. It need not be the earliest, and may
     * become `null` if the container has left the port. In `pod_timezone` or, on inland moves,
     * `final_destination_timezone`: see `lastFreeDay()`.
     */
    pickup_lfd: 'timestamp';
    /** Appointment to pick up the container, in `pod_timezone`. */
    pickup_appointment_at: 'timestamp';
    /** Arrival of the vessel at the port of discharge, in `pod_timezone`. */
    pod_arrived_at: 'timestamp';
    /** Discharge from the vessel, in `pod_timezone`. */
    pod_discharged_at: 'timestamp';
    /** Gate-out at the port of discharge, in `pod_timezone`. Also set if the journey continues inland. */
    pod_full_out_at: 'timestamp';
    /** Number of the chassis on which the container left the port. */
    pod_full_out_chassis_number: 'text';
    /** Place in the terminal, in the terminal's own words. May contain HTML. */
    location_at_pod_terminal: 'text';
    /** Gate-out at the inland destination, in `final_destination_timezone`. */
    final_destination_full_out_at: 'timestamp';
    /** Return of the empty container, in `empty_terminated_timezone`. */
    empty_terminated_at: 'timestamp';
    /** When the terminal last responded to the service. */
    terminal_checked_at: 'timestamp';
    /** The holds that keep the container at the terminal or the inland facility; empty if there are none. */
    holds_at_pod_terminal: 'json';
    /** The fees to pay at the terminal or the inland facility; empty if there are none. */
    fees_at_pod_terminal: 'json';
    /** IANA time zone of the port of discharge. */
    pod_timezone: 'text';
    /** IANA time zone of the inland destination. */
    final_destination_timezone: 'text';
    /** IANA time zone of the place of the empty return. */
    empty_terminated_timezone: 'text';
    /** SCAC of the railway that takes the container from the port. */
    pod_rail_carrier_scac: 'text';
    /** SCAC of the railway that delivers the container inland. */
    ind_rail_carrier_scac: 'text';
    /** Loading on a train at the port, in `pod_timezone`. */
    pod_rail_loaded_at: 'timestamp';
    /** Departure of the train from the port, in `pod_timezone`. */
    pod_rail_departed_at: 'timestamp';
    /** The railway's estimate for the inland destination, in `final_destination_timezone`. */
    ind_eta_at: 'timestamp';
    /** Actual arrival at the inland destination, in `final_destination_timezone`. */
    ind_ata_at: 'timestamp';
    /** Unloading from the train inland, in `final_destination_timezone`. */
    ind_rail_unloaded_at: 'timestamp';
    /** @deprecated Read `import_deadlines.pickup_lfd_rail`. */
    ind_facility_lfd_on: 'timestamp';
    /** The last free day of each source. */
    import_deadlines: 'json';
    /** When the service last sent a request to the terminal. */
    pod_last_tracking_request_at: 'timestamp';
    /** When the service last sent a request to the shipping line. */
    shipment_last_tracking_request_at: 'timestamp';
    /** When the service last sent a request to the railway. */
    rail_last_tracking_request_at: 'timestamp';
    /** When a person marked the container as delivered. */
    delivered_at: 'timestamp';
    /** Release of the empty container at the origin, which may be far from the port. No field has the time zone. */
    empty_out_at: 'timestamp';
    /** Gate-in of the full container at the port of lading, in `pol_timezone` of the shipment. */
    pol_full_in_at: 'timestamp';
    /** Loading on the vessel at the port of lading, in `pol_timezone` of the shipment. */
    pol_vessel_loaded_at: 'timestamp';
    /** Departure of the vessel from the port of lading, in `pol_timezone` of the shipment. */
    pol_vessel_departed_at: 'timestamp';
    /** Holds at the inland facility. No source shows a value. */
    ind_facility_holds: 'json';
    /** Fees at the inland facility. No source shows a value. */
    ind_facility_fees: 'json';
    /** The carrier's last free day, as the name suggests. No source shows a value. */
    ssl_lfd: 'json';
    /** Steps of the release, as the carrier reports them. No source shows the format. */
    release_statuses: 'json';
    /** The source of the inland estimate, such as the carrier or a prediction. No source shows the format. */
    inland_destination_eta_source_summary: 'json';
    /** The roles of parties, if the service sends them. */
    party_roles: 'ids';
    /** The shipment that the container belongs to. */
    shipment_id: 'text';
    /** The terminal at the port of discharge; `null` until it is known. */
    pod_terminal_id: 'text';
    /** The terminal of the pickup. On inland moves, it is the rail facility. `null` until it is known. */
    pickup_facility_id: 'text';
    /** Milestones, estimates and changes of deadlines. `milestones()` sorts them. */
    transport_events: 'ids';
    /** The carrier's own events. See `containers.rawEvents`, which may return fewer events. */
    raw_events: 'ids';
    /**
     * The earliest last free day at the place of the container. Until the end of that day, the container can be collected
     * without a charge.
     */
    last_free_day: 'date';
    /** True if the container can be collected now. */
    ready_for_pickup: 'boolean';
    /** Stage of the journey of the container. */
    stage: 'text';
    /** Readiness for pickup: `yes`, `no` or `unknown`. */
    pickup: 'text';
    /** The source of `last_free_day`: `line`, `terminal`, `railway` or `unknown`. */
    last_free_day_source: 'text';
    /** IANA time zone of `last_free_day`. */
    last_free_day_timezone: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** A verified milestone, estimate or change of a deadline of one container. */
  transport_events: {
    /** Id of the record. */ id: 'text not null';
    /** Name of the milestone, the estimate or the change. */
    event: 'text';
    /**
     * Time of the event; for `container.transport.estimated.*`, the expected time, in `timezone`. For `*.changed` it is
     * the time of detection or the new value: read `value`.
     */
    timestamp: 'timestamp';
    /** IANA time zone of the place. */
    timezone: 'text';
    /** UN/LOCODE of the place; `null` if it is not known. It may stay unknown. */
    location_locode: 'text';
    /** Voyage of the vessel. */
    voyage_number: 'text';
    /**
     * Source of the report: the carrier, the terminal, the position of the vessel (`ais`) or the railway. Last free days
     * may be computed by the service, with a separate source name, and events may be entered by a person.
     */
    data_source: 'text';
    /** When the service recorded the event. */
    created_at: 'timestamp';
    /** When the event was found to be wrong; `null` while it is valid. */
    invalidated_at: 'timestamp';
    /** The new deadline or appointment of `container.pickup_*.changed`, in `timezone`; `null` on other events. */
    value: 'text';
    /** The same value as a time. */
    value_timestamp: 'timestamp';
    /** The shipment of the container. */
    shipment_id: 'text';
    /** The container concerned. */
    container_id: 'text';
    /** The vessel of the event; `null` if the event has no vessel. */
    vessel_id: 'text';
    /** The place of the event; `null` if it is not known. */
    location_id: 'text';
    /** The place of the event; `null` if it is not known. */
    location_type: 'text';
    /** The facility of the event; `null` if it is not known. */
    terminal_id: 'text';
    /** The facility of the event; `null` if it is not known. */
    terminal_type: 'text';
    /** The entry of the carrier's feed from which the event was made. */
    source_event_id: 'text';
    /** The event that this event replaces. No source shows a value. */
    previous_version_id: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** A request to track a number. */
  tracking_requests: {
    /** Id of the record. */ id: 'text not null';
    /** The number to track, as it was entered. */
    request_number: 'text';
    /** The kind of number. */
    request_type: 'text';
    /** Code of the carrier; `null` while it is being detected. */
    scac: 'text';
    /** Your own references. */
    ref_numbers: 'json';
    /** Your own labels. The shipment receives them as its `tags`. */
    shipment_tags: 'json';
    /** Another name of `shipment_tags`, in some responses. */
    tags: 'json';
    /** Current step of the processing. */
    status: 'text';
    /** Reason why the last attempt failed; `null` without a failure. May be set while the status is still `pending`. */
    failed_reason: 'text';
    /** `true` after a temporary failure, with more attempts to come. */
    is_retrying: 'boolean';
    /** Number of attempts; `null` if none was needed. */
    retry_count: 'number';
    /** When the request was created. */
    created_at: 'timestamp';
    /** When the request was last changed. */
    updated_at: 'timestamp';
    /** The shipment; `null` until it is found, and `null` if tracking has failed. */
    tracked_object_id: 'text';
    /** The shipment; `null` until it is found, and `null` if tracking has failed. */
    tracked_object_type: 'text';
    /** The party that the number is tracked for. Some responses name an account instead. */
    customer_id: 'text';
    /** The party that the number is tracked for. Some responses name an account instead. */
    customer_type: 'text';
    /** The person who created the request. */
    user_id: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** A sea port. */
  ports: {
    /** Id of the record. */ id: 'text not null';
    /** Name of the port. */
    name: 'text';
    /** UN/LOCODE. Some codes are not part of the standard. */
    code: 'text';
    /** State or province. May be digits. */
    state_abbr: 'text';
    /** Name of the city. */
    city: 'text';
    /** ISO 3166 code of two letters. */
    country_code: 'text';
    /** North is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
    latitude: 'number';
    /** East is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
    longitude: 'number';
    /** IANA time zone, such as `America/Los_Angeles`. */
    time_zone: 'text';
    /** The terminals of the port. Absent in some notifications. */
    terminals: 'ids';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** A facility at a port. */
  terminals: {
    /** Id of the record. */ id: 'text not null';
    /** Full name. */
    name: 'text';
    /** Short name that people use. */
    nickname: 'text';
    /** Facility code of US customs, or an equivalent of another country. */
    firms_code: 'text';
    /** Terminal code of the Ship Message Design Group. */
    smdg_code: 'text';
    /** Facility code of the Bureau International des Containers. */
    bic_facility_code: 'text';
    /** Street and house number. */
    street: 'text';
    /** Name of the city. */
    city: 'text';
    /** Full name of the state or province. */
    state: 'text';
    /** Abbreviation of the state or province. */
    state_abbr: 'text';
    /** Postal code. */
    zip: 'text';
    /** Name of the country. */
    country: 'text';
    /** Kind of facility. */
    facility_type: 'text';
    /** The container attributes that the terminal reports. */
    provided_data: 'json';
    /** The port that the terminal belongs to. */
    port_id: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** An inland rail facility. */
  rail_terminals: {
    /** Id of the record. */ id: 'text not null';
    /** Full name. */
    name: 'text';
    /** Short name that people use. */
    nickname: 'text';
    /** Facility code of US customs, or an equivalent of another country. */
    firms_code: 'text';
    /** Name of the city. */
    city: 'text';
    /** The port that the facility belongs to; `null` if it is inland only. */
    port_id: 'text';
    /** The inland place where the facility is. */
    metro_area_id: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** An inland place to which a shipment can go. */
  metro_areas: {
    /** Id of the record. */ id: 'text not null';
    /** Name of the place. */
    name: 'text';
    /** UN/LOCODE. */
    code: 'text';
    /** State or province: its abbreviation, sometimes its full name. */
    state_abbr: 'text';
    /** ISO 3166 code of two letters. */
    country_code: 'text';
    /** North is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
    latitude: 'number';
    /** East is positive. Mostly a decimal string, which `coordinates()` converts to a number. */
    longitude: 'number';
    /** IANA time zone, such as `America/Chicago`. */
    time_zone: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** A vessel, with its last known position. */
  vessels: {
    /** Id of the record. */ id: 'text not null';
    /** Name of the vessel. */
    name: 'text';
    /** IMO number, seven digits. It stays the same for the life of the vessel. */
    imo: 'text';
    /** Maritime radio identity, nine digits. It changes with the flag. */
    mmsi: 'text';
    /** Last known latitude in decimal degrees; north is positive. Always a number, unlike the coordinates of ports. */
    latitude: 'number';
    /** Last known longitude in decimal degrees; east is positive. Always a number, unlike the coordinates of ports. */
    longitude: 'number';
    /** Last known speed in knots. */
    nautical_speed_knots: 'number';
    /** Last known heading in degrees: 0 is north, 90 is east. */
    navigational_heading_degrees: 'number';
    /** Time of the last known position. */
    position_timestamp: 'timestamp';
    /** The track. Present only in responses to `show_positions` or `futurePositions`. */
    positions: 'json';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** One of your customers. */
  parties: {
    /** Id of the record. */ id: 'text not null';
    /** Name of the customer, unique in the account. */
    company_name: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** A shipping document that the service classifies and reads. */
  documents: {
    /** Id of the record. */ id: 'text not null';
    /** Name of the document, for people. */
    name: 'text';
    /** The type that the service has found, as a code of `documents.types`; `null` until the document is classified. */
    document_type: 'text';
    /** The type that a person has set. It takes precedence over `document_type`. */
    document_type_manual: 'text';
    /** Notes of the classification, for people. */
    classification_notes: 'text';
    /** The way in which the document reached the account. */
    source: 'text';
    /** Name of the file. */
    file_name: 'text';
    /** MIME type of the file. */
    file_content_type: 'text';
    /** Size of the file in bytes. */
    file_size_bytes: 'number';
    /** The part of a packet from which the document was cut out. */
    parsed: 'json';
    /** Address of the file for one hour, only in early notifications. Use `documents.downloadUrl`. */
    file_url: 'text';
    /** When the document was created. */
    created_at: 'timestamp';
    /** When the document was last changed. */
    updated_at: 'timestamp';
    /** The account that the document belongs to. */
    account_id: 'text';
    /** The person who added the document, if known. */
    user_id: 'text';
    /** The email that contained the document; `null` if it came another way. */
    email_submission_id: 'text';
    /** The data that the service extracted last; `null` before the first extraction. */
    last_document_representation_id: 'text';
    /** The same value as `last_document_representation`. Present only if it was included. */
    current_extraction_id: 'text';
    /** The packet from which the document was cut out. Present only on documents that were cut out of a packet. */
    parent_document_id: 'text';
    /** The shipments of the document. */
    shipments: 'ids';
    /** The containers of the document. */
    cargos: 'ids';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** One of your own fields on shipments or containers. */
  custom_field_definitions: {
    /** Id of the record. */ id: 'text not null';
    /** Kind of record that has the field. `Cargo` is a container. */
    entity_type: 'text';
    /** Name of the field for programs: unique in the account, fixed after creation. */
    api_slug: 'text';
    /** Name of the field for people. */
    display_name: 'text';
    /** Purpose of the field, for people. */
    description: 'text';
    /** Kind of value. Fixed after creation. */
    data_type: 'text';
    /** The type of record that a `reference` names; `null` for other data types. */
    reference_type: 'text';
    /** Rules for values, free form. Known keys: `required`, `pattern`, `max_length`. */
    validation: 'json';
    /** Format of `display_value`, for numbers and dates. */
    default_format: 'text';
    /** The value for records without a value. */
    default_value: 'json';
    /** The template of the service from which the definition was made. */
    template_id: 'text';
    /** `true` if values count as references, so that the search finds them. */
    reference_number: 'boolean';
    /** `true` if only authorized users see the values. */
    sensitive: 'boolean';
    /** When the definition was archived; `null` while it can be used. */
    discarded_at: 'timestamp';
    /** When the definition was made. */
    created_at: 'timestamp';
    /** When the definition was last changed. */
    updated_at: 'timestamp';
    /** The account that has the field. May be `null`. */
    account_id: 'text';
    /** The values of the field on all records. */
    fields: 'ids';
    /** The options, if `data_type` is `enum` or `enum_multi`. */
    options: 'ids';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /** The value of a definition on one record. */
  custom_fields: {
    /** Id of the record. */ id: 'text not null';
    /** Name of the definition for programs. */
    api_slug: 'text';
    /** The stored value. An `enum_multi` may be sent as an array or as text with commas. */
    value: 'json';
    /** The value, formatted for people. */
    display_value: 'text';
    /** Time of the last change. */
    updated_at: 'timestamp';
    /** The record that has the value. */
    entity_id: 'text';
    /** The record that has the value. */
    entity_type: 'text';
    /** The definition of the value; `null` if the account does not have it. */
    definition_id: 'text';
    /** The whole record. Empty if only its deletion is known. */
    record: 'json';
    /** The time at which the service knew this content. Empty if only the deletion of the record is known. */
    as_of: 'timestamp';
    /** The last time at which the service was known not to have the record. Empty while it has it. */
    deleted_at: 'timestamp';
  };
  /**
   * The containers that are at a terminal and were not collected yet. The columns have the terminal, the holds, and the
   * earliest last free day at the terminal (free until the end of that day).
   */
  pickups: {
    container_id: 'text not null';
    number: 'text';
    current_status: 'text';
    ready_for_pickup: 'boolean';
    last_free_day: 'date';
    pickup_appointment_at: 'timestamp';
    terminal: 'text';
    firms_code: 'text';
    location_at_terminal: 'text';
    timezone: 'text';
    holds: 'json';
    fees: 'json';
    discharged_at: 'timestamp';
    checked_at: 'timestamp';
    shipment_id: 'text';
    bill_of_lading_number: 'text';
    ref_numbers: 'json';
    shipping_line_name: 'text';
    customer_name: 'text';
    stage: 'text not null';
    pickup: 'text';
    last_free_day_source: 'text';
    last_free_day_timezone: 'text';
  };
  /**
   * The shipments that leave or arrive later than the first estimate, with the delay in days. The delay is computed from
   * the actual time if it is known, otherwise from the latest estimate.
   */
  delays: {
    shipment_id: 'text not null';
    bill_of_lading_number: 'text';
    ref_numbers: 'json';
    shipping_line_name: 'text';
    customer_name: 'text';
    port_of_lading_name: 'text';
    port_of_discharge_name: 'text';
    destination_name: 'text';
    pod_vessel_name: 'text';
    original_departure_at: 'timestamp';
    departure_at: 'timestamp';
    departure_days_late: 'number';
    original_arrival_at: 'timestamp';
    arrival_at: 'timestamp';
    arrival_days_late: 'number';
    original_destination_at: 'timestamp';
    destination_at: 'timestamp';
    destination_days_late: 'number';
    has_arrived: 'boolean not null';
  };
  /** Each value that a field had. The value of a hold is its status. The value of a fee is its amount and currency. */
  history: {
    record_type: 'text not null';
    record_id: 'text not null';
    field: 'text not null';
    item: 'text not null';
    value: 'text not null';
    valid_from: 'timestamp not null';
    valid_until: 'timestamp';
  };
  /** Each move of an estimate. `days_moved` is negative if the estimate became earlier. */
  eta_slips: {
    container_id: 'text';
    number: 'text';
    shipment_id: 'text';
    bill_of_lading_number: 'text';
    shipping_line_name: 'text';
    terminal: 'text';
    field: 'text not null';
    moved_at: 'timestamp not null';
    before_at: 'timestamp not null';
    after_at: 'timestamp not null';
    days_moved: 'number not null';
  };
  /** Each hold, with its duration in days. A hold that has not ended lasts until now. */
  holds_over_time: {
    container_id: 'text';
    number: 'text';
    shipment_id: 'text';
    bill_of_lading_number: 'text';
    shipping_line_name: 'text';
    terminal: 'text';
    hold: 'text not null';
    status: 'text not null';
    valid_from: 'timestamp not null';
    valid_until: 'timestamp';
    days: 'number not null';
  };
  /** Each status of a container, with its duration in days. A status that has not ended lasts until now. */
  dwell: {
    container_id: 'text';
    number: 'text';
    shipment_id: 'text';
    bill_of_lading_number: 'text';
    shipping_line_name: 'text';
    terminal: 'text';
    status: 'text not null';
    valid_from: 'timestamp not null';
    valid_until: 'timestamp';
    days: 'number not null';
  };
  /**
   * The shipments that have arrived, with the first and the last estimate that were known before the arrival. A shipment
   * is on time if it is at most one day late.
   */
  on_time: {
    shipment_id: 'text not null';
    bill_of_lading_number: 'text';
    shipping_line_name: 'text';
    terminal: 'text';
    first_estimate_at: 'timestamp not null';
    last_estimate_at: 'timestamp not null';
    estimates: 'number not null';
    arrived_at: 'timestamp not null';
    days_late: 'number not null';
    is_on_time: 'boolean not null';
  };
}

/** The table that each relation leads to, by table. A list stands for several rows. */
export interface SyncRelations {
  shipments: {
    port_of_lading: 'ports';
    port_of_discharge: 'ports';
    pod_terminal: 'terminals';
    destination_as_port: 'ports';
    destination_as_metro_area: 'metro_areas';
    destination_terminal_as_terminal: 'terminals';
    destination_terminal_as_rail_terminal: 'rail_terminals';
    containers: ['containers'];
  };
  containers: {
    shipment: 'shipments';
    pod_terminal: 'terminals';
    pickup_facility: 'terminals';
    transport_events: ['transport_events'];
  };
  transport_events: {
    shipment: 'shipments';
    container: 'containers';
    vessel: 'vessels';
    location_as_port: 'ports';
    location_as_metro_area: 'metro_areas';
    terminal_as_terminal: 'terminals';
    terminal_as_rail_terminal: 'rail_terminals';
    previous_version: 'transport_events';
  };
  tracking_requests: { tracked_object: 'shipments'; customer_as_party: 'parties' };
  ports: { terminals: ['terminals'] };
  terminals: { port: 'ports' };
  rail_terminals: { port: 'ports'; metro_area: 'metro_areas' };
  documents: { parent_document: 'documents' };
  custom_field_definitions: { fields: ['custom_fields'] };
  custom_fields: {
    entity_as_shipment: 'shipments';
    entity_as_container: 'containers';
    entity_as_tracking_request: 'tracking_requests';
    definition: 'custom_field_definitions';
  };
}
