import * as z from 'zod/mini';
import { dateTime, dateTimeOrNull, number, textOrNull, texts } from './fields.ts';
import { many, one, oneOrNull, resource } from './resource.ts';

/** An email submission, as it is on the wire. */
export const emailSubmission = z.lazy(() =>
  resource(
    'email_submission',
    {
      subject: textOrNull,
      body: textOrNull,
      body_preview: textOrNull,
      from: texts,
      to: texts,
      cc: texts,
      sent_at: dateTimeOrNull,
      message_id: textOrNull,
      in_reply_to: textOrNull,
      content_type: textOrNull,
      references: texts,
      documents_count: number,
      created_at: dateTime,
      updated_at: dateTime,
    },
    { account: one('account'), user: oneOrNull('user'), documents: many('document') },
  ),
);
