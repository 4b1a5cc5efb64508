import * as z from 'zod/mini';
import { dateTime, flag, json, jsonOrNull, number, numberOrNull, text, textOrNull, texts } from './fields.ts';
import { many, one, oneOrNull, resource } from './resource.ts';

const value = z.lazy(() => z.nullable(z.union([text, number, flag, texts, json])));

/** A custom field definition, as it is on the wire. */
export const customFieldDefinition = z.lazy(() =>
  resource(
    'custom_field_definition',
    {
      entity_type: text,
      api_slug: text,
      display_name: text,
      description: textOrNull,
      data_type: text,
      reference_type: textOrNull,
      validation: jsonOrNull,
      default_format: textOrNull,
      default_value: value,
      template_id: textOrNull,
      created_at: dateTime,
      updated_at: dateTime,
    },
    { account: oneOrNull('account'), fields: many('custom_field'), options: many('custom_field_option') },
  ),
);

/** A custom field option, as it is on the wire. */
export const customFieldOption = z.lazy(() =>
  resource('custom_field_option', { label: text, value: text, position: numberOrNull }, {}),
);

/** A custom field, as it is on the wire. */
export const customField = z.lazy(() =>
  resource(
    'custom_field',
    { api_slug: text, value, display_value: textOrNull },
    { entity: one('shipment', 'container', 'tracking_request'), definition: one('custom_field_definition') },
  ),
);
