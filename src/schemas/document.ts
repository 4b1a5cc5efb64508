import * as z from 'zod/mini';
import { dateTime, dateTimeOrNull, flag, json, numberOrNull, text, textOrNull } from './fields.ts';
import { many, one, oneOrNull, resource } from './resource.ts';

/** A document, as it is on the wire. */
export const document = z.lazy(() =>
  resource(
    'document',
    {
      name: text,
      document_type: textOrNull,
      document_type_manual: textOrNull,
      classification_notes: textOrNull,
      source: text,
      file_name: text,
      file_content_type: textOrNull,
      file_size_bytes: numberOrNull,
      created_at: dateTime,
      updated_at: dateTime,
    },
    {
      account: one('account'),
      user: oneOrNull('user'),
      email_submission: oneOrNull('email_submission'),
      last_document_representation: oneOrNull('document_representation'),
      current_extraction: oneOrNull('document_representation'),
      shipments: many('shipment'),
      cargos: many('container'),
    },
  ),
);

/** A document representation, as it is on the wire. */
export const documentRepresentation = z.lazy(() =>
  resource(
    'document_representation',
    { schema_version: text, payload: json, created_at: dateTime, updated_at: dateTime },
    {},
  ),
);

/** A document schema, as it is on the wire. */
export const documentSchema = z.lazy(() =>
  resource(
    'document_schema',
    {
      document_type: text,
      label: text,
      schema_version: text,
      full_version: text,
      current: flag,
      draft: flag,
      active_at: dateTimeOrNull,
      schema_format: text,
      description: textOrNull,
      schema_payload: json,
      created_at: dateTime,
      updated_at: dateTime,
    },
    {},
  ),
);
