// Written by `npm run generate` from description/. Do not edit.

import * as z from 'zod/mini';
import {
  date,
  dateOrNull,
  dateTime,
  dateTimeOrNull,
  degrees,
  flag,
  flagOrNull,
  json,
  jsonOrNull,
  many,
  members,
  number,
  numberOrNull,
  one,
  oneOrNull,
  resource,
  text,
  textOrNull,
  texts,
  unknown,
} from '../../schemas/fields.ts';

const trackingSlots = z.lazy(() => z.looseObject({ limit: number, used: number, remaining: number }));

const credentialFeature = z.lazy(() => z.looseObject({ status: text }));

const credentialFeatures = z.lazy(() => z.catchall(z.object({}), credentialFeature));

const terminalFee = z.lazy(() => z.looseObject({ type: text, amount: number, currency_code: z.exactOptional(text) }));

const terminalHold = z.lazy(() =>
  z.looseObject({ name: text, status: text, description: textOrNull, detail: z.exactOptional(textOrNull) }),
);

const containerChangeset = z.lazy(() =>
  z.catchall(
    z.object({
      available_for_pickup: z.exactOptional(z.tuple([flagOrNull, flagOrNull])),
      pickup_lfd: z.exactOptional(z.tuple([dateTimeOrNull, dateTimeOrNull])),
      pickup_lfd_line: z.exactOptional(z.tuple([dateTimeOrNull, dateTimeOrNull])),
      pickup_lfd_rail: z.exactOptional(z.tuple([dateTimeOrNull, dateTimeOrNull])),
      fees_at_pod_terminal: z.exactOptional(
        z.tuple([z.nullable(z.array(terminalFee)), z.nullable(z.array(terminalFee))]),
      ),
      holds_at_pod_terminal: z.exactOptional(
        z.tuple([z.nullable(z.array(terminalHold)), z.nullable(z.array(terminalHold))]),
      ),
      pickup_appointment_at: z.exactOptional(z.tuple([dateTimeOrNull, dateTimeOrNull])),
      pod_terminal: z.exactOptional(z.tuple([textOrNull, textOrNull])),
    }),
    z.tuple([unknown, unknown]),
  ),
);

const portDeadline = z.lazy(() =>
  z.looseObject({ original: dateTimeOrNull, current: dateTimeOrNull, calculated: dateTimeOrNull, manual: flag }),
);

const chosenDeadline = z.lazy(() =>
  z.looseObject({
    original_value: dateTimeOrNull,
    original_selection: textOrNull,
    current_value: dateTimeOrNull,
    current_selection: textOrNull,
  }),
);

const portDeadlines = z.lazy(() =>
  z.looseObject({
    line: z.exactOptional(z.nullable(portDeadline)),
    facility: z.exactOptional(z.nullable(portDeadline)),
    unified: z.exactOptional(z.nullable(chosenDeadline)),
  }),
);

const importDeadlines = z.lazy(() =>
  z.looseObject({
    pickup_lfd_line: dateTimeOrNull,
    pickup_lfd_terminal: dateTimeOrNull,
    pickup_lfd_rail: dateTimeOrNull,
    pod: z.exactOptional(portDeadlines),
  }),
);

const customFieldValue = z.lazy(() => z.nullable(z.union([text, number, flag, texts, json])));

const packetSegment = z.lazy(() => z.looseObject({ startPage: number, endPage: number }));

const documentParts = z.lazy(() => z.looseObject({ packetSegment: z.exactOptional(packetSegment) }));

const terminalProvidedData = z.lazy(() =>
  z.looseObject({
    pickup_lfd: z.exactOptional(flag),
    pod_full_out_at: z.exactOptional(flag),
    available_for_pickup: z.exactOptional(flag),
    fees_at_pod_terminal: z.exactOptional(flag),
    holds_at_pod_terminal: z.exactOptional(flag),
    pickup_appointment_at: z.exactOptional(flag),
    location_at_pod_terminal: z.exactOptional(flag),
    pod_full_out_chassis_number: z.exactOptional(flag),
    empty_terminated_at: z.exactOptional(flag),
    pickup_lfd_notes: z.exactOptional(text),
    pod_full_out_at_notes: z.exactOptional(text),
    available_for_pickup_notes: z.exactOptional(text),
    fees_at_pod_terminal_notes: z.exactOptional(text),
    holds_at_pod_terminal_notes: z.exactOptional(text),
    pickup_appointment_at_notes: z.exactOptional(text),
    location_at_pod_terminal_notes: z.exactOptional(text),
    pod_full_out_chassis_number_notes: z.exactOptional(text),
    empty_terminated_at_notes: z.exactOptional(text),
  }),
);

const shippingLineProvidedData = z.lazy(() =>
  z.looseObject({
    ssl_lfd: z.exactOptional(flag),
    seal_number: z.exactOptional(flag),
    weight_in_lbs: z.exactOptional(flag),
    equipment_type: z.exactOptional(flag),
    equipment_height: z.exactOptional(flag),
    equipment_length: z.exactOptional(flag),
    pod_arrived_at: z.exactOptional(flag),
    pod_full_out_at: z.exactOptional(flag),
    pod_discharged_at: z.exactOptional(flag),
    empty_terminated_at: z.exactOptional(flag),
    final_destination_full_out_at: z.exactOptional(flag),
    ssl_lfd_notes: z.exactOptional(text),
    seal_number_notes: z.exactOptional(text),
    weight_in_lbs_notes: z.exactOptional(text),
    equipment_type_notes: z.exactOptional(text),
    equipment_height_notes: z.exactOptional(text),
    equipment_length_notes: z.exactOptional(text),
    pod_arrived_at_notes: z.exactOptional(text),
    pod_full_out_at_notes: z.exactOptional(text),
    pod_discharged_at_notes: z.exactOptional(text),
    empty_terminated_at_notes: z.exactOptional(text),
    final_destination_full_out_at_notes: z.exactOptional(text),
  }),
);

const numberValidation = z.lazy(() =>
  z.looseObject({
    is_valid: flagOrNull,
    type: text,
    check_digit_passed: z.exactOptional(flagOrNull),
    parsed_number: z.exactOptional(textOrNull),
    reason: z.exactOptional(textOrNull),
  }),
);

const inferredShippingLine = z.lazy(() => z.looseObject({ scac: text, name: text, confidence: number }));

const inferredCarrier = z.lazy(() =>
  z.looseObject({
    decision: text,
    selected: z.nullable(inferredShippingLine),
    candidates: z.array(inferredShippingLine),
  }),
);

const vesselPosition = z.lazy(() =>
  z.looseObject({ latitude: number, longitude: number, heading: numberOrNull, timestamp: dateTime, estimated: flag }),
);

const webhookHeader = z.lazy(() => z.looseObject({ name: text, value: text }));

const webhookEvent = z.lazy(() => z.looseObject({ name: text, description: text }));

const containerCount = z.lazy(() => z.looseObject({ key: textOrNull, label: textOrNull, count: number }));

const containerCountsMeta = z.lazy(() => z.looseObject({ total: number, group_by: text, truncated: flag }));

const textByName = z.lazy(() => z.catchall(z.object({}), text));

const uploadSlot = z.lazy(() => z.looseObject({ url: text, headers: textByName }));

const documentTypeStructure = z.lazy(() => z.looseObject({ id: text, version: text, format: text, payload: json }));

const detailedDocumentType = z.lazy(() =>
  z.looseObject({ code: text, label: text, description: z.exactOptional(text), schema: documentTypeStructure }),
);

const documentTypeVersion = z.lazy(() => z.looseObject({ id: text, version: text, detail_url: text }));

const documentType = z.lazy(() =>
  z.looseObject({
    code: text,
    label: text,
    description: z.exactOptional(text),
    schema: z.exactOptional(documentTypeVersion),
  }),
);

/** A party, as it is on the wire. */
export const party = z.lazy(() => resource('party', { company_name: text }, {}));

/** An account, as it is on the wire. */
export const account = z.lazy(() =>
  resource(
    'account',
    {
      company_name: text,
      custom_field_limit: number,
      company_type: textOrNull,
      scac: textOrNull,
      abbr_name: textOrNull,
      city: textOrNull,
      state_abbr: textOrNull,
      country: textOrNull,
      plan: textOrNull,
      tracking_slots: z.nullable(trackingSlots),
    },
    {},
  ),
);

/** A user, as it is on the wire. */
export const user = z.lazy(() =>
  resource(
    'user',
    { email: text, name: textOrNull, role: text, job_role: textOrNull, job_title: textOrNull, admin: flag },
    { accounts: many('account') },
  ),
);

/** A credential, as it is on the wire. */
export const credential = z.lazy(() =>
  resource(
    'credential',
    { kind: text, channel: text, name: textOrNull, features: credentialFeatures },
    { account: one('account'), user: oneOrNull('user') },
  ),
);

/** A transport event, as it is on the wire. */
export const transportEvent = z.lazy(() =>
  resource(
    'transport_event',
    {
      event: text,
      timestamp: dateTimeOrNull,
      timezone: textOrNull,
      location_locode: textOrNull,
      voyage_number: textOrNull,
      data_source: text,
      created_at: dateTime,
      invalidated_at: dateTimeOrNull,
      value: textOrNull,
      value_timestamp: dateTimeOrNull,
    },
    {
      shipment: one('shipment'),
      container: one('container'),
      vessel: oneOrNull('vessel'),
      location: oneOrNull('port', 'metro_area'),
      terminal: oneOrNull('terminal', 'rail_terminal'),
      source_event: oneOrNull('raw_event'),
      previous_version: oneOrNull('transport_event'),
    },
  ),
);

/** A raw event, as it is on the wire. */
export const rawEvent = z.lazy(() =>
  resource(
    'raw_event',
    {
      event: textOrNull,
      original_event: textOrNull,
      timestamp: dateTime,
      estimated: flag,
      actual_at: dateTimeOrNull,
      estimated_at: dateTimeOrNull,
      actual_on: dateOrNull,
      estimated_on: dateOrNull,
      will_occur_at: dateTimeOrNull,
      invalidated_at: dateTimeOrNull,
      index: number,
      created_at: dateTime,
      data_source: text,
      data_provider_name: text,
      data_provider_code: text,
      voyage_number: textOrNull,
      location_name: textOrNull,
      location_locode: textOrNull,
      vessel_name: textOrNull,
      vessel_imo: textOrNull,
      timezone: textOrNull,
    },
    {
      location: oneOrNull('port', 'metro_area'),
      vessel: oneOrNull('vessel'),
      container: one('container'),
      terminal: oneOrNull('terminal'),
    },
  ),
);

/** An estimated event, as it is on the wire. */
export const estimatedEvent = z.lazy(() =>
  resource(
    'estimated_event',
    {
      event: text,
      estimated_timestamp: dateTime,
      created_at: dateTime,
      location_locode: textOrNull,
      timezone: textOrNull,
      voyage_number: textOrNull,
      data_source: text,
    },
    { shipment: one('shipment'), port: oneOrNull('port'), vessel: oneOrNull('vessel') },
  ),
);

/** A container updated event, as it is on the wire. */
export const containerUpdatedEvent = z.lazy(() =>
  resource(
    'container_updated_event',
    { changeset: containerChangeset, timestamp: dateTime, timezone: text, data_source: text },
    { container: one('container'), terminal: one('terminal'), shipment: one('shipment') },
  ),
);

/** A container created event, as it is on the wire. */
export const containerCreatedEvent = z.lazy(() =>
  resource(
    'container_created_event',
    { timestamp: dateTime, timezone: text },
    { container: one('container'), shipment: one('shipment') },
  ),
);

/** A container pod terminal changed event, as it is on the wire. */
export const containerPodTerminalChangedEvent = z.lazy(() =>
  resource(
    'container_pod_terminal_changed_event',
    { timestamp: dateTime, data_source: text },
    { container: one('container'), shipment: one('shipment'), terminal: one('terminal') },
  ),
);

/** A container, as it is on the wire. */
export const container = z.lazy(() =>
  resource(
    'container',
    {
      number: text,
      ref_numbers: z.nullable(texts),
      equipment_type: textOrNull,
      equipment_length: numberOrNull,
      equipment_height: textOrNull,
      weight_in_lbs: numberOrNull,
      created_at: dateTime,
      seal_number: textOrNull,
      current_status: textOrNull,
      availability_known: flagOrNull,
      available_for_pickup: flagOrNull,
      pickup_lfd: dateTimeOrNull,
      pickup_appointment_at: dateTimeOrNull,
      pod_arrived_at: dateTimeOrNull,
      pod_discharged_at: dateTimeOrNull,
      pod_full_out_at: dateTimeOrNull,
      pod_full_out_chassis_number: textOrNull,
      location_at_pod_terminal: textOrNull,
      final_destination_full_out_at: dateTimeOrNull,
      empty_terminated_at: dateTimeOrNull,
      terminal_checked_at: dateTimeOrNull,
      holds_at_pod_terminal: z.nullable(z.array(terminalHold)),
      fees_at_pod_terminal: z.nullable(z.array(terminalFee)),
      pod_timezone: textOrNull,
      final_destination_timezone: textOrNull,
      empty_terminated_timezone: textOrNull,
      pod_rail_carrier_scac: textOrNull,
      ind_rail_carrier_scac: textOrNull,
      pod_rail_loaded_at: dateTimeOrNull,
      pod_rail_departed_at: dateTimeOrNull,
      ind_eta_at: dateTimeOrNull,
      ind_ata_at: dateTimeOrNull,
      ind_rail_unloaded_at: dateTimeOrNull,
      ind_facility_lfd_on: dateTimeOrNull,
      import_deadlines: z.nullable(importDeadlines),
      pod_last_tracking_request_at: dateTimeOrNull,
      shipment_last_tracking_request_at: dateTimeOrNull,
      rail_last_tracking_request_at: dateTimeOrNull,
      delivered_at: dateTimeOrNull,
      empty_out_at: dateTimeOrNull,
      pol_full_in_at: dateTimeOrNull,
      pol_vessel_loaded_at: dateTimeOrNull,
      pol_vessel_departed_at: dateTimeOrNull,
      ind_facility_holds: unknown,
      ind_facility_fees: unknown,
      ssl_lfd: unknown,
      release_statuses: unknown,
      inland_destination_eta_source_summary: unknown,
    },
    {
      party_roles: many('party_role'),
      shipment: oneOrNull('shipment'),
      pod_terminal: oneOrNull('terminal'),
      pickup_facility: oneOrNull('terminal'),
      transport_events: many('transport_event'),
      raw_events: many('raw_event'),
    },
  ),
);

/** A custom field definition, as it is on the wire. */
export const customFieldDefinition = z.lazy(() =>
  resource(
    'custom_field_definition',
    {
      entity_type: text,
      api_slug: text,
      display_name: text,
      description: textOrNull,
      data_type: text,
      reference_type: textOrNull,
      validation: jsonOrNull,
      default_format: textOrNull,
      default_value: customFieldValue,
      template_id: textOrNull,
      reference_number: flag,
      sensitive: flag,
      discarded_at: dateTimeOrNull,
      created_at: dateTime,
      updated_at: dateTime,
    },
    { account: oneOrNull('account'), fields: many('custom_field'), options: many('custom_field_option') },
  ),
);

/** A custom field option, as it is on the wire. */
export const customFieldOption = z.lazy(() =>
  resource('custom_field_option', { label: text, value: text, position: numberOrNull }, {}),
);

/** A custom field, as it is on the wire. */
export const customField = z.lazy(() =>
  resource(
    'custom_field',
    { api_slug: text, value: customFieldValue, display_value: textOrNull, updated_at: dateTime },
    { entity: one('shipment', 'container', 'tracking_request'), definition: oneOrNull('custom_field_definition') },
  ),
);

/** A document, as it is on the wire. */
export const document = z.lazy(() =>
  resource(
    'document',
    {
      name: text,
      document_type: textOrNull,
      document_type_manual: textOrNull,
      classification_notes: textOrNull,
      source: text,
      file_name: text,
      file_content_type: textOrNull,
      file_size_bytes: numberOrNull,
      parsed: z.nullable(documentParts),
      file_url: text,
      created_at: dateTime,
      updated_at: dateTime,
    },
    {
      account: one('account'),
      user: oneOrNull('user'),
      email_submission: oneOrNull('email_submission'),
      last_document_representation: oneOrNull('document_representation'),
      current_extraction: oneOrNull('document_representation'),
      parent_document: oneOrNull('document'),
      shipments: many('shipment'),
      cargos: many('container'),
    },
  ),
);

/** A document representation, as it is on the wire. */
export const documentRepresentation = z.lazy(() =>
  resource(
    'document_representation',
    { schema_version: text, payload: json, created_at: dateTime, updated_at: dateTime },
    {},
  ),
);

/** A document schema, as it is on the wire. */
export const documentSchema = z.lazy(() =>
  resource(
    'document_schema',
    {
      document_type: text,
      label: text,
      schema_version: text,
      full_version: text,
      current: flag,
      draft: flag,
      active_at: dateTimeOrNull,
      schema_format: text,
      description: textOrNull,
      schema_payload: json,
      created_at: dateTime,
      updated_at: dateTime,
    },
    {},
  ),
);

/** An email submission, as it is on the wire. */
export const emailSubmission = z.lazy(() =>
  resource(
    'email_submission',
    {
      subject: textOrNull,
      body: textOrNull,
      body_preview: textOrNull,
      from: texts,
      to: texts,
      cc: texts,
      sent_at: dateTimeOrNull,
      message_id: textOrNull,
      in_reply_to: textOrNull,
      content_type: textOrNull,
      references: texts,
      documents_count: number,
      created_at: dateTime,
      updated_at: dateTime,
    },
    { account: one('account'), user: oneOrNull('user'), documents: many('document') },
  ),
);

/** A party role, as it is on the wire. */
export const partyRole = z.lazy(() =>
  resource(
    'party_role',
    { role: text, roleable_type: text, roleable_id: text, created_at: dateTime, updated_at: dateTime },
    { party: one('party') },
  ),
);

/** A port, as it is on the wire. */
export const port = z.lazy(() =>
  resource(
    'port',
    {
      name: text,
      code: text,
      state_abbr: textOrNull,
      city: textOrNull,
      country_code: text,
      latitude: degrees,
      longitude: degrees,
      time_zone: text,
    },
    { terminals: many('terminal') },
  ),
);

/** A metro area, as it is on the wire. */
export const metroArea = z.lazy(() =>
  resource(
    'metro_area',
    {
      name: text,
      code: text,
      state_abbr: textOrNull,
      country_code: text,
      latitude: degrees,
      longitude: degrees,
      time_zone: text,
    },
    {},
  ),
);

/** A terminal, as it is on the wire. */
export const terminal = z.lazy(() =>
  resource(
    'terminal',
    {
      name: text,
      nickname: text,
      firms_code: text,
      smdg_code: textOrNull,
      bic_facility_code: textOrNull,
      street: textOrNull,
      city: text,
      state: textOrNull,
      state_abbr: textOrNull,
      zip: text,
      country: textOrNull,
      facility_type: text,
      provided_data: terminalProvidedData,
    },
    { port: one('port') },
  ),
);

/** A rail terminal, as it is on the wire. */
export const railTerminal = z.lazy(() =>
  resource(
    'rail_terminal',
    { name: text, nickname: text, firms_code: text, city: text },
    { port: oneOrNull('port'), metro_area: one('metro_area') },
  ),
);

/** A route, as it is on the wire. */
export const route = z.lazy(() =>
  resource(
    'route',
    { created_at: dateTime, updated_at: dateTime },
    { cargo: one('container'), shipment: one('shipment'), route_locations: many('route_location') },
  ),
);

/** A route location, as it is on the wire. */
export const routeLocation = z.lazy(() =>
  resource(
    'route_location',
    {
      inbound_scac: textOrNull,
      inbound_mode: textOrNull,
      inbound_voyage_number: textOrNull,
      inbound_eta_at: dateTimeOrNull,
      inbound_ata_at: dateTimeOrNull,
      outbound_scac: textOrNull,
      outbound_mode: textOrNull,
      outbound_voyage_number: textOrNull,
      outbound_etd_at: dateTimeOrNull,
      outbound_atd_at: dateTimeOrNull,
      created_at: dateTime,
      updated_at: dateTime,
    },
    {
      route: one('route'),
      location: one('port', 'terminal'),
      facility: one('terminal', 'port'),
      inbound_vessel: oneOrNull('vessel'),
      outbound_vessel: oneOrNull('vessel'),
    },
  ),
);

/** A search result, as it is on the wire. `type` may have another value (docs/service/contradictions.md#type-of-a-search-hit). */
export const searchResult = z.lazy(() =>
  z.looseObject({
    id: text,
    type: text,
    ...members(
      {
        entity_type: text,
        number: text,
        shipment_id: textOrNull,
        scac: textOrNull,
        port_of_lading_name: textOrNull,
        port_of_discharge_name: textOrNull,
        containers_count: numberOrNull,
        tracking_stopped: flagOrNull,
        tracking_stopped_reason: textOrNull,
        status: textOrNull,
        failed_reason: textOrNull,
        ref_numbers: texts,
        created_at: dateTime,
        updated_at: dateTime,
      },
      {},
    ),
  }),
);

/** A shipment, as it is on the wire. */
export const shipment = z.lazy(() =>
  resource(
    'shipment',
    {
      created_at: dateTime,
      ref_numbers: z.nullable(z.array(textOrNull)),
      tags: texts,
      bill_of_lading_number: text,
      normalized_number: text,
      shipping_line_scac: text,
      shipping_line_name: text,
      shipping_line_short_name: text,
      customer_name: textOrNull,
      port_of_lading_locode: textOrNull,
      port_of_lading_name: textOrNull,
      port_of_discharge_locode: textOrNull,
      port_of_discharge_name: textOrNull,
      destination_locode: textOrNull,
      destination_name: textOrNull,
      pod_vessel_name: textOrNull,
      pod_vessel_imo: textOrNull,
      pod_voyage_number: textOrNull,
      pol_etd_at: dateTimeOrNull,
      pol_atd_at: dateTimeOrNull,
      pol_original_etd_at: dateTimeOrNull,
      pod_eta_at: dateTimeOrNull,
      pod_original_eta_at: dateTimeOrNull,
      pod_ata_at: dateTimeOrNull,
      destination_eta_at: dateTimeOrNull,
      destination_original_eta_at: dateTimeOrNull,
      destination_ata_at: dateTimeOrNull,
      pol_timezone: textOrNull,
      pod_timezone: textOrNull,
      destination_timezone: textOrNull,
      line_tracking_last_attempted_at: dateTimeOrNull,
      line_tracking_last_succeeded_at: dateTimeOrNull,
      line_tracking_stopped_at: dateTimeOrNull,
      line_tracking_stopped_reason: textOrNull,
    },
    {
      port_of_lading: oneOrNull('port'),
      port_of_discharge: oneOrNull('port'),
      pod_terminal: oneOrNull('terminal'),
      destination: oneOrNull('port', 'metro_area'),
      destination_terminal: oneOrNull('terminal', 'rail_terminal'),
      line_tracking_stopped_by_user: oneOrNull('user'),
      containers: many('container'),
      party_roles: many('party_role'),
    },
  ),
);

/** A shipping line, as it is on the wire. */
export const shippingLine = z.lazy(() =>
  resource(
    'shipping_line',
    {
      scac: text,
      name: text,
      short_name: text,
      alternative_scacs: texts,
      bill_of_lading_tracking_support: flag,
      booking_number_tracking_support: flag,
      container_number_tracking_support: flag,
      provided_data: shippingLineProvidedData,
      tracking_url: textOrNull,
      contact_url: textOrNull,
      bol_prefix: text,
    },
    {},
  ),
);

/** A tracking request, as it is on the wire. */
export const trackingRequest = z.lazy(() =>
  resource(
    'tracking_request',
    {
      request_number: text,
      request_type: text,
      scac: textOrNull,
      ref_numbers: z.nullable(texts),
      shipment_tags: texts,
      tags: texts,
      status: text,
      failed_reason: textOrNull,
      is_retrying: flag,
      retry_count: numberOrNull,
      created_at: dateTime,
      updated_at: dateTime,
    },
    { tracked_object: oneOrNull('shipment'), customer: oneOrNull('party', 'account'), user: oneOrNull('user') },
  ),
);

/** An infer number results, as it is on the wire. May come without `id` and `type` (docs/service/contradictions.md#inferred-numbers-without-identity). */
export const inferNumberResults = z.lazy(() =>
  z.looseObject({
    id: z.exactOptional(text),
    type: z.exactOptional(z.literal('infer_number_results')),
    ...members({ number_type: text, validation: numberValidation, shipping_line: inferredCarrier }, {}),
  }),
);

/** A vessel, as it is on the wire. */
export const vessel = z.lazy(() =>
  resource(
    'vessel',
    {
      name: text,
      imo: textOrNull,
      mmsi: textOrNull,
      latitude: numberOrNull,
      longitude: numberOrNull,
      nautical_speed_knots: numberOrNull,
      navigational_heading_degrees: numberOrNull,
      position_timestamp: dateTimeOrNull,
      positions: z.nullable(z.array(vesselPosition)),
    },
    {},
  ),
);

/** A webhook, as it is on the wire. */
export const webhook = z.lazy(() =>
  resource(
    'webhook',
    {
      url: text,
      active: flag,
      events: texts,
      secret: text,
      headers: z.nullable(z.array(webhookHeader)),
      created_at: dateTime,
    },
    {},
  ),
);

/** A webhook notification, as it is on the wire. */
export const webhookNotification = z.lazy(() =>
  resource(
    'webhook_notification',
    { event: text, delivery_status: text, created_at: dateTime, version: date },
    {
      reference_object: one(
        'tracking_request',
        'transport_event',
        'estimated_event',
        'container_updated_event',
        'container_created_event',
        'container_pod_terminal_changed_event',
        'document',
      ),
      webhook: one('webhook'),
      webhook_notification_logs: many(),
      document: one('document'),
    },
  ),
);

/** A webhook event category, as it is on the wire. */
export const webhookEventCategory = z.lazy(() =>
  resource('webhook_event_category', { name: text, events: z.array(webhookEvent) }, {}),
);

/** The response of `containers.refresh`. */
export const refreshResult = z.lazy(() => z.looseObject({ message: text }));

/** The response of `containers.summary`. */
export const containerCounts = z.lazy(() =>
  z.looseObject({ data: z.array(containerCount), meta: containerCountsMeta }),
);

/** The response of `directUploads.create`. */
export const directUpload = z.lazy(() =>
  z.looseObject({
    id: text,
    key: text,
    filename: text,
    content_type: text,
    metadata: json,
    service_name: text,
    byte_size: number,
    checksum: text,
    created_at: dateTime,
    signed_id: text,
    direct_upload: uploadSlot,
  }),
);

/** The response of `documents.downloadUrl`. */
export const downloadUrl = z.lazy(() => z.looseObject({ download_url: text }));

/** The response of `documents.reclassify`, `documents.reextract`, `documents.relink` and `documents.rotate`. */
export const accepted = z.lazy(() => z.looseObject({ status: text }));

/** The response of `documents.type`. */
export const documentTypeDetail = z.lazy(() => z.looseObject({ document_type: detailedDocumentType }));

/** The response of `documents.types`. */
export const documentTypes = z.lazy(() => z.looseObject({ document_types: z.array(documentType) }));

/** The response of `webhooks.ips`. */
export const webhookIps = z.lazy(() => z.looseObject({ webhook_notification_ips: texts, last_updated: dateTime }));

/** The response of `webhooks.trigger`. */
export const triggerResult = z.lazy(() =>
  z.looseObject({
    url: text,
    succeeded: flag,
    error: textOrNull,
    status_code: numberOrNull,
    request_headers: json,
    request_body: text,
    response_headers: jsonOrNull,
    response_body: textOrNull,
  }),
);

/** The schema of every resource type, by its name on the wire. */
export const schemas = {
  party,
  account,
  user,
  credential,
  transport_event: transportEvent,
  raw_event: rawEvent,
  estimated_event: estimatedEvent,
  container_updated_event: containerUpdatedEvent,
  container_created_event: containerCreatedEvent,
  container_pod_terminal_changed_event: containerPodTerminalChangedEvent,
  container,
  custom_field_definition: customFieldDefinition,
  custom_field_option: customFieldOption,
  custom_field: customField,
  document,
  document_representation: documentRepresentation,
  document_schema: documentSchema,
  email_submission: emailSubmission,
  party_role: partyRole,
  port,
  metro_area: metroArea,
  terminal,
  rail_terminal: railTerminal,
  route,
  route_location: routeLocation,
  search_result: searchResult,
  shipment,
  shipping_line: shippingLine,
  tracking_request: trackingRequest,
  infer_number_results: inferNumberResults,
  vessel,
  webhook,
  webhook_notification: webhookNotification,
  webhook_event_category: webhookEventCategory,
};
