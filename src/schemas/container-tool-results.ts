import * as z from 'zod/mini';
import { flag, flagOrNull, json, number, numberOrNull, text, textOrNull, texts, unknown } from './fields.ts';
import { maybeText, texted, textsOrNull } from './tool-fields.ts';

/** The results of the MCP tools about containers. What a key may hold is checked, and that it is there; other keys may come. */

const listOrNull = z.nullable(z.array(unknown));

function unavailable<const Reason extends string>(...reasons: [Reason, ...Reason[]]) {
  return z.looseObject({ error: z.enum(reasons), message: text });
}

export const searchContainer = z.lazy(() =>
  z.looseObject({
    containers: z.array(
      z.looseObject({
        id: text,
        container_number: text,
        status: text,
        shipping_line: text,
        pod_terminal: maybeText,
        pol_terminal: maybeText,
        destination: maybeText,
        duplicate_number: z.optional(flag),
      }),
    ),
    shipments: z.array(z.looseObject({ id: text, ref_numbers: texts, shipping_line: text, container_count: number })),
    total_results: number,
  }),
);

function containerDetails() {
  return {
    id: text,
    container_number: text,
    created_at: textOrNull,
    status: text,
    status_source: text,
    equipment: z.looseObject({
      type: textOrNull,
      length: numberOrNull,
      height: textOrNull,
      weight_lbs: numberOrNull,
    }),
    location: z.looseObject({
      current_location: textOrNull,
      available_for_pickup: flagOrNull,
      availability_known: flagOrNull,
      pod_arrived_at: textOrNull,
      pod_arrived_at_local: text,
      pod_discharged_at: textOrNull,
      pod_discharged_at_local: text,
      pod_timezone: textOrNull,
    }),
    pickup: z.optional(z.looseObject({ possible: text, reasons: texts })),
    journey: z.optional(
      z.looseObject({
        stage: text,
        ...texted('gate_out_at', 'gate_out_from', 'delivered_at', 'empty_returned_at').shape,
        gate_out_at_local: text,
        delivered_at_local: text,
        empty_returned_at_local: text,
      }),
    ),
    demurrage: z.looseObject({
      pickup_lfd: textOrNull,
      pickup_lfd_local: text,
      last_free_days: texted('terminal', 'rail', 'line'),
      pickup_appointment_at: textOrNull,
      fees_at_pod_terminal: listOrNull,
      fees_total_amount: numberOrNull,
      fees_currency_code: textOrNull,
      holds_at_pod_terminal: listOrNull,
      urgency: text,
      urgency_suppressed: flag,
      urgency_reason: textOrNull,
      days_until_lfd: numberOrNull,
    }),
    rail: texted('pod_rail_carrier', 'pod_rail_loaded_at', 'destination_eta', 'destination_ata'),
    shipment: z.nullable(
      z.looseObject({
        id: text,
        ref_numbers: textsOrNull,
        line: textOrNull,
        shipping_line_name: maybeText,
        port_of_lading_name: maybeText,
        port_of_discharge_name: maybeText,
        destination_name: maybeText,
      }),
    ),
    pod_terminal: z.nullable(z.looseObject({ id: text, name: textOrNull, firms_code: textOrNull })),
    events: z.union([
      text,
      z.looseObject({
        count: number,
        rail_events_count: z.optional(number),
        latest_event: z.optional(z.looseObject({ event: text, timestamp: textOrNull, location: maybeText })),
      }),
    ]),
    _metadata: z.looseObject({
      container_state: text,
      status_is_authoritative: flag,
      derived_lifecycle: text,
      includes_loaded: texts,
      can_answer: texts,
      needs_more_data_for: texts,
      relevant_for_current_state: texts,
      presentation_guidance: z.optional(text),
    }),
  };
}

export const getContainer = z.lazy(() => z.looseObject(containerDetails()));

export const trackContainer = z.lazy(() => {
  const inferred = z.looseObject({ inferred_type: textOrNull, selected_scac: textOrNull, source: text });
  return z.union([
    z.looseObject({ ...containerDetails(), tracking_request_created: flag, infer_result: inferred }),
    z.looseObject({
      tracking_request_created: flag,
      infer_result: z.optional(inferred),
      tracking_request: z.looseObject({
        request_number: text,
        number_type: maybeText,
        scac: maybeText,
        container_id: maybeText,
      }),
      _metadata: json,
    }),
    z.looseObject({
      tracking_request_created: z.literal(false),
      infer_result: z.optional(inferred),
      shipment: z.looseObject({ id: text, bill_of_lading: textOrNull, line: textOrNull }),
      containers: z.array(z.looseObject({ id: text, number: textOrNull })),
      _metadata: json,
    }),
    // Nothing else may be there: one of the others that does not fit must not pass as this one.
    z.strictObject({
      tracking_request_created: z.literal(false),
      infer_result: z.optional(inferred),
      _metadata: json,
      _response_contract: z.optional(json),
    }),
    z.looseObject({ ...unavailable('NotFound').shape, tracking_request_created: z.literal(false) }),
    z.looseObject({
      ...unavailable('ContainerUnavailable').shape,
      tracking_request_created: z.literal(false),
      container: z.looseObject({ id: text }),
    }),
  ]);
});

export const getContainerTransportEvents = z.lazy(() =>
  z.looseObject({
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
        timestamp: textOrNull,
        timezone: maybeText,
        voyage_number: maybeText,
        location: z.nullable(z.looseObject({ name: maybeText, code: maybeText, type: maybeText })),
      }),
    ),
    milestones: z.catchall(z.object({}), textOrNull),
    _metadata: json,
  }),
);

export const getContainerRoute = z.lazy(() => {
  const leg = {
    mode: textOrNull,
    carrier_scac: textOrNull,
    vessel: z.nullable(texted('name', 'imo')),
  };
  return z.union([
    z.looseObject({
      route_id: text,
      total_legs: number,
      route_locations: z.array(
        z.looseObject({
          port: z.nullable(texted('code', 'name', 'city', 'country_code')),
          inbound: z.looseObject({ ...leg, eta: textOrNull, ata: textOrNull }),
          outbound: z.looseObject({ ...leg, etd: textOrNull, atd: textOrNull }),
        }),
      ),
      created_at: textOrNull,
      updated_at: textOrNull,
      _metadata: json,
    }),
    unavailable('FeatureNotEnabled', 'NotFound'),
  ]);
});
