import * as z from 'zod/mini';
import { dateTime, flagOrNull, numberOrNull, text, textOrNull, texts } from './fields.ts';
import { members } from './resource.ts';

/** `type` may be `search_result` or repeat the entity type (docs/service/contradictions.md#type-of-a-search-hit). */
export const searchResult = z.lazy(() =>
  z.looseObject({
    id: text,
    type: text,
    ...members(
      {
        entity_type: text,
        number: text,
        shipment_id: textOrNull,
        scac: textOrNull,
        port_of_lading_name: textOrNull,
        port_of_discharge_name: textOrNull,
        containers_count: numberOrNull,
        tracking_stopped: flagOrNull,
        tracking_stopped_reason: textOrNull,
        status: textOrNull,
        failed_reason: textOrNull,
        ref_numbers: texts,
        created_at: dateTime,
        updated_at: dateTime,
      },
      {},
    ),
  }),
);
