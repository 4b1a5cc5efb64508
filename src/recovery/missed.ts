import { isIdentifier, type ResourceIdentifier } from '../jsonapi/document.ts';
import type { Webhook } from '../model/index.ts';
import { mainRecordOf } from '../webhooks/notification/main-record.ts';
import { byAge, isCoveredBy, sameAddress } from '../webhooks/registration/match.ts';
import type { PendingSubject, RecoveryCheckpoint, RecoveryPosition } from './checkpoint.ts';
import type { RecoverSettings, RecoveryGroups, Warn } from './recover-options.ts';

interface CheckedWebhooks {
  /** Webhooks that should be active. */
  inactive: Webhook[];
  /** Ids of webhooks that are not checked. */
  others: Set<string>;
  /** True if a webhook that is checked is active. */
  hasActive: boolean;
  /**
   * Time of the response on the clock of the service, in ms since 1970; `NaN` if the service does not send the time.
   */
  present: number;
}

/** Finds the webhooks with the URL, and reports each inactive webhook. */
export async function checkWebhooks(
  webhooks: RecoveryGroups['webhooks'],
  { signal, priority, url, repair, onInactive }: RecoverSettings,
  warn: Warn,
): Promise<CheckedWebhooks> {
  const list = webhooks.list({ signal, priority, pageSize: 100 });
  const { response } = await list.withResponse();
  const all = await list.toArray();
  const wanted = all.filter(webhook => url === undefined || sameAddress(webhook.url, url));
  if (url !== undefined && wanted.length === 0) warn(`No webhook has the url ${url}.`);
  const inactive = wanted.filter(webhook => !webhook.active && !all.some(other => isStandIn(other, webhook)));
  for (const webhook of inactive) {
    const outcome = repair ? 'It will be activated.' : 'Pass `repair: true` to activate it.';
    warn(`Webhook ${webhook.id} is inactive. ${outcome}`);
    onInactive?.(webhook);
  }
  const others = new Set(all.filter(webhook => !wanted.includes(webhook)).map(({ id }) => id));
  const present = Date.parse(String(response.headers.get('date')));
  return { inactive, others, hasActive: wanted.some(({ active }) => active), present };
}

/** True if another webhook replaces this webhook. `webhooks.ensure` and `rotateSecret` may leave webhooks that stay inactive. */
function isStandIn(other: Webhook, webhook: Webhook): boolean {
  if (!isCoveredBy(webhook, other)) return false;
  return other.active || !isCoveredBy(other, webhook) || byAge(other, webhook) < 0;
}

/** Subjects, by the value of `keyOf`. */
export type Subjects = Map<string, PendingSubject>;

/** The notifications that were checked. */
export type Checked = Pick<RecoveryPosition, 'until' | 'accounted' | 'except'>;

type Missed = Pick<RecoveryCheckpoint, 'until' | 'accounted'> & {
  subjects: Subjects;
  checked: Checked;
  /** The notifications themselves, by id, if they will be put into the inbox. */
  sent: Map<string, ResourceIdentifier>;
};

/**
 * Upper bound for the number of notification ids in a position. Only the ids of the newest second may exceed this
 * number.
 */
const MOST_IDS = 100;
const MINUTE = 60_000;

interface MissedOptions extends RecoverSettings {
  /** Ids of webhooks whose notifications are ignored. */
  others: ReadonlySet<string>;
}

/**
 * Reads the notifications since the start, newest first, and collects the subjects of the notifications that did not
 * arrive. If the list of notifications does not contain the subject, the notification itself is collected.
 */
export async function findMissed(
  notifications: RecoveryGroups['webhookNotifications'],
  start: RecoveryCheckpoint,
  { inbox, signal, priority, others, requeue }: MissedOptions,
): Promise<Missed> {
  const accounted = new Set(start.accounted);
  const subjects: Subjects = new Map();
  const sent: Missed['sent'] = new Map();
  const unsettled: string[] = [];
  const settled: { id: string; at: number }[] = [];
  let oldestUnsettled = Infinity;

  const options = { signal, priority, pageSize: 100 };
  for await (const { data } of notifications.list({ ...options, include: ['reference_object'] }).pages()) {
    const recent = data.filter(({ created_at }) => Date.parse(created_at) >= Date.parse(start.until));
    for (const notification of recent) {
      const { id, event, created_at, delivery_status, webhook } = notification;
      if (webhook && others.has(webhook.id)) continue;
      const isNew = !accounted.has(id);
      // The inbox is more reliable than the delivery status: a delivery may have failed after it was stored.
      const isMissed = isNew && (inbox ? !(await inbox.has(id)) : delivery_status === 'failed');
      // The notification may still arrive, so the next recovery must check it again.
      const isUnsettled = isNew && !isMissed && !inbox && delivery_status !== 'succeeded';
      if (isUnsettled) {
        oldestUnsettled = Math.min(oldestUnsettled, Date.parse(created_at));
        unsettled.push(id);
      } else settled.push({ id, at: Date.parse(created_at) });
      if (!isMissed) continue;
      if (requeue) sent.set(id, notification);
      const { type, id: its } = subjectOf(notification) ?? notification;
      addTo(subjects, { type, id: its, notifications: [{ id, event, created_at, delivery_status }] });
    }
    // The list is not exactly in the order of time: after a page with both recent and old notifications, more recent
    // notifications may follow.
    if (recent.length === 0) break;
  }

  const newest = settled.reduce((latest, { at }) => Math.max(latest, at), Date.parse(start.until));
  const until = Math.min(newest, oldestUnsettled);
  const idsSince = (time: number) => settled.filter(({ at }) => at >= time).map(({ id }) => id);
  const rest = { until: new Date(until).toISOString(), accounted: idsSince(until) };
  return { ...rest, subjects, sent, checked: { ...checked(), except: unsettled.length > MOST_IDS ? [] : unsettled } };

  /** The position after the checked notifications. It is as short as possible, because each item contains it. */
  function checked(): Omit<Checked, 'except'> {
    if (unsettled.length > MOST_IDS) return { until: rest.until, accounted: [] };
    const accounted = idsSince(newest);
    // A second that ended long ago gets no more notifications.
    const isOver = accounted.length > MOST_IDS && Date.now() - newest > MINUTE;
    return isOver
      ? { until: new Date(newest + 1000).toISOString(), accounted: [] }
      : { until: new Date(newest).toISOString(), accounted };
  }
}

/** True if a notification was checked. */
export function wasChecked({ id, created_at }: { id: string; created_at: string }, checked: Checked): boolean {
  if (checked.except.includes(id)) return false;
  return Date.parse(created_at) < Date.parse(checked.until) || checked.accounted.includes(id);
}

/** The sort key of a record, for the order of reading. Notifications that name no record come first. */
export function orderOf(key: string): string {
  return key.startsWith('webhook_notification ') ? ` ${key}` : key;
}

export function addTo(subjects: Subjects, { notifications, type, id }: PendingSubject): void {
  const known = subjects.get(keyOf({ type, id }))?.notifications ?? [];
  const others = notifications.filter(({ id }) => known.every(notification => notification.id !== id));
  subjects.set(keyOf({ type, id }), { type, id, notifications: [...known, ...others] });
}

export function keyOf({ type, id }: ResourceIdentifier): string {
  return `${type} ${id}`;
}

/** The record of a notification; `undefined` if the notification does not name it. */
export function subjectOf(notification: object): ResourceIdentifier | undefined {
  const { document, reference_object: about } = notification as { document?: unknown; reference_object?: unknown };
  const named = isIdentifier(about) && about.type === 'document' ? about : undefined;
  return [mainRecordOf(notification), document, named].find(isIdentifier);
}
