import { isRecord } from '../../jsonapi/document.ts';
import { mainRecordOf } from '../notification/main-record.ts';
import type { Notification } from '../notification/notification.ts';
import { toHex } from '../verify/signature.ts';
import type { InboxEntry } from './inbox.ts';

/** The group of a notification. Notifications of one group are handled one after another. `undefined` means the default group. */
export type OrderBy = (notification: Notification) => string | undefined;

/** The entry of a notification, with the bytes from which it was parsed. */
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

/** The dead letter of a correctly signed body that is not a notification. Its `id` is the digest of the body. */
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
 * Milestones are ordered by the time at which they happened. The timestamp of an estimate or a deadline is its new
 * value. Therefore estimates and deadlines are ordered by the time at which they became known.
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
