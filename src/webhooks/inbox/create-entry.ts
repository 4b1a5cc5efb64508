import { isRecord } from '../../jsonapi/document.ts';
import { mainRecordOf } from '../notification/main-record.ts';
import type { Notification } from '../notification/notification.ts';
import { toHex } from '../verify/signature.ts';
import type { InboxEntry } from './inbox.ts';

/** What decides which notifications are handled one after another. `undefined` leaves it to the default. */
export type OrderBy = (notification: Notification) => string | undefined;

/** The entry of a notification and the bytes that it was read from. */
export function createEntry(notification: Notification, body: Uint8Array, orderBy?: OrderBy): InboxEntry {
  return {
    id: notification.id,
    event: notification.event,
    group: orderBy?.(notification) ?? groupOf(notification),
    order: orderOf(notification),
    body,
    receivedAt: Date.now(),
  };
}

/** The dead letter of bytes that were signed and are no notification. Its digest tells it from others. */
export async function createPoisonEntry(poison: string, body: Uint8Array<ArrayBuffer>): Promise<InboxEntry> {
  const id = `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', body)))}`;
  return { id, event: '', group: id, order: '', body, receivedAt: Date.now(), poison };
}

function groupOf(notification: Notification): string {
  const { reference_object, document } = notification;
  const { type, id } = mainRecordOf(notification) ?? reference_object ?? document ?? notification;
  return `${type} ${id}`;
}

/**
 * A milestone counts from when it happened. The time stamp of an estimate or a deadline is the new value: those count from
 * when they became known.
 */
function orderOf(notification: Notification): string {
  const subject: unknown = notification.reference_object;
  const { timestamp, created_at }: Record<string, unknown> = isRecord(subject) ? subject : {};
  const known = instant(created_at) || instant(notification.created_at);
  const isValue = notification.event.includes('.estimated.') || notification.event.endsWith('.changed');
  return `${(!isValue && instant(timestamp)) || known} ${known}`;
}

function instant(value: unknown): string {
  const time = typeof value === 'string' && Date.parse(value);
  return time ? new Date(time).toISOString() : '';
}
