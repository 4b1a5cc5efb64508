import * as z from 'zod/mini';
import { flagOrNull, number, text, textOrNull } from './fields.ts';
import { members } from './resource.ts';

/** May come without `id` and `type` (docs/service/contradictions.md#inferred-numbers-without-identity). */
export const inferNumberResults = z.lazy(() => {
  const shippingLine = z.looseObject({ scac: text, name: text, confidence: number });
  return z.looseObject({
    id: z.exactOptional(text),
    type: z.exactOptional(z.literal('infer_number_results')),
    ...members(
      {
        number_type: text,
        validation: z.looseObject({
          is_valid: flagOrNull,
          type: text,
          check_digit_passed: z.exactOptional(flagOrNull),
          parsed_number: z.exactOptional(textOrNull),
          reason: z.exactOptional(textOrNull),
        }),
        shipping_line: z.looseObject({
          decision: text,
          selected: z.nullable(shippingLine),
          candidates: z.array(shippingLine),
        }),
      },
      {},
    ),
  });
});
