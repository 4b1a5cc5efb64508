import { ConfigurationError } from '../errors.ts';
import type { ResourceIdentifier } from '../jsonapi/document.ts';
import { type RecoveryCheckpoint, startOf, sweepSince } from './checkpoint.ts';
import type { RecoveryGroups, Warn } from './groups.ts';
import { addTo, findMissed, keyOf, subjectOf } from './missed.ts';
import { checked, type Recovered, type RecoverOptions } from './options.ts';
import { type Reading, reader, tryToRead } from './read.ts';
import { sweepFrom } from './sweep.ts';
import { checkWebhooks } from './webhooks.ts';

/** Finds missed notifications, repairs the webhooks, then reads each subject once: in the sweep, or separately. */
export async function* recover(
  groups: RecoveryGroups | undefined,
  given: RecoverOptions,
  warn: Warn,
  onCheckpoint: (checkpoint: RecoveryCheckpoint) => void,
): AsyncGenerator<Recovered, RecoveryCheckpoint, undefined> {
  if (!groups) {
    throw new ConfigurationError(
      'recover() reads from other groups: use client.webhookNotifications, or pass them as in new WebhookNotifications(transport, { containers, shipments, … }).',
    );
  }
  const { priority = 'bulk', repair = false, ...rest } = checked(given);
  const options = { ...rest, priority, repair };
  const call = { signal: options.signal, priority };
  const { webhooks, webhookNotifications: notifications } = groups;

  const start = startOf(options);
  const { inactive, others } = await checkWebhooks(webhooks, options, warn);
  const { subjects, until, accounted } = await findMissed(notifications, start, { ...options, others });
  const wholeSweep = sweepSince(start.sweep?.since ?? start.until);
  // While a webhook is inactive, records may change without a notification. The whole sweep is due until it is repaired.
  const staysInactive = inactive.length > 0 && !repair;
  let sweep = start.sweep ?? (options.sweep ? wholeSweep : null);
  if (inactive.length > 0) sweep = wholeSweep;
  if (options.sweep === false) sweep = null;

  if (repair) {
    // Once a webhook is active, nothing shows that it was inactive. So the caller first gets a checkpoint that contains the
    // sweep, and has stored it when it asks for the next item. Records are read after the repair: the service notifies of
    // later changes.
    for (const webhook of inactive) yield toItem(webhook, { value: null });
    for (const { id } of inactive) await webhooks.update(id, { active: true }, call);
  }
  for (const unnamed of [...subjects.values()].filter(({ type }) => type === 'webhook_notification')) {
    const { value, error } = await tryToRead(() => notifications.get(unnamed.id, call));
    const subject = value && subjectOf(value);
    if (subject) {
      subjects.delete(keyOf(unnamed));
      addTo(subjects, { ...subject, notifications: unnamed.notifications });
    } else yield toItem(unnamed, { value: null, error });
  }
  if (sweep !== null) {
    for await (const { found, next } of sweepFrom(groups, sweep, options)) {
      for (const record of found) {
        if (isWhole(record)) yield toItem(record, { value: record });
        else addTo(subjects, { ...record, notifications: [] });
      }
      if (!staysInactive) sweep = next;
    }
    if (!staysInactive) sweep = null;
  }
  const read = reader(groups, options);
  for (const subject of subjects.values()) {
    if (subject.type !== 'webhook_notification') yield toItem(subject, await tryToRead(() => read(subject)));
  }
  return checkpoint();

  function toItem({ type, id }: ResourceIdentifier, { value, error }: Reading<Recovered['record']>): Recovered {
    const key = keyOf({ type, id });
    const { notifications } = subjects.get(key) ?? { notifications: [] };
    if (!error) subjects.delete(key);
    const item = { subject: { type, id }, record: value, notifications, checkpoint: checkpoint() };
    return { source: 'recovery', ...item, ...(error && { error }) };
  }

  function checkpoint(): RecoveryCheckpoint {
    const current = { until, accounted, pending: [...subjects.values()], sweep };
    onCheckpoint(current);
    return current;
  }
}

/** The service may send a reference to a container instead of the container. */
function isWhole(record: object): boolean {
  return 'created_at' in record;
}
