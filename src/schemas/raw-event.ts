import * as z from 'zod/mini';
import { dateOrNull, dateTime, dateTimeOrNull, flag, number, text, textOrNull } from './fields.ts';
import { one, oneOrNull, resource } from './resource.ts';

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
