// Written by `npm run generate` from description/. Do not edit.

import * as z from 'zod/mini';
import {
  flag,
  flagOrNull,
  json,
  number,
  numberOrNull,
  text,
  textOrNull,
  texts,
  unknown,
} from '../../schemas/fields.ts';

const foundContainer = z.lazy(() =>
  z.looseObject({
    id: text,
    container_number: text,
    status: z.exactOptional(text),
    shipping_line: text,
    pod_terminal: z.exactOptional(textOrNull),
    pol_terminal: z.exactOptional(textOrNull),
    destination: z.exactOptional(textOrNull),
    duplicate_number: z.exactOptional(flag),
  }),
);

const foundShipment = z.lazy(() =>
  z.looseObject({ id: text, ref_numbers: texts, shipping_line: text, container_count: z.exactOptional(number) }),
);

const searchContainerResult = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    containers: z.array(foundContainer),
    shipments: z.array(foundShipment),
    total_results: number,
  }),
);

const demurrage = z.lazy(() =>
  z.looseObject({
    pickup_lfd: z.exactOptional(textOrNull),
    pickup_lfd_local: z.exactOptional(text),
    last_free_days: z.looseObject({
      terminal: z.exactOptional(textOrNull),
      rail: z.exactOptional(textOrNull),
      line: z.exactOptional(textOrNull),
    }),
    pickup_appointment_at: z.exactOptional(textOrNull),
    fees_at_pod_terminal: z.exactOptional(z.nullable(z.array(unknown))),
    fees_total_amount: z.exactOptional(numberOrNull),
    fees_currency_code: z.exactOptional(textOrNull),
    holds_at_pod_terminal: z.exactOptional(z.nullable(z.array(unknown))),
    urgency: text,
    pickup_lfd_source: z.exactOptional(textOrNull),
    pickup_lfd_local_date: z.exactOptional(textOrNull),
    urgency_suppressed: flag,
    urgency_reason: z.exactOptional(textOrNull),
    days_until_lfd: z.exactOptional(numberOrNull),
  }),
);

const terminalSummary = z.lazy(() =>
  z.looseObject({ id: text, name: z.exactOptional(textOrNull), firms_code: z.exactOptional(textOrNull) }),
);

const containerMetadata = z.lazy(() =>
  z.looseObject({
    presentation_guidance: z.exactOptional(text),
    container_state: z.exactOptional(text),
    status_is_authoritative: z.exactOptional(flag),
    derived_lifecycle: z.exactOptional(text),
    includes_loaded: z.exactOptional(texts),
    can_answer: z.exactOptional(texts),
    needs_more_data_for: z.exactOptional(texts),
    relevant_for_current_state: z.exactOptional(texts),
  }),
);

const inferResult = z.lazy(() =>
  z.looseObject({
    inferred_type: z.exactOptional(textOrNull),
    selected_scac: z.exactOptional(textOrNull),
    source: z.exactOptional(text),
    data: z.exactOptional(json),
    fallback: z.exactOptional(text),
    reason: z.exactOptional(text),
  }),
);

const trackedContainer = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    id: text,
    container_number: text,
    created_at: z.exactOptional(textOrNull),
    status: text,
    status_source: text,
    equipment: z.looseObject({
      type: z.exactOptional(textOrNull),
      length: z.exactOptional(numberOrNull),
      height: z.exactOptional(textOrNull),
      weight_lbs: z.exactOptional(numberOrNull),
    }),
    location: z.looseObject({
      current_location: z.exactOptional(textOrNull),
      available_for_pickup: z.exactOptional(flagOrNull),
      availability_known: z.exactOptional(flagOrNull),
      pod_arrived_at: z.exactOptional(textOrNull),
      pod_arrived_at_local: z.exactOptional(text),
      pod_discharged_at: z.exactOptional(textOrNull),
      pod_discharged_at_local: z.exactOptional(text),
      pod_timezone: z.exactOptional(textOrNull),
    }),
    pickup: z.exactOptional(z.looseObject({ possible: text, reasons: texts })),
    journey: z.exactOptional(
      z.looseObject({
        stage: text,
        gate_out_at: z.exactOptional(textOrNull),
        gate_out_at_local: z.exactOptional(text),
        gate_out_from: z.exactOptional(textOrNull),
        delivered_at: z.exactOptional(textOrNull),
        delivered_at_local: z.exactOptional(text),
        empty_returned_at: z.exactOptional(textOrNull),
        empty_returned_at_local: z.exactOptional(text),
      }),
    ),
    demurrage: demurrage,
    rail: z.looseObject({
      pod_rail_carrier: z.exactOptional(textOrNull),
      pod_rail_loaded_at: z.exactOptional(textOrNull),
      destination_eta: z.exactOptional(textOrNull),
      destination_ata: z.exactOptional(textOrNull),
    }),
    shipment: z.exactOptional(
      z.nullable(
        z.looseObject({
          id: text,
          ref_numbers: z.exactOptional(z.nullable(texts)),
          line: z.exactOptional(textOrNull),
          shipping_line_name: z.exactOptional(textOrNull),
          port_of_lading_name: z.exactOptional(textOrNull),
          port_of_discharge_name: z.exactOptional(textOrNull),
          destination_name: z.exactOptional(textOrNull),
        }),
      ),
    ),
    pod_terminal: z.exactOptional(z.nullable(terminalSummary)),
    events: z.exactOptional(
      z.union([
        text,
        z.looseObject({
          count: number,
          rail_events_count: z.exactOptional(number),
          latest_event: z.exactOptional(
            z.looseObject({
              event: text,
              timestamp: z.exactOptional(textOrNull),
              location: z.exactOptional(textOrNull),
            }),
          ),
        }),
      ]),
    ),
    _metadata: containerMetadata,
    outcome: z.exactOptional(text),
    tracking_request_created: flag,
    infer_result: inferResult,
  }),
);

const trackingStarted = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    outcome: z.exactOptional(text),
    tracking_request_created: flag,
    infer_result: z.exactOptional(inferResult),
    tracking_request: z.looseObject({
      request_number: text,
      number_type: z.exactOptional(textOrNull),
      scac: z.exactOptional(textOrNull),
      container_id: z.exactOptional(textOrNull),
    }),
    _metadata: json,
  }),
);

const trackedShipment = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    outcome: z.exactOptional(text),
    tracking_request_created: z.literal(false),
    infer_result: z.exactOptional(inferResult),
    shipment: z.looseObject({
      id: text,
      bill_of_lading: z.exactOptional(textOrNull),
      line: z.exactOptional(textOrNull),
    }),
    containers: z.array(z.looseObject({ id: text, number: z.exactOptional(textOrNull) })),
    _metadata: json,
  }),
);

const trackedAlready = z.lazy(() =>
  z.strictObject({
    _response_contract: z.exactOptional(json),
    outcome: z.exactOptional(text),
    container: z.exactOptional(z.looseObject({ id: text })),
    tracking_request_created: z.literal(false),
    infer_result: z.exactOptional(inferResult),
    _metadata: json,
  }),
);

const notTracked = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    error: z.enum(['NotFound']),
    message: text,
    alternative: z.exactOptional(text),
    _metadata: z.exactOptional(json),
    tracking_request_created: z.literal(false),
  }),
);

const containerUnavailable = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    error: z.enum(['ContainerUnavailable']),
    message: text,
    alternative: z.exactOptional(text),
    _metadata: z.exactOptional(json),
    tracking_request_created: z.literal(false),
    container: z.looseObject({ id: text }),
  }),
);

const trackContainerResult = z.lazy(() =>
  z.union([trackedContainer, trackingStarted, trackedShipment, trackedAlready, notTracked, containerUnavailable]),
);

const containerDetails = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    id: text,
    container_number: text,
    created_at: z.exactOptional(textOrNull),
    status: text,
    status_source: text,
    equipment: z.looseObject({
      type: z.exactOptional(textOrNull),
      length: z.exactOptional(numberOrNull),
      height: z.exactOptional(textOrNull),
      weight_lbs: z.exactOptional(numberOrNull),
    }),
    location: z.looseObject({
      current_location: z.exactOptional(textOrNull),
      available_for_pickup: z.exactOptional(flagOrNull),
      availability_known: z.exactOptional(flagOrNull),
      pod_arrived_at: z.exactOptional(textOrNull),
      pod_arrived_at_local: z.exactOptional(text),
      pod_discharged_at: z.exactOptional(textOrNull),
      pod_discharged_at_local: z.exactOptional(text),
      pod_timezone: z.exactOptional(textOrNull),
    }),
    pickup: z.exactOptional(z.looseObject({ possible: text, reasons: texts })),
    journey: z.exactOptional(
      z.looseObject({
        stage: text,
        gate_out_at: z.exactOptional(textOrNull),
        gate_out_at_local: z.exactOptional(text),
        gate_out_from: z.exactOptional(textOrNull),
        delivered_at: z.exactOptional(textOrNull),
        delivered_at_local: z.exactOptional(text),
        empty_returned_at: z.exactOptional(textOrNull),
        empty_returned_at_local: z.exactOptional(text),
      }),
    ),
    demurrage: demurrage,
    rail: z.looseObject({
      pod_rail_carrier: z.exactOptional(textOrNull),
      pod_rail_loaded_at: z.exactOptional(textOrNull),
      destination_eta: z.exactOptional(textOrNull),
      destination_ata: z.exactOptional(textOrNull),
    }),
    shipment: z.exactOptional(
      z.nullable(
        z.looseObject({
          id: text,
          ref_numbers: z.exactOptional(z.nullable(texts)),
          line: z.exactOptional(textOrNull),
          shipping_line_name: z.exactOptional(textOrNull),
          port_of_lading_name: z.exactOptional(textOrNull),
          port_of_discharge_name: z.exactOptional(textOrNull),
          destination_name: z.exactOptional(textOrNull),
        }),
      ),
    ),
    pod_terminal: z.exactOptional(z.nullable(terminalSummary)),
    events: z.exactOptional(
      z.union([
        text,
        z.looseObject({
          count: number,
          rail_events_count: z.exactOptional(number),
          latest_event: z.exactOptional(
            z.looseObject({
              event: text,
              timestamp: z.exactOptional(textOrNull),
              location: z.exactOptional(textOrNull),
            }),
          ),
        }),
      ]),
    ),
    _metadata: containerMetadata,
  }),
);

const shipmentTerminal = z.lazy(() =>
  z.looseObject({
    id: text,
    name: z.exactOptional(textOrNull),
    firms_code: z.exactOptional(textOrNull),
    nickname: z.exactOptional(textOrNull),
  }),
);

const shipmentContainer = z.lazy(() =>
  z.looseObject({
    id: text,
    number: z.exactOptional(textOrNull),
    equipment_type: z.exactOptional(textOrNull),
    equipment_length: z.exactOptional(numberOrNull),
    available_for_pickup: z.exactOptional(flagOrNull),
    pod_arrived_at: z.exactOptional(textOrNull),
    pod_discharged_at: z.exactOptional(textOrNull),
    pickup_lfd: z.exactOptional(textOrNull),
  }),
);

const shipmentDetails = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    id: text,
    bill_of_lading: z.exactOptional(textOrNull),
    normalized_number: z.exactOptional(textOrNull),
    status: text,
    shipping_line: z.looseObject({
      scac: z.exactOptional(textOrNull),
      name: z.exactOptional(textOrNull),
      short_name: z.exactOptional(textOrNull),
    }),
    customer_name: z.exactOptional(textOrNull),
    reference_numbers: z.exactOptional(z.nullable(texts)),
    tags: z.exactOptional(z.nullable(texts)),
    routing: z.looseObject({
      port_of_lading: z.looseObject({
        locode: z.exactOptional(textOrNull),
        name: z.exactOptional(textOrNull),
        timezone: z.exactOptional(textOrNull),
        port_details: z.exactOptional(
          z.nullable(
            z.looseObject({ id: text, code: z.exactOptional(textOrNull), country_code: z.exactOptional(textOrNull) }),
          ),
        ),
        etd: z.exactOptional(textOrNull),
        atd: z.exactOptional(textOrNull),
      }),
      port_of_discharge: z.looseObject({
        locode: z.exactOptional(textOrNull),
        name: z.exactOptional(textOrNull),
        timezone: z.exactOptional(textOrNull),
        port_details: z.exactOptional(
          z.nullable(
            z.looseObject({ id: text, code: z.exactOptional(textOrNull), country_code: z.exactOptional(textOrNull) }),
          ),
        ),
        eta: z.exactOptional(textOrNull),
        ata: z.exactOptional(textOrNull),
        original_eta: z.exactOptional(textOrNull),
        terminal: z.exactOptional(z.nullable(shipmentTerminal)),
      }),
      destination: z.exactOptional(
        z.nullable(
          z.looseObject({
            locode: z.exactOptional(textOrNull),
            name: z.exactOptional(textOrNull),
            timezone: z.exactOptional(textOrNull),
            eta: z.exactOptional(textOrNull),
            ata: z.exactOptional(textOrNull),
            terminal: z.exactOptional(z.nullable(shipmentTerminal)),
          }),
        ),
      ),
    }),
    vessel_at_pod: z.looseObject({
      name: z.exactOptional(textOrNull),
      imo: z.exactOptional(textOrNull),
      voyage_number: z.exactOptional(textOrNull),
    }),
    containers: z.union([text, z.looseObject({ count: number, containers: z.array(shipmentContainer) })]),
    tracking: z.looseObject({
      line_tracking_last_attempted_at: z.exactOptional(textOrNull),
      line_tracking_last_succeeded_at: z.exactOptional(textOrNull),
      line_tracking_stopped_at: z.exactOptional(textOrNull),
      line_tracking_stopped_reason: z.exactOptional(textOrNull),
    }),
    created_at: z.exactOptional(textOrNull),
    updated_at: z.exactOptional(textOrNull),
    _metadata: json,
  }),
);

const containerTimeline = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    total_events: number,
    event_categories: z.looseObject({
      vessel_events: number,
      rail_events: number,
      truck_events: number,
      terminal_events: number,
      other_events: number,
    }),
    timeline: z.array(
      z.looseObject({
        event: text,
        timestamp: z.exactOptional(textOrNull),
        timezone: z.exactOptional(textOrNull),
        voyage_number: z.exactOptional(textOrNull),
        location: z.exactOptional(
          z.nullable(
            z.looseObject({
              name: z.exactOptional(textOrNull),
              code: z.exactOptional(textOrNull),
              type: z.exactOptional(textOrNull),
            }),
          ),
        ),
      }),
    ),
    milestones: z.looseObject({
      vessel_loaded_at: z.exactOptional(textOrNull),
      vessel_departed_at: z.exactOptional(textOrNull),
      vessel_arrived_at: z.exactOptional(textOrNull),
      discharged_at: z.exactOptional(textOrNull),
      rail_loaded_at: z.exactOptional(textOrNull),
      rail_departed_at: z.exactOptional(textOrNull),
      rail_arrived_at: z.exactOptional(textOrNull),
      gate_out_at: z.exactOptional(textOrNull),
      delivered_at: z.exactOptional(textOrNull),
      empty_returned_at: z.exactOptional(textOrNull),
    }),
    _metadata: json,
  }),
);

const shippingLines = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    total_lines: number,
    shipping_lines: z.array(
      z.looseObject({
        scac: text,
        name: text,
        short_name: z.exactOptional(textOrNull),
        bol_prefix: z.exactOptional(textOrNull),
        notes: z.exactOptional(textOrNull),
      }),
    ),
    _metadata: z.looseObject({
      presentation_guidance: z.exactOptional(text),
      error: z.exactOptional(text),
      remediation: z.exactOptional(text),
    }),
  }),
);

const containerRoute = z.lazy(() =>
  z.looseObject({
    _response_contract: z.exactOptional(json),
    route_id: text,
    total_legs: number,
    route_locations: z.array(
      z.looseObject({
        port: z.exactOptional(
          z.nullable(
            z.looseObject({
              code: z.exactOptional(textOrNull),
              name: z.exactOptional(textOrNull),
              city: z.exactOptional(textOrNull),
              country_code: z.exactOptional(textOrNull),
            }),
          ),
        ),
        inbound: z.looseObject({
          mode: z.exactOptional(textOrNull),
          carrier_scac: z.exactOptional(textOrNull),
          vessel: z.exactOptional(
            z.nullable(z.looseObject({ name: z.exactOptional(textOrNull), imo: z.exactOptional(textOrNull) })),
          ),
          eta: z.exactOptional(textOrNull),
          ata: z.exactOptional(textOrNull),
        }),
        outbound: z.looseObject({
          mode: z.exactOptional(textOrNull),
          carrier_scac: z.exactOptional(textOrNull),
          vessel: z.exactOptional(
            z.nullable(z.looseObject({ name: z.exactOptional(textOrNull), imo: z.exactOptional(textOrNull) })),
          ),
          etd: z.exactOptional(textOrNull),
          atd: z.exactOptional(textOrNull),
        }),
      }),
    ),
    created_at: z.exactOptional(textOrNull),
    updated_at: z.exactOptional(textOrNull),
    _metadata: json,
  }),
);

const containerRouteResult = z.lazy(() =>
  z.union([
    containerRoute,
    z.looseObject({
      _response_contract: z.exactOptional(json),
      error: z.enum(['FeatureNotEnabled', 'NotFound']),
      message: text,
      alternative: z.exactOptional(text),
      _metadata: z.exactOptional(json),
    }),
  ]),
);

const textOrNullByName = z.lazy(() => z.catchall(z.object({}), textOrNull));

const shipmentRow = z.lazy(() =>
  z.looseObject({
    id: text,
    billOfLading: z.exactOptional(textOrNull),
    shippingLineScac: z.exactOptional(textOrNull),
    customerName: z.exactOptional(textOrNull),
    containers: z.exactOptional(z.array(z.looseObject({ id: text, number: z.exactOptional(textOrNull) }))),
    refNumbers: z.exactOptional(z.nullable(texts)),
    tags: z.exactOptional(z.nullable(texts)),
    vesselAtPod: z.exactOptional(z.nullable(textOrNullByName)),
    ports: z.exactOptional(json),
    tracking: z.exactOptional(textOrNullByName),
  }),
);

const rowTerminal = z.lazy(() =>
  z.looseObject({ id: text, name: textOrNull, nickname: textOrNull, firmsCode: textOrNull }),
);

const containerRow = z.lazy(() =>
  z.looseObject({
    id: text,
    number: z.exactOptional(textOrNull),
    status: z.exactOptional(textOrNull),
    currentStatus: z.exactOptional(textOrNull),
    equipment: z.exactOptional(
      z.looseObject({ type: textOrNull, length: numberOrNull, height: textOrNull, weightLbs: numberOrNull }),
    ),
    location: z.exactOptional(
      z.looseObject({
        currentLocation: textOrNull,
        availableForPickup: flagOrNull,
        podArrivedAt: textOrNull,
        podDischargedAt: textOrNull,
      }),
    ),
    demurrage: z.exactOptional(
      z.looseObject({
        pickupLfd: textOrNull,
        pickupAppointmentAt: textOrNull,
        fees: z.nullable(z.array(unknown)),
        holds: z.nullable(z.array(unknown)),
      }),
    ),
    terminals: z.exactOptional(
      z.looseObject({ podTerminal: z.nullable(rowTerminal), destinationTerminal: z.nullable(rowTerminal) }),
    ),
    rail: z.exactOptional(textOrNullByName),
    events: z.exactOptional(z.array(unknown)),
    shipment: z.exactOptional(
      z.nullable(
        z.looseObject({
          id: text,
          billOfLading: z.exactOptional(textOrNull),
          shippingLineScac: z.exactOptional(textOrNull),
          bill_of_lading: z.exactOptional(textOrNull),
          shipping_line_scac: z.exactOptional(textOrNull),
          port_of_discharge: z.exactOptional(textOrNull),
          pod_vessel: z.exactOptional(textOrNull),
          pod_eta_at: z.exactOptional(textOrNull),
          pod_ata_at: z.exactOptional(textOrNull),
        }),
      ),
    ),
    available_for_pickup: z.exactOptional(flagOrNull),
    pod_terminal: z.exactOptional(textOrNull),
    pickup_lfd: z.exactOptional(textOrNull),
    holds: z.exactOptional(z.array(z.looseObject({ name: text, description: z.exactOptional(textOrNull) }))),
    fees: z.exactOptional(
      z.array(z.looseObject({ type: text, amount: numberOrNull, currency: z.exactOptional(textOrNull) })),
    ),
    pod_timezone: z.exactOptional(textOrNull),
  }),
);

const trackingRequestRow = z.lazy(() =>
  z.looseObject({
    id: text,
    requestType: z.exactOptional(textOrNull),
    requestNumber: z.exactOptional(textOrNull),
    status: z.exactOptional(textOrNull),
    scac: z.exactOptional(textOrNull),
    refNumbers: z.exactOptional(z.nullable(texts)),
    shipment: z.exactOptional(unknown),
    container: z.exactOptional(unknown),
    shipmentTags: z.exactOptional(z.nullable(texts)),
    createdAt: z.exactOptional(textOrNull),
    updatedAt: z.exactOptional(textOrNull),
    failedReason: z.exactOptional(textOrNull),
    isRetrying: z.exactOptional(flagOrNull),
    retryCount: z.exactOptional(numberOrNull),
  }),
);

/** The schema of every result, by the name of the tool. */
export const toolResults = {
  search_container: z.lazy(() => searchContainerResult),
  track_container: z.lazy(() => trackContainerResult),
  get_container: z.lazy(() => containerDetails),
  get_shipment_details: z.lazy(() => shipmentDetails),
  get_container_transport_events: z.lazy(() => containerTimeline),
  get_supported_shipping_lines: z.lazy(() => shippingLines),
  get_container_route: z.lazy(() => containerRouteResult),
  list_shipments: z.lazy(() =>
    z.looseObject({
      _response_contract: z.exactOptional(json),
      items: z.array(shipmentRow),
      links: z.exactOptional(textOrNullByName),
      meta: z.exactOptional(json),
      unsupportedFilters: z.exactOptional(texts),
      _metadata: z.exactOptional(
        z.looseObject({
          applied_filters: z.exactOptional(json),
          sort: z.exactOptional(textOrNull),
          page: z.exactOptional(number),
          page_size: z.exactOptional(number),
          has_more: z.exactOptional(flagOrNull),
          next_page: z.exactOptional(number),
        }),
      ),
    }),
  ),
  list_containers: z.lazy(() =>
    z.looseObject({
      _response_contract: z.exactOptional(json),
      items: z.array(containerRow),
      links: z.exactOptional(textOrNullByName),
      meta: z.exactOptional(json),
      unsupportedFilters: z.exactOptional(texts),
      _metadata: z.exactOptional(
        z.looseObject({
          applied_filters: z.exactOptional(json),
          sort: z.exactOptional(textOrNull),
          page: z.exactOptional(number),
          page_size: z.exactOptional(number),
          has_more: z.exactOptional(flagOrNull),
          next_page: z.exactOptional(number),
        }),
      ),
    }),
  ),
  list_tracking_requests: z.lazy(() =>
    z.looseObject({
      _response_contract: z.exactOptional(json),
      items: z.array(trackingRequestRow),
      links: z.exactOptional(textOrNullByName),
      meta: z.exactOptional(json),
      unsupportedFilters: z.exactOptional(texts),
      _metadata: z.exactOptional(
        z.looseObject({
          applied_filters: z.exactOptional(json),
          sort: z.exactOptional(textOrNull),
          page: z.exactOptional(number),
          page_size: z.exactOptional(number),
          has_more: z.exactOptional(flagOrNull),
          next_page: z.exactOptional(number),
        }),
      ),
    }),
  ),
};
