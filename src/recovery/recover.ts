import { ConfigurationError, type TrackingError } from '../errors.ts';
import type { ResourceIdentifier } from '../jsonapi/document.ts';
import {
  type PendingSubject,
  type PendingSweep,
  type RecoveryCheckpoint,
  type RecoveryPosition,
  startOf,
  sweepSince,
} from './checkpoint.ts';
import { addTo, checkWebhooks, findMissed, keyOf, orderOf, type Subjects, subjectOf, wasChecked } from './missed.ts';
import { type Reading, reader, tryToRead } from './read.ts';
import {
  checked,
  type Recovered,
  type RecoverOptions,
  type RecoverSettings,
  type RecoveryGroups,
  type Warn,
} from './recover-options.ts';
import { deliveryOf } from './requeue.ts';

const MINUTE = 60_000;
/**
 * Upper bound for unreadable records in the checkpoints of items. If there are more, the checkpoints of the following
 * items do not advance. Only the last checkpoint advances.
 */
const MOST_PENDING = 100;

/** Finds missed notifications, repairs the webhooks, then reads each subject once: in the sweep, or separately. */
export async function* recover(
  groups: RecoveryGroups | undefined,
  argument: RecoverOptions,
  warn: Warn,
  onCheckpoint: (checkpoint: RecoveryCheckpoint) => void,
): AsyncGenerator<Recovered, RecoveryCheckpoint, undefined> {
  if (!groups) {
    throw new ConfigurationError('recover() needs the other resource groups: use client.webhookNotifications.');
  }
  const { priority = 'bulk', repair = false, ...rest } = checked(argument);
  const options = { ...rest, priority, repair };
  const call = { signal: options.signal, priority };
  const { webhooks, webhookNotifications: notifications } = groups;

  let start = startOf(options);
  const { inactive, others, present } = await checkWebhooks(webhooks, options, warn);
  // Otherwise no recovery would find the notifications between the present and the start.
  if (Date.parse(start.until) - present > MINUTE) {
    const until = new Date(present).toISOString();
    warn(`${start.until} is in the future of the service. The recovery begins at ${until}.`);
    start = { ...start, until };
  }
  const {
    subjects: found,
    sent,
    until,
    accounted,
    checked: scanned,
  } = await findMissed(notifications, start, {
    ...options,
    others,
  });
  const wholeSweep = sweepSince(start.sweep?.since ?? start.until);
  // While a webhook is inactive, records may change without a notification. The whole sweep must be done again until
  // the webhook is repaired.
  const staysInactive = inactive.length > 0 && !repair;
  let sweep = start.sweep ?? (options.sweep ? wholeSweep : null);
  if (inactive.length > 0) sweep = wholeSweep;
  if (options.sweep === false) sweep = null;

  const before = start.position ?? null;
  let position: RecoveryPosition = before ?? { ...scanned, swept: null, through: null };
  const swept =
    before && found.size > 0 ? await sweptBefore(groups, wholeSweep, before, options) : new Map<string, boolean>();
  const through = before?.through;
  const wasRead = (key: string) => through != null && orderOf(key) <= orderOf(through);
  const unnamed = new Map<string, TrackingError | undefined>();
  const owed: Subjects = new Map();
  for (const subject of start.pending) addTo(owed, await named(subject));
  /** The subjects that were not yielded yet. */
  const subjects: Subjects = new Map(owed);
  for (const subject of found.values()) {
    const { type, id, notifications } = await named(subject);
    const key = keyOf({ type, id });
    const isDone = before !== null && (swept.get(key) === true || wasRead(key));
    const missed = notifications.filter(notification => !(isDone && wasChecked(notification, before)));
    if (missed.length > 0) addTo(subjects, { type, id, notifications: missed });
  }
  const failed: Subjects = new Map();
  let kept: Pick<RecoveryCheckpoint, 'pending' | 'position'> | undefined;

  if (repair) {
    // Once a webhook is active, nothing shows that it was inactive. So the caller first receives a checkpoint that
    // contains the sweep. The caller has stored this checkpoint when it requests the next item. Records are read after
    // the repair: the service sends notifications of later changes.
    for (const webhook of inactive) yield toItem(webhook, { value: null });
    for (const { id } of inactive) await webhooks.update(id, { active: true }, call);
  }
  if (sweep !== null) {
    for await (const { found, next } of sweepFrom(groups, sweep, options)) {
      for (const record of found) {
        const key = keyOf(record);
        if (isWhole(record)) yield toItem(record, await requeued(key, { value: record }), { swept: key });
        else for (const all of [owed, subjects]) addTo(all, { type: record.type, id: record.id, notifications: [] });
      }
      if (!staysInactive) sweep = next;
    }
    if (!staysInactive) sweep = null;
    position = { ...position, swept: 'all' };
  }
  const read = reader(groups, options);
  const inOrder = [...subjects.keys()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  // The records that may have been yielded before the position are read first. After that, the position moves on to the
  // notifications that are checked now.
  const isBefore = (key: string) => swept.has(key) || wasRead(key);
  for (const key of inOrder.filter(isBefore)) yield await readOne(key, {});
  if (before) position = { ...position, ...scanned };
  for (const key of inOrder.filter(key => !isBefore(key))) yield await readOne(key, { through: key });
  return checkpoint();

  /**
   * Returns the subject. If the list of notifications does not contain the subject, the notification itself is read.
   */
  async function named(subject: PendingSubject): Promise<PendingSubject> {
    if (subject.type !== 'webhook_notification') return subject;
    const { value, error } = await tryToRead(() => notifications.get(subject.id, call));
    unnamed.set(keyOf(subject), error);
    return { ...subject, ...(value && subjectOf(value)) };
  }

  async function readOne(key: string, move: Partial<RecoveryPosition>): Promise<Recovered> {
    const subject = subjects.get(key) as PendingSubject;
    const isUnnamed = subject.type === 'webhook_notification';
    const reading = isUnnamed ? { value: null, error: unnamed.get(key) } : await tryToRead(() => read(subject));
    return toItem(subject, await requeued(key, reading), move);
  }

  /**
   * Puts the missed notifications of a record into the inbox, with the current record. If the record could not be read,
   * puts nothing: the next recovery tries again.
   */
  async function requeued<T extends Reading<Recovered['record']>>(
    key: string,
    reading: T,
  ): Promise<Reading<T['value']>> {
    if (!options.requeue || (reading.error && !key.startsWith('webhook_notification '))) return reading;
    for (const { id } of subjects.get(key)?.notifications ?? []) {
      const { value, error } = sent.has(id)
        ? { value: sent.get(id) }
        : await tryToRead(() => notifications.get(id, call));
      if (error) return { value: null, error };
      if (value) await options.inbox?.put?.(deliveryOf(value as ResourceIdentifier, reading.value, options.orderBy));
    }
    return reading;
  }

  function toItem(
    { type, id }: ResourceIdentifier,
    { value, error }: Reading<Recovered['record']>,
    move: Partial<RecoveryPosition> = {},
  ): Recovered {
    const key = keyOf({ type, id });
    const { notifications } = subjects.get(key) ?? { notifications: [] };
    if (error && failed.size === MOST_PENDING) kept ??= { pending: pending(), position };
    for (const all of [subjects, owed]) all.delete(key);
    if (error) failed.set(key, { type, id, notifications });
    position = { ...position, ...move };
    const item = { subject: { type, id }, record: value, notifications, checkpoint: checkpoint() };
    return { source: 'recovery', ...item, ...(error && { error }) };
  }

  function pending(): PendingSubject[] {
    return [...owed.values(), ...failed.values()];
  }

  /** The checkpoint does not list the remaining records, because the next recovery finds them again. */
  function checkpoint(): RecoveryCheckpoint {
    const current =
      subjects.size === 0
        ? { until, accounted, pending: pending(), sweep }
        : { until: start.until, accounted: start.accounted, sweep, ...(kept ?? { pending: pending(), position }) };
    onCheckpoint(current);
    return current;
  }
}

/**
 * The records that a sweep may have yielded before a position. The value of a record is true if the sweep has certainly
 * yielded the record.
 */
async function sweptBefore(
  groups: RecoveryGroups,
  sweep: PendingSweep,
  { swept, until }: RecoveryPosition,
  options: RecoverSettings,
): Promise<Map<string, boolean>> {
  const given = new Map<string, boolean>();
  if (swept === null) return given;
  for await (const { found } of sweepFrom(groups, sweep, options)) {
    for (const record of found) {
      const { created_at, updated_at = created_at } = record as { created_at?: string; updated_at?: string };
      // A record that has changed after `until` may be missing in the list of that sweep.
      given.set(keyOf(record), Date.parse(updated_at ?? '') < Date.parse(until));
      if (keyOf(record) === swept) return given;
    }
  }
  return swept === 'all' ? given : new Map();
}

/** The service may send a reference to a container instead of the container. */
function isWhole(record: object): boolean {
  return 'created_at' in record;
}

interface Swept {
  found: NonNullable<Recovered['record']>[];
  /** The rest of the sweep. */
  next: PendingSweep;
}

/**
 * Reads all records that may have changed since a time, page by page: shipments whose tracking did not end before that time,
 * with their containers, and tracking requests. Shipments have no time of their last change, and no filter for it.
 */
export async function* sweepFrom(
  groups: RecoveryGroups,
  { since, list, after }: PendingSweep,
  { signal, priority }: RecoverSettings,
): AsyncGenerator<Swept> {
  const options = { signal, priority, pageSize: 100 };
  if (list === 'shipments') {
    const from = after ?? undefined;
    const shipments = groups.shipments.list({ ...options, include: ['containers'], from });
    for await (const { data, checkpoint } of shipments.pages()) {
      const found = data
        .filter(({ line_tracking_stopped_at: end }) => !end || Date.parse(end) >= Date.parse(since))
        .flatMap(shipment => [shipment, ...shipment.containers]);
      yield { found, next: { since, list: 'shipments', after: checkpoint } };
    }
    yield { found: [], next: { since, list: 'tracking_requests', after: null } };
  }
  // The filter may exclude records that changed exactly at the limit of the filter.
  const start = new Date(Date.parse(since) - 1000);
  const from = list === 'tracking_requests' && after !== null ? after : undefined;
  const requests = groups.trackingRequests.list({ ...options, filter: { updated_at: { start } }, from });
  for await (const { data, checkpoint } of requests.pages()) {
    yield { found: data, next: { since, list: 'tracking_requests', after: checkpoint } };
  }
}
