import * as z from 'zod/mini';
import { schemas, webhookNotification } from '../model/generated/schemas.ts';
import type { ResourceType } from '../model/index.ts';
import { json, text } from './fields.ts';

/** A resource of any type, checked with the schema of its type. A resource of an unknown type is valid. */
const anyResource = z.lazy(() =>
  z.looseObject({ id: text, type: text }).check(payload => {
    const { type } = payload.value;
    const schema = Object.hasOwn(schemas, type) ? schemas[type as ResourceType] : undefined;
    const issues = schema?.safeParse(payload.value).error?.issues ?? [];
    for (const issue of issues) payload.issues.push({ ...issue, input: payload.value } as z.core.$ZodRawIssue);
  }),
);

/** The whole body of a webhook delivery (docs/service/webhooks.md#deliveries). `included` may be missing. */
export const notification = z.lazy(() =>
  z.looseObject({
    data: webhookNotification,
    included: z.exactOptional(z.array(anyResource)),
    links: z.exactOptional(json),
    meta: z.exactOptional(json),
  }),
);
