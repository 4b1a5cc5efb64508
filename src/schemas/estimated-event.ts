import * as z from 'zod/mini';
import { dateTime, text, textOrNull } from './fields.ts';
import { one, oneOrNull, resource } from './resource.ts';

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
