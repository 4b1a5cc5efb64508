import * as z from 'zod/mini';
import { dateTime, flag, numberOrNull, text, textOrNull, texts } from './fields.ts';
import { oneOrNull, resource } from './resource.ts';

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
    { tracked_object: oneOrNull('shipment'), customer: oneOrNull('party'), user: oneOrNull('user') },
  ),
);
