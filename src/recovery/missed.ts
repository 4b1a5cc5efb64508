import { isIdentifier, type ResourceIdentifier } from '../jsonapi/document.ts';
import type { WebhookNotifications } from '../resources/webhook-notifications.ts';
import { concernOf } from '../webhooks/concern.ts';
import type { PendingSubject, RecoveryCheckpoint } from './checkpoint.ts';
import type { RecoverOptions } from './options.ts';

type Missed = Pick<RecoveryCheckpoint, 'until' | 'accounted'> & { subjects: Map<string, PendingSubject> };

/** Goes through the notifications since the start, newest first, and collects what those were about that did not arrive. */
export async function findMissed(
  notifications: WebhookNotifications,
  start: RecoveryCheckpoint,
  { inbox, signal, priority }: RecoverOptions,
): Promise<Missed> {
  const accounted = new Set(start.accounted);
  const subjects = new Map(start.pending.map(subject => [keyOf(subject), { ...subject }]));
  const options = { signal, priority };
  const settled: { id: string; at: number }[] = [];
  let oldestUnsettled = Number.POSITIVE_INFINITY;

  const pages = notifications.list({ ...options, include: ['reference_object'], pageSize: 100 }).pages();
  for await (const { data } of pages) {
    const recent = data.filter(({ created_at }) => Date.parse(created_at) >= Date.parse(start.until));
    for (const notification of recent) {
      const { id, event, created_at, delivery_status } = notification;
      const isNew = !accounted.has(id);
      const isMissed = isNew && (delivery_status === 'failed' || (inbox && !(await inbox.has(id))));
      // Nobody knows yet whether it will arrive, so that the next recovery has to look at it again.
      const isUnsettled = isNew && !isMissed && !inbox && delivery_status !== 'succeeded';
      if (isUnsettled) oldestUnsettled = Math.min(oldestUnsettled, Date.parse(created_at));
      else settled.push({ id, at: Date.parse(created_at) });
      if (!isMissed) continue;
      const subject =
        subjectOf(notification) ?? subjectOf(await notifications.get(id, options)) ?? identify(notification);
      const known = subjects.get(keyOf(subject)) ?? { ...subject, notifications: [] };
      known.notifications = [...known.notifications, { id, event, created_at, delivery_status }];
      subjects.set(keyOf(subject), known);
    }
    // The order of the list is only nearly that of time.
    if (recent.length === 0) break;
  }

  const newest = settled.reduce((latest, { at }) => Math.max(latest, at), Date.parse(start.until));
  const until = Math.min(newest, oldestUnsettled);
  return {
    until: new Date(until).toISOString(),
    accounted: settled.filter(({ at }) => at >= until).map(({ id }) => id),
    subjects,
  };
}

export function keyOf({ type, id }: ResourceIdentifier): string {
  return `${type} ${id}`;
}

function identify({ type, id }: ResourceIdentifier): ResourceIdentifier {
  return { type, id };
}

function subjectOf(notification: object): ResourceIdentifier | undefined {
  const { document } = notification as { document?: unknown };
  const subject = concernOf(notification) ?? document;
  return isIdentifier(subject) ? identify(subject) : undefined;
}
