import * as z from 'zod/mini';
import { flagOrNull, json, number, numberOrNull, text, textOrNull, texts, unknown } from './fields.ts';
import { maybeText, texted, textsOrNull } from './tool-fields.ts';

/** The results of the MCP tools about shipments and carriers, and those of the lists. */

const list = z.array(unknown);
const listOrNull = z.nullable(list);
/** An object of any keys. */
const anyTexts = z.catchall(z.object({}), textOrNull);

export const getShipmentDetails = z.lazy(() => {
  const arrival = { eta: textOrNull, ata: textOrNull };
  const place = { locode: textOrNull, name: textOrNull, timezone: textOrNull };
  const portDetails = z.optional(z.nullable(z.looseObject({ id: text, code: textOrNull, country_code: textOrNull })));
  const terminal = z.optional(
    z.nullable(z.looseObject({ id: text, name: textOrNull, nickname: maybeText, firms_code: textOrNull })),
  );
  return z.looseObject({
    id: text,
    bill_of_lading: textOrNull,
    normalized_number: textOrNull,
    status: text,
    shipping_line: texted('scac', 'name', 'short_name'),
    customer_name: textOrNull,
    reference_numbers: textsOrNull,
    tags: textsOrNull,
    routing: z.looseObject({
      port_of_lading: z.looseObject({ ...place, port_details: portDetails, etd: textOrNull, atd: textOrNull }),
      port_of_discharge: z.looseObject({
        ...place,
        ...arrival,
        port_details: portDetails,
        original_eta: textOrNull,
        terminal,
      }),
      destination: z.nullable(z.looseObject({ ...place, ...arrival, terminal })),
    }),
    vessel_at_pod: texted('name', 'imo', 'voyage_number'),
    containers: z.union([
      text,
      z.looseObject({
        count: number,
        containers: z.array(
          z.looseObject({
            id: text,
            number: textOrNull,
            equipment_type: textOrNull,
            equipment_length: numberOrNull,
            available_for_pickup: flagOrNull,
            pod_arrived_at: textOrNull,
            pod_discharged_at: textOrNull,
            pickup_lfd: textOrNull,
          }),
        ),
      }),
    ]),
    tracking: texted(
      'line_tracking_last_attempted_at',
      'line_tracking_last_succeeded_at',
      'line_tracking_stopped_at',
      'line_tracking_stopped_reason',
    ),
    created_at: textOrNull,
    updated_at: maybeText,
    _metadata: json,
  });
});

export const getSupportedShippingLines = z.lazy(() =>
  z.looseObject({
    total_lines: number,
    shipping_lines: z.array(
      z.looseObject({ scac: text, name: text, short_name: maybeText, bol_prefix: maybeText, notes: maybeText }),
    ),
    _metadata: json,
  }),
);

function listOf<Row extends z.ZodMiniType>(row: Row) {
  return z.looseObject({
    items: z.array(row),
    links: z.optional(anyTexts),
    meta: z.optional(json),
    unsupportedFilters: z.optional(texts),
  });
}

export const listShipments = z.lazy(() =>
  listOf(
    z.looseObject({
      id: text,
      billOfLading: textOrNull,
      shippingLineScac: textOrNull,
      customerName: textOrNull,
      containers: z.array(z.looseObject({ id: text, number: textOrNull })),
      refNumbers: textsOrNull,
      tags: textsOrNull,
      vesselAtPod: z.nullable(anyTexts),
      ports: json,
      tracking: anyTexts,
    }),
  ),
);

export const listContainers = z.lazy(() => {
  const terminal = z.nullable(
    z.looseObject({ id: text, name: textOrNull, nickname: textOrNull, firmsCode: textOrNull }),
  );
  return listOf(
    z.looseObject({
      id: text,
      number: textOrNull,
      status: textOrNull,
      currentStatus: textOrNull,
      equipment: z.looseObject({
        type: textOrNull,
        length: numberOrNull,
        height: textOrNull,
        weightLbs: numberOrNull,
      }),
      location: z.looseObject({
        currentLocation: textOrNull,
        availableForPickup: flagOrNull,
        podArrivedAt: textOrNull,
        podDischargedAt: textOrNull,
      }),
      demurrage: z.looseObject({
        pickupLfd: textOrNull,
        pickupAppointmentAt: textOrNull,
        fees: listOrNull,
        holds: listOrNull,
      }),
      terminals: z.looseObject({ podTerminal: terminal, destinationTerminal: terminal }),
      rail: anyTexts,
      events: list,
      shipment: z.nullable(z.looseObject({ id: text, billOfLading: textOrNull, shippingLineScac: textOrNull })),
    }),
  );
});

export const listTrackingRequests = z.lazy(() =>
  listOf(
    z.looseObject({
      id: text,
      requestType: textOrNull,
      requestNumber: textOrNull,
      status: textOrNull,
      scac: textOrNull,
      refNumbers: textsOrNull,
      shipment: unknown,
      container: unknown,
      shipmentTags: textsOrNull,
      createdAt: textOrNull,
      updatedAt: textOrNull,
      failedReason: textOrNull,
      isRetrying: flagOrNull,
      retryCount: numberOrNull,
    }),
  ),
);
