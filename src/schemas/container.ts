import * as z from 'zod/mini';
import {
  dateTime,
  dateTimeOrNull,
  flagOrNull,
  number,
  numberOrNull,
  text,
  textOrNull,
  texts,
  unknown,
} from './fields.ts';
import { many, oneOrNull, resource } from './resource.ts';

/** Also the values of a changeset. */
export const terminalHolds = z.lazy(() =>
  z.nullable(z.array(z.looseObject({ name: text, status: text, description: textOrNull }))),
);

/** Also the values of a changeset. */
export const terminalFees = z.lazy(() =>
  z.nullable(z.array(z.looseObject({ type: text, amount: number, currency_code: z.exactOptional(text) }))),
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
      holds_at_pod_terminal: terminalHolds,
      fees_at_pod_terminal: terminalFees,
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
      import_deadlines: z.nullable(
        z.looseObject({
          pickup_lfd_line: dateTimeOrNull,
          pickup_lfd_terminal: dateTimeOrNull,
          pickup_lfd_rail: dateTimeOrNull,
        }),
      ),
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
    },
    {
      shipment: oneOrNull('shipment'),
      pod_terminal: oneOrNull('terminal'),
      pickup_facility: oneOrNull('terminal'),
      transport_events: many('transport_event'),
      raw_events: many('raw_event'),
    },
  ),
);
