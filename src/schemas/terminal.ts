import * as z from 'zod/mini';
import { text, textOrNull } from './fields.ts';
import { providedData } from './provided-data.ts';
import { one, resource } from './resource.ts';

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
      provided_data: providedData([
        'pickup_lfd',
        'pod_full_out_at',
        'available_for_pickup',
        'fees_at_pod_terminal',
        'holds_at_pod_terminal',
        'pickup_appointment_at',
        'location_at_pod_terminal',
        'pod_full_out_chassis_number',
        'empty_terminated_at',
      ]),
    },
    { port: one('port') },
  ),
);
