import * as z from 'zod/mini';
import { text } from './fields.ts';
import { resource } from './resource.ts';

/** A webhook event category, as it is on the wire. */
export const webhookEventCategory = z.lazy(() =>
  resource(
    'webhook_event_category',
    { name: text, events: z.array(z.looseObject({ name: text, description: text })) },
    {},
  ),
);
