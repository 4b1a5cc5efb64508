import type { WireResource } from '../../jsonapi/document.ts';
import { iso } from '../base/time.ts';
import { webhook } from '../entities/webhook.ts';
import { serialize } from '../http/jsonapi.ts';
import type { Entity, Rendered } from '../state/entity.ts';
import type { Notification, Subject } from '../state/store.ts';

/** The payload version of document events. Other events have no version. */
const DOCUMENT_VERSION = '2026-03-10';

/** @param reference The record that it is about. */
export function notification(record: Notification, reference: Subject['reference']): Entity<'webhook_notification'> {
  return { type: 'webhook_notification', id: record.id, render: () => render(record, reference) };
}

function render(
  { id, event, deliveryStatus, createdAt, ...record }: Notification,
  reference: Subject['reference'],
): Rendered<'webhook_notification'> {
  const attributes = { id, event, delivery_status: deliveryStatus, created_at: iso(createdAt) };
  // The newer events of documents name theirs as the `reference_object`, as other events do.
  if (event.startsWith('document.') && reference.type === 'document') {
    return { attributes: { ...attributes, version: DOCUMENT_VERSION }, relationships: { document: reference } };
  }
  return {
    attributes,
    relationships: { reference_object: reference, webhook: webhook(record.webhook), webhook_notification_logs: [] },
  };
}

/** The body of a delivery. */
export function payload(
  record: Notification,
  { reference, included }: Subject,
): { data: WireResource | undefined; included?: WireResource[] } {
  const [data] = serialize([notification(record, reference)], new Map()).data;
  return included === null ? { data } : { data, included: serialize(included, new Map()).data };
}
