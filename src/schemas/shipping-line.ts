import * as z from 'zod/mini';
import { flag, text, textOrNull, texts } from './fields.ts';
import { providedData } from './provided-data.ts';
import { resource } from './resource.ts';

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
      provided_data: providedData([
        'ssl_lfd',
        'seal_number',
        'weight_in_lbs',
        'equipment_type',
        'equipment_height',
        'equipment_length',
        'pod_arrived_at',
        'pod_full_out_at',
        'pod_discharged_at',
        'empty_terminated_at',
        'final_destination_full_out_at',
      ]),
      tracking_url: textOrNull,
      contact_url: textOrNull,
      bol_prefix: text,
    },
    {},
  ),
);
