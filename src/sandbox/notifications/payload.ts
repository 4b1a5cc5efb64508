import type { WireResource } from '../../jsonapi/document.ts';
import { iso } from '../base/time.ts';
import { webhook } from '../entities/webhook.ts';
import { serialize } from '../http/jsonapi.ts';
import type { Entity, Rendered } from '../state/entity.ts';
import type { Notification, Reference } from '../state/store.ts';

/** The payload version of document events. Other events have no version. */
const DOCUMENT_VERSION = '2026-03-10';

export function notification(record: Notification): Entity<'webhook_notification'> {
  return { type: 'webhook_notification', id: record.id, render: () => render(record) };
}

function render({
  id,
  event,
  deliveryStatus,
  createdAt,
  subject,
  ...record
}: Notification): Rendered<'webhook_notification'> {
  const attributes = { id, event, delivery_status: deliveryStatus, created_at: iso(createdAt) };
  const { reference } = subject;
  if (isDocument(reference)) {
    return { attributes: { ...attributes, version: DOCUMENT_VERSION }, relationships: { document: reference } };
  }
  return {
    attributes,
    relationships: { reference_object: reference, webhook: webhook(record.webhook), webhook_notification_logs: [] },
  };
}

function isDocument(reference: Reference | Entity<'document'>): reference is Entity<'document'> {
  return reference.type === 'document';
}

/** The body of a delivery. */
export function payload(record: Notification): { data: WireResource | undefined; included?: WireResource[] } {
  const { included } = record.subject;
  const [data] = serialize([notification(record)], new Map()).data;
  return included === null ? { data } : { data, included: serialize(included, new Map()).data };
}
