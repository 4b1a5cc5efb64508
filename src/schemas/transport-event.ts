import * as z from 'zod/mini';
import { dateTime, dateTimeOrNull, text, textOrNull } from './fields.ts';
import { one, oneOrNull, resource } from './resource.ts';

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
