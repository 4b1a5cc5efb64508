import type { WireResource } from '../../jsonapi/document.ts';
import { webhook } from '../entities/webhook.ts';
import { type Entity, serialize } from '../jsonapi.ts';
import type { Notification } from '../store.ts';
import { iso } from '../time.ts';

export function notification(record: Notification): Entity<'webhook_notification'> {
  return {
    type: 'webhook_notification',
    id: record.id,
    render: () => ({
      attributes: {
        id: record.id,
        event: record.event,
        delivery_status: record.deliveryStatus,
        created_at: iso(record.createdAt),
      },
      relationships: {
        reference_object: record.subject.reference,
        webhook: webhook(record.webhook),
        webhook_notification_logs: [],
      },
    }),
  };
}

/** The body of a delivery (api/webhooks.md section 1). */
export function payload(record: Notification): { data: WireResource | undefined; included?: WireResource[] } {
  const { included } = record.subject;
  const [data] = serialize([notification(record)], new Map()).data;
  return included === null ? { data } : { data, included: serialize(included, new Map()).data };
}
