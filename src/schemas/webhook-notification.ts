import * as z from 'zod/mini';
import { date, dateTime, text } from './fields.ts';
import { many, one, resource } from './resource.ts';

/** A webhook notification, as it is on the wire. */
export const webhookNotification = z.lazy(() =>
  resource(
    'webhook_notification',
    { event: text, delivery_status: text, created_at: dateTime, version: date },
    {
      reference_object: one(
        'tracking_request',
        'transport_event',
        'estimated_event',
        'container_updated_event',
        'container_created_event',
        'container_pod_terminal_changed_event',
      ),
      webhook: one('webhook'),
      webhook_notification_logs: many(),
      document: one('document'),
    },
  ),
);
