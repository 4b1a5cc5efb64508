import * as z from 'zod/mini';
import { dateTime, flag, json, jsonOrNull, number, numberOrNull, text, textOrNull, texts } from './fields.ts';

/** Answers that are plain JSON. Each known key is required and its value is checked. Other keys are allowed. */

/** The answer of `webhooks.ips`. */
export const webhookIps = z.lazy(() => z.looseObject({ webhook_notification_ips: texts, last_updated: dateTime }));

/** The answer of `webhooks.trigger`. */
export const triggerResult = z.lazy(() =>
  z.looseObject({
    url: text,
    succeeded: flag,
    error: textOrNull,
    status_code: numberOrNull,
    request_headers: json,
    request_body: text,
    response_headers: jsonOrNull,
    response_body: textOrNull,
  }),
);

/** The answer of `containers.refresh`. */
export const refreshResult = z.lazy(() => z.looseObject({ message: text }));

/** The answer of `documents.types`. */
export const documentTypes = z.lazy(() =>
  z.looseObject({ document_types: z.array(z.looseObject({ code: text, label: text })) }),
);

/** The answer of `documents.downloadUrl`. */
export const downloadUrl = z.lazy(() => z.looseObject({ download_url: text }));

/** The answer of `documents.reextract`, `reclassify`, `relink` and `rotate`. */
export const accepted = z.lazy(() => z.looseObject({ status: text }));

/** The answer of `directUploads.create`. */
export const directUpload = z.lazy(() =>
  z.looseObject({
    id: text,
    key: text,
    filename: text,
    content_type: text,
    metadata: json,
    service_name: text,
    byte_size: number,
    checksum: text,
    created_at: dateTime,
    signed_id: text,
    direct_upload: z.looseObject({ url: text, headers: z.catchall(z.object({}), text) }),
  }),
);
