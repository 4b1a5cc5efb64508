import * as z from 'zod/mini';
import { dateTime, flag, text, texts } from './fields.ts';
import { resource } from './resource.ts';

/** A webhook, as it is on the wire. */
export const webhook = z.lazy(() =>
  resource(
    'webhook',
    {
      url: text,
      active: flag,
      events: texts,
      secret: text,
      headers: z.nullable(z.array(z.looseObject({ name: text, value: text }))),
      created_at: dateTime,
    },
    {},
  ),
);
